/** Connections to the server, taken from a pool and given back to it. */
import { loadPeer, type PeerUser } from '../peer.js';
import { TreeError } from '../tree/index.js';
import { closedError } from './errors.js';

/** A statement as a client of `pg` takes it. Names are prepared once for each connection. */
export interface PostgresStatement {
  /** Names a prepared statement; none: it is parsed each time. */
  readonly name?: string | undefined;
  /** SQL. */
  readonly text: string;
  /** Values of `$1` and so on. */
  readonly values?: unknown[] | undefined;
  /** Rows come as arrays. */
  readonly rowMode: 'array';
  /** Columns come as the text that the server sends. */
  readonly types: {
    /** How a column is read: not at all. */
    readonly getTypeParser: () => (text: string) => string;
  };
}

/** The result of a statement. */
export interface PostgresResult {
  /** The first word of what was done, such as `COMMIT`. */
  readonly command: string;
  /** Rows that came back or were changed. */
  readonly rowCount: number | null;
  /** Columns as text; null: SQL's NULL. */
  readonly rows: (string | null)[][];
}

/** The members of a client of `pg` that are used here. */
export interface PostgresClient {
  /** Runs a statement behind those that were sent before. */
  query(
    statement: PostgresStatement,
    callback: (error: Error | null, result: PostgresResult) => void,
  ): void;
  /** Listens for the loss of the connection. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Ends that. */
  off(event: 'error', listener: (error: Error) => void): unknown;
  /** Gives it back. @param destroy closes the connection instead */
  release(destroy?: boolean): void;
}

/** The members of a `Pool` of `pg` that are used here. */
export interface PostgresPool {
  /** Takes a connection. */
  connect(): Promise<PostgresClient>;
  /** Listens for the loss of idle connections. */
  on(event: 'error', listener: (error: Error) => void): unknown;
  /** Ends that. */
  off(event: 'error', listener: (error: Error) => void): unknown;
}

const store: PeerUser<'pg'> = {
  title: 'the store',
  needs: ['pg'],
  fail: (message, options) => new TreeError('MISSING_PEER', message, options),
};

/** Ms after which the server gives a statement up, unless the connection string has another bound. */
const statementTime = 30_000;

/** Makes a pool. @throws TreeError `MISSING_PEER`; RangeError */
async function openPool(connectionString: string) {
  // Checked here: what pg throws about it repeats it, with the password.
  if (!/^postgres(ql)?:\/\//.test(connectionString) || !URL.canParse(connectionString)) {
    throw new RangeError(
      '"connectionString" expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters percent-encoded',
    );
  }
  const { Pool } = (await loadPeer(store, 'pg', import('pg'))).default;
  const pool = new Pool({
    connectionString,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTime,
    // For a server that says nothing at all.
    query_timeout: statementTime + 10_000,
    fallback_application_name: 'l2proof',
  });
  pool.on('connect', (client) => {
    // To plan a read takes the server longer than to carry it out, and each read has one good plan.
    // Other servers may not know it, and a client whose connection is lost says so elsewhere.
    client.query('SET plan_cache_mode = force_generic_plan').catch(() => {});
  });
  return pool;
}

/** A row of columns as text. */
export type Row = readonly (string | null)[];

const asText = { getTypeParser: () => (text: string) => text };

/** The socket below a client of `pg`, which its types leave out. */
interface Below {
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void } };
}

/** A connection that is in use. */
export class Session {
  readonly #client: PostgresClient;
  #isBroken = false;
  #isHeld = false;

  constructor(client: PostgresClient) {
    this.#client = client;
    client.on('error', this.#onLoss);
  }

  /** Without a listener, the loss of a connection would end the process. */
  readonly #onLoss = (): void => {
    this.#isBroken = true;
  };

  /**
   * Sends a statement behind those that were sent before, and does not wait for their answers.
   *
   * @param name names it as a prepared statement
   */
  run(text: string, values?: unknown[], name?: string): Promise<PostgresResult> {
    const statement = { name, text, values, rowMode: 'array', types: asText } as const;
    // With a callback: the promises of pg look for a better stack trace, which costs as much as a row.
    return new Promise((resolve, reject) => {
      this.#client.query(statement, (error, result) => {
        if (error) reject(error);
        else resolve(result);
      });
    });
  }

  /** Keeps what is sent until `flush`: the operating system takes as long for a byte as for all. */
  hold(): void {
    this.#isHeld = true;
    (this.#client as Below).connection?.stream?.cork?.();
  }

  /** Sends what was kept. */
  flush(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    (this.#client as Below).connection?.stream?.uncork?.();
  }

  /** @param isClean false: a transaction may be open */
  release(isClean: boolean): void {
    this.#client.off('error', this.#onLoss);
    this.#client.release(this.#isBroken || !isClean);
  }
}

/** Without a listener, the loss of an idle connection would end the process. */
const onLoss = (): void => {};

/** The connections of a store. */
export class Connections {
  readonly #pool: PostgresPool;
  readonly #end: () => Promise<void>;
  #isOpen = true;

  private constructor(pool: PostgresPool, end: () => Promise<void>) {
    this.#pool = pool;
    this.#end = end;
    pool.on('error', onLoss);
  }

  /** @param given a string to connect with, or a pool of the caller, which stays open at the end */
  static async open(given: string | PostgresPool): Promise<Connections> {
    if (typeof given !== 'string') {
      return new Connections(given, async () => void given.off('error', onLoss));
    }
    const pool = await openPool(given);
    // Its connections close after that, and may be lost meanwhile: the listener stays.
    return new Connections(pool, () => pool.end());
  }

  /** @throws TreeError `CLOSED` */
  checkOpen(): void {
    if (!this.#isOpen) throw closedError();
  }

  /** Takes a connection. @throws TreeError `CLOSED`, and what pg throws */
  async take(): Promise<Session> {
    this.checkOpen();
    return new Session(await this.#pool.connect());
  }

  /** Runs one statement on a connection of its own. @throws what pg throws */
  async run(text: string, values?: unknown[], name?: string): Promise<readonly Row[]> {
    const session = await this.take();
    try {
      return (await session.run(text, values, name)).rows;
    } finally {
      session.release(true);
    }
  }

  /** Lets go of the pool. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#end();
  }
}
