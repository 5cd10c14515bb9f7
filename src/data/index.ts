/**
 * `l2proof/data`: asks a data interface and a decoder of transactions.
 *
 * @example
 * ```ts
 * import { createDataClient } from 'l2proof/data';
 *
 * const client = createDataClient({ url: 'https://data.example', key: 'some-api-key' });
 * console.log(await client.get('/v1/linea-mainnet/block_v2/latest/'));
 * ```
 *
 * @module
 */
export {
  createDataClient,
  type DataClient,
  type DataClientOptions,
  type DecodeRequest,
  type GetOptions,
  type Query,
  type Schema,
} from './client.js';
export type {
  DecodedTransaction,
  ExplorerUrl,
  TransactionEvent,
  TransactionMetadata,
} from './decoded.js';
export { DataError, type DataErrorCode, type DataErrorDetails } from './errors.js';
