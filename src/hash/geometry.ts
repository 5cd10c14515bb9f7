/** The shape of every tree and path (protocol sections 1 and 3), in blocks of 32 bytes. */
import { blockWidth, type HashFamily } from './family.js';

/** Depth of every tree: leaf indices run from 0 to 2^40 - 1. */
export const treeDepth = 40;

/** Nodes of a path: top node, siblings at heights 39 to 1, sibling leaf, leaf opening. */
export const nodeCount: number = treeDepth + 2;

/** Position of the sibling leaf among the nodes; the leaf opening follows it. */
export const siblingLeafAt: number = treeDepth;

/** Bytes of an inner node's preimage: left, right. */
export const innerNodeWidth: number = 2 * blockWidth;

/** Bytes of the two nodes whose width differs between the families. */
export interface PathWidths {
  /** The next free node, then the sub-tree root. */
  readonly topNode: number;
  /** prev, next, hKey, hValue. */
  readonly leafOpening: number;
}

/** Widths of each family; indices take one block under MiMC, two as limbs. */
export const pathWidths: Readonly<Record<HashFamily, PathWidths>> = {
  mimc: { topNode: 2 * blockWidth, leafOpening: 4 * blockWidth },
  poseidon2: { topNode: 3 * blockWidth, leafOpening: 6 * blockWidth },
};

/**
 * Width of each node of a path, top down.
 *
 * @param siblingLeaf bytes of the sibling leaf: a leaf opening's, or 32 where that leaf is empty
 */
export function nodeWidths(widths: PathWidths, siblingLeaf: number): number[] {
  const all = new Array<number>(nodeCount).fill(innerNodeWidth);
  all[0] = widths.topNode;
  all[siblingLeafAt] = siblingLeaf;
  all[siblingLeafAt + 1] = widths.leafOpening;
  return all;
}
