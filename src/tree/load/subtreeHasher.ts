/**
 * Hashes trees from their leaves up, each node once and many at a time: the hash takes half the time for nodes side by
 * side. Of a tree, only the children of unfinished packs are kept: at most 15 a level.
 */
import { blockWidth } from '../../hash/family.js';
import { innerNodeWidth, treeDepth } from '../../hash/geometry.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { type PackPosition, packHeights, packLevels } from '../nodes/packs.js';

/** Children of a whole pack. */
const packChildren = 2 ** packHeights;

/** A tree whose leaves come in. */
interface GrowingTree {
  readonly tree: number;
  readonly nextFreeNode: number;
}

/** A tree that was hashed. */
interface HashedTree extends GrowingTree {
  readonly subTreeRoot: Uint8Array;
}

/**
 * Told of each pack, level by level in ascending order of trees and of positions.
 *
 * @param heights the preimages of each height, in views that the caller may not keep
 */
type OnPack = (tree: number, position: PackPosition, heights: readonly Uint8Array[]) => void;

/** A pack whose children are all there. */
interface Unit extends GrowingTree {
  readonly index: number;
  readonly children: number;
}

/** One level of packs, of all trees: the digests that came in and were not hashed yet. */
class Level {
  readonly #level: number;
  #digests = new Uint8Array(2 ** 12);
  #children = 0;
  #open = 0;
  units: Unit[] = [];

  constructor(level: number) {
    this.#level = level;
  }

