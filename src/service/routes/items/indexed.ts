/** The transactions that records of the index name, as the node has them: of the very blocks that the index was fed with. */
import { mapConcurrently } from '../../../concurrent.js';
import type { ChainContext } from '../../data/balances.js';
import { indexOffChain } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { concurrent } from '../../ledger/transactions.js';
import type { LedgerBlock } from '../../ledger/types.js';
import type { TransactionWithBlock } from './transactionItem.js';

/** The place of a transaction in the chain. */
export interface TransactionPlace {
  readonly block: number;
  /** In the block, from 0. */
  readonly transaction: number;
}

/** Transactions that are read for a unit of cost. */
const unit = 10;

/** The block of a record. @throws HttpError if the node has another one; RpcError, NodeError */
export async function findIndexedBlock(
  { index, ledger }: ChainContext,
  number: number,
): Promise<LedgerBlock> {
  const block = await heldBlock(ledger, number);
  // Of older final blocks the index keeps no hash: they are those below its newest one, which the node has too.
  const hash = await index.blockHash(number);
  if (hash === undefined || hash === block.hash) return block;
  throw indexOffChain();
}

/** @throws HttpError, RpcError, NodeError, and any error of `pause` */
export async function findIndexed(
  places: readonly TransactionPlace[],
  access: ChainContext,
  { pause, charge }: AnswerContext,
): Promise<TransactionWithBlock[]> {
  if (places.length === 0) return [];
  charge(Math.ceil(places.length / unit));
  await pause();
  return mapConcurrently(places, concurrent, async ({ block: number, transaction }) => {
    const block = await findIndexedBlock(access, number);
    return { ...(await access.ledger.transactionAt(block.hash, transaction)), block };
  });
}
