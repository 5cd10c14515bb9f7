/** The pages of a segment in the store: their keys, and how they are read one after the other, from either end. */
import type { Entry, Range, StoreReader } from '../../tree/index.js';
import type { MaybePromise } from '../../tree/store/maybePromise.js';
import { readNumber, writeNumber } from '../../tree/store/numbers.js';
import { endOf, keyAfter } from '../../tree/store/scan.js';
import { IndexError } from '../layout/errors.js';
import { type KeyBounds, keyOf, numberBytes, within } from '../layout/layout.js';
import { type Page, pageOf, type SegmentPage } from '../layout/page.js';
import { compareRecordKeys } from '../layout/record.js';
import type { Segment } from '../sealed/head.js';
import type { KeptSegment } from '../sealed/keptPages.js';

/** Bytes of a page's first key that stand in its own: with the rest, they are as long as a store's key may be. */
const headWidth = 54;
const sequenceWidth = 4;
const numberWidth = 4;

function nameOf({ level, sequence }: Pick<Segment, 'level' | 'sequence'>): Uint8Array {
  const name = new Uint8Array(1 + sequenceWidth);
  name[0] = level;
  writeNumber(name, 1, sequence, sequenceWidth);
  return name;
}

/** A page's key holds only the beginning of its first key; pages with the same beginning are ordered by their numbers. */
export const pageKey = (segment: Segment, firstKey: Uint8Array, number: number): Uint8Array =>
  keyOf('page', nameOf(segment), firstKey.subarray(0, headWidth), numberBytes(number, numberWidth));

/** Where the pages of a segment lie whose first key is not below a key, or begins as it does and is too long to tell. */
const pageBound = (segment: Segment, key: Uint8Array): Uint8Array =>
  keyOf('page', nameOf(segment), key.subarray(0, headWidth));

const numberOf = ({ key }: Entry): number => readNumber(key, key.length - numberWidth, numberWidth);

/** A page that was read. @throws IndexError `DAMAGED` */
const segmentPage = (entry: Entry): SegmentPage => ({
  key: entry.key,
  number: numberOf(entry),
  ...pageOf(entry.value),
});

/** The pages of a segment that show where a reading of it begins. */
export function edgeRanges(segment: Segment, { from, to }: KeyBounds, isReverse: boolean): Range[] {
  const all = within('page', nameOf(segment));
  if (!isReverse) {
    // The last page whose first key is below the bound.
    return [{ from: all.from, to: pageBound(segment, from), limit: 1, reverse: true }];
  }
  // The last page below the end, and the first one behind it. Behind all pages that begin as a bound does which is too
  // long to tell.
  const end = to.length > headWidth ? endOf(pageBound(segment, to)) : pageBound(segment, to);
  return [
    { from: all.from, to: end, limit: 1, reverse: true },
    { from: end, to: all.to, limit: 1, reverse: false },
  ];
}

const lost = () => new IndexError('DAMAGED', 'the index has lost pages of records');

/** Whether all records of a page stand behind those of another one. */
const isBehind = (page: Page, other: Page): boolean =>
  compareRecordKeys(page.bytes, 0, other.bytes, other.starts.at(-1) as number) > 0;

/** How pages of a segment are read. */
interface PagesReading {
  readonly segment: Segment;
  /** From the last page to the first. */
  readonly isReverse: boolean;
  /** Pages that need not be read again. */
  readonly kept: KeptSegment | undefined;
  /** Of a segment that a merge takes from, the last page of what was taken. */
  readonly taken: Page | undefined;
}

/** Pages that are read at a time: at first, since most readers want no more, and at most. */
const pagesAtFirst = 1;
const pagesAtOnce = 4;

/** Pages that are kept of one reading: more are those of a long one, which is seldom made again. */
const mostKept = 3;

/** A page of a segment from which it is read. */
interface StartPage {
  readonly number: number;
  /** Undefined if it is to be read. */
  readonly page: SegmentPage | undefined;
}

/**
 * Pages of a segment from one on to its last, or back to its first, of which none is missing: each has the number next to that
 * of the one before. So a page that holds a record behind a bound is the right one, if it is the last that begins below the
 * bound: had one between been lost, all records of this page would be below, and the next page would not follow on it.
 *
 * No generator: for the few pages that most readers want, it would take longer than the store.
 */
