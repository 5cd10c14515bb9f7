/** `l2proof/data`: asks a data interface and a decoder of transactions. */
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
