/** The state of a chain: its account tree and all storage trees, block by block, on a store. */
import type { Hex } from '../bytes.js';
import type { HashFamily } from '../hash/index.js';
import type { Block, BlockNumber } from './apply/changes.js';
import type { StateLoad } from './load/stateLoad.js';
import type { StateValues } from './prove/readState.js';
import type { ProofResult } from './prove/wireProof.js';
import type { ProofWork } from './store/readBudget.js';

/**
 * The state as it will be with the blocks of a group. Its calls are carried out one after the other, until the group's work
 * ends; if one of them fails, so does the group.
 */
export interface BlockGroup {
  /**
   * As `StateTree.applyBlock` does, but nothing is kept before the group's work has ended.
   *
   * @returns the number as given, and the state root after the block
   */
  applyBlock<N extends BlockNumber>(
    block: Block & { number: N },
  ): Promise<{ number: N; stateRoot: Hex }>;
  /**
   * Applies a block that is not held afterwards, as if the block held next had been named final: no proof is made at it, and no
   * call goes back to it. That costs less. The first block of a state and the last one of a group are held.
   *
   * @returns the state root after the block, 32 bytes
   */
  passBlock(block: Pick<Block, 'number' | 'changes'>): Promise<Hex>;
  /** As `StateTree.read` does, after the newest block of the group. */
  read(address: Hex, storageKeys?: readonly Hex[]): Promise<StateValues>;
}

/** The state of a chain after each of the blocks that it holds. */
export interface StateTree {
  /** The family of its trees. */
  readonly hash: HashFamily;
  /**
   * Applies a block's net changes on top of the newest block. Once it resolves, the block is kept
   * as safely as the store keeps anything. Calls are carried out one after the other.
   *
   * @returns the number as given, and the state root after the block
   * @throws TreeError `BLOCK_ORDER`, `BLOCK_MISSING`, `STATE_MISMATCH`, `TREE_FULL`, `READ_ONLY`, `STORE_FULL`,
   *   `STORE_FAILED`, `DAMAGED`, `CLOSED`; then nothing was changed
   * @throws TypeError or RangeError for wrong changes; then nothing was changed
   */
  applyBlock<N extends BlockNumber>(
    block: Block & { number: N },
  ): Promise<{ number: N; stateRoot: Hex }>;
  /**
   * Applies several blocks in one write, which costs a part of what a write for each does: for chains of which many blocks are
   * final already. The result is the same. Until the work ends, all that it changes lies in memory, and other writes wait. Work
   * that awaits a write or `close` of the tree itself never ends, for it waits for its own end.
   *
   * @param work applies blocks to the group that it is given; if it fails, nothing is changed
   * @returns what the work returns, once the blocks are kept
   * @throws TreeError as `applyBlock` does, and what the work throws
   */
  applyBlocks<T>(work: (group: BlockGroup) => Promise<T>): Promise<T>;
  /**
   * Begins to load the first state of an empty tree: all accounts of one block, in any order and any
   * number, in a fraction of the time that `applyBlock` takes and in little memory. The tree is as
   * if the block had been applied and named final. Nothing of it is seen before it is finished.
   *
   * @throws TreeError `CLOSED`, `STORE_FULL`, `STORE_FAILED`
   */
  openLoad(): Promise<StateLoad>;
  /**
   * Names a block that is held final: it stays provable, the blocks before it that are not final
   * are dropped, and so is the oldest final block if there are more than `keepFinal`.
   *
   * @throws TreeError `BLOCK_MISSING`, or `BLOCK_ORDER` if a newer block is final
   */
  finalize(number: BlockNumber): Promise<void>;
  /** Takes back all blocks after one. @throws TreeError `BLOCK_MISSING`, or `BLOCK_ORDER` if one of them is final */
  revert(number: BlockNumber): Promise<void>;
  /** The newest block held at or below a height; undefined if there is none. */
  newestBlock(atMost?: BlockNumber): Promise<number | undefined>;
  /** The oldest block held. */
  oldestBlock(): Promise<number | undefined>;
  /** The newest block that was named final. */
  finalBlock(): Promise<number | undefined>;
  /**
   * The answer of `l2_getProof`, as the public system gives it: no storage proofs if the account is absent or its
   * storage pristine. A key's proof is verified before it is first returned under a state root, and not each time.
   *
   * @param storageKeys at most 16384
   * @param block one that is held; default the newest, or the empty state before the first
   * @param work bounds of what it may cost; at an older block, keys that came and went since cost reads, too
   * @throws TreeError `BLOCK_MISSING`, `TOO_MANY_READS`, `STORE_FAILED`, `DAMAGED`, `CLOSED`
   * @throws TypeError or RangeError for a wrong argument
   */
  getProof(
    address: Hex,
    storageKeys?: readonly Hex[],
    block?: BlockNumber,
    work?: ProofWork,
  ): Promise<ProofResult>;
  /**
   * An account and its slots as the store holds them, without a proof, for callers who trust the
   * store. A slot of an absent account is zero and does not exist.
   *
   * @param storageKeys at most 16384
   * @param block one that is held; default the newest, or the empty state before the first
   * @throws TreeError `BLOCK_MISSING`, `STORE_FAILED`, `DAMAGED`, `CLOSED`
   * @throws TypeError or RangeError for a wrong argument
   */
  read(address: Hex, storageKeys?: readonly Hex[], block?: BlockNumber): Promise<StateValues>;
  /** Root after a block. @throws TreeError `BLOCK_MISSING` */
  stateRoot(block?: BlockNumber): Promise<Hex>;
  /**
   * Marks the state as known to be wrong: from now on, in every process and after every restart, all calls on it fail
   * with `DISTRUSTED` and this reason. Nothing takes the mark away; feed a new store.
   */
  distrust(reason: string): Promise<void>;
  /** Hash that a block was applied with; undefined if it came without. @throws TreeError `BLOCK_MISSING` */
  blockHash(block: BlockNumber): Promise<Hex | undefined>;
  /**
   * Number of the block held that was applied with a hash; undefined if none up to `atMost` was. Among blocks that a
   * version before 0.2 applied, only the newest 128 up to `atMost` are looked through.
   */
  blockNumber(hash: Hex, atMost?: BlockNumber): Promise<number | undefined>;
  /**
   * Merkle-Patricia root that a block was applied with; undefined if it came without.
   *
   * @throws TreeError `BLOCK_MISSING`
   */
  headerRoot(block: BlockNumber): Promise<Hex | undefined>;
  /** Waits for what is being read and written, and closes the store. */
  close(): Promise<void>;
}
