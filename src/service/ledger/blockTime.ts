/** Finds blocks by their time. */

import { overloaded } from '../http/httpError.js';
import type { Pause } from '../jsonrpc/method.js';
import type { Ledger } from './ledger.js';
import type { LedgerBlock } from './types.js';

/** A block at or below the newest one. @throws HttpError if the node does not have it now */
export async function heldBlock(ledger: Ledger, number: number): Promise<LedgerBlock> {
  const block = await ledger.block(number);
  if (block === undefined) throw overloaded('the L2 node does not have all blocks right now');
  return block;
}

/**
 * The first block that is not older than a time. Times never fall along a chain, so halving finds it.
 *
 * @param newest the last block that is looked at
 * @returns the one after `newest` if all are older
 * @throws RpcError, NodeError, HttpError, and any error of `pause`
 */
export async function findFirstFrom(
  ledger: Ledger,
  seconds: number,
  { newest, pause }: { readonly newest: number; readonly pause: Pause },
): Promise<number> {
  let [low, high] = [0, newest + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    await pause();
    if ((await heldBlock(ledger, middle)).timestamp < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}
