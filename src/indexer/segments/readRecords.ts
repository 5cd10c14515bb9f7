/** Reads the records of an index: of its segments and of the entries above them, as one list, from either end. */
import type { MaybePromise } from '../../tree/store/maybePromise.js';
import { isPresent } from '../layout/combine.js';
import type { KeyBounds } from '../layout/layout.js';
import { type Page, pageOf } from '../layout/page.js';
import { compareRecordKeys, isThere, PageRecord, type Records } from '../layout/record.js';
import { growingIn, isTakenFrom } from '../sealed/head.js';
import type { Moment } from '../sealed/moment.js';
import { merge, type RecordVisitor } from './merge.js';
import { encodePage, PageCursor, type PageSource } from './pages.js';
import { edgeRanges, lastPage, pagesAtEdge, SegmentPages } from './segmentPages.js';

/** Records between which a reader stays, as keys on a page. */
interface RecordBounds {
  isBelow(bytes: Uint8Array, at: number): boolean;
  isBehind(bytes: Uint8Array, at: number): boolean;
}

function recordBounds({ from, to }: KeyBounds): RecordBounds {
  const first = encodePage([{ key: from, value: from }]);
  const end = encodePage([{ key: to, value: to }]);
  return {
    isBelow: (bytes, at) => compareRecordKeys(first, 0, bytes, at) > 0,
    isBehind: (bytes, at) => compareRecordKeys(end, 0, bytes, at) <= 0,
  };
}

class OnePage implements PageSource {
  #page: Page | undefined;

  constructor(page: Page) {
    this.#page = page;
  }

  next(): Page | undefined {
    const page = this.#page;
    this.#page = undefined;
    return page;
  }
}

/** Pages of a segment, behind the first of which others have their turn. */
class PagesInTurns implements PageSource {
  readonly #pages: SegmentPages;
  readonly #beforePage: Moment['beforePage'];
  #isFirst = true;

  constructor(pages: SegmentPages, beforePage: Moment['beforePage']) {
    this.#pages = pages;
    this.#beforePage = beforePage;
  }

  next(): MaybePromise<Page | undefined> {
    if (!this.#isFirst) return this.#nextInTurn();
    this.#isFirst = false;
    return this.#pages.next();
  }

  async #nextInTurn(): Promise<Page | undefined> {
    await this.#beforePage();
    return this.#pages.next();
  }
}

/**
 * A cursor of each source, the newest first.
 *
 * @param isUnwanted as `PageCursor` has it
 */
async function openCursors(
  { reader, head, reads, kept, beforePage }: Moment,
  bounds: KeyBounds,
  { isReverse, isUnwanted }: { isReverse: boolean; isUnwanted: RecordBounds['isBelow'] },
): Promise<PageCursor[]> {
  const keptSegments = kept?.of(head) ?? [];
  const known = keptSegments.map((segment) => segment?.startOf(isUnwanted, isReverse));
  const ranges = head.segments.flatMap((segment, i) =>
    known[i] ? [] : edgeRanges(segment, bounds, isReverse),
  );
  const found = ranges.length > 0 ? (await reader.read({ keys: [], ranges })).ranges : [];
  const edges = found.map((pages) => pages[0]);
  const loose = await reads.counted(reader, bounds);
  const singles = new PageCursor(new OnePage(pageOf(encodePage(loose))), isReverse);
  const growing = growingIn(head.segments);
  const taken = growing && (await lastPage(reader, growing));
  const cursors = head.segments.map((segment, i) => {
    const takenOf = isTakenFrom(segment, growing) ? taken : undefined;
    // No spread: in Node 20, one with a member behind it takes thirty times as long, a quarter of a page's time.
    const reading = { segment, isReverse, kept: keptSegments[i], taken: takenOf };
    const page = known[i];
    const pages = page
      ? new SegmentPages(reader, reading, { number: page.number, page })
      : pagesAtEdge(reader, reading, edges.splice(0, isReverse ? 2 : 1));
    return new PageCursor(new PagesInTurns(pages, beforePage), isReverse, isUnwanted);
  });
  return [singles, ...cursors];
}

/** A test of the record at an offset. */
type RecordTest = (bytes: Uint8Array, at: number) => boolean;

interface ListedParts {
  readonly isListed: RecordTest;
  /** Whether a record stands behind all that are wanted. */
  readonly isOver: RecordTest;
  readonly visit: (record: PageRecord) => MaybePromise<boolean>;
}

/** The records of a list. */
class ListedRecords implements RecordVisitor {
  readonly #isListed: RecordTest;
  readonly #isOver: RecordTest;
  readonly #visit: ListedParts['visit'];

  constructor({ isListed, isOver, visit }: ListedParts) {
    this.#isListed = isListed;
    this.#isOver = isOver;
    this.#visit = visit;
  }

  visit({ bytes }: Records, at: number): MaybePromise<boolean> {
    if (this.#isOver(bytes, at)) return false;
    // Some records only change older ones.
    return this.#isListed(bytes, at) ? this.#visit(new PageRecord(bytes, at)) : true;
  }
}

/** How records are read. */
interface ReadingOptions {
  /** From the last one to the first. Default false. */
  readonly isReverse?: boolean;
  /** Sums of 0 too, which say that there was something. Default false. */
  readonly withZeros?: boolean;
}

/**
 * Goes through the records within bounds that are there, in the order of their keys.
 *
 * @param visit false ends it behind the record; a promise is waited for before the next one
 */
export async function readRecords(
  moment: Moment,
  bounds: KeyBounds,
  visit: (record: PageRecord) => MaybePromise<boolean>,
  { isReverse = false, withZeros = false }: ReadingOptions = {},
): Promise<void> {
  await moment.beforePage();
  const { isBelow, isBehind } = recordBounds(bounds);
  // Pages reach beyond the bounds.
  const [isUnwanted, isOver] = isReverse ? [isBehind, isBelow] : [isBelow, isBehind];
  const cursors = await openCursors(moment, bounds, { isReverse, isUnwanted });
  const isListed = withZeros ? isThere : isPresent;
  await merge(cursors, new ListedRecords({ isListed, isOver, visit }), isReverse);
}
