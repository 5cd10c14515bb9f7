/** Errors of an index, besides those of its store and of the node. */
import { CodedError } from '../../errors.js';

/**
 * - `WRONG_INDEX` the store holds another version's or another chain's index, or something else. Open it with what wrote it,
 *   or begin a new one
 * - `WRONG_CHAIN` the node serves another chain than the index is of
 * - `BLOCK_ORDER` the block does not follow the newest one, or would undo what is final
 * - `DAMAGED` the store's data are inconsistent; feed a new index
 */
export type IndexErrorCode = 'WRONG_INDEX' | 'WRONG_CHAIN' | 'BLOCK_ORDER' | 'DAMAGED';

/** The index cannot do what was asked; `code` says why. Nothing was changed. */
export class IndexError extends CodedError<IndexErrorCode> {
  override readonly name = 'IndexError';
}
