/** From a leaf to the sub-tree root, over the hashes beside its path. */
// @ts-nocheck

import type { TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';
import type { SiblingPath } from './types.js';

/** The digest of an empty leaf: zeros, which are not the hash of anything. */
export const emptyLeaf: Uint8Array = new Uint8Array(blockWidth);

/**
 * Sub-tree root above a leaf (docs/protocol.md section 4.2). Compares nothing.
 *
 * Each height is a call of the hash by itself: unlike proofs, traces give siblings as digests, and the kernel's
 * `recoverRoot` takes preimages.
 *
 * @param digest of the leaf, or {@link emptyLeaf}
 */
export function recoverRoot(spec: TreeSpec, digest: Uint8Array, path: SiblingPath): Uint8Array {
  const { leafIndex, siblings } = path;
  const pair = new Uint8Array(innerNodeWidth);
  let node = digest;
  for (let height = 0; height < treeDepth; height++) {
    // BigInt shifts: a 32-bit operator would forget the upper bits of the index.
    const isRight = ((leafIndex >> BigInt(height)) & 1n) === 1n;
    const sibling = siblings.subarray(height * blockWidth, (height + 1) * blockWidth);
    pair.set(sibling, isRight ? 0 : blockWidth);
    pair.set(node, isRight ? blockWidth : 0);
    node = spec.hasher.hash(pair);
  }
  return node;
}
