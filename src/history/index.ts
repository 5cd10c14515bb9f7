/**
 * `l2proof/history`: headers, transactions, receipts and logs of the L2, proven. `createHistory` sends requests; all other
 * functions check answers from any source.
 *
 * @example
 * ```ts
 * import { verifyHeaders, verifyReceipts } from 'l2proof/history';
 *
 * declare const answers: { blocks: unknown[]; receipts: unknown };
 * const hash = '0x5b86db2f50a8bbdf7a3b2b6e08bdf2a8d1b8ff0b2b4b4b3d0f0e1a5c6d7e8f90';
 * const headers = verifyHeaders(answers.blocks, { hash });
 * for (const { status, logs } of verifyReceipts(answers.receipts, headers[0]!)) {
 *   console.log(status, logs.length);
 * }
 * ```
 *
 * @module l2proof/history
 */
export type { BlockRef } from './client/blockRef.js';
export {
  createHistory,
  type History,
  type LogOptions,
  type LogQuestion,
  type QuestionOptions,
} from './client/history.js';
export type { LogProgress } from './client/logs.js';
export type { FetchedAnchor, GivenAnchor, HistoryOptions } from './client/options.js';
export { HistoryError, type HistoryErrorCode } from './verify/errors.js';
export { type FilteredLog, type LogFilter, matchLogs } from './verify/filter.js';
export type { GivenHeader } from './verify/givenHeader.js';
export { verifyHeaders } from './verify/headers.js';
export { verifyReceipts } from './verify/receipts.js';
export type {
  AccessListEntry,
  Authorization,
  Block,
  BlockHeader,
  BlockLog,
  BlockReceipt,
  BlockTransaction,
  Log,
  Receipt,
  Withdrawal,
} from './verify/types.js';
export { verifyTransactions } from './verify/verifyTransactions.js';
