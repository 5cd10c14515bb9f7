/** Pages of records, in the order of their keys: written one after the other, and merged. */
import type { Entry } from '../tree/index.js';
import { checkPage, compareKeys, copyRecord, recordWidth } from './record.js';

/** Cuts records into pages. */
export class PageWriter {
  readonly #width: number;
  readonly #pages: Uint8Array[] = [];
  #page: Uint8Array;
  #end = 0;

  /** @param width bytes of a page at most */
  constructor(width: number) {
    this.#width = width;
    this.#page = new Uint8Array(width);
  }

  /** Adds a copy of the record at an offset. Its key is behind all before. */
  add(bytes: Uint8Array, at: number): void {
    if (this.#end + recordWidth(bytes, at) > this.#width) {
      this.#pages.push(this.#page.subarray(0, this.#end));
      this.#page = new Uint8Array(this.#width);
      this.#end = 0;
    }
    this.#end = copyRecord(bytes, at, this.#page, this.#end);
  }

  /** All pages, with the one begun. */
  pages(): readonly Uint8Array[] {
    return this.#end === 0 ? this.#pages : [...this.#pages, this.#page.subarray(0, this.#end)];
  }
}

/** A page of the store's entries. */
export function pageOf(entries: readonly Entry[]): Uint8Array {
  const width = entries.reduce((sum, { key, value }) => sum + 2 + key.length + value.length, 0);
  const bytes = new Uint8Array(width);
  let at = 0;
  for (const { key, value } of entries) {
    bytes[at] = key.length;
    bytes[at + 1] = value.length;
    bytes.set(key, at + 2);
    bytes.set(value, at + 2 + key.length);
    at += 2 + key.length + value.length;
  }
  return bytes;
}

/** Pages that come one after the other; undefined behind the last one. */
export type NextPage = () => Promise<Uint8Array | undefined>;

/** Where a reader of pages stands. */
export class Cursor {
  readonly #next: NextPage;
  /** The page, and where on it the record begins. Behind the last record, there is none. */
  bytes: Uint8Array = new Uint8Array(0);
  at = 0;

  constructor(next: NextPage) {
    this.#next = next;
  }

  get isAtEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  /** Goes on to the next record of the page. @returns false if there is none */
  step(): boolean {
    this.at += recordWidth(this.bytes, this.at);
    return this.at < this.bytes.length;
  }

  /** Goes on to the next page. @returns false if there is none */
  async turn(): Promise<boolean> {
    for (;;) {
      const page = await this.#next();
      this.at = 0;
      this.bytes = page ?? new Uint8Array(0);
      if (page === undefined) return false;
      if (checkPage(page).length > 0) return true;
    }
  }
}

/** Whether the record of a cursor stands before that of another; of one key, that of the newer source does. */
function isBefore(a: Ranked, b: Ranked): boolean {
  const order = compareKeys(a.cursor.bytes, a.cursor.at, b.cursor.bytes, b.cursor.at);
  return order < 0 || (order === 0 && a.rank < b.rank);
}

interface Ranked {
  readonly cursor: Cursor;
  readonly rank: number;
}

/** Puts the first one where it belongs; those behind it are in order. */
function sink(open: Ranked[]): void {
  const moved = open[0] as Ranked;
  let at = 0;
  for (; at + 1 < open.length; at++) {
    const other = open[at + 1] as Ranked;
    if (isBefore(moved, other)) break;
    open[at] = other;
  }
  open[at] = moved;
}

/**
 * Goes through the records of sources in the order of their keys; of one key, the record of the first source stands for all.
 * Afterwards, the cursors stand at what was not visited.
 *
 * @param visit false: the record is not taken, and nothing behind it
 */
export async function merge(
  cursors: readonly Cursor[],
  visit: (bytes: Uint8Array, at: number) => boolean,
): Promise<void> {
  const open: Ranked[] = [];
  for (let rank = cursors.length - 1; rank >= 0; rank--) {
    const cursor = cursors[rank] as Cursor;
    if (!(await cursor.turn())) continue;
    open.unshift({ cursor, rank });
    sink(open);
  }
  let last: Uint8Array = new Uint8Array(1);
  let lastAt = 0;
  for (let first = open[0]; first !== undefined; first = open[0]) {
    const { cursor } = first;
    const { bytes, at } = cursor;
    if (bytes[at] !== last[lastAt] || compareKeys(bytes, at, last, lastAt) !== 0) {
      if (!visit(bytes, at)) return;
      [last, lastAt] = [bytes, at];
    }
    if (cursor.step() || (await cursor.turn())) sink(open);
    else open.shift();
  }
}
