/** The entries of a whole state while it is built, by kind, and how they come into a store. */
import {
  accountTree,
  encodeNumber,
  encodeTopNode,
  leafEntryWidths,
  orderKey,
  packKey,
  topNodeKey,
  writeLeafEntry,
} from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import type { TopNode } from '../nodes/nodes.js';
import type { PackPosition } from '../nodes/packs.js';
import { numberWidth, writeNumber } from '../store/numbers.js';
import type { Scratch } from '../store/scratch.js';
import type { Entry } from '../store/store.js';
import { mergeSpools } from './mergeSpools.js';
import { Spool } from './spool.js';

/**
 * Entries by kind. Each spool holds its own in the order of their keys, which is the order in which
 * a state is built: the account tree grows beside the storage trees, so that each has its own.
 */
export class StateSpools {
  readonly #block: number;
  readonly #scratch: Scratch;
  readonly #ofAccounts = new Map<string, Spool>();
  readonly #ofStorage = new Map<string, Spool>();

  /** @param block that all entries are stamped with */
  constructor(scratch: Scratch, block: number) {
    this.#scratch = scratch;
    this.#block = block;
  }

  addLeaf(tree: number, index: number, leaf: Leaf): void {
    const spool = this.#spoolOf('leaf', tree);
    const at = spool.reserve(leafEntryWidths(leaf));
    writeLeafEntry(spool.bytes, at, { tree, index, block: this.#block, leaf });
  }

  addOrder(tree: number, hKey: Uint8Array, index: number): void {
    this.#add('order', tree, orderKey(tree, hKey), encodeNumber(index));
  }

  /** @param heights the preimages of each height */
  addPack(tree: number, position: PackPosition, heights: readonly Uint8Array[]): void {
    const spool = this.#spoolOf(`pack ${position.level}`, tree);
    const key = packKey(tree, position);
    let width = numberWidth;
    for (const { length } of heights) width += length;
    let at = spool.reserve({ key: key.length, value: width });
    const { bytes } = spool;
    bytes.set(key, at);
    at += key.length;
    writeNumber(bytes, at, this.#block);
    at += numberWidth;
    for (const nodes of heights) {
      bytes.set(nodes, at);
      at += nodes.length;
    }
  }

  addTop(tree: number, top: TopNode): void {
    this.#add('top', tree, topNodeKey(tree), encodeTopNode(top));
  }

  /** Puts what has come in into files, unless it is little. */
  async drain(): Promise<void> {
    for (const spool of this.#all()) await spool.drain();
  }

  /** Bytes of all entries. */
  get length(): number {
    let sum = 0;
    for (const { length } of this.#all()) sum += length;
    return sum;
  }

  /** All entries in the order of their keys, as `mergeSpools` gives them; called once. */
  pages(): AsyncGenerator<Entry[]> {
    return mergeSpools(this.#all());
  }

  #add(kind: string, tree: number, key: Uint8Array, value: Uint8Array): void {
    const spool = this.#spoolOf(kind, tree);
    const at = spool.reserve({ key: key.length, value: numberWidth + value.length });
    const { bytes } = spool;
    bytes.set(key, at);
    writeNumber(bytes, at + key.length, this.#block);
    bytes.set(value, at + key.length + numberWidth);
  }

  #spoolOf(kind: string, tree: number): Spool {
    const spools = tree === accountTree ? this.#ofAccounts : this.#ofStorage;
    let spool = spools.get(kind);
    if (spool === undefined) {
      spool = new Spool(this.#scratch);
      spools.set(kind, spool);
    }
    return spool;
  }

  #all(): Spool[] {
    return [...this.#ofAccounts.values(), ...this.#ofStorage.values()];
  }
}
