/**
 * Converts a store of version 2 in place: single nodes become packs, and entries of the history
 * become diffs. Each batch replaces the entries that it converts. The old entries that are left
 * therefore say how far the work has come, and a conversion that was killed goes on. No program can
 * open the store as a state between the first batch and the last.
 */
import { ownMembers } from '../../codec/argument.js';
import { hashFamilies } from '../../codec/spec.js';
import { formatMark, markEntry, readMark, wrongMarkError } from '../layout/format.js';
import {
  accountTree,
  allBlocks,
  decodeTopEntry,
  lastNumberOf,
  topNodeKey,
  unstamp,
} from '../layout/layout.js';
import type { EmptyTree, Position } from '../nodes/nodes.js';
import { type PackPosition, packLevels, packOf, packsIn } from '../nodes/packs.js';
import { sharedEmptyTree } from '../nodes/sharedTree.js';
import type { Abort } from '../store/abort.js';
import { TreeError } from '../store/errors.js';
import { ReadBudget } from '../store/readBudget.js';
import { perform, type Reading, readRange, readValue } from '../store/reading.js';
import { endOf, readWhole } from '../store/scan.js';
import type { Entry, Store } from '../store/store.js';
import { convertPacks, convertUndo, packsPerTurn } from './convertOld.js';
import { allNodes, allUndos, oldNodeIn, oldNodesOf } from './oldLayout.js';

/** Options of {@link migrateStore}. */
export interface MigrateOptions {
  /**
   * Also converts a store of version 1, whose state is right only if no block ever took an
   * account's code away; default false.
   */
  keepState?: boolean;
  /** Called with the share of the work that is done, about, from 0 to 1. */
  onProgress?: (share: number) => void;
  /** Aborts the work. The next call goes on with it. */
  signal?: Abort;
}

/** About how many entries a batch has, and memory holds at a time. */
const entriesPerBatch = 8192;

/** About which share of the work the history is, and the account tree. */
const historyShare = 0.5;
const accountShare = 0.3;

/** The first entry of a range. */
function* readFirst(from: Uint8Array, all: Uint8Array): Reading<Entry | undefined> {
  const entries = yield* readRange({ from, to: endOf(all), limit: 1, reverse: false });
  return entries.at(0);
}

/** A tree that has nodes of version 2. */
interface OldTree {
  readonly tree: number;
  readonly nextFreeNode: number;
  /** The first of its nodes that are left. */
  readonly position: Position;
}

/** The first tree with nodes of version 2 at or behind a key. */
function* readOldTree(from: Uint8Array): Reading<OldTree | undefined> {
  const first = yield* readFirst(from, allNodes);
  if (first === undefined) return undefined;
  const { tree, ...position } = oldNodeIn(first.key);
  const top = yield* readValue(topNodeKey(tree));
  if (top === undefined) throw new TreeError('DAMAGED', 'the store has lost a top node');
  return { tree, nextFreeNode: decodeTopEntry(unstamp(top)).nextFreeNode, position };
}

/** Positions of a tree's packs from a given one on, level by level, in portions. */
function* packsFrom(
  { level, index }: PackPosition,
  nextFreeNode: number,
): Generator<PackPosition[]> {
  let first = index;
  for (let at = level; at < packLevels(nextFreeNode); at++) {
    for (const end = packsIn(at, nextFreeNode); first < end; first += packsPerTurn) {
      const count = Math.min(packsPerTurn, end - first);
      yield Array.from({ length: count }, (_, i) => ({ level: at, index: first + i }));
    }
    first = 0;
  }
}

/** One conversion of a store. */
class Migration {
  readonly #store: Store;
  readonly #empty: EmptyTree;
  readonly #options: MigrateOptions;
  #puts: Entry[] = [];
  #deletes: Uint8Array[] = [];

  constructor(store: Store, empty: EmptyTree, options: MigrateOptions) {
    this.#store = store;
    this.#empty = empty;
    this.#options = options;
  }

