/** What can go wrong on the way from a checkpoint to a final block of L1. */
import { CodedError, quotedPath } from '../errors.js';

/**
 * A law that data of a beacon server breaks. Ask another server; the first two may also be a caller's mistake:
 *
 * - `WRONG_CHECKPOINT` the header of the bootstrap has another root than the checkpoint
 * - `FUTURE_SLOT` the update was signed after the current slot. Set the clock of this machine
 * - `BAD_ANSWER` an object is malformed: no checkpoint would make it hold
 * - `BAD_EXECUTION` the execution part of a header is not in the body that the header names
 * - `NO_SIGNERS` nobody signed the update
 * - `BAD_ORDER` the slots of an update are not in order
 * - `WRONG_PERIOD` the update was signed by a committee that is not known: an update between is missing
 * - `NOT_NEWER` the update brings nothing that the store does not have
 * - `BAD_FINALITY` the finalized header is not in the state that the attested header names
 * - `BAD_COMMITTEE` the committee is not in the state that the header names, or not the one that is known
 * - `BAD_SIGNATURE` the committee did not sign the attested header
 */
export type ConsensusErrorCode =
  | 'WRONG_CHECKPOINT'
  | 'FUTURE_SLOT'
  | 'BAD_ANSWER'
  | 'BAD_EXECUTION'
  | 'NO_SIGNERS'
  | 'BAD_ORDER'
  | 'WRONG_PERIOD'
  | 'NOT_NEWER'
  | 'BAD_FINALITY'
  | 'BAD_COMMITTEE'
  | 'BAD_SIGNATURE';

/** L1's consensus is not proven; `code` says why. */
export class ConsensusError extends CodedError<ConsensusErrorCode> {
  override readonly name = 'ConsensusError';
}

/** The error of a member. @param path `` for the whole */
export const refusal = (
  code: ConsensusErrorCode,
  path: string,
  reason: string,
  options?: ErrorOptions,
): ConsensusError =>
  new ConsensusError(code, reason, { ...options, path, before: quotedPath(path) });
