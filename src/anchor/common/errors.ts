/** Errors on the way from L1 to a trusted root, as opposed to proofs under that root. */
import { CodedError, ShapeError } from '../../errors.js';
import type { Network } from './network.js';

/**
 * - `BAD_ANSWER` an answer is malformed: no root would make it hold. Ask another server
 * - `BAD_PROOF` a well-formed proof or header that does not belong to the trusted hash, or proves something else
 * - `UNKNOWN_HEADER_FIELD` the header does not match the block hash and has members that may be header fields of a fork
 *   that this version does not know. Try a newer version
 * - `WRONG_NETWORK` L1 has no rollup contract of this network there: another L1, another address, or other slots
 * - `WRONG_IMPLEMENTATION` the contract runs code that the network does not pin. Check the upgrade, then pin it
 * - `WRONG_FAMILY` the root is not one of the network's hash family. Define the network with the other `hash`
 * - `NOT_PROVABLE` L1 holds no root for the block, or not what was wanted: it is not finalized, or not the last block of a
 *   finalization
 * - `NO_STATE_ROOT` L1 holds no root for the last finalized block: from version 9 on the contract stores L2 block hashes. Name
 *   the slot of these in the network and pass `l2`, or name a block that was finalized before
 * - `PROOF_WINDOW` the server no longer holds the L1 state that was asked for. Take a newer L1 block or an archive node
 * - `L1_BLOCK_NOT_HELD` the L1 endpoint has no block of the hash, number or tag that was asked for
 * - `DISAGREEMENT` the L1 endpoints do not answer the same; the message names the one that differs by its place, from 1
 * - `STALE` the L1 block is older than `maxAge` allows, or than the anchor given as `after`. Ask an endpoint that is up
 *   to date
 * - `MISSING_PEER` a package that proofs of L1 need is not installed; the message holds the install line
 */
export type AnchorErrorCode =
  | 'BAD_ANSWER'
  | 'BAD_PROOF'
  | 'UNKNOWN_HEADER_FIELD'
  | 'WRONG_NETWORK'
  | 'WRONG_IMPLEMENTATION'
  | 'WRONG_FAMILY'
  | 'NOT_PROVABLE'
  | 'NO_STATE_ROOT'
  | 'PROOF_WINDOW'
  | 'L1_BLOCK_NOT_HELD'
  | 'DISAGREEMENT'
  | 'STALE'
  | 'MISSING_PEER';

/** There is no trusted root; `code` says why. */
export class AnchorError extends CodedError<AnchorErrorCode> {
  override readonly name = 'AnchorError';
  /** The same failure in other words. */
  restate(reason: string): AnchorError {
    return new AnchorError(this.code, reason, this);
  }
}

/** L1 has another contract there, or none. */
export const wrongNetwork = ({ name }: Network, message: string): AnchorError =>
  new AnchorError('WRONG_NETWORK', `${message}: it is not the L1 of the network ${name}`);

/** Runs a check of foreign data, and tells its errors by the codes above. */
export function checkForeign<T>(
  check: () => T,
  codeOf: (cause: unknown) => AnchorErrorCode | undefined,
): T {
  try {
    return check();
  } catch (cause) {
    const code = cause instanceof ShapeError ? 'BAD_ANSWER' : codeOf(cause);
    if (code === undefined) throw cause;
    const { message, path } = cause as ShapeError;
    throw new AnchorError(code, message, { cause, ...(path !== '' && { path }) });
  }
}
