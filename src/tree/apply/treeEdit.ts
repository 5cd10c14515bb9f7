/**
 * The writes of one block to one tree. The edit reads all that it needs first, and then applies the writes in order.
 */
import { Arena, compareBytes, equalBytes } from '../../bytes.js';
import type { KeyPosition, SoughtKey } from '../history/keyPositions.js';
import type { StateReader } from '../history/stateReader.js';
import type { BlockBatch } from '../layout/blockBatch.js';
import {
  encodeLeaf,
  encodeNumber,
  encodeTopEntry,
  leafKey,
  orderKey,
  packKey,
  topNodeKey,
  unstamp,
} from '../layout/layout.js';
import { hashUp } from '../nodes/hashUp.js';
import { headIndex, type Leaf, type LeafContent, LeafList, tailIndex } from '../nodes/leaves.js';
import type { EmptyTree, StoredTopNode } from '../nodes/nodes.js';
import { type PackPosition, packId, packsAbove } from '../nodes/packs.js';
import { TreeError } from '../store/errors.js';
import { type Reading, readAll, readValues } from '../store/reading.js';

/** A tree before a block, and the positions in it of the keys that the block writes. */
interface Located {
  readonly topNode: StoredTopNode;
  readonly keys: readonly SoughtKey[];
  readonly positions: readonly KeyPosition[];
}

/** Finds the positions of keys. @param keys by ascending hKey, each once */
export function* locate(
  state: StateReader,
  tree: number,
  keys: readonly SoughtKey[],
): Reading<Located> {
  const [topNode, positions] = yield* readAll([
    state.topNode(tree),
    state.positionsToWrite(tree, keys),
  ]);
  return { topNode, keys, positions };
}

/** A key within an edit. */
interface Written {
  readonly hKey: Uint8Array;
  /** Index of its current leaf; undefined if it has no leaf. */
  own: number | undefined;
  /** Whether the key had a leaf before the block. */
  readonly wasThere: boolean;
  /** Index of the leaf before the key; undefined if the key had a leaf before the block. */
  readonly left: number | undefined;
}

/** Values of entries before the block, each with its stamp. */
interface OldEntries {
  readonly topNode: Uint8Array | undefined;
  readonly order: ReadonlyMap<Written, Uint8Array>;
  /** By `packId`. */
  readonly packs: ReadonlyMap<number, Uint8Array>;
}

const noEntries: OldEntries = { topNode: undefined, order: new Map(), packs: new Map() };

/** Whether no leaf was ever inserted: the store then has no entry of the tree. */
const isFresh = (empty: EmptyTree, { nextFreeNode }: StoredTopNode): boolean =>
  nextFreeNode === empty.topNode.nextFreeNode;

/** Content of a new leaf until it is filled. No real value is empty. */
const unfilled = { hValue: new Uint8Array(0), value: new Uint8Array(0) };

/** One tree within a block. A key is named by its position in the list that the edit was opened with. */
export class TreeEdit {
  readonly #empty: EmptyTree;
  readonly #before: StoredTopNode;
  readonly #list: LeafList;
  /** Entries of leaves before the block. All leaves that the edit can change were read. */
  readonly #oldLeaves: ReadonlyMap<number, Uint8Array>;
  readonly #written: readonly Written[];
  /** Keys that get a leaf or lose it. */
  readonly #moved = new Set<Written>();
  /** The last leaf of the list that is not behind the newest written key; undefined before the first write. */
  #cursor: number | undefined;
  #old = noEntries;

