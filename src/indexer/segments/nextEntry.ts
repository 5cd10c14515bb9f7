/** Entries of a store one after the other, read some at a time. */
import type { Entry, Range, StoreReader } from '../../tree/index.js';
import type { MaybePromise } from '../../tree/store/maybePromise.js';
import { keyAfter } from '../../tree/store/scan.js';

/** Gives entries one after the other; undefined behind the last one. */
export type NextEntry = () => MaybePromise<Entry | undefined>;

/** Entries that are read at a time: at first, since most readers want no more, and at most. */
export const entriesAtFirst = 2;
const entriesAtOnce = 4;

/**
 * One entry that is there already, and those of a range, each once. No generator: for the few entries that most readers want,
 * it would take longer than the store.
 *
 * @param all its limit is how many are read at first
 */
export function entriesOf(
  reader: StoreReader,
  all: Range | undefined,
  first: Entry | undefined,
): NextEntry {
  let entries: readonly Entry[] = first ? [first] : [];
  let at = 0;
  let range = all;

  async function readOn(): Promise<Entry | undefined> {
    if (range === undefined) return undefined;
    const { from, to, limit, reverse } = range;
    entries = (await reader.read({ keys: [], ranges: [range] })).ranges[0] ?? [];
    at = 1;
    const last = entries.at(-1);
    range =
      last === undefined || entries.length < limit
        ? undefined
        : {
            from: reverse ? from : keyAfter(last.key),
            to: reverse ? last.key : to,
            limit: Math.min(2 * limit, entriesAtOnce),
            reverse,
          };
    return entries[0];
  }

  return () => (at < entries.length ? entries[at++] : readOn());
}
