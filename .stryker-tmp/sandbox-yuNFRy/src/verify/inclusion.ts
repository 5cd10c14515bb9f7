/** Inclusion: a fact about a leaf, on which existence and non-existence of a key rest. */
// @ts-nocheck

import { equalBytes } from '../bytes.js';
import { VerificationError } from '../errors.js';
import type { HashedPath } from './hashed.js';

/**
 * Checks that the leaf opening lies at its index in the tree under `root` (docs/protocol.md
 * section 4.3, steps 2 and 3). The caller checks what the opening says.
 *
 * @param root trusted, or proven before
 * @throws VerificationError `INDEX_OUT_OF_RANGE`, `ROOT_MISMATCH` or `SUB_TREE_ROOT_MISMATCH`
 */
export function checkInclusion(root: Uint8Array, { path, roots }: HashedPath): void {
  const { leafIndex, top, at } = path;
  // No leaf lies at the next free node or after it; `decodeTopNode` bounds the next free node.
  if (leafIndex >= top.nextFreeNode) {
    throw new VerificationError(
      'INDEX_OUT_OF_RANGE',
      at,
      `expected a leaf index below the next free node ${top.nextFreeNode}, got ${leafIndex}`,
    );
  }
  if (!equalBytes(roots.root, root)) {
    throw new VerificationError(
      'ROOT_MISMATCH',
      `${at}[0]`,
      "expected the preimage of the root; for an account, check that the root is the rollup contract's for the block asked, not a block header's stateRoot",
    );
  }
  // Checked on its own: the top node is only the server's claim until the path leads to it.
  if (!equalBytes(roots.subTreeRoot, top.subTreeRoot)) {
    throw new VerificationError(
      'SUB_TREE_ROOT_MISMATCH',
      at,
      'expected a path from the leaf to the sub-tree root of node 0',
    );
  }
}
