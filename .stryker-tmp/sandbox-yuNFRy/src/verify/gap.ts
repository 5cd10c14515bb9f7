/** The gap between two neighbours of the sorted list, which shows that a key has no leaf. */
// @ts-nocheck

import { compareBytes } from '../bytes.js';
import type { LeafOpening } from '../codec/node.js';
import { VerificationError } from '../errors.js';

/** A leaf opening, and the index at which the caller shows it to lie. */
export interface Neighbour {
  readonly leafIndex: bigint;
  readonly leaf: LeafOpening;
  /** Location of a member of the opening in the answer, for errors. */
  locate(member: 'prev' | 'next' | 'hKey'): string;
}

/**
 * Checks that two leaves name each other: nothing lies between them in the list.
 *
 * @throws VerificationError `NOT_NEIGHBOURS`
 */
export function checkNeighbours({ left, right }: { left: Neighbour; right: Neighbour }): void {
  if (left.leaf.next !== right.leafIndex) {
    throw new VerificationError(
      'NOT_NEIGHBOURS',
      left.locate('next'),
      `expected a left neighbour whose next is ${right.leafIndex}, got ${left.leaf.next}`,
    );
  }
  if (right.leaf.prev !== left.leafIndex) {
    throw new VerificationError(
      'NOT_NEIGHBOURS',
      right.locate('prev'),
      `expected a right neighbour whose prev is ${left.leafIndex}, got ${right.leaf.prev}`,
    );
  }
}

/**
 * Checks that two leaves are neighbours with a hashed key strictly between them. That both lie in one tree, at their
 * indices, the caller checks.
 *
 * @throws VerificationError `KEY_NOT_BETWEEN` or `NOT_NEIGHBOURS`
 */
export function checkGap({
  hKey,
  left,
  right,
}: {
  hKey: Uint8Array;
  left: Neighbour;
  right: Neighbour;
}): void {
  // Strictly: a key that equals a neighbour's exists. Elements are canonical (`parsePath`, `parseDigest`), so the bytes
  // sort as the numbers do.
  if (compareBytes(left.leaf.hKey, hKey) >= 0) {
    throw new VerificationError(
      'KEY_NOT_BETWEEN',
      left.locate('hKey'),
      'expected a left neighbour with a smaller hKey',
    );
  }
  if (compareBytes(hKey, right.leaf.hKey) >= 0) {
    throw new VerificationError(
      'KEY_NOT_BETWEEN',
      right.locate('hKey'),
      'expected a right neighbour with a larger hKey',
    );
  }
  // Bracketing leaves may have others between them; only the pointers show that nothing lies there.
  checkNeighbours({ left, right });
}
