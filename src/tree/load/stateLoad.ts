/** Loads the first state of a tree. */
import { encodeHex, type Hex } from '../../bytes.js';
import { checkHex } from '../../codec/argument.js';
import { blockWidth, type HashFamily } from '../../hash/family.js';
import { type AccountChange, checkBlockNumber, checkChanges } from '../apply/changes.js';
import type { StoreAccess } from '../history/storeAccess.js';
import { readNewestBlock } from '../layout/blocks.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import { perform } from '../store/reading.js';
import type { Scratch } from '../store/scratch.js';
import type { Store } from '../store/store.js';
import { AccountSorter } from './accountSorter.js';
import { buildFirst } from './buildFirst.js';
import { StateSpills } from './stateSpills.js';
import { type BulkWork, leavesPerTurn, Stage } from './work.js';
import { writeState } from './writeState.js';

/** The block whose state a load builds. */
export interface LoadedBlock<N extends number | bigint = number | bigint> {
  /** Number of the block, from 0. */
  number: N;
  /** 32 bytes. */
  hash?: Hex | undefined;
  /** Merkle-Patricia root in its header, 32 bytes. */
  headerRoot?: Hex | undefined;
  /** The state root that the accounts must come to, 32 bytes; absent: not compared. */
  stateRoot?: Hex | undefined;
}

/** A first state that is loaded. Nothing reaches the store before `finish`. */
export interface StateLoad {
  /** Room for temporary files, for what a caller works out beside the load. */
  readonly scratch: Scratch;
  /**
   * Adds accounts, each address once.
   *
   * @throws TypeError or RangeError for wrong accounts, or one that a first state cannot have:
   *   destroyed, recreated or with a `before`
   * @throws TreeError `STORE_FULL`, `STORE_FAILED`
   */
  add(accounts: readonly AccountChange[]): Promise<void>;
  /**
   * Builds the state and writes it. Called once.
   *
   * @returns the number as given, and the state root
   * @throws TreeError `ROOT_MISMATCH` if the root is another than given; `BLOCK_ORDER` if the tree
   *   holds a block; then, as if the signal is aborted while the state is built, nothing was written
   * @throws TreeError `STORE_FULL`, `STORE_FAILED`, and the signal's reason, while it is written:
   *   then the store must be closed; what was written is cleared when it is opened again
   * @throws RangeError if an address was added twice
   */
  finish<N extends number | bigint>(
    block: LoadedBlock<N>,
    work?: BulkWork,
  ): Promise<{ number: N; stateRoot: Hex }>;
  /** Gives the temporary files back; also after `finish`, and if that failed. */
  close(): Promise<void>;
}

const checkWord = (word: Hex | undefined, name: string): Uint8Array | undefined =>
  word === undefined ? undefined : checkHex(word, blockWidth, name);

function checkFirst({ address, account, recreated, before }: AccountChange): void {
  if (account !== null && !recreated && (before ?? null) === null) return;
  throw new RangeError(
    `"accounts" expected accounts of a first state, and ${address} is destroyed, recreated or was there before`,
  );
}

/** @param advice what to do about a store that holds a state @throws TreeError `BLOCK_ORDER` */
export async function checkEmpty(store: Store, advice: string): Promise<void> {
  const newest = await perform(store, readNewestBlock());
  if (newest === undefined) return;
  throw new TreeError('BLOCK_ORDER', `the tree holds block ${newest}; ${advice}`);
}

/** @throws TreeError `ROOT_MISMATCH` */
function checkRoot(stateRoot: Uint8Array, expected: Uint8Array | undefined): void {
  if (expected === undefined || encodeHex(stateRoot) === encodeHex(expected)) return;
  const text = `the state root of the accounts is ${encodeHex(stateRoot)}, not ${encodeHex(expected)}`;
  throw new TreeError('ROOT_MISMATCH', text);
}

/** Opens a load of a tree's store. */
export async function openStateLoad(access: StoreAccess, empty: EmptyTree): Promise<StateLoad> {
  const scratch = await access.scratch();
  const { spec } = empty;
  const hash: HashFamily = spec.hasher.family;
  const sorter = new AccountSorter(spec, scratch);
  return {
    scratch,
    async add(accounts) {
      // Checked a part at a time: a checked account takes more memory than the given one.
      for (let from = 0; from < accounts.length; from += leavesPerTurn) {
        const some = accounts.slice(from, from + leavesPerTurn);
        for (const account of some) checkFirst(account);
        for (const change of checkChanges(spec, some)) sorter.add(change);
        await sorter.drain();
        await new Stage({}, 'read').turn(from);
      }
    },
    async finish(block, work = {}) {
      const number = checkBlockNumber(block.number, 'number');
      const words = {
        hash: checkWord(block.hash, 'hash'),
        headerRoot: checkWord(block.headerRoot, 'headerRoot'),
      };
      const expected = checkWord(block.stateRoot, 'stateRoot');
      return access.alone(async (store) => {
        await checkEmpty(store, 'load the first state into a new store');
        const spills = new StateSpills(scratch, number);
        const stateRoot = await buildFirst(empty, { sorter, spills, work });
        checkRoot(stateRoot, expected);
        const first = { number, stateRoot, ...words };
        await writeState(store, { hash, block: first, spills }, work);
        return { number: block.number, stateRoot: encodeHex(stateRoot) };
      });
    },
    close: () => scratch.close(),
  };
}
