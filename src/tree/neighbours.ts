/**
 * Finds the leaves before the places of absent keys in a tree as it was after an older block. The keys that came and went
 * since lie in between, and whoever can write to a contract's storage decides how many they are. So they are read in
 * long ranges and each once, however many keys are asked for.
 */
import { compareBytes } from '../bytes.js';
import { TreeError } from './errors.js';
import {
  decodeNumber,
  historyOf,
  historyPrefix,
  hKeyOf,
  isStampedAt,
  lastNumberOf,
  orderKey,
  unstamp,
} from './layout.js';
import { headIndex } from './leaves.js';
import { scan } from './scan.js';
import type { Entry, StoreReader } from './store.js';

/** A leaf in the order of keys. */
interface Neighbour {
  readonly index: number;
  /** Undefined for the head, which is before all keys. */
  readonly hKey: Uint8Array | undefined;
}

const head: Neighbour = { index: headIndex, hKey: undefined };

/** A tree as it was after a block. */
export interface PastTree {
  readonly reader: StoreReader;
  readonly tree: number;
  readonly block: number;
}

/** The last leaf before a key's place. */
async function leftOf({ reader, tree, block }: PastTree, hKey: Uint8Array): Promise<Neighbour> {
  const first = orderKey(tree, new Uint8Array(0));
  const end = orderKey(tree, hKey);
  // By descending hKey: what stands there now, and what was overwritten, each key's newest first.
  const nows = scan(reader, first, end, 'down');
  const pasts = scan(reader, historyPrefix(first), historyPrefix(end), 'down');
  const nextOf = async (entries: AsyncGenerator<Entry, void>) => (await entries.next()).value;
  let now = await nextOf(nows);
  let past = await nextOf(pasts);
  for (;;) {
    const keys = [now?.key, past && historyOf(past.key)].filter((key) => key !== undefined);
    const key = keys.sort(compareBytes).at(-1);
    if (key === undefined) return head;
    let then: Uint8Array | undefined;
    if (now && compareBytes(now.key, key) === 0) {
      then = now.value;
      now = await nextOf(nows);
    }
    while (past && compareBytes(historyOf(past.key), key) === 0) {
      // What the next block to change it found there is what this block left; nothing: the key had no leaf.
      if (lastNumberOf(past.key) > block) then = past.value.length > 0 ? past.value : undefined;
      past = await nextOf(pasts);
    }
    if (then === undefined) continue;
    if (!isStampedAt(then, block)) {
      throw new TreeError('DAMAGED', `the history of an entry lacks its value at block ${block}`);
    }
    return { index: decodeNumber(unstamp(then)), hKey: hKeyOf(key) };
  }
}

/** Indices of the leaves before the places of keys, none of which has a leaf. */
export async function leftsBefore(past: PastTree, hKeys: readonly Uint8Array[]): Promise<number[]> {
  const order = [...hKeys.entries()].sort(([, a], [, b]) => compareBytes(b, a));
  const lefts: number[] = [];
  let left: Neighbour | undefined;
  for (const [i, hKey] of order) {
    // A key between a leaf that was found and the key that it was found for lies in the same gap.
    const isInGap = left && (left.hKey === undefined || compareBytes(left.hKey, hKey) < 0);
    if (left === undefined || !isInGap) left = await leftOf(past, hKey);
    lefts[i] = left.index;
  }
  return lefts;
}
