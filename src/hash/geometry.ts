/** The shape of every tree and path (protocol sections 1 and 3), in blocks of 32 bytes. */
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
 * Width of the node at a position in a path.
 *
 * @param siblingLeaf bytes of the sibling leaf: a leaf opening's, or 32 if that leaf is empty
 */
export function nodeWidth(widths: PathWidths, siblingLeaf: number, position: number): number {
  if (position === 0) return widths.topNode;
  if (position < siblingLeafPosition) return innerNodeWidth;
  return position === siblingLeafPosition ? siblingLeaf : widths.leafOpening;
}

/** Width of each node of a path, top down. */
export const nodeWidths = (widths: PathWidths, siblingLeaf: number): number[] =>
  Array.from({ length: nodeCount }, (_, i) => nodeWidth(widths, siblingLeaf, i));

/** Bytes of all nodes of a path together. */
export const pathWidth = ({ topNode, leafOpening }: PathWidths, siblingLeaf: number): number =>
  topNode + (treeDepth - 1) * innerNodeWidth + siblingLeaf + leafOpening;
