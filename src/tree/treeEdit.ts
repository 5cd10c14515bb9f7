/**
 * The writes of one block to one tree: what they need is read first, then they are applied in
 * order.
 */
import { compareBytes, equalBytes } from '../bytes.js';
import type { BlockDraft } from './blockDraft.js';
import { TreeError } from './errors.js';
import { hashUp } from './hashUp.js';
import {
  encodeLeaf,
  encodeNumber,
  encodeTopNode,
  leafKey,
  orderKey,
  packKey,
  topNodeKey,
  unstamp,
} from './layout.js';
import { headIndex, type Leaf, type LeafContent, LeafList, tailIndex } from './leaves.js';
import type { EmptyTree, TopNode } from './nodes.js';
import { type PackPosition, packId, packsAbove } from './packs.js';
import type { Key, Place } from './places.js';
import { type Reading, readAll, readValues } from './reading.js';
import type { StateReader } from './stateReader.js';

/** A tree before a block, and where the keys that the block writes stand in it. */
export interface Located {
  readonly topNode: TopNode;
  readonly keys: readonly Key[];
  readonly places: readonly Place[];
}

/** Finds out where keys stand. @param keys by ascending hKey, each once */
export function* locate(state: StateReader, tree: number, keys: readonly Key[]): Reading<Located> {
  const [topNode, places] = yield* readAll([state.topNode(tree), state.placesToWrite(tree, keys)]);
  return { topNode, keys, places };
}

/** A key within an edit. */
interface Written {
  readonly hKey: Uint8Array;
  /** Its leaf as it stands; undefined if it has none. */
  own: number | undefined;
  /** Whether it had one before the block. */
  readonly wasThere: boolean;
  /** The leaf before it, if it had none before the block. */
  readonly left: number | undefined;
}

/** Entries as they are before the block, behind their stamps, by what they are about. */
interface OldEntries {
  readonly topNode: Uint8Array | undefined;
  readonly order: ReadonlyMap<Written, Uint8Array>;
  /** By `packId`. */
  readonly packs: ReadonlyMap<number, Uint8Array>;
}

const noEntries: OldEntries = { topNode: undefined, order: new Map(), packs: new Map() };

/** Whether nothing was ever inserted, so that nothing can have been kept of the tree. */
const isFresh = (empty: EmptyTree, { nextFreeNode }: TopNode): boolean =>
  nextFreeNode === empty.topNode.nextFreeNode;

/** What a new leaf holds until it is filled: no value is as short. */
const unfilled = { hValue: new Uint8Array(0), value: new Uint8Array(0) };

/**
 * One tree within a block. Keys are named by their position among those that it was opened with.
 */
export class TreeEdit {
  readonly #empty: EmptyTree;
  readonly #before: TopNode;
  readonly #list: LeafList;
  /** The entries of leaves as they were read: all that the edit can change were. */
  readonly #oldLeaves: ReadonlyMap<number, Uint8Array>;
  readonly #written: readonly Written[];
  /** Keys that get a leaf or lose it. */
  readonly #moved = new Set<Written>();
  /**
   * The last leaf of the list that is not behind the key written last; undefined before the first.
   */
  #cursor: number | undefined;
  #old = noEntries;

