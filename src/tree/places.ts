/** Where keys stand in the order of a tree's leaves. */
import { decodeNumber, orderKey, unstamp } from './layout.js';
import { headIndex, tailIndex } from './leaves.js';
import type { Reading } from './reading.js';
import { endOf, keyAfter } from './scan.js';

/** Where a key stands. */
export interface Place {
  /** Index of its leaf; undefined for a key without one. */
  readonly own: number | undefined;
  /**
   * Index of the leaf before it. Undefined, as `right`, for a key that has a leaf, unless that may
   * go.
   */
  readonly left: number | undefined;
  /** Index of the leaf behind it. */
  readonly right: number | undefined;
}

/** A key that is looked for. */
export interface Key {
  /** 32 bytes. */
  readonly hKey: Uint8Array;
  /** Whether its leaf may be taken out, so that the one before it is needed, too. */
  readonly mayGo: boolean;
}

/** The leaf that an `order` key names, from the value behind its stamp. */
export const indexIn = (stamped: Uint8Array): number => decodeNumber(unstamp(stamped));

/** All `order` keys of a tree. */
export function orderBounds(tree: number): { from: Uint8Array; to: Uint8Array } {
  const from = orderKey(tree, new Uint8Array(0));
  return { from, to: endOf(from) };
}

/** Places in the state as it is, in one step. */
export function* placesNow(tree: number, keys: readonly Key[]): Reading<Place[]> {
  const { from, to } = orderBounds(tree);
  const owns = keys.map(({ hKey }) => orderKey(tree, hKey));
  const ranges = owns.flatMap((own, i) => {
    const unless = keys[i]?.mayGo ? undefined : i;
    return [
      { from, to: own, limit: 1, reverse: true, unless },
      { from: keyAfter(own), to, limit: 1, reverse: false, unless },
    ];
  });
  const answer = yield { keys: owns, ranges };
  return keys.map(({ mayGo }, i) => {
    const value = answer.values[i];
    const own = value && indexIn(value);
    if (own !== undefined && !mayGo) return { own, left: undefined, right: undefined };
    const left = answer.ranges[2 * i]?.at(0);
    const right = answer.ranges[2 * i + 1]?.at(0);
    return {
      own,
      left: left ? indexIn(left.value) : headIndex,
      right: right ? indexIn(right.value) : tailIndex,
    };
  });
}
