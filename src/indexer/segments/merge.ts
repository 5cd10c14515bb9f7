/** Goes through the records of several sources as one list, from either end. */
import { MergeHeap } from '../../tree/load/mergeHeap.js';
import { isPromise, type MaybePromise } from '../../tree/store/maybePromise.js';
import { isAdding, RecordSum } from '../layout/combine.js';
import { compareRecords, headWidth, isSameKey, Records } from '../layout/record.js';
import { cursorWidth, type PageCursor } from './pages.js';

/** Whether the record of a cursor stands before that of another; of one key, that of the newer source does. */
function isBefore(a: PageCursor, b: PageCursor): boolean {
  if (a.high !== b.high) return a.high < b.high;
  if (a.low !== b.low) return a.low < b.low;
  const order = compareRecords(a.records, a.at, b.records, b.at, cursorWidth);
  return order < 0 || (order === 0 && a.rank < b.rank);
}

/** The same, read from the end. */
function isBehind(a: PageCursor, b: PageCursor): boolean {
  if (a.high !== b.high) return a.high > b.high;
  if (a.low !== b.low) return a.low > b.low;
  const order = compareRecords(a.records, a.at, b.records, b.at, cursorWidth);
  return order > 0 || (order === 0 && a.rank < b.rank);
}

/**
 * Visits records. An object of a class, and no function that is made for each use: with the last use, an engine drops what it
 * has compiled of such a one, and compiles it again for the next. That took a tenth of a feed.
 */
export interface RecordVisitor {
  /** @returns false to stop behind the record; a promise is waited for before the next record */
  visit(records: Records, at: number): MaybePromise<boolean>;
}

/**
 * Visits the records of sources. Its loop is no part of an async function: one that waits often is compiled again and again. And
 * what waits stands in methods of its own: a function with a closure in it, even one that is seldom made, makes an object of what
 * that would hold at each call, which was most of a merge's garbage.
 */
class RecordMerge {
  readonly #heap: MergeHeap<PageCursor>;
  readonly #visitor: RecordVisitor;
  /** The source that was the first one last. */
  #before: PageCursor | undefined;
  /** Records of it that stand before those of all others: one that was first twice may have many, which need not be compared. */
  #alone = 0;
  /** What the records of one key add up to, of one key after the other. */
  readonly #sum = new RecordSum();

  /** @param sources those that have a record */
  constructor(sources: readonly PageCursor[], visitor: RecordVisitor, isReverse: boolean) {
    this.#heap = new MergeHeap(sources, isReverse ? isBehind : isBefore);
    this.#visitor = visitor;
  }

  /** Visits records until something is to be waited for. @returns false behind the last one, and if the visitor stops */
  run(): MaybePromise<boolean> {
    let goesOn: MaybePromise<boolean> = true;
    while (goesOn === true) goesOn = this.#visitNext();
    return goesOn;
  }

  #visitNext(): MaybePromise<boolean> {
    const source = this.#heap.least;
    if (source === undefined) return false;
    if (this.#alone === 0 && source === this.#before) {
      this.#alone = source.countBefore(this.#heap.second);
    }
    this.#before = source;
    while (this.#alone > 1) {
      this.#alone--;
      const { records, at } = source;
      source.step();
      const goesOn = this.#visitor.visit(records, at);
      if (goesOn !== true) return goesOn;
    }
    this.#alone = 0;
    const { records, at } = source;
    const passed = this.#pass();
    if (passed) return this.#visitKeyBehind(passed, records, at, false);
    return this.#visitKey(records, at, false);
  }

  /**
   * Visits a record once all sources stand behind its key.
   *
   * @param isBegun whether the sum was begun with it, and has those of the sources that stood there
   */
  #visitKey(records: Records, at: number, isBegun: boolean): MaybePromise<boolean> {
    const { bytes } = records;
    const isSum = isAdding(bytes[at + headWidth] as number);
    const sum = this.#sum;
    let hasSum = isBegun;
    // A loop: a damaged index may have one key thousands of times.
    for (;;) {
      const other = this.#heap.least;
      if (other === undefined || !isSameKey(records, at, other.records, other.at)) break;
      if (isSum) {
        if (!hasSum) sum.begin(bytes, at);
        hasSum = true;
        sum.add(other.records.bytes, other.at);
      }
      const passed = this.#pass();
      if (passed) return this.#visitKeyBehind(passed, records, at, hasSum);
    }
    if (!hasSum) return this.#visitor.visit(records, at);
    // In an array of its own: a visitor may keep it.
    return this.#visitor.visit(new Records(sum.record()), 0);
  }

  async #visitKeyBehind(
    passed: Promise<void>,
    records: Records,
    at: number,
    isBegun: boolean,
  ): Promise<boolean> {
    await passed;
    return this.#visitKey(records, at, isBegun);
  }

  /** Goes on in the first source. @returns what is to be waited for */
  #pass(): Promise<void> | undefined {
    const source = this.#heap.least as PageCursor;
    if (source.step()) {
      this.#heap.settle();
      return undefined;
    }
    const turned = source.turn();
    if (isPromise(turned)) return this.#goOnBehind(turned);
    this.#goOn(turned);
    return undefined;
  }

  async #goOnBehind(turned: Promise<boolean>): Promise<void> {
    this.#goOn(await turned);
  }

  #goOn(hasRecord: boolean): void {
    if (hasRecord) this.#heap.settle();
    else this.#heap.remove();
  }
}

/**
 * Goes through the records of sources in the order of their keys. If several sources have a key, the first source counts, or
 * what all of them add up to. Afterwards, the cursors stand at what was not visited.
 */
export async function merge(
  cursors: readonly PageCursor[],
  visitor: RecordVisitor,
  isReverse = false,
): Promise<void> {
  const open: PageCursor[] = [];
  for (const [rank, cursor] of cursors.entries()) {
    cursor.rank = rank;
    const turned = cursor.turn();
    // Pages that are kept are there at once.
    if (turned === true || (turned !== false && (await turned))) open.push(cursor);
  }
  const records = new RecordMerge(open, visitor, isReverse);
  while (await records.run());
}
