/** The shape of every tree and path (protocol sections 1 and 3), in blocks of 32 bytes. */
// @ts-nocheck

import { blockWidth, type PathWidths } from './family.js';

/** Depth of every tree: leaf indices run from 0 to 2^40 - 1. */
export const treeDepth = 40;

/** Nodes of a path: top node, siblings at heights 39 to 1, sibling leaf, leaf opening. */
export const nodeCount: number = treeDepth + 2;

/** Position of the sibling leaf among the nodes; the leaf opening follows it. */
export const siblingLeafPosition: number = treeDepth;

/** Bytes of an inner node's preimage: left, right. */
export const innerNodeWidth: number = 2 * blockWidth;

/**
 * Width of each node of a path, top down.
 *
 * @param siblingLeaf bytes of the sibling leaf: a leaf opening's, or 32 if that leaf is empty
 */
export function nodeWidths(widths: PathWidths, siblingLeaf: number): number[] {
  const all = new Array<number>(nodeCount).fill(innerNodeWidth);
  all[0] = widths.topNode;
  all[siblingLeafPosition] = siblingLeaf;
  all[siblingLeafPosition + 1] = widths.leafOpening;
  return all;
}
