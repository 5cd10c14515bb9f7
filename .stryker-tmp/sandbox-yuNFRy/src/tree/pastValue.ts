/** What stood in an entry after an older block. */
// @ts-nocheck

import { TreeError } from './errors.js';
import { historyKey, isStampedAt, numberWidth } from './layout.js';
import { type Reading, readRanges, readValues } from './reading.js';
import { endOf } from './scan.js';
import type { Entry, Range } from './store.js';

/** Which state is read, and how. */
export interface Moment {
  /**
   * The state after this block; undefined: the state as it is. It is taken out while readings go on
   * if the block is found to be the newest one.
   */
  block: number | undefined;
  /** Whether a step also reads what may be needed next: that saves steps. */
  readonly readsAhead: boolean;
}

/** Where the next change of an entry after a block lies in its history. */
export function nextChange(key: Uint8Array, block: number): Range & { to: Uint8Array } {
  const from = historyKey(key, block + 1);
  // Keys of one kind are as long as each other, so nothing else's history begins so.
  return { from, to: endOf(from.subarray(0, -numberWidth)), limit: 1, reverse: false };
}

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
  /** What `nextChange` of each key holds; undefined if it was not read ahead. */
  readonly nexts: readonly (readonly Entry[])[] | undefined;
}

/**
 * What stood in entries after the moment's block, behind their stamps. If nothing was read ahead,
 * it takes another step for entries that changed since.
 */
export function* resolvePast(
  moment: Moment,
  block: number,
  { keys, nows, nexts }: Seen,
): Reading<(Uint8Array | undefined)[]> {
  // Most entries were last written before the block, and their stamps say so: no look into the
  // history.
  const isSame = (i: number) => moment.block === undefined || isStampedAt(nows[i], block);
  const changed = [...keys.keys()].filter((i) => !isSame(i));
  const found = nexts
    ? changed.map((i) => nexts[i])
    : yield* readRanges(changed.map((i) => nextChange(keys[i] as Uint8Array, block)));
  const thens = [...nows];
  for (const [j, i] of changed.entries()) {
    // What the next block to change it found there is what the block left.
    const next = found[j]?.at(0);
    const then = next ? next.value : nows[i];
    thens[i] = isThere(then, block) ? then : undefined;
  }
  return thens;
}

/**
 * Reads what stands in entries at a moment, behind their stamps; undefined for an entry that was
 * not there.
 */
export function* readAt(
  moment: Moment,
  keys: readonly Uint8Array[],
): Reading<readonly (Uint8Array | undefined)[]> {
  const { block, readsAhead } = moment;
  if (block === undefined || keys.length === 0) return yield* readValues(keys);
  const ranges = readsAhead ? keys.map((key) => nextChange(key, block)) : [];
  const answer = yield { keys, ranges };
  const nexts = readsAhead ? answer.ranges : undefined;
  return yield* resolvePast(moment, block, { keys, nows: answer.values, nexts });
}
