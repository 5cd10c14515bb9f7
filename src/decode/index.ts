/**
 * `l2proof/decode`: the logs of one transaction as events that a person can read.
 *
 * @example
 * ```ts
 * import { decodeTransaction, describeChain } from 'l2proof/decode';
 *
 * declare const receipt: unknown; // of eth_getTransactionReceipt
 * declare const transaction: unknown; // of eth_getTransactionByHash
 * const chain = describeChain({ name: 'l2-mainnet', id: 59144 });
 * for (const { name, details } of decodeTransaction({ receipt, transaction, chain }).events) {
 *   console.log(name, details.length);
 * }
 * ```
 *
 * @module l2proof/decode
 */
export {
  type DecodeInput,
  type LogsInput,
  type MissingMetadata,
  nativeAddress,
  type PoolTokens,
  type TokenMetadata,
  type TokenPrice,
} from './context/input.js';
export {
  decodeInPieces,
  decodeTransaction,
  missingInPieces,
  missingMetadata,
} from './decode.js';
export { type Chain, type ChainContracts, describeChain } from './definition/chain.js';
export type { TokenStandard } from './definition/definition.js';
export type {
  DecodedEvent,
  DecodeResponse,
  EventAction,
  EventCategory,
  EventDetail,
  ExplorerLink,
  GasMetadata,
  NftImages,
  NftItem,
  RawLog,
  RawLogParameter,
  TokenAmount,
  TxMetadata,
} from './definition/types.js';
export { DecodeError, type DecodeErrorCode } from './receipt/errors.js';
export { type Abis, parseAbis, type UserAbi } from './registry/abis.js';
