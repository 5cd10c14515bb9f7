/** Errors of a wrong answer of the L2 node, as opposed to a node that does not answer. */
import { CodedError } from '../../errors.js';

/**
 * - `BAD_ANSWER` the node's answer is not what its method answers, or its answers contradict one another
 * - `WRONG_CHAIN` the node is of another chain than the name says
 */
export type NodeErrorCode = 'BAD_ANSWER' | 'WRONG_CHAIN';

/** The node that is asked for a transaction did not do its part; `code` says how. */
export class NodeError extends CodedError<NodeErrorCode> {
  override readonly name = 'NodeError';
}
