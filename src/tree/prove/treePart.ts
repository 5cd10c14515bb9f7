/** The part of a tree that the paths of some leaves show. */
import type { StateReader } from '../history/stateReader.js';
import { leafKey, packKey } from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import {
  type EmptyTree,
  type Position,
  positionId,
  type StoredTopNode,
  siblingOf,
} from '../nodes/nodes.js';
import { nodeIn, type PackPosition, packId, packOf } from '../nodes/packs.js';
import { TreeError } from '../store/errors.js';
import type { Reading } from '../store/reading.js';
import { type LeafPath, toLeafPath } from './leafPath.js';
import type { EncodedNode, TreeNodeCache, UpperNodeCache } from './upperNodeCache.js';
import type { PathSource } from './wireProof.js';

/** Leaves and nodes of one tree, each read once, however many paths it is on. */
export class TreePart implements PathSource {
  readonly topNode: StoredTopNode;
  readonly nodeCache: TreeNodeCache;
  readonly #leaves = new Map<number, Leaf | undefined>();
  /** By `packId`: those with nodes that are not kept in the cache; undefined: the store has lost it. */
  readonly #packs = new Map<number, Uint8Array | undefined>();
  readonly #encoded = new Map<number, EncodedNode>();
  readonly #paths = new Map<number, LeafPath>();
  readonly #empty: EmptyTree;

  private constructor(empty: EmptyTree, topNode: StoredTopNode, nodeCache: TreeNodeCache) {
    this.#empty = empty;
    this.topNode = topNode;
    this.nodeCache = nodeCache;
  }

  /**
   * Reads the paths of leaves.
   *
   * @param leafIndices in any order, each any number of times
   * @param nodeCache of nodes that were read before
   */
  static *read(
    state: StateReader,
    tree: number,
    {
      topNode,
      leafIndices,
      nodeCache,
    }: { topNode: StoredTopNode; leafIndices: readonly number[]; nodeCache: UpperNodeCache },
  ): Reading<TreePart> {
    const part = new TreePart(state.empty, topNode, nodeCache.of(topNode));
    const keys: Uint8Array[] = [];
    const indices: number[] = [];
    for (const index of leafIndices) {
      // A leaf and its sibling have the same nodes beside their paths.
      if (part.#leaves.has(index)) continue;
      for (const one of [index, siblingOf(index)]) {
        part.#leaves.set(one, undefined);
        indices.push(one);
        keys.push(leafKey(tree, one));
      }
    }
    const packs: PackPosition[] = [];
    for (let i = 0; i < indices.length; i += 2) part.#addMissing(indices[i] as number, packs);
    for (const position of packs) keys.push(packKey(tree, position));
    const values = yield* state.values(keys);
    for (const [i, index] of indices.entries()) {
      part.#leaves.set(index, state.leafIn(values[i], index));
    }
    for (const [i, position] of packs.entries()) {
      part.#packs.set(packId(position), values[indices.length + i]);
    }
    return part;
  }

  /** Adds the packs of the nodes beside a path that are to be read, each once in all. */
  #addMissing(leafIndex: number, packs: PackPosition[]): void {
    const { nextFreeNode } = this.topNode;
    let ancestor = leafIndex;
    // Leaves that a node of the height spans. Beside one that spans all, everything is empty.
    let span = 2;
    for (let height = 1; span < nextFreeNode; height++) {
      ancestor = Math.floor(ancestor / 2);
      // All that an upper path shows was read before.
      if (this.nodeCache.upperPath({ height, index: ancestor }) !== undefined) return;
      const position = { height, index: siblingOf(ancestor) };
      const isThere = position.index * span < nextFreeNode;
      if (isThere && this.nodeCache.node(position) === undefined) {
        const pack = packOf(position);
        const id = packId(pack);
        if (!this.#packs.has(id)) {
          this.#packs.set(id, undefined);
          packs.push(pack);
        }
      }
      span *= 2;
    }
  }

  leaf(index: number): Leaf | undefined {
    return this.#leaves.get(index);
  }

  /** The path of a leaf that was read. @throws TreeError `DAMAGED` if the leaf is empty */
  path(leafIndex: number): LeafPath {
    let path = this.#paths.get(leafIndex);
    if (path === undefined) {
      path = toLeafPath(this.#empty, this, leafIndex);
      this.#paths.set(leafIndex, path);
    }
    return path;
  }

  node(position: Position): EncodedNode {
    const id = positionId(position);
    const known = this.#encoded.get(id) ?? this.nodeCache.node(position);
    if (known !== undefined) return known;
    const pack = this.#packs.get(packId(packOf(position)));
    const preimage = pack && nodeIn(pack, position);
    if (preimage === undefined) {
      throw new TreeError('DAMAGED', `the store has lost a node at height ${position.height}`);
    }
    const node = this.nodeCache.encoded(position, preimage);
    this.#encoded.set(id, node);
    return node;
  }
}
