/** Connections to the server, taken from a pool and given back to it. */
import { loadPeer, type PeerUser } from '../peer.js';
import { TreeError } from '../tree/index.js';
import { isStartupRefusal, postgresClosedError, sqlStateOf } from './errors.js';
import { markError, redactTarget } from './secrets.js';
import { checkTarget } from './target.js';

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

/** A setting that other servers may not know; a client whose connection is lost says so elsewhere. */
const setting = {
  // To plan a read takes the server longer than to carry it out, and each read has one good plan.
  plan: 'SET plan_cache_mode = force_generic_plan',
};

/**
 * Makes a pool.
 *
 * @param isPlain no statement bound in the greeting, which a pooler may refuse
 * @throws TreeError `MISSING_PEER`
 */
async function openPool(connectionString: string, isPlain: boolean) {
  const { Pool } = (await loadPeer(store, 'pg', import('pg'))).default;
  return new Pool({
    connectionString,
    pipeline: true,
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
    ...(isPlain ? {} : { statement_timeout: statementTime }),
    // For a server that says nothing at all.
    query_timeout: statementTime + 10_000,
    fallback_application_name: 'l2proof',
  });
}

/** A row of columns as text. */
export type TextRow = readonly (string | null)[];
const asText = { getTypeParser: () => (text: string) => text };

/** Members that its types leave out: the socket below a client of `pg`, and which process it was told that it talks to. */
interface Below {
  readonly connection?: { readonly stream?: { cork?(): void; uncork?(): void } };
  readonly processID?: number | null;
}

/** A connection that is in use. */
export class Connection {
  readonly #client: PostgresClient;
  readonly #isNamed: boolean;
  readonly #redact: (text: string) => string;
  #isBroken = false;
  #farewell: Error | undefined;
  #isHeld = false;

  /** @param isNamed whether statements may be named */
  constructor(client: PostgresClient, isNamed: boolean, redact: (text: string) => string) {
    this.#client = client;
    this.#isNamed = isNamed;
    this.#redact = redact;
    client.on('error', this.#onLoss);
  }

  /** Without a listener, the loss of a connection would end the process. */
  readonly #onLoss = (error: Error): void => {
    this.#isBroken = true;
    // The server's last words. For later statements pg says only that the connection is gone.
    if (sqlStateOf(error) !== undefined) this.#farewell ??= error;
  };

  /**
   * Sends a statement behind those that were sent before, and does not wait for their answers.
   *
   * @param name names it as a prepared statement
   */
  run(text: string, values?: unknown[], name?: string): Promise<PostgresResult> {
    const statement = {
      name: this.#isNamed ? name : undefined,
      ...({ text, values, rowMode: 'array', types: asText } as const),
    };
    // With a callback: the promises of pg look for a better stack trace, which costs as much as a row.
    return new Promise((resolve, reject) => {
      this.#client.query(statement, (error, result) => {
        if (!error) return resolve(result);
        // The server has not answered. What is sent next on this connection would wait behind what it still works on.
        if (sqlStateOf(error) === undefined) this.#isBroken = true;
        reject(markError(this.#farewell ?? error, this.#redact));
      });
    });
  }

  /** Process of the server that the other end has named; undefined if it has not. */
  get process(): string | undefined {
    const { processID } = this.#client as Below;
    return processID ? String(processID) : undefined;
  }

  /** Holds statements back until `flush`: the operating system takes as long for a byte as for all. */
  hold(): void {
    this.#isHeld = true;
    (this.#client as Below).connection?.stream?.cork?.();
  }

  /** Sends the statements held back. */
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

/** Passes over a statement that another server does not know. @throws every other cause */
function ifRefused(cause: unknown): void {
  if (!/^42/.test(sqlStateOf(cause) ?? '')) throw cause;
}

/** Without a listener, the loss of an idle connection would end the process. */
const onLoss = (): void => {};

/** The connections of a store. */
export class StoreConnections {
  readonly #target: string | PostgresPool;
  readonly #redact: (text: string) => string;
  #pool: PostgresPool;
  #end: () => Promise<void>;
  #isOpen = true;
  #isKnown = false;
  /** Whether a pooler stands in between, which may give each transaction another connection to the server. */
  #isPooled = false;

  private constructor(target: string | PostgresPool, pool: PostgresPool, end: () => Promise<void>) {
    this.#target = target;
    this.#redact = redactTarget(target);
    this.#pool = pool;
    this.#end = end;
    pool.on('error', onLoss);
  }

  /**
   * @param given a string to connect with, or a pool of the caller, which stays open at the end
   * @throws TreeError `MISSING_PEER`; RangeError
   */
  static async open(given: string | PostgresPool): Promise<StoreConnections> {
    if (typeof given !== 'string') {
      return new StoreConnections(given, given, async () => void given.off('error', onLoss));
    }
    checkTarget(given);
    const pool = await openPool(given, false);
    const connections = new StoreConnections(given, pool, () => pool.end());
    // Not the first one: it is not known yet whether a pooler is there.
    pool.on('connect', (client) => {
      const isOurs = connections.#isKnown && !connections.#isPooled;
      if (isOurs) client.query(setting.plan).catch(() => {});
    });
    return connections;
  }

  /** Finds out whether a pooler is at the other end. @throws any error of pg */
  async greet(): Promise<void> {
    try {
      await this.#meet();
    } catch (cause) {
      if (typeof this.#target !== 'string' || !isStartupRefusal(cause)) throw cause;
      await this.#end();
      // Its connections close after that, and may be lost meanwhile: the listener stays.
      const pool = await openPool(this.#target, true);
      pool.on('error', onLoss);
      this.#pool = pool;
      this.#end = () => pool.end();
      await this.#meet();
    }
  }

  async #meet(): Promise<void> {
    const connection = await this.take();
    let isClean = false;
    try {
      const { rows } = await connection.run('SELECT pg_backend_pid()');
      // A pooler hands out names of its own: it does not know yet which process will serve.
      this.#isPooled = connection.process !== undefined && connection.process !== rows[0]?.[0];
      if (this.#isPooled) {
        // Refused here if it can have no transactions.
        await connection.run('BEGIN READ ONLY');
        await connection.run('COMMIT');
      } else if (typeof this.#target === 'string') {
        await connection.run(setting.plan).catch(ifRefused);
      }
      isClean = true;
    } catch (cause) {
      ifRefused(cause);
    } finally {
      this.#isKnown = true;
      connection.release(isClean);
    }
  }

  /** Settings in SQL for the begin of each transaction, because a pooler's connections keep none. */
  get settings(): string {
    if (!this.#isPooled || typeof this.#target !== 'string') return '';
    const own = new URL(this.#target).searchParams.get('statement_timeout');
    return `; SET LOCAL statement_timeout = ${Number(own ?? statementTime) || 0}`;
  }

  /** @throws TreeError `CLOSED` */
  checkOpen(): void {
    if (!this.#isOpen) throw postgresClosedError();
  }

  /** Takes a connection. @throws TreeError `CLOSED`, and any error of pg */
  async take(): Promise<Connection> {
    this.checkOpen();
    try {
      return new Connection(await this.#pool.connect(), !this.#isPooled, this.#redact);
    } catch (error) {
      throw markError(error, this.#redact);
    }
  }

  /** Runs one statement on a connection of its own. @throws any error of pg */
  async run(text: string, values?: unknown[], name?: string): Promise<readonly TextRow[]> {
    const connection = await this.take();
    try {
      return (await connection.run(text, values, name)).rows;
    } finally {
      connection.release(true);
    }
  }

  /** Lets go of the pool. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#end();
  }
}
