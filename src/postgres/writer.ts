/**
 * Writes batches, each in one transaction whose statements are sent together. First comes the fence, which asks for the
 * lease, renews it and locks its row, then the changes of the batch, then a note that it has taken effect. `now()` is
 * the beginning of a transaction: each statement asks whether the fence has passed in its own transaction, because the
 * next one is carried out even if BEGIN itself fails.
 */
import type { Batch, Entry } from '../tree/index.js';
import { compareKeys } from '../tree/store/keys.js';
import { byteArrays, numbers } from './arrays.js';
import type { Connection, PostgresResult, StoreConnections } from './connections.js';
import { postgresError, sqlStateOf } from './errors.js';
import { Lease, leaseEnd, leaseSeconds } from './lease.js';
import { partWidth } from './schema.js';

/** Most bytes of keys and values of a statement, and most of its rows. */
const statementBytes = 4 * 2 ** 20;
const statementRows = 10_000;

/** Times that a batch is sent which collides with other transactions. */
const maxTries = 4;

const collisions: readonly (string | undefined)[] = ['40001', '40P01'];

/** A piece of a value behind the first. */
interface Part {
  readonly key: Uint8Array;
  readonly number: number;
  readonly value: Uint8Array;
}

/** Cuts a list into parts that fit one statement each. */
function* cutStatements<T>(
  items: readonly T[],
  bytesOf: (item: T) => number,
): Generator<readonly T[]> {
  let start = 0;
  let bytes = 0;
  for (const [i, item] of items.entries()) {
    bytes += bytesOf(item);
    if (i > start && (bytes > statementBytes || i - start >= statementRows)) {
      yield items.slice(start, i);
      start = i;
      bytes = bytesOf(item);
    }
  }
  if (items.length > start) yield items.slice(start);
}

/** The pieces of a value behind the first. */
function toParts({ key, value }: Entry): Part[] {
  const parts: Part[] = [];
  for (let start = partWidth; start < value.length; start += partWidth) {
    const number = start / partWidth;
    parts.push({ key, number, value: value.subarray(start, start + partWidth) });
  }
  return parts;
}

/** How many pieces there are. */
const partCount = ({ value }: Entry): number =>
  Math.max(0, Math.ceil(value.length / partWidth) - 1);

/** Whether a call may have taken effect although it failed: its answer is lost. */
function isUncertain(cause: unknown): boolean {
  const state = sqlStateOf(cause);
  return state === undefined || /^(08|57P|25P0[34]|40003)/.test(state);
}

/** The outcome of a batch's transaction. */
type Outcome = 'written' | 'fenced';

/** A statement: its text, values and name. */
type Statement = [text: string, values?: unknown[], name?: string];

