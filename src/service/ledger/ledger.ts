/**
 * The chain as its node has it: blocks, transactions, receipts and logs, read strictly, and remembered by the hash of their
 * block. What a hash names never changes, so no reorg makes a remembered block wrong; which hash stands at a height is
 * asked again unless that height is final.
 */
import type { Hex } from '../../bytes.js';
import type { NodeClient } from '../../rpc/nodeClient.js';
import type { FinalizedHead } from '../chain/finalizedHead.js';
import { type Blocks, createBlocks } from './blocks.js';
import { readFoundLogs } from './parse.js';
import { createTransactions, type Transactions } from './transactions.js';
import type { FoundLog } from './types.js';

/** Logs to search for. */
interface LedgerSearch {
  /** Undefined: of any contract. */
  readonly address: Hex | undefined;
  readonly range: { readonly from: number; readonly to: number } | { readonly blockHash: Hex };
  /** As `eth_getLogs` takes them. */
  readonly topics: readonly unknown[];
}

export interface Ledger extends Blocks, Transactions {
  /** @throws RpcError or NodeError */
  logs(search: LedgerSearch): Promise<FoundLog[]>;
}

export const createLedger = (client: NodeClient, head: FinalizedHead): Ledger => ({
  ...createBlocks(client, head),
  ...createTransactions(client),
  logs: (search) => client.logs(search, readFoundLogs),
});
