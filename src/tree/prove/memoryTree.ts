/** One whole tree in memory. */
import { encodeHex, type Hex } from '../../bytes.js';
import { hashUp } from '../nodes/hashUp.js';
import { headIndex, type Leaf, type LeafContent, LeafList } from '../nodes/leaves.js';
import {
  type EmptyTree,
  hashStoredTopNode,
  type Position,
  type StoredTopNode,
} from '../nodes/nodes.js';
import { nodeIn, packId, packOf, packsAbove } from '../nodes/packs.js';
import { TreeError } from '../store/errors.js';
import { SortedMap } from '../store/sortedMap.js';
import { EncodedNode } from './upperNodeCache.js';
import { type PathSource, type WireProof, wireExistence, wireNonExistence } from './wireProof.js';

/**
 * Leaves by index and by key, and the nodes above them. Nodes are hashed when asked for, each once
 * for all changes before.
 */
export class MemoryTree implements PathSource {
  readonly list: LeafList;
  /** Leaf indices by hKey. */
  readonly order = new SortedMap<number>();
  readonly #empty: EmptyTree;
  /** By `packId`. */
  readonly #packs = new Map<number, Uint8Array>();
  #subTreeRoot: Uint8Array;

  constructor(empty: EmptyTree) {
    this.#empty = empty;
    this.#subTreeRoot = empty.topNode.subTreeRoot;
    this.list = new LeafList(new Map(empty.leaves.entries()), empty.topNode.nextFreeNode);
  }

  /** Brings the nodes up to date. */
  get topNode(): StoredTopNode {
    const { changed, nextFreeNode } = this.list;
    if (changed.size > 0) {
      const indices = [...changed].sort((a, b) => a - b);
      const ids = packsAbove(indices, nextFreeNode).map(packId);
      const olds = ids.map((id) => this.#packs.get(id));
      const leaves = new Map(indices.map((index) => [index, this.list.get(index)]));
      const { packs, subTreeRoot } = hashUp(this.#empty, leaves, olds, nextFreeNode);
      for (const [i, id] of ids.entries()) this.#packs.set(id, (packs[i] as Uint8Array).slice());
      this.#subTreeRoot = subTreeRoot;
      changed.clear();
    }
    return { nextFreeNode, subTreeRoot: this.#subTreeRoot };
  }

  get root(): Uint8Array {
    return hashStoredTopNode(this.#empty.spec, this.topNode);
  }

  leaf(index: number): Leaf | undefined {
    return this.list.get(index);
  }

  node(position: Position): EncodedNode {
    const pack = this.#packs.get(packId(packOf(position))) as Uint8Array;
    return new EncodedNode(nodeIn(pack, position) as Uint8Array);
  }

  /** Index of the leaf of a key. @throws TreeError `UNKNOWN_KEY` */
  indexOf(hKey: Uint8Array): number {
    const index = this.order.get(hKey);
    if (index === undefined) {
      throw new TreeError('UNKNOWN_KEY', `${encodeHex(hKey)} has no leaf; insert it first`);
    }
    return index;
  }

  /** Index of the leaf before a key. */
  leftOf(hKey: Uint8Array): number {
    return this.order.below(hKey)?.value ?? headIndex;
  }

  insert(content: LeafContent): void {
    const { hKey } = content;
    if (this.order.get(hKey) !== undefined) {
      throw new TreeError('KEY_EXISTS', `${encodeHex(hKey)} has a leaf; update it instead`);
    }
    this.order.set(hKey, this.list.insert(this.leftOf(hKey), content));
  }

  delete(hKey: Uint8Array): void {
    this.list.delete(this.indexOf(hKey));
    this.order.delete(hKey);
  }

  /** Proves a key, or its absence. Nothing of the proof is verified yet. */
  prove(hKey: Uint8Array, key: Hex): WireProof {
    const own = this.order.get(hKey);
    if (own !== undefined) return wireExistence(this.#empty, this, { key, own });
    const left = this.leftOf(hKey);
    const right = (this.list.get(left) as Leaf).next;
    return wireNonExistence(this.#empty, this, { key, left, right });
  }
}
