/** The tree of a family before its first insertion. */
import { concatBytes, encodeHex } from '../../bytes.js';
import type { TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { treeDepth } from '../../hash/geometry.js';
import { textToBytes } from '../store/sortedMap.js';
import { hashUp } from './hashUp.js';
import { emptyList, firstFreeNode } from './leaves.js';
import type { EmptyTree } from './nodes.js';

export function createEmptyTree(spec: TreeSpec): EmptyTree {
  const roots: Uint8Array[] = [new Uint8Array(blockWidth)];
  const preimages: Uint8Array[] = [];
  for (let height = 0; height < treeDepth; height++) {
    const child = roots[height] as Uint8Array;
    const preimage = concatBytes(child, child);
    preimages.push(preimage);
    roots.push(spec.hasher.hash(preimage));
  }
  const leaves = emptyList(spec);
  const changed = new Map(leaves.entries());
  const { subTreeRoot } = hashUp({ spec, roots }, changed, [], firstFreeNode);
  const nodes = [roots[0] as Uint8Array, ...preimages].map((bytes) => encodeHex(bytes));
  // Without the sub-tree's root, which is beside no path.
  const shown = nodes.slice(1, treeDepth).reverse();
  return {
    spec,
    roots,
    nodes,
    text: textToBytes(shown.map((node) => `,"${node}"`).join('')),
    siblings: concatBytes(...preimages.slice(0, -1).reverse()),
    leaves,
    topNode: { nextFreeNode: firstFreeNode, subTreeRoot },
  };
}
