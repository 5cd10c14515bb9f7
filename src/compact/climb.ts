/** The way from some leaves up to the sub-tree root. Each node on it is hashed once, however many leaves share it. */
import { blockWidth, type Hasher } from '../hash/family.js';
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';

/** Where the children of a node come from. A left child at or beyond the next free node does not occur. */
export const pairKind = {
  /** Both are on the way. */
  both: 0,
  /** The left one is on the way, its sibling is given. */
  left: 1,
  /** The right one is on the way, its sibling is given. */
  right: 2,
  /** The left one is on the way; all leaves below its sibling lie at or beyond the next free node. */
  alone: 3,
} as const;

/** One height of the way. */
export interface Level {
  /** Indices of the nodes at this height, ascending. */
  readonly nodes: readonly number[];
  /** Of each parent, from left to right, its {@link pairKind}. */
  readonly pairs: Uint8Array;
}

/** The whole way: a level for each height from 0, the leaves, to 39. */
export interface Climb {
  readonly levels: readonly Level[];
  /** Siblings that must be given. */
  readonly siblingCount: number;
}

/** Plans the next height. @param span leaves below a node of this one */
function planLevel(
  nodes: readonly number[],
  span: number,
  nextFreeNode: number,
): { pairs: Uint8Array; parents: number[] } {
  const pairs = new Uint8Array(nodes.length);
  const parents: number[] = [];
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i] as number;
    const isRight = node % 2 === 1;
    let kind: number = pairKind.right;
    if (!isRight) {
      if (i + 1 < nodes.length && nodes[i + 1] === node + 1) {
        kind = pairKind.both;
        i++;
      } else kind = (node + 1) * span < nextFreeNode ? pairKind.left : pairKind.alone;
    }
    pairs[parents.length] = kind;
    parents.push((isRight ? node - 1 : node) / 2);
  }
  return { pairs: pairs.subarray(0, parents.length), parents };
}

/**
 * Plans the way. Hashes nothing.
 *
 * @param leaves their indices, ascending, at least one, all below the next free node
 * @param nextFreeNode at most 2^40
 */
export function planClimb(leaves: readonly number[], nextFreeNode: number): Climb {
  const levels: Level[] = [];
  let siblingCount = 0;
  let nodes = leaves;
  for (let height = 0; height < treeDepth; height++) {
    const { pairs, parents } = planLevel(nodes, 2 ** height, nextFreeNode);
    for (const kind of pairs) {
      if (kind === pairKind.left || kind === pairKind.right) siblingCount++;
    }
    levels.push({ nodes, pairs });
    nodes = parents;
  }
  return { levels, siblingCount };
}

const emptyDigests = new WeakMap<Hasher, Uint8Array[]>();

/** Digest of a sub-tree of empty leaves, computed on first use. */
function emptyDigest(hasher: Hasher, height: number): Uint8Array {
  let digests = emptyDigests.get(hasher);
  if (digests === undefined) {
    // An empty leaf is not hashed.
    digests = [new Uint8Array(blockWidth)];
    emptyDigests.set(hasher, digests);
  }
  for (let below = digests.length - 1; below < height; below++) {
    const pair = new Uint8Array(innerNodeWidth);
    pair.set(digests[below] as Uint8Array);
    pair.set(digests[below] as Uint8Array, blockWidth);
    digests.push(hasher.hash(pair));
  }
  return digests[height] as Uint8Array;
}

/**
 * Recovers the sub-tree root. Compares nothing.
 *
 * @param climb.leaves digests of the leaves, back to back, by ascending index
 * @param climb.siblings canonical digests, as many as the way needs, lowest first and from left to right
 */
export function recoverSubTreeRoot({
  hasher,
  climb,
  leaves,
  siblings,
}: {
  hasher: Hasher;
  climb: Climb;
  leaves: Uint8Array;
  siblings: Uint8Array;
}): Uint8Array {
  let digests = leaves;
  let sibling = 0;
  for (const [height, { pairs }] of climb.levels.entries()) {
    const input = new Uint8Array(pairs.length * innerNodeWidth);
    let node = 0;
    let left = 0;
    for (const kind of pairs) {
      const right = left + blockWidth;
      const own = digests.subarray(node, node + blockWidth);
      node += blockWidth;
      if (kind === pairKind.right) {
        input.set(siblings.subarray(sibling, sibling + blockWidth), left);
        sibling += blockWidth;
        input.set(own, right);
      } else {
        input.set(own, left);
        if (kind === pairKind.both) {
          input.set(digests.subarray(node, node + blockWidth), right);
          node += blockWidth;
        } else if (kind === pairKind.left) {
          input.set(siblings.subarray(sibling, sibling + blockWidth), right);
          sibling += blockWidth;
        } else input.set(emptyDigest(hasher, height), right);
      }
      left = right + blockWidth;
    }
    digests = hasher.hashEach(input, innerNodeWidth);
  }
  return digests;
}
