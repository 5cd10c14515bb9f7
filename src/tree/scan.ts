/** Reads entries next to each other, some at a time. */
import type { Entry, StoreReader } from './store.js';

/** Entries of the first read: most scans end soon. */
const firstSize = 8;

/** Entries of the longest read, which is soon enough over for others to have their turn. */
const longestSize = 512;

/** The key right after another: nothing lies between them. */
export function keyAfter(key: Uint8Array): Uint8Array {
  const after = new Uint8Array(key.length + 1);
  after.set(key);
  return after;
}

/** The first key behind all that begin with a prefix. @param prefix with a byte below 255 */
export function endOf(prefix: Uint8Array): Uint8Array {
  let length = prefix.length;
  while (prefix[length - 1] === 0xff) length--;
  const end = prefix.slice(0, length);
  end[length - 1] = (end[length - 1] as number) + 1;
  return end;
}

/**
 * The entries from one key to below another, in order, or `down` from the other end. Each read is twice as long
 * as the one before, up to a bound: a long scan takes few reads, and a short one reads little that nobody asks for.
 */
export async function* scan(
  reader: StoreReader,
  from: Uint8Array,
  to: Uint8Array,
  direction: 'up' | 'down' = 'up',
): AsyncGenerator<Entry, void> {
  const reverse = direction === 'down';
  let [low, high] = [from, to];
  for (let limit = firstSize; ; limit = Math.min(2 * limit, longestSize)) {
    const entries = await reader.range(low, high, { limit, reverse });
    yield* entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit) return;
    if (reverse) high = last.key;
    else low = keyAfter(last.key);
  }
}
