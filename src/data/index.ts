/**
 * `l2proof/data`: asks a data interface and a decoder of transactions. The answers are claims of a server.
 *
 * @example
 * ```ts
 * import { createDataClient } from 'l2proof/data';
 *
 * const client = createDataClient({ url: 'https://data.example', key: 'your-key', chain: 'l2-mainnet' });
 * const txHash = `0x${'ab'.repeat(32)}` as const;
 * const { events } = await client.decodeTransaction({ txHash });
 * for (const { action, name } of events) console.log(action, name);
 * ```
 *
 * @module
 */

export {
  type BalancesRequest,
  createDataClient,
  type DataClient,
  type DataClientOptions,
  type DecodeRequest,
  type GetOptions,
  type Query,
  type Schema,
} from './client.js';
export type { BalanceItem, BalancePage } from './items/balanceItem.js';
export type {
  DecodedTransaction,
  ExplorerUrl,
  TransactionEvent,
  TransactionMetadata,
} from './items/decoded.js';
export type {
  BlockRequest,
  ListClient,
  ListedLogsRequest,
  TransactionRequest,
  TransactionsRequest,
} from './listClient.js';
export type { BlockItem, LogItem, TransactionItem } from './lists.js';
export { DataError, type DataErrorCode, type DataErrorDetails } from './wire/errors.js';
