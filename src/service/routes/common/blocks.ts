/** The blocks that routes are asked about. */
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { codes, HttpError } from '../../http/httpError.js';
import type { LedgerBlock } from '../../ledger/types.js';
import type { NumberOrLatest } from './parameters.js';

export const notFound = (text: string): HttpError =>
  new HttpError(codes.resourceUnavailable, text, { status: 404 });

export const badRequest = (text: string): HttpError =>
  new HttpError(codes.invalidParams, text, { status: 400 });

/**
 * The number of the newest final block; -1 if none is. Asked before what is then called final is read: if the chain changes
 * meanwhile, the next look at the final block shows that.
 *
 * @throws RpcError or NodeError
 */
export const findFinal = async ({ head }: ChainContext): Promise<number> =>
  (await head.newest())?.number ?? -1;

/** The hash of a block, if it is final. */
export const finalHash = ({ number, hash }: LedgerBlock, final: number): Hex | undefined =>
  number <= final ? hash : undefined;

/** @param at the block that `latest` is @throws HttpError 404, RpcError, NodeError */
export async function findBlock(
  { ledger }: ChainContext,
  name: NumberOrLatest,
  at: Pick<BalanceBlock, 'number'>,
): Promise<LedgerBlock> {
  const block = await ledger.block(name === 'latest' ? at.number : name);
  if (block === undefined) throw notFound('The chain does not have this block yet');
  return block;
}
