/** Reads a state from a store, as it is or as it was after a block. */
import { type AccountValue, decodeAccount } from '../../codec/account.js';
import type { TreeSpec } from '../../codec/spec.js';
import {
  decodeLeaf,
  decodeNumber,
  decodeTopNode,
  leafKey,
  orderKey,
  topNodeKey,
  unstamp,
} from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import type { EmptyTree, TopNode } from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import type { Reading } from '../store/reading.js';
import { Facts } from './facts.js';
import { placesAt } from './pastPlaces.js';
import { type Moment, readAt } from './pastValue.js';
import { type Key, type Place, placesNow } from './places.js';

/** Where states are read. */
export interface StateSource {
  readonly empty: EmptyTree;
  /** Whether a step also reads what may be needed next: that saves steps. */
  readonly readsAhead: boolean;
}

/** The state at one moment. */
export class StateReader {
  readonly empty: EmptyTree;
  /** The known facts about the store that is read. */
  readonly facts: Facts;
  /** Names the state among the facts. */
  readonly #name: string;
  readonly #moment: Moment;

  /** @param block the state after this block; undefined: the state as it is */
  constructor(
    { empty, readsAhead }: StateSource,
    block: number | undefined,
    facts: Facts = new Facts(),
  ) {
    this.facts = facts;
    this.#name = String(block ?? 'now');
    this.empty = empty;
    this.#moment = { block, readsAhead, facts };
  }

  /** Whether reading ahead saves steps. */
  get readsAhead(): boolean {
    return this.#moment.readsAhead;
  }

  /** From now on reads the state as it is: the block was found to be the newest one. */
  toNewest(): void {
    this.#moment.block = undefined;
  }

  /** Values of entries; undefined for an entry that was not there. */
  *values(keys: readonly Uint8Array[]): Reading<(Uint8Array | undefined)[]> {
    const stamped = yield* readAt(this.#moment, keys);
    return stamped.map((bytes) => bytes && unstamp(bytes));
  }

  /** The top node of a tree; of an empty one if nothing was ever inserted. */
  topNode(tree: number): Reading<TopNode> {
    return this.facts.keep(`top ${this.#name} ${tree}`, () => this.#readTopNode(tree));
  }

  *#readTopNode(tree: number): Reading<TopNode> {
    const [value] = yield* this.values([topNodeKey(tree)]);
    return value ? decodeTopNode(value) : this.empty.topNode;
  }

  /** Where keys stand in the order of a tree's leaves. */
  places(tree: number, hKeys: readonly Uint8Array[]): Reading<Place[]> {
    if (this.#moment.block !== undefined) return placesAt(this.#moment, tree, hKeys);
    return this.placesToWrite(
      tree,
      hKeys.map((hKey) => ({ hKey, mayGo: false })),
    );
  }

  /** Where keys that a block writes stand in the order of a tree's leaves as it is. */
  placesToWrite(tree: number, keys: readonly Key[]): Reading<Place[]> {
    return placesNow(tree, keys, this.#moment);
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
export function accountOf(spec: TreeSpec, { value }: Leaf): AccountValue {
  try {
    return decodeAccount(spec, value, 'account');
  } catch (cause) {
    throw new TreeError('DAMAGED', 'the store holds a malformed account', { cause });
  }
}
