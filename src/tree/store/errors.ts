/** Errors of a tree, as opposed to a proof or an argument. */
import { CodedError } from '../../errors.js';

/**
 * - `KEY_EXISTS` an insertion of a key that has a leaf; update it
 * - `UNKNOWN_KEY` an update or deletion of a key that has no leaf; insert it
 * - `HEAD_OR_TAIL` an operation on the head or the tail of the list, which no key hashes to
 * - `TREE_FULL` all 2^40 leaf indices were given out; an index is never used again
 * - `BLOCK_MISSING` the block is not held: not applied yet, or dropped
 * - `BLOCK_ORDER` the block does not follow the newest one, or would undo what is final
 * - `STATE_MISMATCH` the block says that another account or slot stood before it than the tree holds: the tree, or the
 *   caller, has missed a change
 * - `WRONG_STORE` the store holds another version's, another family's or no state tree's data
 * - `READ_ONLY` the store, or the disk below it, takes no writes
 * - `STORE_FULL` there is no room left for a batch; nothing of it was written
 * - `STORE_FAILED` the store could not read or write; `cause` says why
 * - `DAMAGED` the store's data are inconsistent; restore it from a copy or feed it anew
 * - `DISTRUSTED` the state was found to be wrong and marked so; feed a new store
 * - `CLOSED` the tree, or its store, was closed
 * - `OTHER_WRITER` another process has the store open to write, or has taken it over
 * - `TOO_MANY_READS` the proof takes more reads than the caller allows; ask for fewer storage keys or a newer block
 * - `BAD_SNAPSHOT` the file is no snapshot, or was cut or changed; get it again
 * - `ROOT_MISMATCH` the snapshot, or the first state, is another than the caller named
 * - `LAW_BROKEN` a store breaks a law of the contract; only the checks of `storeLaws` fail so
 * - `MISSING_PEER` a package that the store needs is not installed; the message holds the install line
 */
export type TreeErrorCode =
  | 'KEY_EXISTS'
  | 'UNKNOWN_KEY'
  | 'HEAD_OR_TAIL'
  | 'TREE_FULL'
  | 'BLOCK_MISSING'
  | 'BLOCK_ORDER'
  | 'STATE_MISMATCH'
  | 'WRONG_STORE'
  | 'READ_ONLY'
  | 'STORE_FULL'
  | 'STORE_FAILED'
  | 'DAMAGED'
  | 'DISTRUSTED'
  | 'CLOSED'
  | 'OTHER_WRITER'
  | 'TOO_MANY_READS'
  | 'BAD_SNAPSHOT'
  | 'ROOT_MISMATCH'
  | 'LAW_BROKEN'
  | 'MISSING_PEER';

/** A call of the tree has failed; `code` says why. Nothing was changed. */
export class TreeError extends CodedError<TreeErrorCode> {
  override readonly name = 'TreeError';
}
