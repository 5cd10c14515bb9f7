/**
 * Builds a whole state from its leaves, in the order of their indices: the account tree, and the
 * storage tree of each account right before its leaf, which holds that tree's root.
 */
import { accountWidth } from '../../codec/spec.js';
import { blockWidth } from '../../hash/family.js';
import { accountTree } from '../layout/layout.js';
import type { Leaf } from '../nodes/leaves.js';
import {
  type EmptyTree,
  hashStoredTopNode,
  type StoredTopNode,
  topNodeBytes,
} from '../nodes/nodes.js';
import { LeafBatch, type LeafLinks, type TreeHead } from './leafBatch.js';
import type { StateSpills } from './stateSpills.js';
import { SubtreeHasher } from './subtreeHasher.js';

/** Rows that are hashed together: some 64 KiB of their openings, and less of an account's value. */
const slotRows = 4096;
const accountRows = 2048;

/** Packs of the account tree that are hashed together. */
const accountPacks = 256;

/** Offset of the storage root in an account value. */
const storageRootAt = 2 * blockWidth;

/** Takes accounts, and slots of the account that comes next. */
export class StateBuilder {
  readonly #empty: EmptyTree;
  readonly #spills: StateSpills | undefined;
  readonly #slots: LeafBatch;
  readonly #accounts: LeafBatch;
  readonly #storageForest: SubtreeHasher;
  readonly #accountForest: SubtreeHasher;
  readonly #accountHead: TreeHead;
  #storage: TreeHead | undefined;
  #nextSlot = 0;
  #nextAccount = 0;
  /** Top nodes of storage trees by number, until their accounts are hashed. */
  readonly #storages = new Map<number, StoredTopNode>();
  #accountTop: StoredTopNode | undefined;

  /**
   * @param accounts the account tree
   * @param spills take the entries; undefined: only the root is wanted
   */
  constructor(empty: EmptyTree, accounts: Omit<TreeHead, 'tree'>, spills?: StateSpills) {
    const { spec } = empty;
    this.#empty = empty;
    this.#spills = spills;
    this.#slots = new LeafBatch(spec, {
      blocks: spec.word,
      valueWidth: blockWidth,
      capacity: slotRows,
    });
    this.#accounts = new LeafBatch(spec, {
      blocks: spec.account,
      valueWidth: accountWidth,
      capacity: accountRows,
    });
    const onPack = spills?.addPack.bind(spills);
    this.#storageForest = new SubtreeHasher(empty, onPack);
    this.#accountForest = new SubtreeHasher(empty, onPack);
    this.#accountHead = { ...accounts, tree: accountTree };
    // A tree without any insertion has no entries.
    if (accounts.nextFreeNode === empty.topNode.nextFreeNode) this.#accountTop = empty.topNode;
    else {
      this.#accounts.addHead(this.#accountHead);
      this.#accounts.addTail(this.#accountHead);
      this.#nextAccount = 2;
    }
  }

  /** Begins the storage tree of the account that comes next; it had insertions. */
  openStorage(head: TreeHead): void {
    this.#storage = head;
    this.#slotRoom().addHead(head);
    this.#slotRoom().addTail(head);
    this.#nextSlot = 2;
  }

  /** @param value 32 bytes */
  addSlot(links: LeafLinks, hKey: Uint8Array, value: Uint8Array): void {
    const head = this.#storage as TreeHead;
    this.addSlotHoles(links.index - this.#nextSlot);
    this.#slotRoom().addLeaf(head, links, hKey).set(value);
    this.#nextSlot++;
  }

  /** Empty leaves. After many, {@link drain} makes room. */
  addSlotHoles(count: number): void {
    for (let i = 0; i < count; i++) {
      this.#slotRoom().addHole(this.#storage as TreeHead, this.#nextSlot++);
    }
  }

  addAccountHoles(count: number): void {
    for (let i = 0; i < count; i++) {
      this.#accountRoom().addHole(this.#accountHead, this.#nextAccount++);
    }
  }

  /** @param value 192 bytes; the storage root in it is not looked at */
  addAccount(links: LeafLinks, hKey: Uint8Array, value: Uint8Array): void {
    this.addAccountHoles(links.index - this.#nextAccount);
    this.#accountRoom().addLeaf(this.#accountHead, links, hKey).set(value);
    this.#nextAccount++;
  }

  /** Puts the entries into files. */
  async drain(): Promise<void> {
    await this.#spills?.drain();
  }

  /** Hashes the rest. Called once all leaf indices were added. @returns the state root, 32 bytes */
  finish(): Uint8Array {
    this.#hashAccounts();
    for (const hashed of this.#accountForest.hash()) this.#accountTop = hashed;
    const top = this.#accountTop as StoredTopNode;
    if (top !== this.#empty.topNode) this.#spills?.addTop(accountTree, top);
    return hashStoredTopNode(this.#empty.spec, top);
  }

  #slotRoom(): LeafBatch {
    if (this.#slots.count === this.#slots.capacity) this.#hashSlots();
    return this.#slots;
  }

  #accountRoom(): LeafBatch {
    if (this.#accounts.count === this.#accounts.capacity) this.#hashAccounts();
    return this.#accounts;
  }

  #hashRows(rows: LeafBatch, hasher: SubtreeHasher): void {
    const spills = this.#spills;
    const onLeaf =
      spills &&
      ((row: number, leaf: Leaf) => spills.addLeaf(rows.treeOf(row).tree, rows.indexOf(row), leaf));
    const digests = rows.hash(onLeaf);
    for (let row = 0; row < rows.count; ) {
      const head = rows.treeOf(row);
      const first = row;
      while (row < rows.count && rows.treeOf(row) === head) row++;
      const some = digests.subarray(blockWidth * first, blockWidth * row);
      hasher.add(head, rows.indexOf(first), some);
    }
  }

  #hashSlots(): void {
    this.#hashRows(this.#slots, this.#storageForest);
    this.#slots.clear();
    for (const hashed of this.#storageForest.hash()) this.#storages.set(hashed.tree, hashed);
  }

  #hashAccounts(): void {
    this.#hashSlots();
    this.#fillStorageRoots();
    this.#hashRows(this.#accounts, this.#accountForest);
    this.#accounts.clear();
    for (const hashed of this.#accountForest.hash(accountPacks)) this.#accountTop = hashed;
  }

  /** The storage of each account in the rows is complete: it came before. */
  #fillStorageRoots(): void {
    const { spec } = this.#empty;
    const accounts = this.#accounts;
    const owners: number[] = [];
    const tops: StoredTopNode[] = [];
    for (let row = 0; row < accounts.count; row++) {
      if (!accounts.isLeaf(row)) continue;
      const tree = accounts.indexOf(row);
      const top = this.#storages.get(tree);
      if (top === undefined) {
        accounts.value(row).set(spec.emptyRoot, storageRootAt);
        continue;
      }
      owners.push(row);
      tops.push(top);
      this.#spills?.addTop(tree, top);
      this.#storages.delete(tree);
    }
    const width = spec.widths.topNode;
    const nodes = new Uint8Array(width * tops.length);
    for (const [i, top] of tops.entries()) nodes.set(topNodeBytes(spec, top), width * i);
    const roots = spec.hasher.hashEach(nodes, width);
    for (const [i, row] of owners.entries()) {
      const root = roots.subarray(blockWidth * i, blockWidth * (i + 1));
      accounts.value(row).set(root, storageRootAt);
    }
  }
}
