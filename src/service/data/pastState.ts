/** Means of asking about the state of a block that may be an old one. */
import type { Hex } from '../../bytes.js';
import type { Amounts } from '../chain/amounts.js';
import { isServerError } from '../chain/multicall.js';
import { codes, HttpError } from '../http/httpError.js';
import type { ChainContext } from './balances.js';

/** The refusal of a question about a block whose state nobody here holds. */
export function stateMissing(cause?: unknown): HttpError {
  const text = 'this needs an L2 node that holds the state of this block: an archive node';
  return new HttpError(codes.resourceUnavailable, text, { status: 501, cause });
}

/** What an account had at a block, and what contracts can be asked through there. */
interface PastState {
  readonly amounts: Amounts;
  /** The native balance, in wei. */
  readonly balance: bigint;
}

/**
 * Asks for the native balance first: a call that fails may be the contract's fault, this cannot be.
 *
 * @throws HttpError 501 if nobody holds the state of the block; RpcError, NodeError
 */
export async function findPastState(
  access: Pick<ChainContext, 'amountsAt'>,
  address: Hex,
  block: number,
): Promise<PastState> {
  const amounts = await access.amountsAt(block);
  try {
    return { amounts, balance: await amounts.balanceAt(address, block) };
  } catch (error) {
    if (isServerError(error)) throw stateMissing(error);
    throw error;
  }
}
