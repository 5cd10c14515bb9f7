/** Reads a state from a store, as it is now or as it was after a block. */
import { compareBytes } from '../bytes.js';
import { type AccountValue, decodeAccount } from '../codec/account.js';
import type { TreeSpec } from '../codec/spec.js';
import { TreeError } from './errors.js';
import {
  decodeLeaf,
  decodeNode,
  decodeNumber,
  decodeTop,
  hasPrefix,
  historyKey,
  historyOf,
  isHistoryOf,
  leafKey,
  nodeKey,
  orderKey,
  stampOf,
  topKey,
  unstamp,
} from './layout.js';
import { headIndex, type Leaf } from './leaves.js';
import type { NodeSpec, Position, Top } from './nodes.js';
import type { StoreReader } from './store.js';
import { together } from './together.js';

/** Steps that are not worth a thought. */
const shortWay = 32;

export class StateReader {
  readonly spec: NodeSpec;
  readonly #reader: StoreReader;
  readonly #block: number | undefined;

  /** @param block read the state after this block; undefined: the state as it is, without a look at its history */
  constructor(spec: NodeSpec, reader: StoreReader, block?: number) {
    this.spec = spec;
    this.#reader = reader;
    this.#block = block;
  }

  /** Values of entries; undefined where there is none. */
  async getMany(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    const stamped = await this.#reader.getMany(keys);
    const block = this.#block;
    if (block !== undefined) {
      // Most entries were last written before the block, and their stamps say so: no look into the history.
      const later = [...keys.keys()].filter((i) => !isAt(stamped[i], block));
      await together(
        later.map(async (i) => {
          stamped[i] = await this.#before(keys[i] as Uint8Array, block, stamped[i]);
        }),
      );
    }
    return stamped.map((bytes) => bytes && unstamp(bytes));
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    const [value] = await this.getMany([key]);
    return value;
  }

  /** What stood at `key` after the block: what the next block to change it found there. */
  async #before(key: Uint8Array, block: number, now: Uint8Array | undefined) {
    const next = await this.#reader.above(historyKey(key, block));
    const isChanged = next !== undefined && isHistoryOf(next.key, key);
    const then = isChanged ? (next.value.length > 0 ? next.value : undefined) : now;
    if (then !== undefined && !isAt(then, block)) {
      throw new TreeError('DAMAGED', `the history of an entry lacks its value at block ${block}`);
    }
    return then;
  }

  /** The top of a tree; of an empty one where nothing was ever inserted. */
  async top(tree: number): Promise<Top> {
    const bytes = await this.get(topKey(tree));
    return bytes ? decodeTop(bytes) : this.spec.emptyTop;
  }

  /** Leaves by index; undefined where a leaf is empty. */
  async leaves(tree: number, indices: readonly number[]): Promise<(Leaf | undefined)[]> {
    const bytes = await this.getMany(indices.map((index) => leafKey(tree, index)));
    // Head and tail are written with the first insertion.
    return indices.map((index, i) => {
      const leaf = bytes[i];
      // `at`: an index beyond these two must not be looked up in the prototype.
      return leaf ? decodeLeaf(leaf) : this.spec.emptyLeaves.at(index);
    });
  }

  /** Preimages of inner nodes; undefined where nothing is kept. */
  async nodes(tree: number, positions: readonly Position[]): Promise<(Uint8Array | undefined)[]> {
    const bytes = await this.getMany(positions.map((position) => nodeKey(tree, position)));
    return bytes.map((node) => node && decodeNode(node));
  }

  /** Indices of the leaves of keys; undefined where a key has none. */
  async indices(tree: number, hKeys: readonly Uint8Array[]): Promise<(number | undefined)[]> {
    const bytes = await this.getMany(hKeys.map((hKey) => orderKey(tree, hKey)));
    return bytes.map((index) => index && decodeNumber(index));
  }

  /** Index of the leaf with the greatest hKey below a key's. */
  async leftOf(tree: number, hKey: Uint8Array): Promise<number> {
    const first = orderKey(tree, new Uint8Array(0));
    let key = orderKey(tree, hKey);
    for (let steps = 0; ; steps++) {
      // Keys that came and went since the block lie in between. Where they are more than the tree then had leaves, which
      // someone may have seen to, it is shorter to go through those.
      if (steps > shortWay && steps > (await this.top(tree)).nextFreeNode) {
        return this.#leftFromHead(tree, hKey);
      }
      // A key that was deleted since stands in the history only; one that was inserted since has no index then.
      const [kept, past] = await together([
        this.#reader.below(key),
        this.#block === undefined ? undefined : this.#reader.below(historyKey(key, 0)),
      ]);
      const candidates = [kept?.key, past && historyOf(past.key)].filter(
        (candidate) => candidate !== undefined && hasPrefix(candidate, first),
      ) as Uint8Array[];
      const nearest = candidates.sort(compareBytes).at(-1);
      if (nearest === undefined) return headIndex;
      const index = await this.get(nearest);
      if (index) return decodeNumber(index);
      key = nearest;
    }
  }

  /** The same, leaf by leaf from the head. */
  async #leftFromHead(tree: number, hKey: Uint8Array): Promise<number> {
    const { nextFreeNode } = await this.top(tree);
    let left = headIndex;
    for (let steps = 0; steps < nextFreeNode; steps++) {
      const [leaf] = await this.leaves(tree, [left]);
      const [next] = leaf ? await this.leaves(tree, [leaf.next]) : [];
      if (leaf === undefined || next === undefined) break;
      if (compareBytes(next.hKey, hKey) > 0) return left;
      left = leaf.next;
    }
    throw new TreeError('DAMAGED', 'the list of leaves in the store does not lead to its end');
  }
}

/** The account that a leaf of the account tree holds. @throws TreeError `DAMAGED` */
export function accountOf(spec: TreeSpec, { value }: Leaf): AccountValue {
  try {
    return decodeAccount(spec, value, 'account');
  } catch (cause) {
    throw new TreeError('DAMAGED', 'the store holds an account that is none', { cause });
  }
}

/** Whether an entry was written at or before a block. */
const isAt = (stamped: Uint8Array | undefined, block: number): boolean =>
  stamped !== undefined && stampOf(stamped) <= block;
