/** Reads the records of an index: of its segments and of the entries above them, as one list. */
import type { Entry, Range, Store, StoreReader } from '../tree/index.js';
import type { KeyBounds } from './layout.js';
import { Cursor, merge, pageOf } from './pages.js';
import { compareKeys, isThere, keyAt, valueAt } from './record.js';
import { eachOf, entriesFrom, pageRanges, readSegments } from './segments.js';

/** Entries that are read at a time: few enough for others to have their turn. */
const entriesAtOnce = 512;

/** Yields to the event loop, so that a long list does not block other requests. */
const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Calls one after the other, with a turn for others before each but the first. */
async function* inTurns<T>(lists: AsyncIterable<T>): AsyncGenerator<T> {
  let isFirst = true;
  for await (const list of lists) {
    if (!isFirst) await turn();
    isFirst = false;
    yield list;
  }
}

/** A cursor of each source, the newest first. The beginning of all is read at once. */
async function openCursors(reader: StoreReader, bounds: KeyBounds): Promise<Cursor[]> {
  const segments = await readSegments(reader);
  const single: Range = { ...bounds, limit: entriesAtOnce, reverse: false };
  const paged = segments.map((segment) => pageRanges(segment, bounds));
  const { ranges } = await reader.read({ keys: [], ranges: [single, ...paged.flat()] });
  const [entries = [], ...pages] = ranges;
  const singles = inTurns(entriesFrom(reader, single, entries));
  const cursors = paged.map(([, behind], i) => {
    const [below = [], first = []] = pages.slice(2 * i, 2 * i + 2);
    async function* all(): AsyncGenerator<readonly Entry[]> {
      yield below;
      yield* inTurns(entriesFrom(reader, behind, first));
    }
    const each = eachOf(all());
    return new Cursor(async () => (await each.next()).value?.value);
  });
  return [new Cursor(async () => nextPage(singles)), ...cursors];
}

async function nextPage(lists: AsyncGenerator<readonly Entry[]>): Promise<Uint8Array | undefined> {
  const { value } = await lists.next();
  return value && pageOf(value);
}

/**
 * Goes through the records within bounds that are there, in the order of their keys, as they were at one moment.
 *
 * @param visit false ends it
 */
export async function readRecords(
  store: Store,
  { from, to }: KeyBounds,
  visit: (record: Entry) => boolean,
): Promise<void> {
  const snapshot = await store.snapshot();
  try {
    const [first, end] = [pageOf([{ key: from, value: from }]), pageOf([{ key: to, value: to }])];
    await merge(await openCursors(snapshot, { from, to }), (bytes, at) => {
      if (compareKeys(end, 0, bytes, at) <= 0) return false;
      // Pages begin before the bounds, and a deleted record only hides older ones.
      if (compareKeys(first, 0, bytes, at) > 0 || !isThere(bytes, at)) return true;
      return visit({ key: keyAt(bytes, at), value: valueAt(bytes, at) });
    });
  } finally {
    await snapshot.release();
  }
}
