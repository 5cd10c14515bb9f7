/** Reads the lists of the index while it stands still. */
import { wordFor } from '../../../errors.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { codes, HttpError, indexOffChain, overloaded } from '../../http/httpError.js';
import { heldBlock } from '../../ledger/blockTime.js';
import type { HashedBlock } from './cursor.js';

/** How often a list is read again if the index has moved on meanwhile. */
const tries = 5;

/** @throws HttpError 501 unless the index was fed with whole receipts */
export function needReceipts({ index }: ChainContext): void {
  if (index.only === undefined) return;
  const feed = wordFor('feedIndex', 'createIndexer');
  const text = `this needs an index of all receipts, and this one is of tokens alone: feed a new one with ${feed}, without the choice of tokens`;
  throw new HttpError(codes.resourceUnavailable, text, { status: 501 });
}

/** A block of the answer with its hash, also if the service's own state has none. @throws HttpError, RpcError, NodeError */
export async function hashedBlock(
  { ledger }: ChainContext,
  { number, hash }: BalanceBlock,
): Promise<HashedBlock> {
  return { number, hash: hash ?? (await heldBlock(ledger, number)).hash };
}

/** The newest block of the index. @throws HttpError */
async function findTop({ index }: ChainContext): Promise<HashedBlock> {
  const number = await index.newestBlock();
  if (number === undefined) throw overloaded('the index holds no block yet');
  const hash = await index.blockHash(number);
  // A writer has taken the block back meanwhile.
  if (hash === undefined) throw overloaded('the index moves on too fast; ask again');
  return { number, hash };
}

/**
 * Reads the index at its newest block, which the node has too.
 *
 * @param read may be called again, if a writer adds a block meanwhile
 * @throws HttpError, RpcError, NodeError
 */
export async function readSettled<T>(
  access: ChainContext,
  read: (at: HashedBlock) => Promise<T>,
): Promise<{ readonly at: HashedBlock; readonly found: T }> {
  needReceipts(access);
  let at = await findTop(access);
  for (let i = 0; i < tries; i++) {
    const found = await read(at);
    const after = await findTop(access);
    if (after.number === at.number && after.hash === at.hash) {
      const block = await access.ledger.block(at.number);
      if (block?.hash === at.hash) return { at, found };
      throw indexOffChain();
    }
    at = after;
  }
  throw overloaded('the index moves on too fast; ask again');
}
