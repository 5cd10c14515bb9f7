/**
 * Which hashes of blocks in a state (EIP-2935) the validity proof binds. It binds those that were written after L1 held the hash
 * of a block; a state holds 8,191 of them, and so also some of before, which the operator alone vouches for.
 */
import { AnchorError } from '../../anchor/index.js';
import { isHeader } from '../../proven/index.js';
import { RpcError } from '../../rpc/index.js';
import type { FindAnchor } from './earlier.js';

/** Whether it is known that the hash of a block, in a state under a header, is bound. @throws the signal's reason */
export type IsBound = (number: number, signal: AbortSignal) => Promise<boolean>;

/** @param findAnchor undefined if the caller knows one anchor alone: then none is known to be */
export function openBound(findAnchor: FindAnchor | undefined): IsBound {
  /** The lowest block known whose hash L1 holds: hashes from there on are bound. */
  let from = Number.POSITIVE_INFINITY;
  /** The highest block known whose hash is not, or whose finalization was not found. */
  let notBound = -1;
  return async (number, signal) => {
    if (number >= from) return true;
    if (findAnchor === undefined || number <= notBound) return false;
    try {
      // The hash of a block is written by the next one.
      const anchor = await findAnchor(number + 1, signal);
      if (isHeader(anchor) && anchor.l2BlockNumber <= number) {
        from = anchor.l2BlockNumber;
        return true;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AnchorError || error instanceof RpcError)) throw error;
    }
    notBound = number;
    return false;
  };
}
