/** The entries of a whole state while it is built, by kind, and how they come into a store. */
import {
  accountTree,
  encodeNumber,
  encodeTopEntry,
  leafEntryWidths,
  orderKey,
  packKey,
  topNodeKey,
  writeLeafEntry,
} from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import type { StoredTopNode } from '../nodes/nodes.js';
import type { PackPosition } from '../nodes/packs.js';
import { numberWidth, writeNumber } from '../store/numbers.js';
import type { Scratch } from '../store/scratch.js';
import type { Entry } from '../store/store.js';
import { mergeSpills } from './mergeSpills.js';
import { SpillFile } from './spillFile.js';

/**
 * Entries by kind. Each spill file holds its own in the order of their keys, which is the order in which
 * a state is built: the account tree grows beside the storage trees, so that each has its own.
 */
export class StateSpills {
  readonly #block: number;
  readonly #scratch: Scratch;
  readonly #ofAccounts = new Map<string, SpillFile>();
  readonly #ofStorage = new Map<string, SpillFile>();

  /** @param block that all entries are stamped with */
  constructor(scratch: Scratch, block: number) {
    this.#scratch = scratch;
    this.#block = block;
  }

  addLeaf(tree: number, index: number, leaf: Leaf): void {
    const spill = this.#spillOf('leaf', tree);
    const at = spill.reserve(leafEntryWidths(leaf));
    writeLeafEntry(spill.bytes, at, { tree, index, block: this.#block, leaf });
  }

  addOrder(tree: number, hKey: Uint8Array, index: number): void {
    this.#add('order', tree, orderKey(tree, hKey), encodeNumber(index));
  }

  /** @param heights the preimages of each height */
  addPack(tree: number, position: PackPosition, heights: readonly Uint8Array[]): void {
    const spill = this.#spillOf(`pack ${position.level}`, tree);
    const key = packKey(tree, position);
    let width = numberWidth;
    for (const { length } of heights) width += length;
    let at = spill.reserve({ key: key.length, value: width });
    const { bytes } = spill;
    bytes.set(key, at);
    at += key.length;
    writeNumber(bytes, at, this.#block);
    at += numberWidth;
    for (const nodes of heights) {
      bytes.set(nodes, at);
      at += nodes.length;
    }
  }

  addTop(tree: number, top: StoredTopNode): void {
    this.#add('top', tree, topNodeKey(tree), encodeTopEntry(top));
  }

  /** Puts the entries added since into files, unless they are few. */
  async drain(): Promise<void> {
    for (const spill of this.#all()) await spill.drain();
  }

  /** Bytes of all entries. */
  get length(): number {
    let sum = 0;
    for (const { length } of this.#all()) sum += length;
    return sum;
  }

  /** All entries in the order of their keys, as `mergeSpills` gives them; called once. */
  pages(): AsyncGenerator<Entry[]> {
    return mergeSpills(this.#all());
  }

  #add(kind: string, tree: number, key: Uint8Array, value: Uint8Array): void {
    const spill = this.#spillOf(kind, tree);
    const at = spill.reserve({ key: key.length, value: numberWidth + value.length });
    const { bytes } = spill;
    bytes.set(key, at);
    writeNumber(bytes, at + key.length, this.#block);
    bytes.set(value, at + key.length + numberWidth);
  }

  #spillOf(kind: string, tree: number): SpillFile {
    const spills = tree === accountTree ? this.#ofAccounts : this.#ofStorage;
    let spill = spills.get(kind);
    if (spill === undefined) {
      spill = new SpillFile(this.#scratch);
      spills.set(kind, spill);
    }
    return spill;
  }

  #all(): SpillFile[] {
    return [...this.#ofAccounts.values(), ...this.#ofStorage.values()];
  }
}
