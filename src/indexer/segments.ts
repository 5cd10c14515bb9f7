/**
 * Segments: records in the order of their keys, cut into pages. A page is one entry of the store, which costs what one record
 * would cost. Segments are never changed. When a level is full, all of its segments are merged into one of the next
 * level. A record is thus written again once a level, and a reader looks into few segments.
 *
 * A merge moves records from the least key on, some thousands a step: its result holds all below a key, and what it is made
 * of all others. So each step leaves a whole index, and a merge that was broken off goes on where it was.
 */
import type { Batch, Entry, Range, Store, StoreReader } from '../tree/index.js';
import { IndexError } from './errors.js';
import {
  checkWidth,
  type KeyBounds,
  keyAfter,
  keyOf,
  numberIn,
  within,
  writeNumber,
} from './layout.js';
import { Cursor, merge, PageWriter } from './pages.js';
import { isThere, keyAt } from './record.js';
import type { Sizes } from './sizes.js';

/** Bytes of a page's first key that stand in its own: with the rest, they are as long as a store's key may be. */
const headWidth = 54;
const sequenceWidth = 4;
const numberWidth = 4;

/** Pages that are read at a time. */
const pagesAtOnce = 4;

/** A segment. A segment of a lower level is newer; within a level, the one of the higher sequence is. */
export interface Segment {
  readonly level: number;
  readonly sequence: number;
  /** Whether a merge still adds to it. */
  readonly isGrowing: boolean;
  /** The number of its next page. */
  readonly nextPage: number;
}

const bytesOf = (number: number, width = sequenceWidth): Uint8Array => {
  const bytes = new Uint8Array(width);
  writeNumber(bytes, 0, width, number);
  return bytes;
};

const nameOf = ({ level, sequence }: Pick<Segment, 'level' | 'sequence'>): Uint8Array =>
  Uint8Array.of(level, ...bytesOf(sequence));

function encodeSegment(segment: Segment): Entry {
  const value = Uint8Array.of(segment.isGrowing ? 1 : 0, ...bytesOf(segment.nextPage, numberWidth));
  return { key: keyOf('segment', nameOf(segment)), value };
}

function decodeSegment({ key, value }: Entry): Segment {
  const name = checkWidth(key, 2 + sequenceWidth, 'a segment').subarray(1);
  const state = checkWidth(value, 1 + numberWidth, 'a segment');
  return {
    level: name[0] as number,
    sequence: numberIn(name.subarray(1)),
    isGrowing: state[0] === 1,
    nextPage: numberIn(state.subarray(1)),
  };
}

/** A page's key holds only the beginning of its first key; pages with the same beginning are ordered by their numbers. */
const pageKey = (segment: Segment, firstKey: Uint8Array, number: number): Uint8Array =>
  keyOf('page', nameOf(segment), firstKey.subarray(0, headWidth), bytesOf(number, numberWidth));

/** All segments, the newest first. */
export async function readSegments(reader: StoreReader): Promise<Segment[]> {
  const range = { ...within('segment'), limit: 2 ** 16, reverse: false };
  const { ranges } = await reader.read({ keys: [], ranges: [range] });
  const segments = (ranges[0] ?? []).map(decodeSegment);
  return segments.sort((a, b) => a.level - b.level || b.sequence - a.sequence);
}

/**
 * Ranges of the pages of a segment that may hold keys within bounds: the last page that begins below them, and the pages
 * that begin within them. The bounds are no longer than the beginning of a first key in a page's key.
 */
export function pageRanges(segment: Segment, { from, to }: KeyBounds): [Range, Range] {
  const name = nameOf(segment);
  const first = keyOf('page', name, from);
  return [
    { from: keyOf('page', name), to: first, limit: 1, reverse: true },
    { from: first, to: keyOf('page', name, to), limit: pagesAtOnce, reverse: false },
  ];
}

/** Entries of a range, some at a time, each one once. @param read those that were read already */
export async function* entriesFrom(
  reader: StoreReader,
  range: Range,
  read?: readonly Entry[],
): AsyncGenerator<readonly Entry[]> {
  let page = read;
  for (let from = range.from; ; ) {
    page ??= (await reader.read({ keys: [], ranges: [{ ...range, from }] })).ranges[0] ?? [];
    yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < range.limit) return;
    from = keyAfter(last.key);
    page = undefined;
  }
}

/** The part of a segment that a step of a merge has read. */
class Input {
  readonly #segment: Segment;
  readonly #read: Uint8Array[] = [];
  readonly cursor: Cursor;

