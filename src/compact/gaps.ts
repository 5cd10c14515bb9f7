/** Which leaves show that keys are absent. */
import { compareBytes } from '../bytes.js';
import type { LeafOpening } from '../codec/node.js';
import { VerificationError } from '../errors.js';
import { checkGap, type Neighbour } from '../verify/gap.js';
import { type CompactLeaf, neighbourPlace } from './format.js';

/** A leaf of the proof with its opening. */
export interface OpenLeaf {
  readonly leaf: CompactLeaf;
  readonly opening: LeafOpening;
}

const neighbourOf = ({ leaf, opening }: OpenLeaf): Neighbour => ({
  leafIndex: BigInt(leaf.leafIndex),
  leaf: opening,
  locate: leaf.locate,
});

/** Position of the first leaf whose hKey is not below a key's; the number of leaves if all are below. */
export function firstNotBelow(sorted: readonly OpenLeaf[], hKey: Uint8Array): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const { opening } = sorted[middle] as OpenLeaf;
    if (compareBytes(opening.hKey, hKey) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Checks that each absent key lies strictly between two leaves that name each other. Checks also that each neighbour is
 * needed for an absent key: with others, one proof would have several forms.
 *
 * @param absent hKeys
 * @param at location of the leaves, for errors
 * @throws VerificationError `KEY_NOT_BETWEEN`, `NOT_NEIGHBOURS` or `LEAF_NOT_NEEDED`
 */
export function checkGaps(
  leaves: readonly OpenLeaf[],
  absent: readonly Uint8Array[],
  at: string,
): void {
  const needed = new Set<OpenLeaf>();
  const sorted = [...leaves].sort((a, b) => compareBytes(a.opening.hKey, b.opening.hKey));
  for (const hKey of absent) {
    const position = firstNotBelow(sorted, hKey);
    if (position === 0 || position === sorted.length) {
      throw new VerificationError(
        'KEY_NOT_BETWEEN',
        at,
        'expected the leaf of each key asked, or the two leaves that it lies between; check address and storage keys',
      );
    }
    // Nearest on each side: if the true neighbours are here, these are they.
    const left = sorted[position - 1] as OpenLeaf;
    const right = sorted[position] as OpenLeaf;
    checkGap({ hKey, left: neighbourOf(left), right: neighbourOf(right) });
    needed.add(left).add(right);
  }
  for (const open of leaves) {
    if (open.leaf.place === neighbourPlace && !needed.has(open)) {
      throw new VerificationError(
        'LEAF_NOT_NEEDED',
        open.leaf.locate('place'),
        'expected a neighbour of an absent key that was asked',
      );
    }
  }
}
