/** Reads the records of an index: of its segments and of the entries above them, as one list, from either end. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Entry, Store, StoreReader } from '../../tree/index.js';
import { isPresent } from '../layout/combine.js';
import type { KeyBounds } from '../layout/layout.js';
import { compareRecordKeys, isThere, keyAt, valueAt } from '../layout/record.js';
import { readHead } from '../sealed/head.js';
import { sealed } from '../sealed/sealedStore.js';
import { readCounted } from '../sealed/sums.js';
import { encodePage, merge, PageCursor } from './pages.js';
import { pageRanges, pagesBefore, pagesFrom } from './segments.js';

/** Pages after which others have their turn. */
const pagesATurn = 8;

/** A cursor of each source, the newest first. */
async function openCursors(
  reader: StoreReader,
  bounds: KeyBounds,
  isReverse: boolean,
): Promise<PageCursor[]> {
  const { segments } = await readHead(reader);
  const ranges = segments.flatMap((segment) => pageRanges(segment, bounds, isReverse));
  const found = (await reader.read({ keys: [], ranges })).ranges;
  const loose = await readCounted(reader, bounds);
  let single: Uint8Array | undefined = encodePage(loose);
  const singles = new PageCursor(async () => {
    const page = single;
    single = undefined;
    return page;
  }, isReverse);
  const cursors = segments.map((segment, i) => {
    const [below = [], behind = []] = found.slice(2 * i, 2 * i + 2);
    const read = [...below, ...behind];
    const pages = isReverse
      ? pagesBefore(reader, segment, { below: below[0], behind: behind[0] })
      : pagesFrom(reader, segment, { read, isFromStart: below.length === 0 });
    let count = 0;
    return new PageCursor(async () => {
      if (count++ % pagesATurn === pagesATurn - 1) await yieldToEventLoop();
      return (await pages.next()).value?.value;
    }, isReverse);
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
 * Goes through the records within bounds that are there, in the order of their keys, as they were at one moment.
 *
 * @param visit false ends it behind the record; a promise is waited for before the next one
 */
export async function readRecords(
  inner: Store,
  { from, to }: KeyBounds,
  visit: (record: Entry) => boolean | Promise<boolean>,
  { isReverse = false, withZeros = false }: ReadingOptions = {},
): Promise<void> {
  const isListed = withZeros ? isThere : isPresent;
  const snapshot = await sealed(inner).snapshot();
  try {
    const [first, end] = [
      encodePage([{ key: from, value: from }]),
      encodePage([{ key: to, value: to }]),
    ];
    const cursors = await openCursors(snapshot, { from, to }, isReverse);
    await merge(
      cursors,
      (bytes, at) => {
        const isBelow = compareRecordKeys(first, 0, bytes, at) > 0;
        const isBehind = compareRecordKeys(end, 0, bytes, at) <= 0;
        if (isReverse ? isBelow : isBehind) return false;
        // Pages reach beyond the bounds, and some records only change older ones.
        if (isBelow || isBehind || !isListed(bytes, at)) return true;
        return visit({ key: keyAt(bytes, at), value: valueAt(bytes, at) });
      },
      isReverse,
    );
  } finally {
    await snapshot.release();
  }
}
