/** The way from some leaves up to the sub-tree root. Each node on it is hashed once, however many leaves share it. */
import { blockWidth, type Hasher } from '../hash/family.js';
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';
import type { Steps } from '../steps.js';

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

/** One height of the way: of each parent, from left to right, its {@link pairKind}. */
type Level = Uint8Array;

/**
 * The way, up to the height at which one node spans all leaves below the next free node. Above that, node 0 is alone at
 * every height, up to 40.
 */
export interface Climb {
  /** From height 0, the leaves. */
  readonly levels: readonly Level[];
  /** Siblings that must be given. */
  readonly siblingCount: number;
}

/** Plans the next height. @param span leaves below a node of this one */
function planLevel(
  nodes: readonly number[],
  span: number,
  nextFreeNode: number,
): { level: Level; parents: number[] } {
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
  return { level: pairs.subarray(0, parents.length), parents };
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
  for (let span = 1; span < nextFreeNode; span *= 2) {
    const { level, parents } = planLevel(nodes, span, nextFreeNode);
    for (const kind of level) {
      if (kind === pairKind.left || kind === pairKind.right) siblingCount++;
    }
    levels.push(level);
    nodes = parents;
  }
  return { levels, siblingCount };
}

const emptyDigests = new WeakMap<Hasher, Uint8Array[]>();

/** Digest of a sub-tree of empty leaves, computed on first use. */
export function emptyDigest(hasher: Hasher, height: number): Uint8Array {
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

/** Bytes, and the same bytes as 32-bit words: as words a digest is copied three times as fast. */
interface Area {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** Words of a digest, and of the two of an inner node. */
const digestWords = blockWidth / 4;
const pairWords = innerNodeWidth / 4;

function createArea(width: number): Area {
  const bytes = new Uint8Array(width);
  return { bytes, words: new Uint32Array(bytes.buffer) };
}

function copyDigest(from: Uint32Array, fromAt: number, to: Uint32Array, toAt: number): void {
  for (let i = 0; i < digestWords; i++) to[toAt + i] = from[fromAt + i] as number;
}

/** Inputs that are hashed in one piece, in half a millisecond. */
const hashedAtOnce = 32;

/** Hashes inputs of one width each; the digests back to back. */
export function* hashEachInPieces(
  hasher: Hasher,
  inputs: Uint8Array,
  width: number,
): Steps<Uint8Array> {
  const step = hashedAtOnce * width;
  if (inputs.length <= step) return hasher.hashEach(inputs, width);
  const digests = new Uint8Array((inputs.length / width) * blockWidth);
  for (let at = 0; at < inputs.length; at += step) {
    const some = hasher.hashEach(inputs.subarray(at, at + step), width);
    digests.set(some, (at / width) * blockWidth);
    yield;
  }
  return digests;
}

/**
 * Recovers the sub-tree root. Compares nothing.
 *
 * @param leaves digests of the leaves, back to back, by ascending index
 * @param siblings canonical digests, as many as the way needs, lowest first and from left to right
 */
export function* recoverSubTreeRoot({
  hasher,
  climb: { levels },
  leaves,
  siblings,
}: {
  hasher: Hasher;
  climb: Climb;
  leaves: Uint8Array;
  siblings: Uint8Array;
}): Steps<Uint8Array> {
  const given = createArea(siblings.length);
  given.bytes.set(siblings);
  const nodes = createArea(leaves.length);
  const pairs = createArea(2 * leaves.length);
  let digests = leaves;
  let givenAt = 0;
  for (const [height, level] of levels.entries()) {
    nodes.bytes.set(digests);
    let nodeAt = 0;
    for (let i = 0; i < level.length; i++) {
      const kind = level[i];
      const left = i * pairWords;
      const right = left + digestWords;
      copyDigest(nodes.words, nodeAt, pairs.words, kind === pairKind.right ? right : left);
      nodeAt += digestWords;
      if (kind === pairKind.both) {
        copyDigest(nodes.words, nodeAt, pairs.words, right);
        nodeAt += digestWords;
      } else if (kind === pairKind.alone) {
        pairs.bytes.set(emptyDigest(hasher, height), i * innerNodeWidth + blockWidth);
      } else {
        copyDigest(given.words, givenAt, pairs.words, kind === pairKind.left ? right : left);
        givenAt += digestWords;
      }
    }
    const bytes = pairs.bytes.subarray(0, level.length * innerNodeWidth);
    digests = yield* hashEachInPieces(hasher, bytes, innerNodeWidth);
  }
  const pair = new Uint8Array(innerNodeWidth);
  for (let height = levels.length; height < treeDepth; height++) {
    pair.set(digests);
    pair.set(emptyDigest(hasher, height), blockWidth);
    digests = hasher.hash(pair);
  }
  return digests;
}
