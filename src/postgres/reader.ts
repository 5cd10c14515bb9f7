/** Reads entries: all that a request asks for in one statement, so that it is of one moment. */
import type { Range, ReadAnswer, ReadRequest } from '../tree/index.js';
import { byteArrays, numbers } from './arrays.js';
import type { Connection, TextRow } from './connections.js';

/** Greater than any key, which has 64 bytes at most: the bound of a range that has none. */
const aboveAll: Uint8Array = new Uint8Array(65).fill(0xff);

/** Kinds of requests, each of which has its part of the statement. */
const kinds = { keys: 0, up: 1, down: 2, mark: 3 } as const;
const kindCount = 4;

/**
 * Columns of all parts: which member of which list, as one number because each column costs; value;
 * how many parts follow; and in a range the key.
 */
const keysText = (schema: string, first: number): string =>
  `SELECT k.i * ${kindCount} + ${kinds.keys}, encode(e.value, 'base64'), e.parts, NULL
  FROM unnest($${first}::bytea[]) WITH ORDINALITY AS k (key, i)
  CROSS JOIN LATERAL (SELECT value, parts FROM ${schema}.entry WHERE key = k.key LIMIT 1) AS e`;

const rangesText = (schema: string, first: number, kind: 'up' | 'down'): string =>
  `SELECT r.i * ${kindCount} + ${kinds[kind]}, encode(e.value, 'base64'), e.parts,
    encode(e.key, 'base64')
  FROM unnest($${first}::bytea[], $${first + 1}::bytea[], $${first + 2}::bigint[])
    WITH ORDINALITY AS r (low, high, most, i)
  CROSS JOIN LATERAL (
    SELECT key, value, parts FROM ${schema}.entry WHERE key >= r.low AND key < r.high
    ORDER BY key ${kind === 'up' ? 'ASC' : 'DESC'} LIMIT r.most
  ) AS e`;

/** The name of the last batch: its writer's number and its own, which no two batches share. */
const markText = (schema: string): string =>
  `SELECT ${kinds.mark}, number::text || ' ' || batch::text, 0, NULL
  FROM ${schema}.writer WHERE id = 1`;

/** Ranges in one order, each with its index among those asked. */
type Indexed = { readonly range: Range; readonly index: number }[];

const rangeValues = (ranges: Indexed): unknown[] => [
  byteArrays(ranges.map(({ range }) => range.from)),
  byteArrays(ranges.map(({ range }) => range.to ?? aboveAll)),
  numbers(ranges.map(({ range }) => range.limit)),
];

/** An entry as it is read: its value, or the first piece of it. */
interface Found {
  readonly key: Uint8Array;
  value: Buffer;
}

/** An entry whose value goes on in parts. */
interface Long {
  readonly entry: Found;
  readonly parts: number;
}

/** An answer, and the moment that it is of. */
export interface Marked {
  readonly answer: ReadAnswer;
  /** Names the last batch that was written before; undefined if nothing was asked. */
  readonly mark: string | undefined;
}

/** The results of one statement. */
interface Answered extends Pick<Marked, 'mark'> {
  readonly values: readonly (Found | undefined)[];
  readonly ranges: readonly (readonly Found[])[];
  readonly long: readonly Long[];
}

const bytesOf = (text: string | null | undefined): Buffer => Buffer.from(text ?? '', 'base64');

/** Puts rows into the order of the request. */
function placeRows(
  { keys, ranges }: ReadRequest,
  { rows, up, down }: { rows: readonly TextRow[]; up: Indexed; down: Indexed },
): Answered {
  const values: (Found | undefined)[] = new Array(keys.length).fill(undefined);
  const entries: Found[][] = ranges.map(() => []);
  const long: Long[] = [];
  let mark: string | undefined;
  for (const [member, valueText, parts, keyText] of rows) {
    const kind = Number(member) % kindCount;
    if (kind === kinds.mark) {
      mark = valueText as string;
      continue;
    }
    const i = Math.floor(Number(member) / kindCount) - 1;
    const key = kind === kinds.keys ? (keys[i] as Uint8Array) : bytesOf(keyText);
    const entry = { key, value: bytesOf(valueText) };
    if (kind === kinds.keys) values[i] = entry;
    else entries[(kind === kinds.up ? up : down)[i]?.index as number]?.push(entry);
    if (parts !== '0') long.push({ entry, parts: Number(parts) });
  }
  return { values, ranges: entries, long, mark };
}

