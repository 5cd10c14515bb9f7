/** Builds the state after a first block, the same as if all of its accounts were inserted. */
import { encodeHex, equalBytes } from '../../bytes.js';
import { blockWidth } from '../../hash/family.js';
import { accountTree } from '../layout/layout.js';
import { firstFreeNode, headIndex, tailIndex } from '../nodes/leaves.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { type AccountSorter, accountIn, type SortedAccount, slotIn } from './accountSorter.js';
import type { LeafLinks } from './leafBatch.js';
import type { RecordReader } from './records.js';
import { StateBuilder } from './stateBuilder.js';
import type { StateSpills } from './stateSpills.js';
import { type BulkWork, leavesPerTurn, Stage } from './work.js';

/** The links of the leaf at a position of the sorted list, from 0. */
const toLinks = (position: number, count: number): LeafLinks => ({
  index: firstFreeNode + position,
  prev: position === 0 ? headIndex : firstFreeNode + position - 1,
  next: position === count - 1 ? tailIndex : firstFreeNode + position + 1,
});

/** A tree whose leaves were inserted in the order of their keys. */
const toHead = (count: number) => ({
  nextFreeNode: firstFreeNode + count,
  first: count === 0 ? tailIndex : firstFreeNode,
  last: count === 0 ? headIndex : firstFreeNode + count - 1,
});

/** The state of one build. */
class Build {
  readonly #builder: StateBuilder;
  readonly #spills: StateSpills;
  readonly #slots: RecordReader;
  readonly #stage: Stage;
  #done = 0;

  constructor(
    empty: EmptyTree,
    { sorter, spills, work }: { sorter: AccountSorter; spills: StateSpills; work: BulkWork },
  ) {
    this.#builder = new StateBuilder(empty, toHead(sorter.accounts), spills);
    this.#spills = spills;
    this.#slots = sorter.readSlots();
    this.#stage = new Stage(work, 'build', sorter.accounts + sorter.slots);
  }

  /** @returns whether {@link turn} is due */
  addAccount({ hKey, value }: SortedAccount, links: LeafLinks): boolean {
    this.#builder.addAccount(links, hKey, value);
    this.#spills.addOrder(accountTree, hKey, links.index);
    return this.#isDue();
  }

  finish(): Uint8Array {
    return this.#builder.finish();
  }

  /** Adds the storage of the account that comes next. */
  async addStorage(tree: number, count: number): Promise<void> {
    this.#builder.openStorage({ tree, ...toHead(count) });
    for (let i = 0; i < count; i++) {
      if (!this.#slots.isReady) await this.#slots.fill();
      const { hKey, value } = slotIn(this.#slots.take());
      const links = toLinks(i, count);
      this.#builder.addSlot(links, hKey, value);
      this.#spills.addOrder(tree, hKey, links.index);
      if (this.#isDue()) await this.turn();
    }
  }

  #isDue(): boolean {
    this.#done++;
    return this.#done % leavesPerTurn === 0;
  }

  /** Puts the entries into files, and yields to the event loop. */
  async turn(): Promise<void> {
    await this.#builder.drain();
    await this.#stage.turn(this.#done);
  }
}

/**
 * Builds the state.
 *
 * @returns the state root, 32 bytes
 * @throws RangeError if an account was added twice
 */
export async function buildFirst(
  empty: EmptyTree,
  parts: { sorter: AccountSorter; spills: StateSpills; work: BulkWork },
): Promise<Uint8Array> {
  const build = new Build(empty, parts);
  const { accounts: count } = parts.sorter;
  const accounts = parts.sorter.readAccounts();
  const before = new Uint8Array(blockWidth);
  for (let position = 0; position < count; position++) {
    if (!accounts.isReady) await accounts.fill();
    const account = accountIn(accounts.take());
    if (equalBytes(account.hKey, before)) {
      throw new RangeError(`"changes" names the account ${encodeHex(account.address)} twice`);
    }
    before.set(account.hKey);
    const links = toLinks(position, count);
    if (account.slots > 0) await build.addStorage(links.index, account.slots);
    if (build.addAccount(account, links)) await build.turn();
  }
  return build.finish();
}
