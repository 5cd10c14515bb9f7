/** The tree of a family before its first insertion. */
import { concatBytes, encodeHex } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import { treeDepth } from '../hash/geometry.js';
import { hashUp } from './hashUp.js';
import { emptyList, firstFreeNode } from './leaves.js';
import type { EmptyTree } from './nodes.js';

export function emptyTreeOf(spec: TreeSpec): EmptyTree {
  const roots: Uint8Array[] = [new Uint8Array(blockWidth)];
  for (let height = 0; height < treeDepth; height++) {
    const child = roots[height] as Uint8Array;
    roots.push(spec.hasher.hash(concatBytes(child, child)));
  }
  const leaves = emptyList(spec);
  const changed = new Map(leaves.entries());
  const { subTreeRoot } = hashUp({ spec, roots }, changed, [], firstFreeNode);
  const nodes = roots.map((_, height) => {
    const child = roots[Math.max(0, height - 1)] as Uint8Array;
    return encodeHex(height > 0 ? concatBytes(child, child) : child);
  });
  const texts = new Array<string>(treeDepth + 1).fill('');
  for (let height = treeDepth - 1; height > 0; height--) {
    texts[height] = `${texts[height + 1]},"${nodes[height]}"`;
  }
  const alone = roots.slice(0, treeDepth - 1).reverse();
  const siblings = concatBytes(...alone.flatMap((root) => [root, root]));
  return {
    spec,
    roots,
    nodes,
    texts: texts.map((text) => new TextEncoder().encode(text)),
    siblings,
    leaves,
    topNode: { nextFreeNode: firstFreeNode, subTreeRoot },
  };
}
