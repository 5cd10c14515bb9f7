/** Answers requests in stores that need not wait for anything. */
import { readsPerTurn } from './readBudget.js';
import type { Entry, Range, ReadAnswer, ReadRequest } from './store.js';

/** Reads of one key or range in such a store. */
export interface DirectReads {
  get(key: Uint8Array): Uint8Array | undefined;
  range(range: Range): readonly Entry[];
}

/** Reads a short request. */
export function readAtOnce({ keys, ranges }: ReadRequest, { get, range }: DirectReads): ReadAnswer {
  return { values: keys.map(get), ranges: ranges.map(range) };
}

/** Reads one after the other, and gives way every few dozen entries. @param pause as `StoreReader.read` has it */
export async function readDirectly(
  { keys, ranges }: ReadRequest,
  { get, range }: DirectReads,
  pause: (() => Promise<void>) | undefined,
): Promise<ReadAnswer> {
  const values: (Uint8Array | undefined)[] = [];
  const found: (readonly Entry[])[] = [];
  let reads = 0;
  for (let i = 0; i < keys.length + ranges.length; i++) {
    if (reads >= readsPerTurn && pause) {
      await pause();
      reads = 0;
    }
    if (i < keys.length) {
      values.push(get(keys[i] as Uint8Array));
      reads++;
      continue;
    }
    const entries = range(ranges[i - keys.length] as Range);
    found.push(entries);
    reads += Math.max(1, entries.length);
  }
  return { values, ranges: found };
}