const toAnswer = ({ values, ranges }: Answered): ReadAnswer => ({
  values: values.map((entry) => entry?.value),
  ranges,
});

/** Reads the tables of a schema. */
export class PostgresReader {
  readonly #schema: string;
  /** Statements by the parts that they have. */
  readonly #texts = new Map<string, string>();

  constructor(schema: string) {
    this.#schema = schema;
  }

  /** @param parts `k` for keys, `u` for ranges upwards, `d` for those downwards */
  #textOf(parts: string): string {
    const known = this.#texts.get(parts);
    if (known !== undefined) return known;
    let first = 1;
    const texts = [...parts].map((part) => {
      const text =
        part === 'k'
          ? keysText(this.#schema, first)
          : rangesText(this.#schema, first, part === 'u' ? 'up' : 'down');
      first += part === 'k' ? 1 : 3;
      return text;
    });
    const text = [...texts, markText(this.#schema)].join('\nUNION ALL\n');
    this.#texts.set(parts, text);
    return text;
  }

  /** Reads in one statement. */
  async #ask(connection: Connection, request: ReadRequest): Promise<Answered> {
    const { keys, ranges } = request;
    const all = ranges.map((range, index) => ({ range, index }));
    const up = all.filter(({ range }) => !range.reverse);
    const down = all.filter(({ range }) => range.reverse);
    let parts = '';
    const values: unknown[] = [];
    if (keys.length > 0) {
      parts += 'k';
      values.push(byteArrays(keys));
    }
    for (const [letter, some] of [
      ['u', up],
      ['d', down],
    ] as const) {
      if (some.length === 0) continue;
      parts += letter;
      values.push(...rangeValues(some));
    }
    if (parts === '') return { values: [], ranges: [], long: [], mark: undefined };
    const name = `${this.#schema} read ${parts}`;
    const { rows } = await connection.run(this.#textOf(parts), values, name);
    return placeRows(request, { rows, up, down });
  }

  /**
   * Reads outside a transaction.
   *
   * @returns undefined if a value goes on in parts, which another statement would read as they are at another moment
   */
  async readAtOnce(connection: Connection, request: ReadRequest): Promise<Marked | undefined> {
    const answered = await this.#ask(connection, request);
    if (answered.long.length > 0) return undefined;
    return { answer: toAnswer(answered), mark: answered.mark };
  }

  /** @param session in a transaction that sees the tables as they were at one moment */
  async read(connection: Connection, request: ReadRequest): Promise<ReadAnswer> {
    const answered = await this.#ask(connection, request);
    if (answered.long.length > 0) await this.#addParts(connection, answered.long);
    return toAnswer(answered);
  }

  /** Reads the rest of long values. */
  async #addParts(connection: Connection, long: readonly Long[]): Promise<void> {
    const text = `SELECT k.i, encode(p.value, 'base64')
      FROM unnest($1::bytea[], $2::int[]) WITH ORDINALITY AS k (key, parts, i)
      JOIN ${this.#schema}.part AS p ON p.key = k.key AND p.number <= k.parts
      ORDER BY k.i, p.number`;
    const values = [
      byteArrays(long.map(({ entry }) => entry.key)),
      numbers(long.map(({ parts }) => parts)),
    ];
    const { rows } = await connection.run(text, values);
    const pieces = long.map(({ entry }) => [entry.value]);
    for (const [i, piece] of rows) pieces[Number(i) - 1]?.push(bytesOf(piece));
    for (const [i, { entry }] of long.entries()) entry.value = Buffer.concat(pieces[i] ?? []);
  }
}
