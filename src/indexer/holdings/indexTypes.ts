/** The interface of an index for feeding and reading. */
import type { Hex } from '../../bytes.js';
import type { Changes } from '../layout/changes.js';
import type { BlockMark } from '../layout/layout.js';
import type { ApprovalLists } from '../lists/approvals.js';
import type { ItemLists } from '../lists/items.js';
import type { LogBlockLists } from '../lists/logBlocks.js';
import type { SaleLists } from '../lists/sales.js';
import type { SumLists } from '../lists/sums.js';
import type { TransactionLists } from '../lists/transactions.js';
import type { TransferLists } from '../lists/transfers.js';
import type { HeldTokens } from './heldTokens.js';
import type { Holdings } from './holdings.js';

/** Blocks that are applied together, and their logs. */
export interface IndexedBlocks {
  /** The last one; the first is the one after the newest block. */
  readonly to: number;
  readonly mark: BlockMark;
  /** The changes of all the blocks. Applying uses them up. */
  readonly changes: Changes;
  /** True: nothing takes these blocks back. False: `to` alone is applied. */
  readonly isFinal: boolean;
}

/** An index of a chain. Of tokens alone, it lists approvals, but none of Permit2; its other lists are empty. */
export interface Index
  extends Holdings,
    HeldTokens,
    TransactionLists,
    TransferLists,
    SumLists,
    LogBlockLists,
    ApprovalLists,
    ItemLists,
    SaleLists {
  /** Chain id of the chain that is indexed (EIP-155). */
  readonly chainId: number;
  /** `tokens`: it only says which wallets may hold which tokens. Undefined: it was fed with whole receipts. */
  readonly only: 'tokens' | undefined;
  /** Newest block applied; undefined before the first one. */
  newestBlock(): Promise<number | undefined>;
  /** The newest block that was named final; undefined if none was. */
  finalBlock(): Promise<number | undefined>;
  /** Undefined if the block is not the newest final one, or one after it. */
  blockHash(block: number): Promise<Hex | undefined>;
  /** Seconds; undefined for a block without an indexed event. */
  blockTime(block: number): Promise<number | undefined>;
  /** The newest block that is no younger than a time in seconds; undefined if the first one is, or times are not held. */
  blockAt(time: number): Promise<number | undefined>;
  /**
   * Applies all of the blocks, or none if it fails. First gathers and merges records of earlier blocks, if they are many.
   *
   * @throws IndexError `BLOCK_ORDER`
   * @throws the signal's reason; then nothing was applied
   */
  apply(range: IndexedBlocks, signal?: AbortSignal): Promise<void>;
  /** Names all blocks up to one final. @throws IndexError `BLOCK_ORDER` if it is not there */
  finalize(block: number): Promise<void>;
  /** Takes back all blocks after one. @throws IndexError `BLOCK_ORDER` if one of them is final */
  revert(block: number): Promise<void>;
  /** Closes the store. */
  close(): Promise<void>;
}
