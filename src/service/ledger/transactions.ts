/** Mined transactions and their receipts; those of whole blocks are remembered by the hash of their block. */
import type { Hex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { entryBytes, LruCache } from '../../lru.js';
import type { RpcError } from '../../rpc/index.js';
import { type NodeClient, unlessNull } from '../../rpc/nodeClient.js';
import { NodeError } from '../chain/errors.js';
import { nonsense } from '../chain/node.js';
import { chainChanged, codes } from '../http/httpError.js';
import {
  readBlockTransactions,
  readLedgerBlock,
  readLedgerReceipt,
  readLedgerReceipts,
  readLedgerTransaction,
  readMinedTransaction,
} from './parse.js';
import type { LedgerBlock, LedgerReceipt, LedgerTransaction, MinedPair } from './types.js';

export interface Transactions {
  /** All transactions of a block, in order. @throws RpcError, NodeError; HttpError if the chain has left it */
  transactionsOf(block: LedgerBlock): Promise<readonly MinedPair[]>;
  /** A mined transaction; undefined if the chain has none of that hash. @throws RpcError or NodeError */
  transaction(hash: Hex): Promise<MinedPair | undefined>;
  /** The transaction at a place of a block. @throws RpcError, NodeError; HttpError if the node has left the block */
  transactionAt(block: Hex, index: number): Promise<MinedPair>;
}

/** Bytes in memory of the transactions of blocks. */
const maxBytes = 64 * 2 ** 20;

/** Questions on their way at once, of one request. */
export const concurrent = 8;

/** Bytes in memory, roughly. */
const sizeOf = ({ transaction, receipt }: MinedPair): number =>
  receipt.logs.reduce(
    (sum, { data, topics }) => sum + 300 + 2 * data.length + 150 * topics.length,
    1200 + 2 * transaction.input.length,
  );

/** @throws NodeError unless transaction and receipt are of one place of one block */
function checkPair({ transaction, receipt }: MinedPair): void {
  const { hash, blockHash, index } = transaction;
  const isSame =
    receipt.hash === hash && receipt.blockHash === blockHash && receipt.index === index;
  if (!isSame) throw nonsense('receipt', 'is of another transaction');
}

/** The transactions of a block with their receipts, if they are all. @throws NodeError; HttpError if they are another block's */
function pairUp(
  { hash: blockHash, transactions: hashes }: LedgerBlock,
  transactions: readonly LedgerTransaction[],
  receipts: readonly LedgerReceipt[],
): MinedPair[] {
  // They were asked for by number: another block may have taken this one's place.
  if ([...transactions, ...receipts].some((one) => one.blockHash !== blockHash))
    throw chainChanged();
  if (transactions.length !== hashes.length || receipts.length !== hashes.length) {
    throw nonsense('receipts', 'are not as many as the transactions of the block');
  }
  let logs = 0;
  return hashes.map((hash, i) => {
    const pair = {
      transaction: transactions[i] as LedgerTransaction,
      receipt: receipts[i] as LedgerReceipt,
    };
    checkPair(pair);
    if (pair.transaction.hash !== hash || pair.transaction.index !== i) {
      throw nonsense('transactions', 'are not in the order of the block');
    }
    const [first] = pair.receipt.logs;
    if (first !== undefined && first.index !== logs) throw nonsense('receipts', 'leave logs out');
    logs += pair.receipt.logs.length;
    return pair;
  });
}

export function createTransactions(client: NodeClient): Transactions {
  const ofBlocks = new LruCache<Hex, readonly MinedPair[]>(maxBytes, (pairs) =>
    pairs.reduce((sum, pair) => sum + sizeOf(pair), entryBytes),
  );

  async function receiptOf(transaction: Hex): Promise<LedgerReceipt> {
    const receipt = await client.receipt(transaction, unlessNull(readLedgerReceipt));
    if (receipt === undefined) throw chainChanged();
    return receipt;
  }

  async function receiptsOf({ number, transactions }: LedgerBlock): Promise<LedgerReceipt[]> {
    try {
      const receipts = await client.receipts(number, unlessNull(readLedgerReceipts));
      if (receipts === undefined) throw chainChanged();
      return receipts;
    } catch (error) {
      if ((error as Partial<RpcError>).serverCode !== codes.methodNotFound) throw error;
      return mapConcurrently(transactions, concurrent, receiptOf);
    }
  }

  /** The same as `pairUp`. If an empty block has taken this one's place, nothing in what came shows that. */
  async function pairsOf(block: LedgerBlock, ...parts: [LedgerTransaction[], LedgerReceipt[]]) {
    try {
      return pairUp(block, ...parts);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      const here = await client.block(block.number, unlessNull(readLedgerBlock));
      throw here?.hash === block.hash ? error : chainChanged();
    }
  }

  return {
    async transactionsOf(block) {
      if (block.transactions.length === 0) return [];
      const known = ofBlocks.get(block.hash);
      if (known !== undefined) return known;
      const [transactions, receipts] = await Promise.all([
        client.wholeBlock(block.number, unlessNull(readBlockTransactions)),
        receiptsOf(block),
      ]);
      if (transactions === undefined) throw chainChanged();
      const pairs = await pairsOf(block, transactions, receipts);
      ofBlocks.set(block.hash, pairs);
      return pairs;
    },
    async transaction(hash) {
      const [transaction, receipt] = await Promise.all([
        client.transaction(hash, unlessNull(readMinedTransaction)),
        client.receipt(hash, unlessNull(readLedgerReceipt)),
      ]);
      if (transaction === undefined || receipt === undefined) return undefined;
      if (transaction.hash !== hash) throw nonsense('transaction.hash', 'is another one');
      if (transaction.blockHash !== receipt.blockHash) throw chainChanged();
      checkPair({ transaction, receipt });
      return { transaction, receipt };
    },
    async transactionAt(block, index) {
      const known = ofBlocks.get(block)?.[index];
      if (known !== undefined) return known;
      const transaction = await client.transactionAt(
        block,
        index,
        unlessNull(readLedgerTransaction),
      );
      if (transaction === undefined) throw chainChanged();
      if (transaction.blockHash !== block || transaction.index !== index) {
        throw nonsense('transaction', 'is another one');
      }
      const pair = { transaction, receipt: await receiptOf(transaction.hash) };
      if (pair.receipt.blockHash !== block) throw chainChanged();
      checkPair(pair);
      return pair;
    },
  };
}
