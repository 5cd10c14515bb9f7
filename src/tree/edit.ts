/** The writes of one block to one tree: what they need is read first, then they are applied in order. */
import { compareBytes, equalBytes } from '../bytes.js';
import { TreeError } from './errors.js';
import type { EntryChange } from './history.js';
import {
  encodeLeaf,
  encodeNumber,
  encodeTop,
  leafKey,
  nodeKey,
  orderKey,
  topKey,
} from './layout.js';
import { headIndex, type Leaf, type LeafContent, LeafList } from './leaves.js';
import { hashUp, type NodeSpec, type Position, positionsAbove, type Top } from './nodes.js';
import type { StateReader } from './state.js';

/** A key that a block writes. */
export interface Key {
  /** 32 bytes. */
  readonly hKey: Uint8Array;
  /** Whether a leaf that it has may go, so that its neighbours are needed. */
  readonly mayGo: boolean;
}

/** Where a key stands in the list. */
interface Place {
  readonly hKey: Uint8Array;
  /** Its leaf; undefined where it has none. */
  own: number | undefined;
  /** The leaf before its place, where it had none before the block. */
  readonly left: number | undefined;
}

/** A tree's state after the edit. */
export interface Edited {
  readonly top: Top;
  /** The entries that changed, for the tree of this number. */
  entriesOf(tree: number): EntryChange[];
}

/** One tree within a block. Keys are named by their position among those that it was opened with. */
export class TreeEdit {
  readonly #spec: NodeSpec;
  readonly #before: Top;
  /** Reads the nodes of the tree; of one that was empty there are none. */
  readonly #readNodes: (positions: readonly Position[]) => Promise<(Uint8Array | undefined)[]>;
  readonly #list: LeafList;
  readonly #places: Place[];
  readonly #moved = new Set<Place>();
  /** The last leaf of the list that is not behind the key written last; undefined before the first. */
  #cursor: number | undefined;

  private constructor(
    spec: NodeSpec,
    before: Top,
    leaves: Map<number, Leaf>,
    places: Place[],
    readNodes: (positions: readonly Position[]) => Promise<(Uint8Array | undefined)[]>,
  ) {
    this.#spec = spec;
    this.#before = before;
    this.#readNodes = readNodes;
    this.#list = new LeafList(leaves, before.nextFreeNode);
    this.#places = places;
  }

  /** An edit of a tree that is still empty. @param keys by ascending hKey, each once */
  static ofEmpty(spec: NodeSpec, keys: readonly Key[]): TreeEdit {
    const leaves = new Map(spec.emptyLeaves.entries());
    const places = keys.map(({ hKey }) => ({ hKey, own: undefined, left: headIndex }));
    return new TreeEdit(spec, spec.emptyTop, leaves, places, async () => []);
  }

  /** An edit of a tree in a store. @param keys by ascending hKey, each once */
  static async open(state: StateReader, tree: number, keys: readonly Key[]): Promise<TreeEdit> {
    const { spec } = state;
    const top = await state.top(tree);
    // Nothing can have been kept of it.
    if (top.nextFreeNode === spec.emptyTop.nextFreeNode) return TreeEdit.ofEmpty(spec, keys);
    const owns = await state.indices(
      tree,
      keys.map(({ hKey }) => hKey),
    );
    const fresh = keys.filter((_, i) => owns[i] === undefined).map(({ hKey }) => hKey);
    const lefts = (await state.leftsOf(tree, fresh)).values();
    const places = keys.map(({ hKey }, i) => {
      const own = owns[i];
      return { hKey, own, left: own === undefined ? lefts.next().value : undefined };
    });

    const leaves = new Map<number, Leaf>();
    const load = async (indices: readonly number[]) => {
      const missing = [...new Set(indices)].filter((index) => !leaves.has(index));
      for (const [i, leaf] of (await state.leaves(tree, missing)).entries()) {
        if (leaf) leaves.set(missing[i] as number, leaf);
      }
    };
    await load(places.map(({ own, left }) => own ?? (left as number)));
    // A leaf between two others changes both when it comes or goes. With these, everything that the writes can reach
    // is there: what lies between two keys of the block does not change before their own turn.
    await load(
      places.flatMap(({ own, left }, i) => {
        const leaf = leaves.get(own ?? (left as number));
        if (leaf === undefined) return [];
        if (own === undefined) return [leaf.next];
        return keys[i]?.mayGo ? [leaf.prev, leaf.next] : [];
      }),
    );
    return new TreeEdit(spec, top, leaves, places, (positions) => state.nodes(tree, positions));
  }

