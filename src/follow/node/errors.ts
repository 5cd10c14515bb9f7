/** Errors on the way from a file or a node to the state tree. */
import { CodedError, type ErrorParts } from '../../errors.js';

/**
 * - `BAD_FILE` a line of the state file is not what it should be; `line` says which. Fix or replace the file
 * - `NOT_LOADED` the tree holds no block yet; load a state file with the genesis first
 * - `NODE_FAILED` the node failed at every retry; `cause` says why. Fix the node and go on
 * - `BAD_ANSWER` an answer of the node does not have the method's format; take another node, or another version of it
 * - `BAD_TRACE` the node's traces contradict the block, each other or the fork, or make value; as above, or the configured
 *   fork is wrong, or the chain mints
 * - `UNSUPPORTED_BLOCK` the block changes the state in a way that traces do not show and this library does not know, or its
 *   header is not one of the configured fork
 * - `REORG_TOO_DEEP` the node's chain does not hold the block that is final here: another chain, or a final block was
 *   taken back. Take another node, or feed a new store
 * - `ROOT_MISMATCH` the state root is not the expected one: the rollup contract's, the state file's, or, of the genesis, the
 *   node's. Do not serve this state; feed a new store from a genesis that is known to be right
 * - `STATE_MISMATCH` the node says that an account or slot had another value before the block than the tree holds.
 *   Either the tree has missed a change (outside transactions, or in a trace that left it out) or the node is wrong. Ask
 *   another node; unless L1 confirms the state, feed a new store
 */
export type FollowErrorCode =
  | 'BAD_FILE'
  | 'NOT_LOADED'
  | 'NODE_FAILED'
  | 'BAD_ANSWER'
  | 'BAD_TRACE'
  | 'UNSUPPORTED_BLOCK'
  | 'REORG_TOO_DEEP'
  | 'ROOT_MISMATCH'
  | 'STATE_MISMATCH';

/** Feeding cannot go on; `code` says why. Blocks applied before stay. */
export class FollowError extends CodedError<FollowErrorCode> {
  override readonly name = 'FollowError';
  /** Of `BAD_FILE`, and of `ROOT_MISMATCH` in a file: the line, from 1. */
  readonly line: number | undefined;

  constructor(code: FollowErrorCode, reason: string, options: ErrorParts & { line?: number } = {}) {
    super(code, reason, options);
    this.line = options.line;
  }
}