export class SegmentPages {
  readonly #reader: StoreReader;
  readonly #reading: PagesReading;
  /** The number behind the last one. */
  readonly #end: number;
  #number: number;
  #first: SegmentPage | undefined;
  /** The key of the last page. */
  #last: Uint8Array | undefined;
  #read: readonly Entry[] = [];
  /** How many of these were given. */
  #given = 0;
  #limit = pagesAtFirst;
  #count = 0;

  constructor(reader: StoreReader, reading: PagesReading, { number, page }: StartPage) {
    const { segment, isReverse } = reading;
    this.#reader = reader;
    this.#reading = reading;
    this.#end = isReverse ? segment.firstPage - 1 : segment.nextPage;
    this.#number = number;
    this.#first = page;
  }

  /** @returns undefined behind the last one @throws IndexError `DAMAGED` if a page is missing */
  next(): MaybePromise<SegmentPage | undefined> {
    if (this.#number === this.#end) return undefined;
    this.#count++;
    const first = this.#first;
    if (first) {
      this.#first = undefined;
      return this.#take(first);
    }
    if (this.#given < this.#read.length) return this.#takeRead();
    const known = this.#reading.kept?.at(this.#number);
    return known ? this.#take(known) : this.#readOn();
  }

  #take(page: SegmentPage): SegmentPage {
    const { segment, isReverse, taken } = this.#reading;
    if (page.number !== this.#number) throw lost();
    // A merge changes this page alone: as it was before, it has records that would count twice.
    if (taken && page.number === segment.firstPage && !isBehind(page, taken)) throw lost();
    this.#number += isReverse ? -1 : 1;
    this.#last = page.key;
    return page;
  }

  #takeRead(): SegmentPage {
    const entry = this.#read[this.#given++];
    if (entry === undefined) throw lost();
    const page = this.#take(segmentPage(entry));
    const { kept } = this.#reading;
    return kept && this.#count <= mostKept ? kept.keep(page) : page;
  }

  async #readOn(): Promise<SegmentPage> {
    const { segment, isReverse } = this.#reading;
    const { from, to } = within('page', nameOf(segment));
    const last = this.#last;
    const rest = isReverse ? { from, to: last ?? to } : { from: last ? keyAfter(last) : from, to };
    const range = { from: rest.from, to: rest.to, limit: this.#limit, reverse: isReverse };
    this.#read = (await this.#reader.read({ keys: [], ranges: [range] })).ranges[0] ?? [];
    this.#given = 0;
    this.#limit = pagesAtOnce;
    return this.#takeRead();
  }
}

/** All pages of a segment, from the first to the last. @param taken the last page of what a merge has taken from it */
export const allPages = (
  reader: StoreReader,
  segment: Segment,
  taken: Page | undefined,
): SegmentPages =>
  new SegmentPages(
    reader,
    { segment, isReverse: false, kept: undefined, taken },
    { number: segment.firstPage, page: undefined },
  );

/** The last page of a segment, undefined if it has none. @throws IndexError `DAMAGED` if it is missing */
export async function lastPage(reader: StoreReader, segment: Segment): Promise<Page | undefined> {
  const { firstPage, nextPage } = segment;
  const start = { number: nextPage - 1, page: undefined };
  const reading = { segment, isReverse: true, kept: undefined, taken: undefined };
  return firstPage === nextPage ? undefined : new SegmentPages(reader, reading, start).next();
}

/**
 * Pages of a segment from where a reading begins.
 *
 * @param edge what stands in its edge ranges. Read from the end, the page behind must follow on the first that is read: without
 *   one, that must be the segment's last page
 */
export function pagesAtEdge(
  reader: StoreReader,
  reading: PagesReading,
  [below, behind]: readonly (Entry | undefined)[],
): SegmentPages {
  const { segment, isReverse, kept } = reading;
  const { firstPage, nextPage } = segment;
  const found = below && segmentPage(below);
  // A page that was taken away, and stands there again, would count twice.
  if (found && (found.number < firstPage || found.number >= nextPage)) throw lost();
  const last = (behind ? numberOf(behind) : nextPage) - 1;
  const number = isReverse ? last : (found?.number ?? firstPage);
  const page = found && (kept?.keep(found) ?? found);
  return new SegmentPages(reader, reading, { number, page });
}
