/** Reads a state from a store, as it is now or as it was after a block. */
import { type AccountValue, decodeAccount } from '../codec/account.js';
import type { TreeSpec } from '../codec/spec.js';
import { TreeError } from './errors.js';
import {
  decodeLeaf,
  decodeNode,
  decodeNumber,
  decodeTop,
  historyKey,
  historyPrefix,
  isStampedAt,
  leafKey,
  nodeKey,
  orderKey,
  topKey,
  unstamp,
} from './layout.js';
import { headIndex, type Leaf } from './leaves.js';
import { leftsBefore } from './neighbours.js';
import type { NodeSpec, Position, Top } from './nodes.js';
import { endOf } from './scan.js';
import type { StoreReader } from './store.js';
import { readEach, together } from './together.js';

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
      const later = [...keys.keys()].filter((i) => !isStampedAt(stamped[i], block));
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
    const from = historyKey(key, block + 1);
    const [next] = await this.#reader.range(from, endOf(historyPrefix(key)), {
      limit: 1,
      reverse: false,
    });
    // Keys of one kind are as long as each other, so nothing else's history begins so.
    const then = next ? (next.value.length > 0 ? next.value : undefined) : now;
    if (then !== undefined && !isStampedAt(then, block)) {
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

  /** Indices of the leaves with the greatest hKey below each key's; none of the keys has a leaf. */
  async leftsOf(tree: number, hKeys: readonly Uint8Array[]): Promise<number[]> {
    if (this.#block !== undefined) {
      return leftsBefore({ reader: this.#reader, tree, block: this.#block }, hKeys);
    }
    const first = orderKey(tree, new Uint8Array(0));
    return readEach(hKeys, async (hKey) => {
      const options = { limit: 1, reverse: true };
      const [entry] = await this.#reader.range(first, orderKey(tree, hKey), options);
      return entry ? decodeNumber(unstamp(entry.value)) : headIndex;
    });
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
