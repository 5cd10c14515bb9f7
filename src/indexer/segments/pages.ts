/** Pages of records, in the order of their keys: written one after the other, and read from either end. */
import type { Entry } from '../../tree/index.js';
import { chain, type MaybePromise } from '../../tree/store/maybePromise.js';
import { firstWhere } from '../../tree/store/search.js';
import type { Page } from '../layout/page.js';
import {
  compareRecordKeys,
  copyRecord,
  type RecordSink,
  Records,
  recordWidth,
} from '../layout/record.js';

/** Pages that are kept to be written again: as many as a segment of a long range has. */
const mostKept = 1024;

/** Memory of pages that are written: new memory for each would be megabytes of garbage for every segment. */
export class PageMemory {
  /** Bytes of a page at most. */
  readonly width: number;
  readonly #kept: Records[] = [];

  constructor(width: number) {
    this.width = width;
  }

  /** A page that holds anything. Nobody else has it until it is given back. */
  take(): Records {
    return this.#kept.pop() ?? new Records(new Uint8Array(this.width));
  }

  /** Gives pages back, once nobody reads them any more. */
  giveBack(pages: readonly Records[]): void {
    for (const page of pages) if (this.#kept.length < mostKept) this.#kept.push(page);
  }
}

/** Cuts records into pages. */
export class PageWriter implements RecordSink {
  readonly #memory: PageMemory;
  readonly #taken: Records[] = [];
  readonly #pages: Uint8Array[] = [];
  #page: Records;
  #end = 0;

  constructor(memory: PageMemory) {
    this.#memory = memory;
    this.#page = this.#take();
  }

  /** Adds a copy of the record at an offset. Its key is behind all before. */
  add(records: Records, at: number): void {
    if (this.#end + recordWidth(records.bytes, at) > this.#memory.width) {
      this.#pages.push(this.#written());
      this.#page = this.#take();
      this.#end = 0;
    }
    this.#end = copyRecord(records, at, this.#page, this.#end);
  }

  /** All pages, with the one begun. */
  pages(): readonly Uint8Array[] {
    return this.#end === 0 ? this.#pages : [...this.#pages, this.#written()];
  }

  /** Gives the memory of all pages back, once nobody reads them any more: those of other records will be there. */
  release(): void {
    this.#memory.giveBack(this.#taken.splice(0));
  }

  #take(): Records {
    const page = this.#memory.take();
    this.#taken.push(page);
    return page;
  }

  #written(): Uint8Array {
    return this.#page.bytes.subarray(0, this.#end);
  }
}

/** A page of the store's entries. */
export function encodePage(entries: readonly Entry[]): Uint8Array {
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

/** Pages that come one after the other. */
export interface PageSource {
  /** Undefined behind the last one. */
  next(): MaybePromise<Page | undefined>;
}

/**
 * Bytes of a key that a cursor holds as two numbers, which tell most keys apart; no key is shorter. One number of six bytes would
 * be an object in the engine's heap, one for each record; these are none in Node, since no kind of record is above 0x7f.
 */
export const cursorWidth = 7;

const noPage: Page = { bytes: new Uint8Array(0), starts: [] };

/** The position of a reader of pages. */
export class PageCursor {
  readonly #pages: PageSource;
  readonly #isReverse: boolean;
  /** Undefined once a record was found that is wanted: so are all behind it. */
  #isUnwanted: ((bytes: Uint8Array, at: number) => boolean) | undefined;
  /** Which record of the page it is, counted in the direction in which they are read. */
  #place = 0;
  #starts: readonly number[] = noPage.starts;
  /** The page, and the offset of the record on it. Behind the last record, the page is empty. */
  records: Records = new Records(noPage.bytes);
  at = 0;
  /** The first four bytes of the record's key, and the three behind them. */
  high = 0;
  low = 0;
  /** Of two sources, that of the lower rank is newer. */
  rank = 0;

  /**
   * @param isReverse whether pages, and the records of each, are read from the last one on
   * @param isUnwanted whether a record stands before all that are wanted. The first page of a part of a segment has some, and
   *   then none comes any more
   */
  constructor(
    pages: PageSource,
    isReverse = false,
    isUnwanted?: (bytes: Uint8Array, at: number) => boolean,
  ) {
    this.#pages = pages;
    this.#isReverse = isReverse;
    this.#isUnwanted = isUnwanted;
  }

  get isAtEnd(): boolean {
    return this.at >= this.records.bytes.length;
  }

  /** Goes on to the next record of the page. @returns false if there is none */
  step(): boolean {
    return this.#goTo(this.#place + 1);
  }

  /** Goes on to the next page with a record that is wanted, and to the first of these. @returns false if there is none */
  turn(): MaybePromise<boolean> {
    return chain(this.#pages.next(), (page) => this.#begin(page));
  }

  #begin(page: Page | undefined): MaybePromise<boolean> {
    const { bytes, starts } = page ?? noPage;
    this.records = new Records(bytes);
    this.#starts = starts;
    const isUnwanted = this.#isUnwanted;
    // Records stand in their order, so the unwanted ones stand together.
    const isWanted = (place: number) => !isUnwanted?.(bytes, this.#startOf(place));
    if (this.#goTo(isUnwanted ? firstWhere(starts.length, isWanted) : 0)) {
      this.#isUnwanted = undefined;
      return true;
    }
    return page === undefined ? false : this.turn();
  }

  /**
   * How many records of the page, from this one on, stand before that of another cursor. Looked for in widening steps: mostly
   * there are few or all.
   */
  countBefore(other: PageCursor | undefined): number {
    const left = this.#starts.length - this.#place;
    if (other === undefined) return left;
    let known = 0;
    let width = 1;
    while (known + width <= left && this.#isBefore(known + width - 1, other)) {
      known += width;
      width *= 2;
    }
    const most = Math.min(known + width - 1, left);
    return most === known ? known : this.#countBetween(known, most, other);
  }

  /** The same, if it is known between which counts it is. */
  #countBetween(least: number, most: number, other: PageCursor): number {
    return least + firstWhere(most - least, (i) => !this.#isBefore(least + i, other));
  }

  /** Whether the record so many behind this one stands before that of another cursor. */
  #isBefore(count: number, other: PageCursor): boolean {
    const at = this.#startOf(this.#place + count);
    const order = compareRecordKeys(this.records.bytes, at, other.records.bytes, other.at);
    return this.#isReverse ? order > 0 : order < 0;
  }

  #startOf(place: number): number {
    const starts = this.#starts;
    return starts[this.#isReverse ? starts.length - 1 - place : place] as number;
  }

  #goTo(place: number): boolean {
    this.#place = place;
    const { bytes } = this.records;
    if (place >= this.#starts.length) {
      this.at = bytes.length;
      return false;
    }
    const at = this.#startOf(place);
    this.at = at;
    this.high =
      (((bytes[at + 2] as number) << 24) |
        ((bytes[at + 3] as number) << 16) |
        ((bytes[at + 4] as number) << 8) |
        (bytes[at + 5] as number)) >>>
      0;
    this.low =
      ((bytes[at + 6] as number) << 16) |
      ((bytes[at + 7] as number) << 8) |
      (bytes[at + 8] as number);
    return true;
  }
}
