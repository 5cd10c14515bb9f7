/**
 * The inner nodes of a tree: where they stand, and how a change of leaves reaches the root. A node
 * is kept as its preimage (64 bytes: left, right), which is what a proof shows of it.
 *
 * Nodes are kept up to the first height at which one node spans all leaves ever used. Above, the
 * path is alone among empty sub-trees, and nothing needs to be kept.
 */
// @ts-nocheck

import { concatBytes, encodeHex, type Hex } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import { blockWidth } from '../hash/family.js';
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';
import { flatText } from './flatText.js';
import { emptyList, firstFreeNode, type Leaf } from './leaves.js';

/**
 * The position of an inner node, which spans the leaves from `index * 2^height` on, 2^height of
 * them.
 */
export interface Position {
  /** From 1, above the leaves, to 40, the root of the sub-tree. */
  readonly height: number;
  readonly index: number;
}

/**
 * One number for each position: heights end at 40 and indices at 2^40, so it stays below 2^53. In
 * most trees it is small, too: maps of small numbers are several times as fast.
 */
export const positionId = ({ height, index }: Position): number => index * 64 + height;

/** Index of the other child of the same parent. Arithmetic: indices do not fit 32-bit operators. */
export const siblingOf = (index: number): number => (index % 2 === 0 ? index + 1 : index - 1);

/** Lowest height whose first node spans all leaves below the next free node. */
export function spanHeight(nextFreeNode: number): number {
  let height = 1;
  while (2 ** height < nextFreeNode) height++;
  return height;
}

/**
 * What a tree of a family is made of before its first insertion. What is never written stays so.
 */
export interface EmptyTree {
  readonly spec: TreeSpec;
  /** Roots of empty sub-trees by height, 0 to 40. */
  readonly roots: readonly Uint8Array[];
  /** Hex of the preimages of those from 1 to 40; at 0 the empty leaf, which has none. */
  readonly nodes: readonly Hex[];
  /** Those texts from 39 down to each height, as a list in JSON goes on: `,"0x...","0x..."`. */
  readonly texts: readonly string[];
  /** Those preimages from 39 down to 1, back to back: all beside a path that is alone. */
  readonly siblings: Uint8Array;
  /** Head and tail. */
  readonly leaves: readonly Leaf[];
  readonly topNode: TopNode;
}

/** The preimage of a tree's root, as codec/node.ts has it, with a number instead of a bigint. */
export interface TopNode {
  readonly nextFreeNode: number;
  /** 32 bytes. */
  readonly subTreeRoot: Uint8Array;
}

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
    texts: texts.map(flatText),
    siblings,
    leaves,
    topNode: { nextFreeNode: firstFreeNode, subTreeRoot },
  };
}

/** Bytes of a leaf opening, as codec/node.ts has them, from numbers. */
export function openingBytes(spec: TreeSpec, leaf: Leaf): Uint8Array {
  const { integer, widths } = spec;
  const bytes = new Uint8Array(widths.leafOpening);
  integer.write(leaf.prev, bytes, 0);
  integer.write(leaf.next, bytes, integer.width);
  bytes.set(leaf.hKey, 2 * integer.width);
  bytes.set(leaf.hValue, 2 * integer.width + blockWidth);
  return bytes;
}

/** Bytes of a top node, likewise. */
export function topNodeBytes(spec: TreeSpec, { nextFreeNode, subTreeRoot }: TopNode): Uint8Array {
  const { integer, widths } = spec;
  const bytes = new Uint8Array(widths.topNode);
  integer.write(nextFreeNode, bytes, 0);
  bytes.set(subTreeRoot, integer.width);
  return bytes;
}

/** The root of a tree. */
export const rootOf = (spec: TreeSpec, topNode: TopNode): Uint8Array =>
  spec.hasher.hash(topNodeBytes(spec, topNode));

/**
 * The nodes above some leaves that are kept, lowest first and from left to right.
 *
 * @param leaves ascending
 */
export function positionsAbove(leaves: readonly number[], nextFreeNode: number): Position[] {
  const positions: Position[] = [];
  const top = spanHeight(nextFreeNode);
  let below = leaves;
  for (let height = 1; height <= top; height++) {
    const level: number[] = [];
    for (const child of below) {
      const index = Math.floor(child / 2);
      if (level.at(-1) !== index) level.push(index);
    }
    for (const index of level) positions.push({ height, index });
    below = level;
  }
  return positions;
}

/**
 * Hashes the changed leaves and all nodes above them, each once, level by level.
 *
 * @param changed leaves by index, ascending; undefined for a leaf that is now empty
 * @param preimages what is kept so far at each of `positionsAbove(changed, nextFreeNode)`;
 *   undefined or missing if nothing is kept yet
 * @returns the new preimages, in the same order, and the root above them
 */
export function hashUp(
  { spec, roots }: Pick<EmptyTree, 'spec' | 'roots'>,
  changed: ReadonlyMap<number, Leaf | undefined>,
  preimages: readonly (Uint8Array | undefined)[],
  nextFreeNode: number,
): { nodes: Uint8Array[]; subTreeRoot: Uint8Array } {
  let children = [...changed.keys()];
  let digests = hashLeaves(spec, [...changed.values()]);
  const nodes: Uint8Array[] = [];
  const top = spanHeight(nextFreeNode);
  for (let height = 1; height <= top; height++) {
    const parents: number[] = [];
    // At most one parent a child.
    const level = new Uint8Array(innerNodeWidth * children.length);
    const absent = roots[height - 1] as Uint8Array;
    for (const [i, child] of children.entries()) {
      const parent = Math.floor(child / 2);
      if (parents.at(-1) !== parent) {
        const offset = innerNodeWidth * parents.length;
        // `at`: what is missing at the end must not be looked up in the prototype.
        level.set(preimages.at(nodes.length) ?? concatBytes(absent, absent), offset);
        nodes.push(level.subarray(offset, offset + innerNodeWidth));
        parents.push(parent);
      }
      const digest = digests.subarray(blockWidth * i, blockWidth * (i + 1));
      nodes.at(-1)?.set(digest, child % 2 === 0 ? 0 : blockWidth);
    }
    const all = level.subarray(0, innerNodeWidth * parents.length);
    digests = spec.hasher.hashEach(all, innerNodeWidth);
    children = parents;
  }
  let subTreeRoot = digests;
  for (let height = top; height < treeDepth; height++) {
    subTreeRoot = spec.hasher.hash(concatBytes(subTreeRoot, roots[height] as Uint8Array));
  }
  return { nodes, subTreeRoot };
}

/** Digests of leaves, back to back; an empty leaf's is zero and not hashed. */
function hashLeaves(spec: TreeSpec, leaves: readonly (Leaf | undefined)[]): Uint8Array {
  const present = leaves.filter((leaf) => leaf !== undefined);
  const width = spec.widths.leafOpening;
  const openings = new Uint8Array(width * present.length);
  for (const [i, leaf] of present.entries()) openings.set(openingBytes(spec, leaf), width * i);
  const hashed = spec.hasher.hashEach(openings, width);
  const digests = new Uint8Array(blockWidth * leaves.length);
  let from = 0;
  for (const [i, leaf] of leaves.entries()) {
    if (leaf === undefined) continue;
    digests.set(hashed.subarray(from, from + blockWidth), blockWidth * i);
    from += blockWidth;
  }
  return digests;
}
