/** Reads a state from a store, as it is or as it was after a block. */
import { type AccountValue, decodeAccount } from '../../codec/account.js';
import type { TreeSpec } from '../../codec/spec.js';
import {
  decodeLeaf,
  decodeNumber,
  decodeTopEntry,
  leafKey,
  orderKey,
  topNodeKey,
  unstamp,
} from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import type { EmptyTree, StoredTopNode } from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import type { Reading } from '../store/reading.js';
import { findPositions, type KeyPosition, type SoughtKey } from './keyPositions.js';
import { findPastPositions } from './pastPositions.js';
import { type ReadPoint, readAt } from './pastValue.js';
import { VersionCache } from './storeCache.js';

/** The context of every reading of a state. */
export interface TreeContext {
  readonly empty: EmptyTree;
  /** Whether a step also reads what may be needed next: that saves steps. */
  readonly readsAhead: boolean;
}

/** The state at one moment. */
export class StateReader {
  readonly empty: EmptyTree;
  /** The cache of the store's version that is read. */
  readonly cache: VersionCache;
  /** Names the state in the cache. */
  readonly #name: string;
  readonly #point: ReadPoint;

  /** @param block the state after this block; undefined: the state as it is */
  constructor(
    { empty, readsAhead }: TreeContext,
    block: number | undefined,
    cache: VersionCache = new VersionCache(),
  ) {
    this.cache = cache;
    this.#name = String(block ?? 'now');
    this.empty = empty;
    this.#point = { block, readsAhead, cache };
  }

  /** Whether reading ahead saves steps. */
  get readsAhead(): boolean {
    return this.#point.readsAhead;
  }

  /** From now on reads the state as it is: the block was found to be the newest one. */
  toNewest(): void {
    this.#point.block = undefined;
  }

  /** Values of entries; undefined for an entry that was not there. */
  *values(keys: readonly Uint8Array[]): Reading<(Uint8Array | undefined)[]> {
    const stamped = yield* readAt(this.#point, keys);
    return stamped.map((bytes) => bytes && unstamp(bytes));
  }

  /** The top node of a tree; of an empty one if nothing was ever inserted. */
  topNode(tree: number): Reading<StoredTopNode> {
    return this.cache.keep(`top ${this.#name} ${tree}`, () => this.#readTopNode(tree));
  }

  *#readTopNode(tree: number): Reading<StoredTopNode> {
    const [value] = yield* this.values([topNodeKey(tree)]);
    return value ? decodeTopEntry(value) : this.empty.topNode;
  }

  /** Positions of keys in the order of a tree's leaves. */
  positions(tree: number, hKeys: readonly Uint8Array[]): Reading<KeyPosition[]> {
    if (this.#point.block !== undefined) return findPastPositions(this.#point, tree, hKeys);
    return this.positionsToWrite(
      tree,
      hKeys.map((hKey) => ({ hKey, mayGo: false })),
    );
  }

  /** Positions of keys that a block writes in the present order of a tree's leaves. */
  positionsToWrite(tree: number, keys: readonly SoughtKey[]): Reading<KeyPosition[]> {
    return findPositions(tree, keys, this.#point);
  }

  /** Indices of the leaves of keys; undefined for a key without one. */
  *indices(tree: number, hKeys: readonly Uint8Array[]): Reading<(number | undefined)[]> {
    const values = yield* this.values(hKeys.map((hKey) => orderKey(tree, hKey)));
    return values.map((index) => index && decodeNumber(index));
  }

  /** Leaves by index; undefined for an empty leaf. */
  *leaves(tree: number, indices: readonly number[]): Reading<(Leaf | undefined)[]> {
    const values = yield* this.values(indices.map((index) => leafKey(tree, index)));
    return indices.map((index, i) => this.leafIn(values[i], index));
  }

  /** A leaf from its entry. Head and tail have one from the first insertion on. */
  leafIn(value: Uint8Array | undefined, index: number): Leaf | undefined {
    // `at`: an index beyond these two must not be looked up in the prototype.
    return value ? decodeLeaf(value) : this.empty.leaves.at(index);
  }
}

/** The account that a leaf of the account tree holds. @throws TreeError `DAMAGED` */
export function accountInLeaf(spec: TreeSpec, { value }: Leaf): AccountValue {
  try {
    return decodeAccount(spec, value, 'account');
  } catch (cause) {
    throw new TreeError('DAMAGED', 'the store holds a malformed account', { cause });
  }
}
