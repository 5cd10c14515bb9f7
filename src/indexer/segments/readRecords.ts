/** Reads the records of an index: of its segments and of the entries above them, as one list. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Entry, Store, StoreReader } from '../../tree/index.js';
import type { KeyBounds } from '../layout/layout.js';
import { compareRecordKeys, isThere, keyAt, valueAt } from '../layout/record.js';
import { readHead } from '../sealed/head.js';
import { sealed } from '../sealed/sealedStore.js';
import { readCounted } from '../sealed/sums.js';
import { Cursor, merge, toPage } from './pages.js';
import { pageRanges, pagesFrom } from './segments.js';

/** Pages after which others have their turn. */
const pagesATurn = 8;

/** A cursor of each source, the newest first. */
async function openCursors(reader: StoreReader, bounds: KeyBounds): Promise<Cursor[]> {
  const { segments } = await readHead(reader);
  const ranges = segments.flatMap((segment) => pageRanges(segment, bounds.from));
  const found = (await reader.read({ keys: [], ranges })).ranges;
  const loose = await readCounted(reader, bounds);
  let single: Uint8Array | undefined = toPage(loose);
  const singles = new Cursor(async () => {
    const page = single;
    single = undefined;
    return page;
  });
  const cursors = segments.map((segment, i) => {
    const [below = [], first = []] = found.slice(2 * i, 2 * i + 2);
    const read = [...below, ...first];
    const pages = pagesFrom(reader, segment, { read, isFromStart: below.length === 0 });
    let count = 0;
    return new Cursor(async () => {
      if (count++ % pagesATurn === pagesATurn - 1) await yieldToEventLoop();
      return (await pages.next()).value?.value;
    });
  });
  return [singles, ...cursors];
}

/**
 * Goes through the records within bounds that are there, in the order of their keys, as they were at one moment.
 *
 * @param visit false ends it
 */
export async function readRecords(
  inner: Store,
  { from, to }: KeyBounds,
  visit: (record: Entry) => boolean,
): Promise<void> {
  const snapshot = await sealed(inner).snapshot();
  try {
    const [first, end] = [toPage([{ key: from, value: from }]), toPage([{ key: to, value: to }])];
    await merge(await openCursors(snapshot, { from, to }), (bytes, at) => {
      if (compareRecordKeys(end, 0, bytes, at) <= 0) return false;
      // Pages begin before the bounds, and a deleted record only hides older ones.
      if (compareRecordKeys(first, 0, bytes, at) > 0 || !isThere(bytes, at)) return true;
      return visit({ key: keyAt(bytes, at), value: valueAt(bytes, at) });
    });
  } finally {
    await snapshot.release();
  }
}
