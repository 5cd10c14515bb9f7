/**
 * Which nodes of a tree share an entry of the store. The nodes of four heights under one node at height 4, 8, ... 40
 * are a pack: with 15 nodes it has 960 bytes, so that four of them fill a page of most stores, and a path reads a tenth
 * as many entries as it has nodes.
 *
 * A pack holds the preimages (64 bytes: left, right) of its used nodes: those that span a leaf below the tree's next
 * free node. They stand back to back, the lowest height first and each height from left to right. How many each height
 * has follows from how many the lowest has, and so from the length of all.
 */
import { Arena } from '../../bytes.js';
import { innerNodeWidth, treeDepth } from '../../hash/geometry.js';
import { TreeError } from '../store/errors.js';
import type { Position } from './nodes.js';

/** Heights of a pack. */
export const packHeights = 4;

/** Leaves, or packs of the level below, under one pack. */
export const packSpan: number = 2 ** packHeights;

/** Nodes that the lowest height of a pack has if all are used. */
export const fullLowest: number = 2 ** (packHeights - 1);

/** The position of a pack: it spans the leaves from `index * 16^(level + 1)` on, 16^(level + 1). */
export interface PackPosition {
  /** From 0, above the leaves, to 9, below the root of the sub-tree. */
  readonly level: number;
  readonly index: number;
}

/** By the nodes of the lowest height: how many come before each height, and how many in all. */
const startsByLowest: readonly (readonly number[])[] = Array.from(
  { length: fullLowest + 1 },
  (_, lowest) => {
    const starts = [0];
    let nodes = lowest;
    let sum = 0;
    for (let height = 0; height < packHeights; height++) {
      sum += nodes;
      starts.push(sum);
      nodes = Math.ceil(nodes / 2);
    }
    return starts;
  },
);

/** By the length of a pack: the nodes of its lowest height. */
const lowestByLength = new Map(
  startsByLowest.slice(1).map((starts, i) => [innerNodeWidth * (starts.at(-1) as number), i + 1]),
);

/** Levels of packs that a tree has: up to the first whose first pack spans all used leaves. */
export function packLevels(nextFreeNode: number): number {
  let levels = 1;
  while (packSpan ** levels < nextFreeNode && levels * packHeights < treeDepth) levels++;
  return levels;
}

/** How many packs a level has. */
export const packsIn = (level: number, nextFreeNode: number): number =>
  Math.ceil(nextFreeNode / packSpan ** (level + 1));

/** How many nodes the lowest height of a pack has, from 1 to 8. */
export const lowestIn = ({ level, index }: PackPosition, nextFreeNode: number): number =>
  Math.min(
    fullLowest,
    Math.ceil(nextFreeNode / 2 ** (packHeights * level + 1)) - fullLowest * index,
  );

/** Bytes of a pack. @param lowest nodes of its lowest height */
export const packLength = (lowest: number): number => nodeOffset(lowest, packHeights, 0);

/**
 * Offset of the preimage of a node in its pack.
 *
 * @param lowest nodes of the pack's lowest height
 * @param height within the pack, from 0 to 3
 * @param index among the nodes of this height in the pack
 */
export const nodeOffset = (lowest: number, height: number, index: number): number =>
  innerNodeWidth * ((startsByLowest[lowest]?.[height] as number) + index);

/** The packs above some leaves, lowest level first and from left to right. @param leaves ascending */
export function packsAbove(leaves: readonly number[], nextFreeNode: number): PackPosition[] {
  const positions: PackPosition[] = [];
  const levels = packLevels(nextFreeNode);
  let below = leaves;
  for (let level = 0; level < levels; level++) {
    const indices: number[] = [];
    for (const child of below) {
      const index = Math.floor(child / packSpan);
      if (indices.at(-1) !== index) indices.push(index);
    }
    for (const index of indices) positions.push({ level, index });
    below = indices;
  }
  return positions;
}

/** One number for each pack: below 2^41. */
export const packId = ({ level, index }: PackPosition): number => packSpan * index + level;

/**
 * A copy of a pack with room for the nodes that are used by now; new ones have empty children.
 *
 * @param old undefined: all are new
 * @param options.lowest nodes of its lowest height by now
 * @param options.roots of empty sub-trees by height
 * @param options.arena gives the memory
 * @throws TreeError `DAMAGED`
 */
export function grownPack(
  old: Uint8Array | undefined,
  {
    level,
    lowest,
    roots,
    arena = new Arena(),
  }: { level: number; lowest: number; roots: readonly Uint8Array[]; arena?: Arena },
): Uint8Array {
  const kept = old ? findLowest(old) : 0;
  if (kept > lowest) throw new TreeError('DAMAGED', 'the store holds a pack with too many nodes');
  const pack = arena.take(packLength(lowest));
  if (old && kept === lowest) {
    pack.set(old);
    return pack;
  }
  for (let height = 0; height < packHeights; height++) {
    const nodes = old?.subarray(nodeOffset(kept, height, 0), nodeOffset(kept, height + 1, 0));
    const absent = roots[packHeights * level + height] as Uint8Array;
    let offset = nodeOffset(lowest, height, 0);
    if (nodes) pack.set(nodes, offset);
    offset += nodes?.length ?? 0;
    const end = nodeOffset(lowest, height + 1, 0);
    for (; offset < end; offset += absent.length) pack.set(absent, offset);
  }
  return pack;
}

/** How many nodes the lowest height of a stored pack has. @throws TreeError `DAMAGED` */
export function findLowest(pack: Uint8Array): number {
  const lowest = lowestByLength.get(pack.length);
  if (lowest !== undefined) return lowest;
  throw new TreeError('DAMAGED', `the store holds a pack of nodes of ${pack.length} bytes`);
}

/** The pack that a node belongs to. */
export function packOf({ height, index }: Position): PackPosition {
  const level = Math.floor((height - 1) / packHeights);
  return { level, index: Math.floor(index / (1 << (packHeights * (level + 1) - height))) };
}

/** The preimage of a node in its pack; undefined if it is not used. @throws TreeError `DAMAGED` */
export function nodeIn(pack: Uint8Array, { height, index }: Position): Uint8Array | undefined {
  const lowest = findLowest(pack);
  const within = (height - 1) % packHeights;
  const offset = nodeOffset(lowest, within, index % (1 << (packHeights - 1 - within)));
  if (offset >= nodeOffset(lowest, within + 1, 0)) return undefined;
  return pack.subarray(offset, offset + innerNodeWidth);
}