  constructor(reader: StoreReader, segment: Segment) {
    this.#segment = segment;
    const range = { ...within('page', nameOf(segment)), limit: pagesAtOnce, reverse: false };
    const pages = eachOf(entriesFrom(reader, range));
    this.cursor = new Cursor(async () => {
      const { value } = await pages.next();
      if (value) this.#read.push(value.key);
      return value?.value;
    });
  }

  /** Adds to a batch the changes that remove the records that were visited. */
  cut({ puts, deletes }: { puts: Entry[]; deletes: Uint8Array[] }): void {
    const { bytes, at, isAtEnd } = this.cursor;
    const last = this.#read.at(-1);
    if (!isAtEnd && last !== undefined) {
      this.#read.pop();
      if (at > 0) {
        const number = numberIn(last.subarray(-numberWidth));
        const key = pageKey(this.#segment, keyAt(bytes, at), number);
        puts.push({ key, value: bytes.subarray(at) });
        const isMoved = key.some((byte, i) => byte !== last[i]);
        if (isMoved) deletes.push(last);
      }
    }
    deletes.push(...this.#read);
  }
}

/** The members of lists, one by one. */
export async function* eachOf<T>(lists: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const list of lists) yield* list;
}

/** The segments of an index, which has no other writer. */
export class Segments {
  readonly #store: Store;
  readonly #sizes: Sizes;

  constructor(store: Store, sizes: Sizes) {
    this.#store = store;
    this.#sizes = sizes;
  }

  /** Entries of a new segment, the newest of all. @throws IndexError `DAMAGED` while a merge is unfinished */
  async add(pages: readonly Uint8Array[]): Promise<Entry[]> {
    const segments = await readSegments(this.#store);
    if (segments.some(({ isGrowing }) => isGrowing)) {
      throw new IndexError('DAMAGED', 'the index is in the middle of a merge');
    }
    return entriesOf(newestOf(segments, 0), pages, false);
  }

  /** A step of a merge, if there is one to be made. @returns whether there was */
  async mergeStep(): Promise<boolean> {
    const segments = await readSegments(this.#store);
    const level = levelToMerge(segments, this.#sizes.fanIn);
    if (level === undefined) return false;
    const sources = segments.filter((segment) => segment.level === level);
    const result = segments.find(({ isGrowing }) => isGrowing) ?? newestOf(segments, level + 1);
    const isOldest = segments.every(
      (other) =>
        other.level <= level ||
        (other.sequence === result.sequence && other.level === result.level),
    );
    await this.#store.write(await this.#move(sources, result, isOldest));
    return true;
  }

  /** @param isOldest no older segment lies below the result, so it needs no records that say that others are gone */
  async #move(sources: readonly Segment[], result: Segment, isOldest: boolean): Promise<Batch> {
    const inputs = sources.map((source) => new Input(this.#store, source));
    const writer = new PageWriter(this.#sizes.page);
    let count = 0;
    await merge(
      inputs.map(({ cursor }) => cursor),
      (bytes, at) => {
        if (count++ >= this.#sizes.step) return false;
        if (!isOldest || isThere(bytes, at)) writer.add(bytes, at);
        return true;
      },
    );
    const isDone = inputs.every(({ cursor }) => cursor.isAtEnd);
    const batch = { puts: entriesOf(result, writer.pages(), !isDone), deletes: [] as Uint8Array[] };
    for (const input of inputs) input.cut(batch);
    if (isDone) for (const source of sources) batch.deletes.push(encodeSegment(source).key);
    return batch;
  }
}

/** The next segment of a level. */
function newestOf(segments: readonly Segment[], level: number): Segment {
  const newest = segments.find((segment) => segment.level === level);
  return { level, sequence: (newest?.sequence ?? -1) + 1, isGrowing: false, nextPage: 0 };
}

/** The level whose segments are to be merged, if there is one. */
function levelToMerge(segments: readonly Segment[], fanIn: number): number | undefined {
  const growing = segments.find(({ isGrowing }) => isGrowing);
  if (growing) return growing.level - 1;
  const levels = segments.map(({ level }) => level);
  return levels.find((level) => levels.filter((other) => other === level).length >= fanIn);
}

/** Entries of a segment to which pages are added. */
function entriesOf(segment: Segment, pages: readonly Uint8Array[], isGrowing: boolean): Entry[] {
  const entries = pages.map((page, i) => ({
    key: pageKey(segment, keyAt(page, 0), segment.nextPage + i),
    value: page,
  }));
  const nextPage = segment.nextPage + pages.length;
  return [...entries, encodeSegment({ ...segment, isGrowing, nextPage })];
}
