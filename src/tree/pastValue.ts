/** What stood in an entry after an older block. */
import { TreeError } from './errors.js';
import { historyKey, historyPrefix, isStampedAt } from './layout.js';
import { type NeededRange, type Reading, readRanges, readValues } from './reading.js';
import { endOf } from './scan.js';
import type { Entry } from './store.js';

/**
 * Which state is read. The block may be taken out while readings go on, once it is found to be the
 * newest one.
 */
export interface Moment {
  /** The state after this block; undefined: the state as it is. */
  block: number | undefined;
}

/** Where the next change of an entry after a block lies in its history. */
export const nextChange = (key: Uint8Array, block: number): NeededRange => ({
  from: historyKey(key, block + 1),
  // Keys of one kind are as long as each other, so nothing else's history begins so.
  to: endOf(historyPrefix(key)),
  limit: 1,
  reverse: false,
});

/**
 * Whether there was an entry after a block.
 *
 * @param then what stood there, behind its stamp; nothing, or no bytes, if there was none
 * @throws TreeError `DAMAGED` if it was written later
 */
export function isThere(then: Uint8Array | undefined, block: number): then is Uint8Array {
  if (then === undefined || then.length === 0) return false;
  if (isStampedAt(then, block)) return true;
  throw new TreeError('DAMAGED', `the history of an entry lacks its value at block ${block}`);
}

/** What one step has read of entries. */
interface Seen {
  readonly keys: readonly Uint8Array[];
  /** What stands there now, behind its stamp. */
  readonly nows: readonly (Uint8Array | undefined)[];
  /** What `nextChange` of each key holds; undefined if the store left it out. */
  readonly nexts: readonly (readonly Entry[] | undefined)[];
}

/**
 * What stood in entries after the moment's block, behind their stamps. Takes a step more if the
 * store left out the history of entries that changed since.
 */
export function* resolvePast(
  moment: Moment,
  block: number,
  { keys, nows, nexts }: Seen,
): Reading<(Uint8Array | undefined)[]> {
  // Most entries were last written before the block, and their stamps say so: no look into the
  // history.
  const isSame = (i: number) => moment.block === undefined || isStampedAt(nows[i], block);
  const lacking = [...keys.keys()].filter((i) => nexts[i] === undefined && !isSame(i));
  const ranges = lacking.map((i) => nextChange(keys[i] as Uint8Array, block));
  const found = (yield* readRanges(ranges)).values();
  return nows.map((now, i) => {
    if (isSame(i)) return now;
    // What the next block to change it found there is what the block left.
    const next = (nexts[i] ?? found.next().value)?.at(0);
    const then = next ? next.value : now;
    return isThere(then, block) ? then : undefined;
  });
}

/**
 * Reads what stands in entries at a moment, behind their stamps; undefined for an entry that was
 * not there.
 */
export function* readAt(
  moment: Moment,
  keys: readonly Uint8Array[],
): Reading<readonly (Uint8Array | undefined)[]> {
  const { block } = moment;
  if (block === undefined) return yield* readValues(keys);
  if (keys.length === 0) return [];
  const ranges = keys.map((key, unless) => ({ ...nextChange(key, block), unless }));
  const answer = yield { keys, ranges };
  const seen = { keys, nows: answer.values, nexts: answer.ranges };
  return yield* resolvePast(moment, block, seen);
}