/** The one process that writes to a store. */
export class PostgresWriter {
  readonly #connections: StoreConnections;
  readonly #schema: string;
  readonly #lease: Lease;
  /** Whether any value goes on in parts. */
  #hasParts: boolean;
  /** Number of the last batch that was sent. */
  #batch = 0;
  /** A batch that may or may not have taken effect. */
  #uncertain: number | undefined;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor(
    connections: StoreConnections,
    schema: string,
    lease: Lease,
    hasParts: boolean,
  ) {
    this.#connections = connections;
    this.#schema = schema;
    this.#lease = lease;
    this.#hasParts = hasParts;
  }

  /** Becomes the writer. @throws TreeError `OTHER_WRITER`, `READ_ONLY`, `STORE_FAILED` */
  static async open(connections: StoreConnections, schema: string): Promise<PostgresWriter> {
    let lease: Lease | undefined;
    try {
      lease = await Lease.take(connections, schema);
      const found = await connections.run(`SELECT 1 FROM ${schema}.part LIMIT 1`);
      return new PostgresWriter(connections, schema, lease, found.length > 0);
    } catch (cause) {
      // The next one must not have to wait until it runs out.
      await lease?.release().catch(() => {});
      throw postgresError('cannot write to the store', cause);
    }
  }

  /** Resolves once another writer has taken the store over, or may have. */
  get lost(): Promise<Error> {
    return this.#lease.lost;
  }

  /** Writes a batch behind those that are under way. */
  async write(batch: Batch): Promise<void> {
    const done = this.#writing.then(() => this.#write(batch));
    this.#writing = done.catch(() => {});
    await done;
  }

  /**
   * Finds out whether a batch whose answer was lost took effect. The writer reads nothing before: that
   * batch might take effect behind the read.
   *
   * @returns whether it took effect; true if there is no such batch
   * @throws TreeError `OTHER_WRITER`, `STORE_FAILED`
   */
  async settle(): Promise<boolean> {
    if (this.#uncertain === undefined) return true;
    try {
      const { batch } = await this.#lease.settle();
      const isWritten = batch === this.#uncertain;
      this.#uncertain = undefined;
      return isWritten;
    } catch (cause) {
      throw postgresError('cannot find out whether the last batch was written', cause);
    }
  }

  /** Waits for the writes under way, and leaves the store to the next writer. */
  async close(): Promise<void> {
    await this.#writing;
    // A lease that stays runs out.
    await this.#lease.release().catch(() => {});
  }

  async #write(batch: Batch): Promise<void> {
    await this.settle();
    for (let tries = 1; ; tries++) {
      this.#lease.check();
      this.#batch++;
      try {
        if ((await this.#send(batch)) === 'fenced') throw this.#lease.lose();
        return;
      } catch (cause) {
        const error = postgresError('cannot write to the store', cause);
        if (collisions.includes(sqlStateOf(cause)) && tries < maxTries) continue;
        if (error === cause || !isUncertain(cause)) throw error;
        this.#uncertain = this.#batch;
        if (await this.settle()) return;
        throw error;
      }
    }
  }

  /** Sends a batch. @throws any error of pg */
  async #send(batch: Batch): Promise<Outcome> {
    const connection = await this.#connections.take();
    connection.hold();
    const answers = this.#statements(batch).map((statement) => connection.run(...statement));
    connection.flush();
    return this.#answerOf(connection, await Promise.allSettled(answers));
  }

  #answerOf(connection: Connection, answers: PromiseSettledResult<PostgresResult>[]): Outcome {
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) {
      // After an error of a statement, COMMIT has ended the transaction and undone it.
      connection.release(!isUncertain(failed.reason));
      throw failed.reason;
    }
    connection.release(true);
    const [, fence] = answers as PromiseFulfilledResult<PostgresResult>[];
    return fence?.value.rowCount === 1 ? 'written' : 'fenced';
  }

  /** The statements of a batch. */
  #statements({ puts, deletes }: Batch): Statement[] {
    const [table, { number }] = [`${this.#schema}.writer`, this.#lease];
    const named = (what: string) => `${this.#schema} ${what}`;
    const statements: Statement[] = [
      // A process that is stopped in the middle must not hold the lock of the row for ever.
      [
        `BEGIN ISOLATION LEVEL READ COMMITTED;
        SET LOCAL idle_in_transaction_session_timeout = '${leaseSeconds}s'${this.#connections.settings}`,
      ],
      [
        `UPDATE ${table} SET until = ${leaseEnd}, written = now()
        WHERE id = 1 AND number = $1 AND until >= now()`,
        [number],
        named('fence'),
      ],
    ];
    this.#hasParts ||= puts.some((put) => partCount(put) > 0);
    if (this.#hasParts) this.#addParts(statements, { puts, deletes });
    for (const keys of cutStatements(
      sorted(deletes, (key) => key),
      (key) => key.length,
    )) {
      statements.push([
        `DELETE FROM ${this.#schema}.entry AS e USING unnest($2::bytea[]) AS k (key)
        WHERE e.key = k.key AND ${this.#fenced}`,
        [number, byteArrays(keys)],
        named('delete'),
      ]);
    }
    const bytesOf = ({ key, value }: Entry) => key.length + Math.min(value.length, partWidth);
    for (const some of cutStatements(
      sorted(puts, ({ key }) => key),
      bytesOf,
    )) {
      statements.push([
        `INSERT INTO ${this.#schema}.entry (key, value, parts)
        SELECT e.key, e.value, e.parts
        FROM unnest($2::bytea[], $3::bytea[], $4::int[]) AS e (key, value, parts)
        WHERE ${this.#fenced}
        ON CONFLICT (key) DO UPDATE SET value = excluded.value, parts = excluded.parts`,
        [
          number,
          byteArrays(some.map(({ key }) => key)),
          byteArrays(some.map(({ value }) => value.subarray(0, partWidth))),
          numbers(some.map(partCount)),
        ],
        named('put'),
      ]);
    }
    const note = `UPDATE ${table} SET batch = $2 WHERE id = 1 AND number = $1 AND written = now()`;
    statements.push([note, [number, this.#batch], named('note')], ['COMMIT']);
    return statements;
  }

  /** Deletes the pieces that the entries of a batch no longer have, and puts those that they get. */
  #addParts(statements: Statement[], { puts, deletes }: Batch): void {
    const { number } = this.#lease;
    const kept = [
      ...deletes.map((key) => ({ key, count: 0 })),
      ...puts.map((put) => ({ key: put.key, count: partCount(put) })),
    ];
    for (const some of cutStatements(kept, ({ key }) => key.length)) {
      statements.push([
        `DELETE FROM ${this.#schema}.part AS p
        USING unnest($2::bytea[], $3::int[]) AS k (key, count)
        WHERE p.key = k.key AND p.number > k.count AND ${this.#fenced}`,
        [number, byteArrays(some.map(({ key }) => key)), numbers(some.map(({ count }) => count))],
      ]);
    }
    for (const some of cutStatements(puts.flatMap(toParts), ({ value }) => value.length)) {
      statements.push([
        `INSERT INTO ${this.#schema}.part (key, number, value)
        SELECT p.key, p.number, p.value
        FROM unnest($2::bytea[], $3::int[], $4::bytea[]) AS p (key, number, value)
        WHERE ${this.#fenced}
        ON CONFLICT (key, number) DO UPDATE SET value = excluded.value`,
        [
          number,
          byteArrays(some.map(({ key }) => key)),
          numbers(some.map((part) => part.number)),
          byteArrays(some.map(({ value }) => value)),
        ],
      ]);
    }
  }

  /** Whether the fence has passed in this transaction, in SQL. */
  get #fenced(): string {
    return `EXISTS (
      SELECT 1 FROM ${this.#schema}.writer WHERE id = 1 AND number = $1 AND written = now())`;
  }
}

/** In the order of keys, neighbours in the index are touched one after the other. */
function sorted<T>(items: readonly T[], keyOf: (item: T) => Uint8Array): T[] {
  return [...items].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
}