  private constructor(
    empty: EmptyTree,
    { topNode, keys, places }: Located,
    { leaves, olds }: { leaves: Map<number, Leaf>; olds: ReadonlyMap<number, Uint8Array> },
  ) {
    this.#empty = empty;
    this.#before = topNode;
    this.#oldLeaves = olds;
    this.#list = new LeafList(leaves, topNode.nextFreeNode);
    this.#written = keys.map(({ hKey }, i) => {
      const { own, left } = places[i] as Place;
      return { hKey, own, wasThere: own !== undefined, left };
    });
  }

  /** An edit of a tree that is created with it. @param keys by ascending hKey, each once */
  static ofEmpty(empty: EmptyTree, keys: readonly Key[]): TreeEdit {
    const places = keys.map(() => ({ own: undefined, left: headIndex, right: tailIndex }));
    const leaves = new Map(empty.leaves.entries());
    const located = { topNode: empty.topNode, keys, places };
    return new TreeEdit(empty, located, { leaves, olds: new Map() });
  }

  /** An edit of a tree in the store: reads, in one step, all leaves that the writes can reach. */
  static *open(state: StateReader, tree: number, located: Located): Reading<TreeEdit> {
    const { topNode, keys, places } = located;
    if (isFresh(state.empty, topNode)) return TreeEdit.ofEmpty(state.empty, keys);
    // A leaf between two others changes both when it comes or goes. What lies between two keys of
    // the block does not change before their own turn.
    const indices = places.flatMap(({ own, left, right }, i) => {
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

  /** The leaf of a key as it stands. @throws TreeError `DAMAGED` */
  find(key: number): { index: number; leaf: Leaf } | undefined {
    const index = this.#writtenAt(key).own;
    if (index === undefined) return undefined;
    const leaf = this.#list.get(index);
    if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${index}`);
    return { index, leaf };
  }

  /**
   * Gives a key a leaf unless it has one; `fill` says what it holds. Keys are written in ascending
   * order; one may be written again right away.
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

  /** Deletes; does nothing to a key without a leaf. */
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
   * Reads, in one step, what the store holds of all else that the edit may change.
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
    // Of a block that only inserts, most packs are new: they are not kept as missing.
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

  /** Says what the leaf of a key holds. */
  fill(key: number, content: Pick<LeafContent, 'hValue' | 'value'>): void {
    const { index, leaf } = this.find(key) as { index: number; leaf: Leaf };
    if (!equalBytes(leaf.value, content.value)) this.#list.update(index, content);
  }

  /**
   * Hashes what changed, and drafts it.
   *
   * @param tree the number that the tree has, or gets
   * @returns its top node
   */
  finish(tree: number, draft: BlockDraft): TopNode {
    const { changed, nextFreeNode } = this.#list;
    if (changed.size === 0) return this.#before;
    const indices = [...changed].sort((a, b) => a - b);
    const leaves = new Map(indices.map((index) => [index, this.#list.get(index)]));
    const positions = packsAbove(indices, nextFreeNode);
    const { packs, subTreeRoot } = this.#hash(leaves, positions);
    const topNode = { nextFreeNode, subTreeRoot };
    const old = this.#old;
    draft.change(topNodeKey(tree), { old: old.topNode, value: encodeTopNode(topNode) });
    for (const [index, leaf] of leaves) {
      const value = leaf ? encodeLeaf(leaf) : null;
      draft.change(leafKey(tree, index), { old: this.#oldLeaves.get(index), value });
    }
    for (const [i, position] of positions.entries()) {
      const value = packs[i] as Uint8Array;
      draft.change(packKey(tree, position), { old: old.packs.get(packId(position)), value });
    }
    for (const written of this.#moved) {
      const { hKey, own } = written;
      const value = own === undefined ? null : encodeNumber(own);
      draft.change(orderKey(tree, hKey), { old: old.order.get(written), value });
    }
    return topNode;
  }

  /** Leaves that the edit has changed, or may still fill, ascending. */
  #reached(): number[] {
    const reached = new Set(this.#list.changed);
    for (const { own } of this.#written) if (own !== undefined) reached.add(own);
    return [...reached].sort((a, b) => a - b);
  }

  /**
   * All that the block itself brings has been checked, so what cannot be hashed comes from the
   * store.
   */
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

  /**
   * The leaf before a key: the one before the block, unless a write has put another one nearer or
   * taken it.
   */
  #leftOf({ left }: Written): number {
    const before = left === undefined ? undefined : this.#list.get(left);
    const cursor = this.#cursor === undefined ? undefined : this.#list.get(this.#cursor);
    if (before && (!cursor || compareBytes(before.hKey, cursor.hKey) > 0)) return left as number;
    return this.#cursor as number;
  }
}
