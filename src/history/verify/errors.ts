/** Errors between a server's answer and a proven one. */
import type { Hex } from '../../bytes.js';
import { CodedError, ShapeError } from '../../errors.js';
import { TrieError, UnknownFieldError, UnknownTypeError } from '../../mpt/errors.js';

/**
 * - `BAD_ANSWER` an answer is malformed: no root would make it hold. Ask another server
 * - `WRONG_HEADER` the header does not hash to the proven hash, or is another block's. Ask another server
 * - `WRONG_RECEIPTS` the receipts do not rebuild the root in the header: one is missing, foreign or changed. Ask another server
 * - `WRONG_TRANSACTIONS` the same of the transactions
 * - `WRONG_WITHDRAWALS` the same of the withdrawals
 * - `UNKNOWN_HEADER_FIELD` the header does not match and has members that may be fields of a later fork. Try a newer version
 * - `UNKNOWN_TYPE` a transaction or receipt is of a type that this version does not know. Nothing is said against it
 * - `HAS_UNCLES` the block names uncles, which are not proven
 * - `BLOCK_HELD_BACK` the server has no block, or no receipts, of a block that is proven to be there. Ask another server
 * - `NOT_PROVEN` the server has no such block or transaction, which nothing proves; or it names another block
 * - `TOO_NEW` the block is not before the anchored one, whose state holds the hashes of earlier blocks only. Wait for the
 *   next finalization
 * - `TOO_OLD` the way back to the block is longer than `maxBlocks`
 * - `NO_BLOCK_HASHES` the anchored state holds no hashes of blocks (EIP-2935): the chain is not at Prague yet
 * - `RANGE_TOO_WIDE` more blocks than `maxRange`. Ask for a part of them
 * - `TOO_MANY_LOGS` more logs match than fit into memory. Ask for fewer blocks, or name addresses and topics
 * - `MISSING_PEER` a package that proofs of L1 need is not installed; the message holds the install line
 */
export type HistoryErrorCode =
  | 'BAD_ANSWER'
  | 'WRONG_HEADER'
  | 'WRONG_RECEIPTS'
  | 'WRONG_TRANSACTIONS'
  | 'WRONG_WITHDRAWALS'
  | 'UNKNOWN_HEADER_FIELD'
  | 'UNKNOWN_TYPE'
  | 'HAS_UNCLES'
  | 'BLOCK_HELD_BACK'
  | 'NOT_PROVEN'
  | 'TOO_NEW'
  | 'TOO_OLD'
  | 'NO_BLOCK_HASHES'
  | 'RANGE_TOO_WIDE'
  | 'TOO_MANY_LOGS'
  | 'MISSING_PEER';

/** There is no proven answer; `code` says why. */
export class HistoryError extends CodedError<HistoryErrorCode> {
  override readonly name = 'HistoryError';
}

/** Roots of a block's lists. */
export type ListName = 'receipts' | 'transactions' | 'withdrawals';

const codes = {
  receipts: 'WRONG_RECEIPTS',
  transactions: 'WRONG_TRANSACTIONS',
  withdrawals: 'WRONG_WITHDRAWALS',
} as const;

/** The error of a list that does not rebuild its root. */
export const wrongList = (list: ListName, root: Hex): HistoryError =>
  new HistoryError(codes[list], `the ${list} do not rebuild the root in the header, ${root}`);

function codeOf(cause: unknown): HistoryErrorCode | undefined {
  if (cause instanceof ShapeError) return 'BAD_ANSWER';
  if (cause instanceof UnknownFieldError) return 'UNKNOWN_HEADER_FIELD';
  if (cause instanceof UnknownTypeError) return 'UNKNOWN_TYPE';
  return cause instanceof TrieError ? 'WRONG_HEADER' : undefined;
}

/** The error of reading, by the codes above. */
export function toHistoryError(cause: unknown): unknown {
  const code = codeOf(cause);
  if (code === undefined) return cause;
  const { message, path } = cause as ShapeError | TrieError;
  return new HistoryError(code, message, { cause, ...(path !== '' && { path }) });
}

/** Runs a check of an answer, and tells its errors by the codes above. */
export function checkAnswer<T>(check: () => T): T {
  try {
    return check();
  } catch (cause) {
    throw toHistoryError(cause);
  }
}