  /** Adds children from an index on. Those of a tree come in order, and one tree after the other. */
  add({ tree, nextFreeNode }: GrowingTree, index: number, digests: Uint8Array): void {
    const at = blockWidth * this.#children;
    if (at + digests.length > this.#digests.length) {
      const longer = new Uint8Array(Math.max(at + digests.length, 2 * this.#digests.length));
      longer.set(this.#digests.subarray(0, at));
      this.#digests = longer;
    }
    this.#digests.set(digests, at);
    const count = digests.length / blockWidth;
    this.#children += count;
    const all = Math.ceil(nextFreeNode / packChildren ** this.#level);
    const end = index + count;
    for (let from = index - this.#open; from < end; from += packChildren) {
      const to = Math.min(from + packChildren, all);
      this.#open = end - from;
      if (to > end) break;
      this.units.push({ tree, nextFreeNode, index: from / packChildren, children: to - from });
      this.#open = 0;
    }
  }

  /** Takes the units out, with the digests of their children. */
  take(): { units: readonly Unit[]; digests: Uint8Array } {
    const { units } = this;
    const end = blockWidth * (this.#children - this.#open);
    const digests = this.#digests.slice(0, end);
    this.#digests.copyWithin(0, end, blockWidth * this.#children);
    this.#children = this.#open;
    this.units = [];
    return { units, digests };
  }
}

/** Pairs the digests of each unit; one without a sibling gets an empty one. */
function pairUp(digests: Uint8Array, counts: readonly number[], absent: Uint8Array) {
  const parents = counts.map((count) => Math.ceil(count / 2));
  const nodes = new Uint8Array(innerNodeWidth * parents.reduce((sum, count) => sum + count, 0));
  let [from, to, start] = [0, 0, 0];
  const copy = () => {
    nodes.set(digests.subarray(start, from), to - (from - start));
    start = from;
  };
  for (const count of counts) {
    from += blockWidth * count;
    to += blockWidth * count;
    if (count % 2 === 0) continue;
    copy();
    nodes.set(absent, to);
    to += blockWidth;
  }
  copy();
  return { parents, nodes };
}

/** A height of several packs: their nodes, and how many each has. */
interface Height {
  readonly nodes: Uint8Array;
  readonly counts: readonly number[];
}

function tellPacks(
  onPack: OnPack,
  { level, units, heights }: { level: number; units: readonly Unit[]; heights: readonly Height[] },
): void {
  const from = heights.map(() => 0);
  for (const [i, { tree, index }] of units.entries()) {
    const parts: Uint8Array[] = [];
    for (const [height, { nodes, counts }] of heights.entries()) {
      const start = from[height] as number;
      const end = start + innerNodeWidth * (counts[i] as number);
      parts.push(nodes.subarray(start, end));
      from[height] = end;
    }
    onPack(tree, { level, index }, parts);
  }
}

/** Trees that are hashed one after the other; one may be under way for long. */
export class SubtreeHasher {
  readonly #empty: EmptyTree;
  readonly #onPack: OnPack | undefined;
  readonly #levels = Array.from({ length: treeDepth / packHeights }, (_, i) => new Level(i));
  /** Trees whose last pack was hashed, by its level. */
  readonly #ended: { unit: Unit; digest: Uint8Array }[][] = this.#levels.map(() => []);

  constructor(empty: EmptyTree, onPack: OnPack | undefined) {
    this.#empty = empty;
    this.#onPack = onPack;
  }

  /** Adds the digests of leaves from an index on, back to back; zero for an empty leaf. */
  add(tree: GrowingTree, index: number, digests: Uint8Array): void {
    (this.#levels[0] as Level).add(tree, index, digests);
  }

  /**
   * Hashes what is there.
   *
   * @param least packs that must wait at a level; levels with fewer are left for later
   * @returns the trees that are complete since the last call
   */
  hash(least = 1): HashedTree[] {
    for (const [level, waiting] of this.#levels.entries()) {
      if (waiting.units.length >= least) this.#hashLevel(level, waiting);
    }
    return this.#foldEnded();
  }

  #hashLevel(level: number, waiting: Level): void {
    const { units, digests: children } = waiting.take();
    let digests = children;
    let counts = units.map((unit) => unit.children);
    const heights: Height[] = [];
    for (let height = 0; height < packHeights; height++) {
      const absent = this.#empty.roots[packHeights * level + height] as Uint8Array;
      const { parents, nodes } = pairUp(digests, counts, absent);
      digests = this.#empty.spec.hasher.hashEach(nodes, innerNodeWidth);
      heights.push({ nodes, counts: parents });
      counts = parents;
    }
    const onPack = this.#onPack;
    if (onPack) tellPacks(onPack, { level, units, heights });
    for (const [i, unit] of units.entries()) {
      const digest = digests.subarray(blockWidth * i, blockWidth * (i + 1));
      if (packLevels(unit.nextFreeNode) === level + 1) this.#ended[level]?.push({ unit, digest });
      else this.#levels[level + 1]?.add(unit, unit.index, digest);
    }
  }

  /** Above its last pack, a tree has only empty siblings. Many trees are hashed up side by side. */
  #foldEnded(): HashedTree[] {
    const { roots, spec } = this.#empty;
    if (this.#ended.every((ended) => ended.length === 0)) return [];
    const units: Unit[] = [];
    let digests = new Uint8Array(0);
    for (let height = packHeights; height <= treeDepth; height++) {
      const ended = (height % packHeights === 0 && this.#ended[height / packHeights - 1]) || [];
      const all = new Uint8Array(digests.length + blockWidth * ended.length);
      all.set(digests);
      for (const [i, { digest }] of ended.entries()) {
        all.set(digest, digests.length + blockWidth * i);
      }
      for (const { unit } of ended.splice(0)) units.push(unit);
      if (height === treeDepth) digests = all;
      else {
        const ones = units.map(() => 1);
        const { nodes } = pairUp(all, ones, roots[height] as Uint8Array);
        digests = spec.hasher.hashEach(nodes, innerNodeWidth) as typeof digests;
      }
    }
    return units.map(({ tree, nextFreeNode }, i) => {
      const subTreeRoot = digests.subarray(blockWidth * i, blockWidth * (i + 1));
      return { tree, nextFreeNode, subTreeRoot };
    });
  }
}
