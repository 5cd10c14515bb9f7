/** Positions of keys in the order of a tree's leaves. */
import { decodeNumber, orderKey, unstamp } from '../layout/layout.js';
import { headIndex, tailIndex } from '../nodes/leaves.js';
import { type Reading, readRanges } from '../store/reading.js';
import { type Bounds, endOf, keyAfter } from '../store/scan.js';
import type { Entry, Range } from '../store/store.js';

/** The position of a key in the order of a tree's leaves. */
export interface KeyPosition {
  /** Index of its leaf; undefined for a key without one. */
  readonly own: number | undefined;
  /** Index of the leaf before it. Like `right`, it may be missing if the key has a leaf that stays. */
  readonly left: number | undefined;
  /** Index of the leaf behind it. */
  readonly right: number | undefined;
}

/** A key that is looked for. */
export interface SoughtKey {
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

/** The ranges of the entries before and behind an `order` key. @param bounds of its tree */
export const rangesBeside = ({ from, to }: Bounds, own: Uint8Array): Range[] => [
  { from, to: own, limit: 1, reverse: true },
  { from: keyAfter(own), to, limit: 1, reverse: false },
];

/** The leaves before and behind a key. @param found the entries of such ranges, of several keys @param i place of the key */
export function leavesBeside(
  found: readonly (readonly Entry[])[],
  i: number,
): { left: number; right: number } {
  const left = found[2 * i]?.at(0);
  const right = found[2 * i + 1]?.at(0);
  return {
    left: left ? indexIn(left.value) : headIndex,
    right: right ? indexIn(right.value) : tailIndex,
  };
}

/**
 * Positions in the state as it is.
 *
 * @param options.readsAhead true: in one step; false: in two if some keys have no leaf
 */
export function* findPositions(
  tree: number,
  keys: readonly SoughtKey[],
  { readsAhead }: { readsAhead: boolean },
): Reading<KeyPosition[]> {
  const owns = keys.map(({ hKey }) => orderKey(tree, hKey));
  const bounds = orderBounds(tree);
  const beside = (i: number) => rangesBeside(bounds, owns[i] as Uint8Array);
  const isEarly = (i: number) => readsAhead || keys[i]?.mayGo;
  const early = [...keys.keys()].filter(isEarly);
  const { values, ranges } = yield { keys: owns, ranges: early.flatMap(beside) };
  const late = [...keys.keys()].filter((i) => values[i] === undefined && !isEarly(i));
  const found = [...ranges, ...(yield* readRanges(late.flatMap(beside)))];
  const positions: KeyPosition[] = values.map((value) => {
    return { own: value && indexIn(value), left: undefined, right: undefined };
  });
  for (const [j, i] of [...early, ...late].entries()) {
    positions[i] = { own: positions[i]?.own, ...leavesBeside(found, j) };
  }
  return positions;
}