  /** The leaf of a key as it stands. @throws TreeError `DAMAGED` */
  find(key: number): { index: number; leaf: Leaf } | undefined {
    const index = this.#placeOf(key).own;
    if (index === undefined) return undefined;
    const leaf = this.#list.get(index);
    if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${index}`);
    return { index, leaf };
  }

  /** Inserts or updates. Keys are written in ascending order; one may be written again right away. */
  put(key: number, content: Pick<LeafContent, 'hValue' | 'value'>): number {
    const place = this.#placeOf(key);
    if (place.own === undefined) {
      place.own = this.#list.insert(this.#leftOf(place), { hKey: place.hKey, ...content });
      this.#moved.add(place);
    } else if (!equalBytes((this.#list.get(place.own) as Leaf).value, content.value)) {
      this.#list.update(place.own, content);
    }
    this.#cursor = place.own;
    return place.own;
  }

  /** Deletes; does nothing where the key has no leaf. */
  delete(key: number): void {
    const place = this.#placeOf(key);
    const found = this.find(key);
    if (found === undefined) return;
    this.#list.delete(found.index);
    this.#cursor = found.leaf.prev;
    place.own = undefined;
    this.#moved.add(place);
  }

  /** Hashes what changed. */
  async finish(): Promise<Edited> {
    const { changed, nextFreeNode } = this.#list;
    const indices = [...changed].sort((a, b) => a - b);
    if (indices.length === 0) return { top: this.#before, entriesOf: () => [] };
    const leaves = new Map(indices.map((index) => [index, this.#list.get(index)]));
    const positions = positionsAbove(indices, nextFreeNode);
    const preimages = await this.#readNodes(positions);
    const { nodes, subTreeRoot } = this.#hash(leaves, preimages);
    const top = { nextFreeNode, subTreeRoot };
    const entriesOf = (number: number): EntryChange[] => {
      const entries: EntryChange[] = [{ key: topKey(number), value: encodeTop(top) }];
      for (const [index, leaf] of leaves) {
        entries.push({ key: leafKey(number, index), value: leaf ? encodeLeaf(leaf) : null });
      }
      for (const [i, position] of positions.entries()) {
        entries.push({ key: nodeKey(number, position), value: nodes[i] as Uint8Array });
      }
      for (const { hKey, own } of this.#moved) {
        const value = own === undefined ? null : encodeNumber(own);
        entries.push({ key: orderKey(number, hKey), value });
      }
      return entries;
    };
    return { top, entriesOf };
  }

  /** All that the block itself brings has been checked, so what cannot be hashed comes from the store. */
  #hash(
    leaves: ReadonlyMap<number, Leaf | undefined>,
    preimages: readonly (Uint8Array | undefined)[],
  ): ReturnType<typeof hashUp> {
    try {
      return hashUp(this.#spec, leaves, preimages, this.#list.nextFreeNode);
    } catch (cause) {
      throw new TreeError('DAMAGED', 'the store holds nodes that are none', { cause });
    }
  }

  #placeOf(key: number): Place {
    return this.#places[key] as Place;
  }

  /** The leaf before a key's place: the one before the block, unless a write has put another one nearer or taken it. */
  #leftOf({ left }: Place): number {
    const before = left === undefined ? undefined : this.#list.get(left);
    const written = this.#cursor === undefined ? undefined : this.#list.get(this.#cursor);
    if (before && (!written || compareBytes(before.hKey, written.hKey) > 0)) return left as number;
    return this.#cursor as number;
  }
}
