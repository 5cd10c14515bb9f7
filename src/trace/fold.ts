/** From a leaf to the sub-tree root, over the hashes beside the path. */
import type { TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';
import type { Place } from './types.js';

/** What stands in the place of an empty leaf: it is not hashed. */
export const emptyLeaf: Uint8Array = new Uint8Array(blockWidth);

/**
 * Sub-tree root above a leaf (protocol section 4, step 2). Compares nothing.
 *
 * Each height is a call of the hash by itself: unlike proofs, traces give siblings as digests, which the kernel's
 * climb over preimages has no use for.
 *
 * @param digest of the leaf at the place, or {@link emptyLeaf}
 */
export function fold(spec: TreeSpec, digest: Uint8Array, place: Place): Uint8Array {
  const { leafIndex, siblings } = place;
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
