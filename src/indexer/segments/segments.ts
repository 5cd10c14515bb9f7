/**
 * Segments: records in the order of their keys, cut into pages. A page is one entry of the store, which costs what one record
 * would cost. Segments are never changed. When a level is full, all of its segments are merged into one of the next
 * level. A record is thus written again once a level, and a reader looks into few segments.
 *
 * A merge moves records from the least key on, some tens of thousands a step: its result holds all below a key, and what it is
 * made of all others. So each step leaves a whole index, and a merge that was broken off goes on where it was.
 */
import { equalBytes } from '../../bytes.js';
import { yieldToEventLoop } from '../../concurrent.js';
import type { Batch, Entry, Store, StoreReader } from '../../tree/index.js';
import { isPromise, type MaybePromise } from '../../tree/store/maybePromise.js';
import { IndexError } from '../layout/errors.js';
import type { Page, SegmentPage } from '../layout/page.js';
import { isThere, keyAt, type Records } from '../layout/record.js';
import { growingIn, type Head, headEntries, readHead, type Segment } from '../sealed/head.js';
import { merge, type RecordVisitor } from './merge.js';
import { PageCursor, PageMemory, type PageSource, PageWriter } from './pages.js';
import { allPages, lastPage, pageKey, type SegmentPages } from './segmentPages.js';
import type { Sizes } from './sizes.js';

/** The part of a segment that a step of a merge has read. */
class Input implements PageSource {
  readonly #segment: Segment;
  readonly #pages: SegmentPages;
  readonly #read: Pick<SegmentPage, 'key' | 'number'>[] = [];
  readonly cursor: PageCursor = new PageCursor(this);

  /** @param taken the last page of what the merge has taken so far */
  constructor(reader: StoreReader, segment: Segment, taken: Page | undefined) {
    this.#segment = segment;
    this.#pages = allPages(reader, segment, taken);
  }

  next(): MaybePromise<Page | undefined> {
    const page = this.#pages.next();
    return isPromise(page) ? page.then((read) => this.#note(read)) : this.#note(page);
  }

  #note(page: SegmentPage | undefined): SegmentPage | undefined {
    if (page) this.#read.push({ key: page.key, number: page.number });
    return page;
  }

