/** Reads the records of an index: of its segments and of the entries above them, as one list, from either end. */
import type { Entry } from '../../tree/index.js';
import { chain } from '../../tree/store/maybePromise.js';
import { isPresent } from '../layout/combine.js';
import type { KeyBounds } from '../layout/layout.js';
import { compareRecordKeys, isThere, keyAt, valueAt } from '../layout/record.js';
import type { Moment } from '../sealed/moment.js';
import { readCounted } from '../sealed/sums.js';
import { encodePage, merge, PageCursor } from './pages.js';
import { firstPageRange, lastPageRanges, pagesBefore, pagesFrom } from './segments.js';

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

/**
 * A cursor of each source, the newest first.
 *
 * @param isUnwanted as `PageCursor` has it
 */
async function openCursors(
  { reader, head: { segments }, beforePage }: Moment,
  bounds: KeyBounds,
  { isReverse, isUnwanted }: { isReverse: boolean; isUnwanted: RecordBounds['isBelow'] },
): Promise<PageCursor[]> {
  const ranges = segments.flatMap((segment) =>
    isReverse ? lastPageRanges(segment, bounds) : firstPageRange(segment, bounds),
  );
  const found = (await reader.read({ keys: [], ranges })).ranges.map((pages) => pages[0]);
  const loose = await readCounted(reader, bounds);
  let single: Uint8Array | undefined = encodePage(loose);
  const singles = new PageCursor(() => {
    const page = single;
    single = undefined;
    return page;
  }, isReverse);
  const cursors = segments.map((segment, i) => {
    const pages = isReverse
      ? pagesBefore(reader, segment, { below: found[2 * i], behind: found[2 * i + 1] })
      : pagesFrom(reader, segment, found[i]);
    const readPage = () => chain(pages(), (page) => page?.value);
    let count = 0;
    return new PageCursor(
      () => chain(count++ > 0 ? beforePage() : undefined, readPage),
      isReverse,
      isUnwanted,
    );
  });
  return [singles, ...cursors];
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
  visit: (record: Entry) => boolean | Promise<boolean>,
  { isReverse = false, withZeros = false }: ReadingOptions = {},
): Promise<void> {
  const isListed = withZeros ? isThere : isPresent;
  await moment.beforePage();
  const { isBelow, isBehind } = recordBounds(bounds);
  // Pages reach beyond the bounds.
  const [isUnwanted, isOver] = isReverse ? [isBehind, isBelow] : [isBelow, isBehind];
  const cursors = await openCursors(moment, bounds, { isReverse, isUnwanted });
  await merge(
    cursors,
    (bytes, at) => {
      if (isOver(bytes, at)) return false;
      // Some records only change older ones.
      if (!isListed(bytes, at)) return true;
      return visit({ key: keyAt(bytes, at), value: valueAt(bytes, at) });
    },
    isReverse,
  );
}
