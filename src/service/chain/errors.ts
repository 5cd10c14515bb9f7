/** Errors of a wrong answer of the L2 node, as opposed to a node that does not answer. */
import { CodedError } from '../../errors.js';

/**
 * - `BAD_ANSWER` an answer of the node does not have its method's format, or its answers contradict one another
 * - `WRONG_CHAIN` the node is of another chain than the name says
 */
export type NodeErrorCode = 'BAD_ANSWER' | 'WRONG_CHAIN';

/** The node that was asked for a transaction gave a wrong answer; `code` says how. */
export class NodeError extends CodedError<NodeErrorCode> {
  override readonly name = 'NodeError';
}
