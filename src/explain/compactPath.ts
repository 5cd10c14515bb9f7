/** The paths of some leaves of a compact proof, whose siblings are shared. */
import { concatBytes, encodeHex } from '../bytes.js';
import { encodeTopNode, hashLeafOpening, type TopNode } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { emptyDigest, pairKind } from '../compact/climb.js';
import type { CompactTree } from '../compact/format.js';
import type { OpenLeaf } from '../compact/gaps.js';
import { blockWidth } from '../hash/family.js';
import { treeDepth } from '../hash/geometry.js';
import { shownLeaf, shownLevel } from './path.js';
import type { Level, PathExplanation } from './types.js';

/** A node on the way, and its index among those of its height. */
interface Node {
  readonly index: number;
  readonly digest: Uint8Array;
}

/** Climbs one height. @param takeSibling the next one that the proof gives @returns each node with its sibling; and the parents */
function climbLevel(
  spec: TreeSpec,
  level: number,
  { kinds, nodes }: { kinds: Iterable<number>; nodes: readonly Node[] },
  takeSibling: () => Uint8Array,
): { siblings: Map<number, Uint8Array>; parents: Node[] } {
  const siblings = new Map<number, Uint8Array>();
  const parents: Node[] = [];
  let at = 0;
  for (const kind of kinds) {
    const node = nodes[at++] as Node;
    let sibling: Uint8Array;
    if (kind === pairKind.both) {
      const right = nodes[at++] as Node;
      sibling = right.digest;
      siblings.set(right.index, node.digest);
    } else {
      sibling = kind === pairKind.alone ? emptyDigest(spec.hasher, level) : takeSibling();
    }
    siblings.set(node.index, sibling);
    const isRight = kind === pairKind.right;
    const pair = isRight ? [sibling, node.digest] : [node.digest, sibling];
    parents.push({
      index: Math.floor(node.index / 2),
      digest: spec.hasher.hash(concatBytes(...pair)),
    });
  }
  return { siblings, parents };
}

/** The paths of the leaves that are wanted. @param leaves all of the tree, by ascending index */
export function explainPaths(
  spec: TreeSpec,
  tree: CompactTree,
  leaves: readonly OpenLeaf[],
  wanted: ReadonlySet<OpenLeaf>,
): Map<OpenLeaf, PathExplanation> {
  const levels = new Map([...wanted].map((open) => [open, [] as Level[]]));
  const levelCount = tree.climb.levels.length;
  let given = 0;
  const takeSibling = () => {
    given += blockWidth;
    return tree.siblings.subarray(given - blockWidth, given);
  };
  let nodes: readonly Node[] = leaves.map(({ leaf, opening }) => ({
    index: leaf.leafIndex,
    digest: hashLeafOpening(spec, opening),
  }));
  for (let level = 0; level < treeDepth; level++) {
    // Above its levels node 0 is alone.
    const kinds: Iterable<number> =
      level < levelCount ? (tree.climb.levels[level] as Uint8Array) : [pairKind.alone];
    const digests = new Map(nodes.map(({ index, digest }) => [index, digest]));
    const { siblings, parents } = climbLevel(spec, level, { kinds, nodes }, takeSibling);
    for (const [{ leaf }, shown] of levels) {
      const index = Math.floor(leaf.leafIndex / 2 ** level);
      const leafIndex = BigInt(leaf.leafIndex);
      const [node, sibling] = [digests.get(index), siblings.get(index)];
      shown.push(shownLevel(spec, level, { node, sibling, leafIndex }));
    }
    nodes = parents;
  }
  const subTreeRoot = (nodes[0] as Node).digest;
  const top: TopNode = { nextFreeNode: BigInt(tree.nextFreeNode), subTreeRoot };
  const shownTop = {
    nextFreeNode: String(tree.nextFreeNode),
    subTreeRoot: encodeHex(subTreeRoot),
    root: encodeHex(spec.hasher.hash(encodeTopNode(spec, top))),
  };
  const positions = new Map(leaves.map((open, i) => [open, i]));
  return new Map(
    [...levels].map(([open, shown]) => [
      open,
      {
        at: `${tree.at}.leaves[${positions.get(open)}]`,
        leafIndex: String(open.leaf.leafIndex),
        leaf: shownLeaf(open.opening),
        levels: shown,
        subTreeRoot: shownTop.subTreeRoot,
        top: shownTop,
      },
    ]),
  );
}
