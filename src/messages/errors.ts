/** Errors on the way from a message to its proof. */
import { CodedError, type ErrorParts } from '../errors.js';

/**
 * - `BAD_ANSWER` an answer or a proof is malformed: no root would make it hold. Ask another server
 * - `BAD_PROOF` the proof leads to another root, or is not as long as the tree is high
 * - `NOT_FOUND` there is no such message. If `assumed` says `absence`, that is the word of the L2 node alone: ask another, or
 *   name the blocks that the message may be in
 * - `NOT_FINALIZED` the message is in a block that is not finalized on L1 yet. Wait for the next finalization
 * - `NOT_PROVABLE` L1 holds no root of the messages that the L2 node names, or its endpoint names no finalization of their
 *   block. Ask another node, or an endpoint that has the events
 * - `SEVERAL_MESSAGES` the transaction has sent several messages. Name one of them by its hash
 * - `TOO_MANY_BLOCKS` more blocks than `maxBlocks` would have to be read. Raise it, or name fewer blocks
 * - `MISSING_PEER` a package that proofs of L1 need is not installed; the message holds the install line
 */
export type MessageErrorCode =
  | 'BAD_ANSWER'
  | 'BAD_PROOF'
  | 'NOT_FOUND'
  | 'NOT_FINALIZED'
  | 'NOT_PROVABLE'
  | 'SEVERAL_MESSAGES'
  | 'TOO_MANY_BLOCKS'
  | 'MISSING_PEER';

/** There is no proof of the message; `code` says why. */
export class MessageError extends CodedError<MessageErrorCode> {
  override readonly name = 'MessageError';

  /** What rests on a server's word alone: with `NOT_FOUND`, that there is no such message. */
  readonly assumed: readonly 'absence'[];

  constructor(
    code: MessageErrorCode,
    reason: string,
    { assumed = [], ...parts }: ErrorParts & { readonly assumed?: readonly 'absence'[] } = {},
  ) {
    super(code, reason, parts);
    this.assumed = assumed;
  }
}