  /**
   * The history comes first, from the oldest diff on: the old content of a pack follows from the
   * later entries of single nodes, and from the current nodes.
   */
  async convertHistory(): Promise<void> {
    const held = await this.#perform(readWhole({ from: allBlocks, to: endOf(allBlocks) }));
    const blocks = held.map(({ key }) => lastNumberOf(key));
    for (;;) {
      const undo = await this.#perform(readFirst(allUndos, allUndos));
      if (undo === undefined) return;
      const block = lastNumberOf(undo.key);
      await this.#store.write(await this.#perform(convertUndo(this.#empty, block, undo)));
      this.#tell((historyShare * (blocks.indexOf(block) + 1)) / blocks.length);
    }
  }

  /** The current nodes, tree by tree. */
  async convertNodes(): Promise<void> {
    let accounts = 1;
    let old = await this.#perform(readOldTree(allNodes));
    while (old !== undefined) {
      const { tree, nextFreeNode } = old;
      if (tree === accountTree) accounts = nextFreeNode;
      await this.#convertTree(old);
      // Storage trees have the indices of their accounts as numbers.
      const rest = 1 - historyShare - accountShare;
      this.#tell(historyShare + accountShare + rest * Math.min(1, tree / accounts));
      old = await this.#perform(readOldTree(endOf(oldNodesOf(tree))));
    }
    await this.#flush();
  }

  async #convertTree({ tree, nextFreeNode, position }: OldTree): Promise<void> {
    const all = packsIn(0, nextFreeNode);
    for (const packs of packsFrom(packOf(position), nextFreeNode)) {
      const pending = await this.#perform(convertPacks(this.#empty, { tree, nextFreeNode }, packs));
      this.#puts.push(...pending.puts);
      this.#deletes.push(...pending.deletes);
      if (this.#deletes.length < entriesPerBatch) continue;
      await this.#flush();
      const done = packs[0]?.level === 0 ? (packs[0]?.index ?? 0) / all : 1;
      if (tree === accountTree) this.#tell(historyShare + accountShare * done);
    }
  }

  async #flush(): Promise<void> {
    await this.#store.write({ puts: this.#puts, deletes: this.#deletes });
    this.#puts = [];
    this.#deletes = [];
  }

  async #perform<T>(reading: Reading<T>): Promise<T> {
    this.#options.signal?.throwIfAborted();
    return perform(this.#store, reading, new ReadBudget());
  }

  #tell(share: number): void {
    this.#options.onProgress?.(share);
  }
}

/**
 * Converts a store of an older release to this release's format, in place and in bounded memory. After an unfinished
 * conversion every program refuses the store, until another call finishes it. Does nothing to a store of this format.
 *
 * @param store open to write; it stays open
 * @throws TreeError `WRONG_STORE` for anything but a state tree, and for one of version 1 without `keepState`;
 *   `DAMAGED`, and any error of the store
 */
export async function migrateStore(store: Store, options: MigrateOptions = {}): Promise<void> {
  const names = ['keepState', 'onProgress', 'signal'] as const;
  const given = ownMembers(options, names, 'options') as MigrateOptions;
  const found = await perform(store, readMark());
  const old =
    given.keepState === true ? ([1, 2, 'migrating'] as const) : ([2, 'migrating'] as const);
  const hash = hashFamilies.find((one) => old.some((state) => found === formatMark(one, state)));
  if (hash === undefined) {
    if (hashFamilies.some((one) => found === formatMark(one))) return;
    throw wrongMarkError(found);
  }
  await store.write({ puts: [markEntry(formatMark(hash, 'migrating'))], deletes: [] });
  const migration = new Migration(store, sharedEmptyTree(hash), given);
  await migration.convertHistory();
  await migration.convertNodes();
  await store.write({ puts: [markEntry(formatMark(hash))], deletes: [] });
}