  private constructor(
    empty: EmptyTree,
    { topNode, keys, positions }: Located,
    { leaves, olds }: { leaves: Map<number, Leaf>; olds: ReadonlyMap<number, Uint8Array> },
  ) {
    this.#empty = empty;
    this.#before = topNode;
    this.#oldLeaves = olds;
    this.#list = new LeafList(leaves, topNode.nextFreeNode);
    this.#written = keys.map(({ hKey }, i) => {
      const { own, left } = positions[i] as KeyPosition;
      return { hKey, own, wasThere: own !== undefined, left };
    });
  }

  /** An edit of a tree that is created with it. @param keys by ascending hKey, each once */
  static ofEmpty(empty: EmptyTree, keys: readonly SoughtKey[]): TreeEdit {
    const positions = keys.map(() => ({ own: undefined, left: headIndex, right: tailIndex }));
    const leaves = new Map(empty.leaves.entries());
    const located = { topNode: empty.topNode, keys, positions };
    return new TreeEdit(empty, located, { leaves, olds: new Map() });
  }

  /** An edit of a tree in the store. Reads all leaves that the writes can reach, in one step. */
  static *open(state: StateReader, tree: number, located: Located): Reading<TreeEdit> {
    const { topNode, keys, positions } = located;
    if (isFresh(state.empty, topNode)) return TreeEdit.ofEmpty(state.empty, keys);
    // A leaf that comes or goes changes both of its neighbours. Leaves between two keys of the block
    // do not change before those keys are written.
    const indices = positions.flatMap(({ own, left, right }, i) => {
      if (own !== undefined && !keys[i]?.mayGo) return [own];
      return [own, left, right].filter((index) => index !== undefined);
    });
    const distinct = [...new Set(indices)];
    const values = yield* readValues(distinct.map((index) => leafKey(tree, index)));
    const leaves = new Map<number, Leaf>();
    const olds = new Map<number, Uint8Array>();
    for (const [i, index] of distinct.entries()) {
      const old = values[i];
      const leaf = state.leafIn(old && unstamp(old), index);
      if (old) olds.set(index, old);
      if (leaf) leaves.set(index, leaf);
    }
    return new TreeEdit(state.empty, located, { leaves, olds });
  }

  /** The current leaf of a key. @throws TreeError `DAMAGED` */
  find(key: number): { index: number; leaf: Leaf } | undefined {
    const index = this.#writtenAt(key).own;
    if (index === undefined) return undefined;
    const leaf = this.#list.get(index);
    if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${index}`);
    return { index, leaf };
  }

  /**
   * Gives a key a leaf unless it has one; `fill` sets its content. Keys are written in ascending
   * order. The newest written key may be written again.
   *
   * @returns the leaf's index
   */
  put(key: number): number {
    const written = this.#writtenAt(key);
    if (written.own === undefined) {
      const content = { hKey: written.hKey, ...unfilled };
      written.own = this.#list.insert(this.#leftOf(written), content);
      this.#moved.add(written);
    }
    this.#cursor = written.own;
    return written.own;
  }

  /** Deletes the leaf of a key, if there is one. */
  delete(key: number): void {
    const found = this.find(key);
    if (found === undefined) return;
    const written = this.#writtenAt(key);
    this.#list.delete(found.index);
    this.#cursor = found.leaf.prev;
    written.own = undefined;
    this.#moved.add(written);
  }

  /**
   * Reads the other entries that the edit may change, in one step.
   *
   * @param tree the number that the tree has, or gets
   */
  *readOld(tree: number): Reading<void> {
    if (isFresh(this.#empty, this.#before)) return;
    const indices = this.#reached();
    if (indices.length === 0) return;
    const moved = [...this.#moved].filter(({ wasThere }) => wasThere);
    const positions = packsAbove(indices, this.#list.nextFreeNode);
    const keys = [topNodeKey(tree)];
    for (const { hKey } of moved) keys.push(orderKey(tree, hKey));
    for (const position of positions) keys.push(packKey(tree, position));
    const values = (yield* readValues(keys)).values();
    const topNode = values.next().value;
    // A block that only inserts makes mostly new packs. Missing ones are not noted, to save memory.
    function take<K>(names: readonly K[]): Map<K, Uint8Array> {
      const found = new Map<K, Uint8Array>();
      for (const name of names) {
        const value = values.next().value;
        if (value) found.set(name, value);
      }
      return found;
    }
    const order = take(moved);
    this.#old = { topNode, order, packs: take(positions.map(packId)) };
  }

  /** Sets the content of a key's leaf. */
  fill(key: number, content: Pick<LeafContent, 'hValue' | 'value'>): void {
    const { index, leaf } = this.find(key) as { index: number; leaf: Leaf };
    if (!equalBytes(leaf.value, content.value)) this.#list.update(index, content);
  }

  /**
   * Hashes the changed leaves and nodes, and adds their entries to the batch.
   *
   * @param tree the number that the tree has, or gets
   * @returns its top node
   */
  finish(tree: number, blockBatch: BlockBatch): StoredTopNode {
    const { changed, nextFreeNode } = this.#list;
    if (changed.size === 0) return this.#before;
    const indices = [...changed].sort((a, b) => a - b);
    const leaves = new Map(indices.map((index) => [index, this.#list.get(index)]));
    const positions = packsAbove(indices, nextFreeNode);
    const { packs, subTreeRoot } = this.#hash(leaves, positions);
    const topNode = { nextFreeNode, subTreeRoot };
    const old = this.#old;
    const arena = new Arena();
    blockBatch.change(topNodeKey(tree), { old: old.topNode, value: encodeTopEntry(topNode) });
    for (const [index, leaf] of leaves) {
      const value = leaf ? encodeLeaf(leaf, arena) : null;
      blockBatch.change(leafKey(tree, index), { old: this.#oldLeaves.get(index), value });
    }
    for (const [i, position] of positions.entries()) {
      const value = packs[i] as Uint8Array;
      blockBatch.change(packKey(tree, position), { old: old.packs.get(packId(position)), value });
    }
    for (const written of this.#moved) {
      const { hKey, own } = written;
      const value = own === undefined ? null : encodeNumber(own);
      blockBatch.change(orderKey(tree, hKey), { old: old.order.get(written), value });
    }
    return topNode;
  }

  /** Indices of leaves that the edit has changed or may still fill, ascending. */
  #reached(): number[] {
    const reached = new Set(this.#list.changed);
    for (const { own } of this.#written) if (own !== undefined) reached.add(own);
    return [...reached].sort((a, b) => a - b);
  }

  /** The block's own values were checked before. A value that cannot be hashed is therefore the store's fault. */
  #hash(
    leaves: ReadonlyMap<number, Leaf | undefined>,
    positions: readonly PackPosition[],
  ): ReturnType<typeof hashUp> {
    const packs = positions.map((position) => {
      const stamped = this.#old.packs.get(packId(position));
      return stamped && unstamp(stamped);
    });
    try {
      return hashUp(this.#empty, leaves, packs, this.#list.nextFreeNode);
    } catch (cause) {
      throw new TreeError('DAMAGED', 'the store holds malformed nodes', { cause });
    }
  }

  #writtenAt(key: number): Written {
    return this.#written[key] as Written;
  }

  /** The leaf before a key: the one from before the block, unless a write has deleted it or put a nearer one. */
  #leftOf({ left }: Written): number {
    const before = left === undefined ? undefined : this.#list.get(left);
    const cursor = this.#cursor === undefined ? undefined : this.#list.get(this.#cursor);
    if (before && (!cursor || compareBytes(before.hKey, cursor.hKey) > 0)) return left as number;
    return this.#cursor as number;
  }
}
