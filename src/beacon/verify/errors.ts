/** Errors on the way from a checkpoint to a final block of L1. */
import { CodedError, quotedPath } from '../../errors.js';

/**
 * What a server answered breaks a law. The message names the server by its place in the list; ask another one:
 *
 * - `BAD_ANSWER` an object is malformed: no checkpoint would make it hold
 * - `WRONG_CHECKPOINT` the header of the bootstrap has another root than the checkpoint. If all servers say so, the
 *   checkpoint is of another network
 * - `BAD_EXECUTION` the execution part of a header is not in the body that the header names
 * - `NO_SIGNERS` nobody signed the update
 * - `BAD_ORDER` the slots of an update are not in order
 * - `WRONG_PERIOD` the update was signed by a committee that is not known: an update between is missing
 * - `NOT_NEWER` the update brings nothing that the store does not have
 * - `BAD_FINALITY` the finalized header is not in the state that the attested header names
 * - `BAD_COMMITTEE` the committee is not in the state that the header names, or not the one that is known
 * - `BAD_SIGNATURE` the committee did not sign the attested header
 *
 * The clock:
 *
 * - `FUTURE_SLOT` something was signed or final after the time of the clock. Set the clock of this machine
 *
 * A light client lacks:
 *
 * - `NO_CHECKPOINT` neither a checkpoint was passed, nor does the storage hold what was known before. Pass a checkpoint
 * - `OLD_CHECKPOINT` the checkpoint is older than `maxCheckpointAge`. Take a newer one
 * - `OLD_STORE` what was known last is older than `maxCheckpointAge`. Pass a new checkpoint
 * - `BAD_STORE` the storage holds something damaged or of another network, or cannot be read, and no checkpoint was passed:
 *   pass one. Or it cannot keep what is known: `cause` says why
 * - `STALE` the newest final block is older than `maxAge`. Ask a server that is up to date
 * - `NO_FINALITY` the servers lead no further than to an earlier period: L1 finalized nothing in it, or they lack it. Take
 *   a new checkpoint, or ask another server
 * - `NO_EXECUTION_BLOCK` the newest final block names no execution block
 *
 * Servers that do not answer:
 *
 * - `NO_BOOTSTRAP` the server does not hold the bootstrap of the checkpoint. Take the first block of a newer epoch
 * - `NO_ROUTES` the server has no routes for light clients. Ask another one, or switch them on in yours
 * - `BLOCKED` a web page got no answer: the server is down, or does not let pages of other origins ask (CORS). Ask
 *   another one, or put a proxy before it that allows your page
 * - `NO_ANSWER` the server did not answer; `cause` has the error
 */
export type ConsensusErrorCode =
  | 'BAD_ANSWER'
  | 'WRONG_CHECKPOINT'
  | 'BAD_EXECUTION'
  | 'NO_SIGNERS'
  | 'BAD_ORDER'
  | 'WRONG_PERIOD'
  | 'NOT_NEWER'
  | 'BAD_FINALITY'
  | 'BAD_COMMITTEE'
  | 'BAD_SIGNATURE'
  | 'FUTURE_SLOT'
  | 'NO_CHECKPOINT'
  | 'OLD_CHECKPOINT'
  | 'OLD_STORE'
  | 'BAD_STORE'
  | 'STALE'
  | 'NO_FINALITY'
  | 'NO_EXECUTION_BLOCK'
  | 'NO_BOOTSTRAP'
  | 'NO_ROUTES'
  | 'BLOCKED'
  | 'NO_ANSWER';

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
