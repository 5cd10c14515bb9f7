/**
 * How a change of leaves reaches the root: height by height, each node once. Nodes are kept in packs up to the first
 * pack that spans all leaves ever used. Above, the path is alone among empty sub-trees, and nothing needs to be kept.
 */
import { Arena, concatBytes } from '../../bytes.js';
import type { TreeSpec } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { innerNodeWidth, treeDepth } from '../../hash/geometry.js';
import type { Leaf } from './leaves.js';
import { type EmptyTree, openingBytes } from './nodes.js';
import { grownPack, lowestIn, nodeOffset, packHeights, packLevels, packSpan } from './packs.js';

/** Nodes of one height that have changed, from left to right. */
interface Changed {
  readonly indices: readonly number[];
  /** Their digests, back to back. */
  readonly digests: Uint8Array;
}

/** Packs of one level that are hashed, and the nodes below that have changed. */
interface Level {
  readonly spec: TreeSpec;
  readonly packs: readonly Uint8Array[];
  /** Nodes of the lowest height in each pack. */
  readonly lowests: readonly number[];
}

/**
 * Writes changed digests into the nodes above them, one height of a level's packs, and hashes those.
 *
 * @param owners which of the packs each changed node lies in or under
 * @param height within the packs, from 0
 */
function hashHeight(
  { spec, packs, lowests }: Level,
  { indices, digests }: Changed,
  { owners, height }: { owners: readonly number[]; height: number },
): { changed: Changed; owners: number[] } {
  const parents: number[] = [];
  const parentOwners: number[] = [];
  // At most one parent a child. Bytes are copied one by one: a view for each node would cost as
  // much as a part of its hash.
  const preimages = new Uint8Array(innerNodeWidth * indices.length);
  const width = 2 ** (packHeights - 1 - height);
  let pack = packs[0] as Uint8Array;
  let offset = 0;
  let last = -1;
  const keep = () => {
    const to = innerNodeWidth * (parents.length - 1);
    for (let j = 0; j < innerNodeWidth; j++) preimages[to + j] = pack[offset + j] as number;
  };
  for (let i = 0; i < indices.length; i++) {
    const child = indices[i] as number;
    const parent = Math.floor(child / 2);
    if (parent !== last) {
      if (last >= 0) keep();
      const owner = owners[i] as number;
      pack = packs[owner] as Uint8Array;
      offset = nodeOffset(lowests[owner] as number, height, parent % width);
      parents.push(parent);
      parentOwners.push(owner);
      last = parent;
    }
    const to = offset + (child % 2 === 0 ? 0 : blockWidth);
    for (let j = 0; j < blockWidth; j++) pack[to + j] = digests[blockWidth * i + j] as number;
  }
  keep();
  const all = preimages.subarray(0, innerNodeWidth * parents.length);
  const changed = { indices: parents, digests: spec.hasher.hashEach(all, innerNodeWidth) };
  return { changed, owners: parentOwners };
}

/**
 * Hashes the changed leaves and all nodes above them.
 *
 * @param changed leaves by index, ascending, at least one; undefined for a leaf that is now empty
 * @param olds what is kept so far of each of `packsAbove(changed, nextFreeNode)`; undefined or
 *   missing if nothing is kept yet
 * @returns the new packs, in the same order, and the root above them
 * @throws TreeError `DAMAGED`
 */
export function hashUp(
  { spec, roots }: Pick<EmptyTree, 'spec' | 'roots'>,
  changed: ReadonlyMap<number, Leaf | undefined>,
  olds: readonly (Uint8Array | undefined)[],
  nextFreeNode: number,
): { packs: Uint8Array[]; subTreeRoot: Uint8Array } {
  let nodes: Changed = {
    indices: [...changed.keys()],
    digests: hashLeaves(spec, [...changed.values()]),
  };
  const all: Uint8Array[] = [];
  const arena = new Arena();
  const levels = packLevels(nextFreeNode);
  for (let level = 0; level < levels; level++) {
    const packs: Uint8Array[] = [];
    const lowests: number[] = [];
    let last = -1;
    let owners = nodes.indices.map((child) => {
      const index = Math.floor(child / packSpan);
      if (index !== last) {
        const lowest = lowestIn({ level, index }, nextFreeNode);
        // `at`: what is missing at the end must not be looked up in the prototype.
        packs.push(grownPack(olds.at(all.length + packs.length), { level, lowest, roots, arena }));
        lowests.push(lowest);
        last = index;
      }
      return packs.length - 1;
    });
    for (let height = 0; height < packHeights; height++) {
      const above = hashHeight({ spec, packs, lowests }, nodes, { owners, height });
      nodes = above.changed;
      owners = above.owners;
    }
    for (const pack of packs) all.push(pack);
  }
  let subTreeRoot = nodes.digests;
  for (let height = levels * packHeights; height < treeDepth; height++) {
    subTreeRoot = spec.hasher.hash(concatBytes(subTreeRoot, roots[height] as Uint8Array));
  }
  return { packs: all, subTreeRoot };
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