  /** Adds to a batch the changes that remove the records that were visited. @returns what is left of the segment */
  cut({ puts, deletes }: { puts: Entry[]; deletes: Uint8Array[] }): Segment {
    const { records, at, isAtEnd } = this.cursor;
    const last = this.#read.at(-1);
    let firstPage = this.#segment.nextPage;
    if (!isAtEnd && last !== undefined) {
      this.#read.pop();
      firstPage = last.number;
      if (at > 0) {
        const key = pageKey(this.#segment, keyAt(records.bytes, at), firstPage);
        puts.push({ key, value: records.bytes.subarray(at) });
        const isMoved = !equalBytes(key, last.key);
        if (isMoved) deletes.push(last.key);
      }
    }
    deletes.push(...this.#read.map(({ key }) => key));
    return { ...this.#segment, firstPage };
  }
}

/** Records that are moved before others have their turn. */
const recordsATurn = 8192;

/** The records that a step of a merge moves. */
class MovedRecords implements RecordVisitor {
  readonly #writer: PageWriter;
  readonly #isOldest: boolean;
  /** Records that the step may still visit. */
  #left: number;

  constructor(writer: PageWriter, { step }: Sizes, isOldest: boolean) {
    this.#writer = writer;
    this.#isOldest = isOldest;
    this.#left = step;
  }

  visit(records: Records, at: number): MaybePromise<boolean> {
    // A sum of 0 stays: it names a wallet that had some.
    if (!this.#isOldest || isThere(records.bytes, at)) this.#writer.add(records, at);
    const goesOn = --this.#left > 0;
    return goesOn && this.#left % recordsATurn === 0 ? this.#takeTurn() : goesOn;
  }

  async #takeTurn(): Promise<boolean> {
    await yieldToEventLoop();
    return true;
  }
}

/** Segments of a head, the newest first. */
const inOrder = (segments: readonly Segment[]): Segment[] =>
  [...segments].sort((a, b) => a.level - b.level || b.sequence - a.sequence);

/** A batch that adds to a segment or removes one, and the head with it. */
export interface SegmentBatch {
  readonly puts: readonly Entry[];
  readonly head: Head;
}

/** The segments of an index, which has no other writer. */
export class Segments {
  readonly #store: Store;
  readonly #sizes: Sizes;
  readonly #memory: PageMemory;

  constructor(store: Store, sizes: Sizes) {
    this.#store = store;
    this.#sizes = sizes;
    this.#memory = new PageMemory(sizes.page);
  }

  /** Writes pages of a segment. Once they are in the store, it is to be released. */
  writer(): PageWriter {
    return new PageWriter(this.#memory);
  }

  /** Entries of a new segment, the newest of all. @throws IndexError `DAMAGED` while a merge is unfinished */
  add(head: Head, pages: readonly Uint8Array[]): SegmentBatch {
    const { segments } = head;
    if (growingIn(segments)) {
      throw new IndexError('DAMAGED', 'the index is in the middle of a merge');
    }
    const { puts, grown } = grow(newSegment(head, 0), pages, false);
    const sequence = head.sequence + 1;
    return { puts, head: { ...head, sequence, segments: inOrder([...segments, grown]) } };
  }

  /** A step of a merge, if there is one to be made. @returns whether there was */
  async mergeStep(): Promise<boolean> {
    const head = await readHead(this.#store);
    const { segments } = head;
    const level = levelToMerge(segments, this.#sizes.fanIn);
    if (level === undefined) return false;
    const sources = segments.filter((segment) => segment.level === level);
    const growing = growingIn(segments);
    const result = growing ?? newSegment(head, level + 1);
    const sequence = growing ? head.sequence : head.sequence + 1;
    const others = segments.filter(
      (segment) => segment.level !== level && !isSame(segment, result),
    );
    const isOldest = others.every((other) => other.level <= level);
    const writer = this.writer();
    const { puts, deletes, left } = await this.#move(sources, result, { writer, isOldest });
    const entries = headEntries({ ...head, sequence, segments: inOrder([...others, ...left]) });
    await this.#store.write({ puts: [...puts, ...entries], deletes });
    writer.release();
    return true;
  }

  /** @param isOldest no older segment lies below the result, so it needs no records that only change older ones */
  async #move(
    sources: readonly Segment[],
    result: Segment,
    { writer, isOldest }: { writer: PageWriter; isOldest: boolean },
  ): Promise<Move> {
    const taken = await lastPage(this.#store, result);
    const inputs = sources.map((source) => new Input(this.#store, source, taken));
    await merge(
      inputs.map(({ cursor }) => cursor),
      new MovedRecords(writer, this.#sizes, isOldest),
    );
    const isDone = inputs.every(({ cursor }) => cursor.isAtEnd);
    const { puts, grown } = grow(result, writer.pages(), !isDone);
    const batch = { puts, deletes: [] as Uint8Array[] };
    const cut = inputs.map((input) => input.cut(batch));
    return { ...batch, left: isDone ? [grown] : [grown, ...cut] };
  }
}

/** The changes of a step of a merge, and the segments after it. */
interface Move extends Batch {
  readonly left: readonly Segment[];
}

const isSame = (a: Segment, b: Segment): boolean =>
  a.level === b.level && a.sequence === b.sequence;

/** The next segment, without pages. */
const newSegment = ({ sequence }: Head, level: number): Segment => ({
  ...{ level, sequence, isGrowing: false },
  ...{ firstPage: 0, nextPage: 0 },
});

/** The level whose segments are to be merged, if there is one. */
function levelToMerge(segments: readonly Segment[], fanIn: number): number | undefined {
  const growing = growingIn(segments);
  if (growing) return growing.level - 1;
  const levels = segments.map(({ level }) => level);
  return levels.find((level) => levels.filter((other) => other === level).length >= fanIn);
}

/** Adds pages to a segment. */
function grow(segment: Segment, pages: readonly Uint8Array[], isGrowing: boolean) {
  const puts: Entry[] = [];
  let { nextPage } = segment;
  for (const page of pages) {
    puts.push({ key: pageKey(segment, keyAt(page, 0), nextPage++), value: page });
  }
  return { puts, grown: { ...segment, isGrowing, nextPage } };
}
