/**
 * A store in PostgreSQL. Readers on any machine see it as of a whole batch. A batch is one
 * transaction: the server has it on its disk before the write resolves, if its settings (`fsync`,
 * `synchronous_commit`) ask for that and its disk honors flushes.
 */
import { temporaryScratch } from '../disk/scratch.js';
import { ownMembers } from '../foreign/argument.js';
import { type ReadRequest, type Store, TreeError } from '../tree/index.js';
import { type PostgresPool, StoreConnections } from './connections.js';
import { idleConnections, isPassing, postgresError, readError } from './errors.js';
import { findWriter } from './lease.js';
import { Looks } from './look.js';
import { type Marked, PostgresReader } from './reader.js';
import { migrate, tableBytes } from './schema.js';
import { openSnapshot } from './snapshot.js';
import { PostgresWriter } from './writer.js';

/** Options of {@link postgresStore}: a connection string or a pool, and not both. */
export interface PostgresOptions {
  /**
   * `postgres://USER:PASSWORD@HOST:PORT/DATABASE`; `?sslmode=verify-full&sslrootcert=FILE` asks for
   * TLS, as `pg` has it. Missing parts come from PGPASSWORD and the other variables of libpq.
   */
  connectionString?: string | undefined;
  /** A `Pool` of `pg` made with `pipeline: true`; the store does not end it. */
  pool?: PostgresPool | undefined;
  /** The schema of the tables; a lower-case name of up to 40 letters, digits and _; default `l2proof`. */
  schema?: string | undefined;
  /** Reads only, beside any writer; default false. */
  readOnly?: boolean | undefined;
}

/** @throws TypeError, RangeError */
function checkOptions(options: PostgresOptions) {
  const {
    connectionString,
    pool,
    schema = 'l2proof',
    readOnly = false,
  } = ownMembers(options, ['connectionString', 'pool', 'schema', 'readOnly'], 'options');
  if ((connectionString === undefined) === (pool === undefined)) {
    throw new TypeError('expected either "connectionString" or "pool"');
  }
  if (typeof schema !== 'string' || !/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new RangeError(
      '"schema" expected up to 40 lower-case letters, digits and _, and no digit first',
    );
  }
  return { target: (connectionString ?? pool) as string | PostgresPool, schema, readOnly };
}

/**
 * Opens a store in PostgreSQL, and makes its tables if they are not there.
 *
 * A writer that was killed keeps others away until its lease has run out, half a minute at most: opening waits for
 * that. A lease that is renewed meanwhile is that of a writer at work.
 *
 * A load puts its temporary files, about as long as the state, into the folder that the system of this process has for
 * them (`TMPDIR`).
 *
 * @throws TreeError `MISSING_PEER` with the line that installs pg, `OTHER_WRITER` while another process has it open to
 *   write, `WRONG_STORE`, `READ_ONLY`, `STORE_FULL`, `STORE_FAILED`; TypeError or RangeError for wrong options
 */
export async function postgresStore(options: PostgresOptions): Promise<Store> {
  const { target, schema, readOnly } = checkOptions(options);
  const connections = await StoreConnections.open(target);
  let writer: PostgresWriter | undefined;
  try {
    await connections.greet().catch((cause) => {
      throw postgresError('cannot open the store', cause);
    });
    await migrate(connections, schema, readOnly);
    if (!readOnly) writer = await PostgresWriter.open(connections, schema);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return createStore(connections, { schema, writer });
}

function createStore(
  connections: StoreConnections,
  { schema, writer }: { schema: string; writer: PostgresWriter | undefined },
): Store {
  const reader = new PostgresReader(schema);
  async function tryAtOnce(request: ReadRequest): Promise<Marked | undefined> {
    const connection = await connections.take();
    return reader.readAtOnce(connection, request).finally(() => connection.release(true));
  }
  async function readAtOnce(request: ReadRequest): Promise<Marked | undefined> {
    for (let tries = idleConnections; ; tries--) {
      try {
        return await tryAtOnce(request);
      } catch (cause) {
        if (tries === 0 || !isPassing(cause)) throw readError(cause);
      }
    }
  }
  const looks = new Looks(readAtOnce);
  return {
    ...(writer && { lost: writer.lost }),
    async read(request) {
      connections.checkOpen();
      await writer?.settle();
      const found = await readAtOnce(request);
      if (found) return found.answer;
      // Its long values take a second statement, and so a transaction.
      const snapshot = openSnapshot(connections, reader);
      return snapshot.read(request).finally(() => snapshot.release());
    },
    async write(batch) {
      connections.checkOpen();
      if (!writer) throw new TreeError('READ_ONLY', 'the store was opened to be read only');
      await writer.write(batch).finally(() => looks.forget());
    },
    async snapshot() {
      return openSnapshot(connections, reader);
    },
    look: () => looks.open(),
    async scratch() {
      connections.checkOpen();
      return temporaryScratch();
    },
    async usage() {
      connections.checkOpen();
      try {
        const bytes = await tableBytes(connections, schema);
        return { bytes, writer: await findWriter(connections, schema) };
      } catch (cause) {
        throw readError(cause);
      }
    },
    async close() {
      await writer?.close();
      await connections.close();
    },
  };
}
