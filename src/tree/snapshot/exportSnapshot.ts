/** Writes the state of a store as a snapshot (docs/snapshot.md). */
import { ownMembers } from '../../codec/argument.js';
import { wrongRange } from '../../errors.js';
import { blockWidth, type HashFamily } from '../../hash/family.js';
import { type BlockNumber, checkBlockNumber } from '../apply/changes.js';
import { StateReader } from '../history/stateReader.js';
import {
  readBlockHash,
  readNewestBlock,
  readNewestFinal,
  readStateRoot,
} from '../layout/blocks.js';
import { checkFormat, checkTrust } from '../layout/format.js';
import { accountTree } from '../layout/layout.js';
import { type BulkWork, Stage } from '../load/work.js';
import { firstFreeNode, headIndex, type Leaf, tailIndex } from '../nodes/leaves.js';
import type { EmptyTree, StoredTopNode } from '../nodes/nodes.js';
import { sharedEmptyTree } from '../nodes/sharedTree.js';
import { TreeError } from '../store/errors.js';
import type { MaybePromise } from '../store/maybePromise.js';
import { ReadBudget } from '../store/readBudget.js';
import { perform, type Reading, readAll } from '../store/reading.js';
import type { Store, StoreReader } from '../store/store.js';
import { AccountForm, withStorage } from './accountForm.js';
import { BodyWriter } from './bodyWriter.js';
import { encodeSnapshotHeader } from './header.js';
import {
  type AccountPage,
  type LeafPage,
  readAccounts,
  readPage,
  type StorageTree,
} from './walk.js';

/** Options of {@link exportSnapshot}. */
export interface SnapshotExport extends BulkWork {
  /** Read at one moment, beside any writer; stays open. */
  store: Store;
  /** Family of its state; default `poseidon2`. */
  hash?: HashFamily | undefined;
  /** A block that is held; default the newest final one, or the newest if none is final. */
  block?: BlockNumber | undefined;
  /** Id of the L2 chain, for the readers of the file; default: not in the file. */
  chainId?: number | undefined;
}

/** The state that is written. */
interface Source {
  readonly reader: StoreReader;
  readonly state: StateReader;
  readonly block: number;
  readonly stateRoot: Uint8Array;
  readonly blockHash: Uint8Array;
  readonly top: StoredTopNode;
}

/** @throws TreeError `BLOCK_MISSING` */
function* openState(empty: EmptyTree, wanted: number | undefined): Reading<Omit<Source, 'reader'>> {
  const hash = empty.spec.hasher.family;
  const [, , newest, final] = yield* readAll([
    checkFormat(hash),
    checkTrust(),
    readNewestBlock(),
    readNewestFinal(),
  ]);
  const block = wanted ?? final ?? newest;
  if (block === undefined) throw new TreeError('BLOCK_MISSING', 'the store holds no block yet');
  const state = new StateReader({ empty, readsAhead: false }, block);
  if (block === newest) state.toNewest();
  const [stateRoot, blockHash, top] = yield* readAll([
    readStateRoot(block),
    readBlockHash(block),
    state.topNode(accountTree),
  ]);
  return { state, block, stateRoot, blockHash: blockHash ?? new Uint8Array(blockWidth), top };
}

/** The state of one export. */
class Export {
  readonly #source: Source;
  readonly #writer = new BodyWriter();
  readonly #form: AccountForm;
  readonly #work: BulkWork;
  #stage: Stage | undefined;
  #done = 0;

  constructor(source: Source, work: BulkWork) {
    this.#source = source;
    this.#form = new AccountForm(source.state.empty.spec);
    this.#work = work;
  }

