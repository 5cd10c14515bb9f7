/** The store as it was at one moment: a transaction that begins with the first read. */
import { type ReadAnswer, type ReadRequest, type StoreSnapshot, TreeError } from '../tree/index.js';
import type { Connection, StoreConnections } from './connections.js';
import { idleConnections, isPassing, readError } from './errors.js';
import type { PostgresReader } from './reader.js';

/** A connection in a transaction, and the server's answer to its beginning. */
interface Begun {
  readonly connection: Connection;
  readonly answer: Promise<unknown>;
}

/** Begins a transaction without waiting for the answer: the first read goes along. */
async function begin(connections: StoreConnections): Promise<Begun> {
  const connection = await connections.take();
  connection.hold();
  const answer = connection.run(
    `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY${connections.settings}`,
  );
  // The reads wait for it, and fail with it.
  answer.catch(() => {});
  return { connection, answer };
}

/**
 * Ends a transaction. The answer is not awaited: the next user of the connection is served behind
 * it, and a lost connection leaves the pool.
 */
function end(connection: Connection): void {
  connection.run('COMMIT').catch(() => {});
  connection.release(true);
}

/** Opens a snapshot, which takes a connection from its first read on. @throws TreeError `CLOSED` */
export function openSnapshot(connections: StoreConnections, reader: PostgresReader): StoreSnapshot {
  connections.checkOpen();
  let begun: Promise<Begun> | undefined;
  let hasRead = false;
  /** Of the first read that failed: the server has ended the transaction, and says of later reads only that. */
  let failure: TreeError | undefined;
  let isReleased = false;

  async function readIn({ connection, answer }: Begun, request: ReadRequest): Promise<ReadAnswer> {
    const reading = reader.read(connection, request);
    connection.flush();
    // If it did not begin, what was read is of no one moment.
    const [result] = await Promise.all([reading, answer]);
    hasRead = true;
    return result;
  }

  /**
   * Reads, and begins again on another connection if one was lost before anything was read of its moment.
   *
   * @param tries how often it may begin again
   * @throws any error of pg
   */
  async function tryRead(request: ReadRequest, tries: number): Promise<ReadAnswer> {
    begun ??= begin(connections);
    const own = begun;
    try {
      return await readIn(await own, request);
    } catch (cause) {
      if (tries === 0 || isReleased || !isPassing(cause)) throw cause;
      // Of several reads at once, the first one to fail begins again for all.
      if (begun === own) {
        if (hasRead) throw cause;
        begun = undefined;
        own.then(({ connection }) => connection.release(false)).catch(() => {});
      }
    }
    return tryRead(request, tries - 1);
  }

  return {
    read: async (request) => {
      connections.checkOpen();
      if (isReleased) throw new TreeError('CLOSED', 'the snapshot was released');
      if (failure) throw failure;
      try {
        return await tryRead(request, idleConnections);
      } catch (cause) {
        failure ??= readError(cause);
        throw failure;
      }
    },
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      // A connection that never came has told the reader.
      const open = await begun?.catch(() => undefined);
      if (open === undefined) return;
      if (failure) open.connection.release(false);
      else end(open.connection);
    },
  };
}
