/**
 * The nodes of a tree: positions of the inner ones, and the bytes of leaves and of the top node. An
 * inner node is kept as its preimage (64 bytes: left, right), which is what a proof shows of it.
 */
import { Arena, type Hex } from '../../bytes.js';
import type { TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { treeDepth } from '../../hash/geometry.js';
import type { Leaf } from './leaves.js';

/** The position of an inner node, which spans the leaves from `index * 2^height` on, 2^height of them. */
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

/** Leaves that a node spans, by its height. Looked up: an engine takes longer for a power than for all else of a step. */
export const spans: readonly number[] = Array.from({ length: treeDepth + 1 }, (_, i) => 2 ** i);

/** Index of the other child of the same parent. Arithmetic: indices do not fit 32-bit operators. */
export const siblingOf = (index: number): number => (index % 2 === 0 ? index + 1 : index - 1);

/** The parts of a family's tree before its first insertion. Nodes that are never written stay like this. */
export interface EmptyTree {
  readonly spec: TreeSpec;
  /** Roots of empty sub-trees by height, 0 to 40. */
  readonly roots: readonly Uint8Array[];
  /** Hex of the preimages of those from 1 to 40; at 0 the empty leaf, which has none. */
  readonly nodes: readonly Hex[];
  /** Those from 39 down to 1, as a list in JSON goes on: `,"0x...","0x..."`, a byte a character. */
  readonly text: Uint8Array;
  /** Those preimages from 39 down to 1, back to back: all beside a path that is alone. */
  readonly siblings: Uint8Array;
  /** Head and tail. */
  readonly leaves: readonly Leaf[];
  readonly topNode: StoredTopNode;
}

/** The preimage of a tree's root, as codec/node.ts has it, with a number instead of a bigint. */
export interface StoredTopNode {
  readonly nextFreeNode: number;
  /** 32 bytes. */
  readonly subTreeRoot: Uint8Array;
}

/** Memory of openings, which are shown or hashed and not kept. */
const openings = new Arena();

/** Bytes of a leaf opening, as codec/node.ts has them, from numbers. */
export function openingBytes(spec: TreeSpec, leaf: Leaf): Uint8Array {
  const { integer, widths } = spec;
  const bytes = openings.take(widths.leafOpening);
  integer.write(leaf.prev, bytes, 0);
  integer.write(leaf.next, bytes, integer.width);
  bytes.set(leaf.hKey, 2 * integer.width);
  bytes.set(leaf.hValue, 2 * integer.width + blockWidth);
  return bytes;
}

/** Bytes of a top node, likewise. */
export function topNodeBytes(
  spec: TreeSpec,
  { nextFreeNode, subTreeRoot }: StoredTopNode,
): Uint8Array {
  const { integer, widths } = spec;
  const bytes = new Uint8Array(widths.topNode);
  integer.write(nextFreeNode, bytes, 0);
  bytes.set(subTreeRoot, integer.width);
  return bytes;
}

/** The root of a tree. */
export const hashStoredTopNode = (spec: TreeSpec, topNode: StoredTopNode): Uint8Array =>
  spec.hasher.hash(topNodeBytes(spec, topNode));