  /** All chunks of the file. */
  async *chunks(chainId: number): AsyncGenerator<Uint8Array> {
    const { top, block, stateRoot, blockHash, state } = this.#source;
    const counts = await this.#count();
    const hash = state.empty.spec.hasher.family;
    this.#writer.bytes(
      encodeSnapshotHeader({ hash, chainId, block, blockHash, stateRoot, ...counts }),
    );
    this.#stage = new Stage(this.#work, 'write', counts.places);
    let place = firstFreeNode;
    for (let from = 0; from < top.nextFreeNode; ) {
      const page = await this.#read(
        readAccounts(state, { from, nextFreeNode: top.nextFreeNode, withLeaves: true }),
      );
      if (from === 0) this.#writeHead(top, page.leaves);
      place = yield* this.#writeAccounts(page, place);
      from += page.leaves.length;
      yield* this.#turn(page);
    }
    if (place < top.nextFreeNode) this.#writer.number(top.nextFreeNode - place);
    yield* this.#writer.end();
  }

  /** @param place the index behind the last account written @returns the same after these */
  async *#writeAccounts(
    { from, leaves, storages }: AccountPage,
    place: number,
  ): AsyncGenerator<Uint8Array, number> {
    const trees = storages.values();
    let storage = trees.next().value;
    let next = place;
    for (const [i, leaf] of leaves.entries()) {
      const index = from + i;
      if (leaf === undefined || index < firstFreeNode) continue;
      this.#writer.number(index - next);
      next = index + 1;
      const own = storage?.tree === index ? storage : undefined;
      this.#writer.byte(this.#form.kindOf(leaf.value) + (own ? withStorage : 0));
      if (own) {
        yield* this.#writeStorage(own);
        storage = trees.next().value;
      }
      this.#writeLinks(leaf);
      this.#form.write(this.#writer, leaf.value);
    }
    return next;
  }

  /** Gives the whole chunks, and yields to the event loop. */
  async *#turn({ leaves }: LeafPage): AsyncGenerator<Uint8Array> {
    this.#done += leaves.length;
    yield* this.#writer.take();
    await this.#stage?.turn(this.#done);
  }

  #read<T>(reading: Reading<T>): MaybePromise<T> {
    return perform(this.#source.reader, reading, new ReadBudget());
  }

  /** The header's members that are known beforehand. */
  async #count(): Promise<{ accounts: number; trees: number; places: number }> {
    const { top, state } = this.#source;
    const stage = new Stage(this.#work, 'read', top.nextFreeNode);
    const counts = { accounts: 0, trees: 0, places: top.nextFreeNode };
    for (let from = 0; from < top.nextFreeNode; ) {
      const page = await this.#read(
        readAccounts(state, { from, nextFreeNode: top.nextFreeNode, withLeaves: false }),
      );
      const isAccount = (leaf: Leaf | undefined, i: number) => leaf && from + i >= firstFreeNode;
      counts.accounts += page.leaves.filter(isAccount).length;
      counts.trees += page.storages.length;
      for (const { top: own } of page.storages) counts.places += own.nextFreeNode;
      from += page.leaves.length;
      await stage.turn(from);
    }
    return counts;
  }

  /** @param leaves the first ones of the tree */
  #writeHead({ nextFreeNode }: StoredTopNode, leaves: readonly (Leaf | undefined)[]): void {
    this.#writer.number(nextFreeNode);
    this.#writer.number((leaves[headIndex] as Leaf).next);
    this.#writer.number((leaves[tailIndex] as Leaf).prev);
  }

  async *#writeStorage({ tree, top, small }: StorageTree): AsyncGenerator<Uint8Array> {
    const { state } = this.#source;
    const { nextFreeNode } = top;
    let place = firstFreeNode;
    for (let from = 0; from < nextFreeNode; ) {
      const page = small ?? (await this.#read(readPage(state, tree, { from, nextFreeNode })));
      if (from === 0) this.#writeHead(top, page.leaves);
      for (const [i, leaf] of page.leaves.entries()) {
        const index = from + i;
        if (leaf === undefined || index < firstFreeNode) continue;
        this.#writer.number(index - place);
        place = index + 1;
        this.#writeLinks(leaf);
        this.#writer.integer(leaf.value);
      }
      from += page.leaves.length;
      if (!small) yield* this.#turn(page);
    }
    if (place < nextFreeNode) this.#writer.number(nextFreeNode - place);
  }

  #writeLinks({ prev, next, hKey }: Leaf): void {
    this.#writer.number(prev);
    this.#writer.number(next);
    this.#writer.bytes(hKey);
  }
}

const names = ['store', 'hash', 'block', 'chainId', 'onProgress', 'signal'] as const;

/**
 * Writes the state after a block as a snapshot, a piece of the file at a time. The store is read as
 * it is when the first piece is asked for, whatever is written meanwhile.
 *
 * @throws TreeError `BLOCK_MISSING`, `WRONG_STORE`, `DISTRUSTED`, `DAMAGED`, `STORE_FAILED`; RangeError
 *   for a wrong block or chain id; the signal's reason
 */
export async function* exportSnapshot(options: SnapshotExport): AsyncGenerator<Uint8Array> {
  const given: SnapshotExport = ownMembers(options, names, 'options');
  const { store, hash, block, chainId = 0 } = given;
  const wanted = block === undefined ? undefined : checkBlockNumber(block, 'block');
  if (!Number.isSafeInteger(chainId) || chainId < 0) {
    throw wrongRange('chainId', 'expected a whole number from 0');
  }
  const empty = sharedEmptyTree(hash);
  const reader = await store.snapshot();
  try {
    const state = await perform(reader, openState(empty, wanted));
    yield* new Export({ ...state, reader }, given).chunks(chainId);
  } finally {
    await reader.release();
  }
}
