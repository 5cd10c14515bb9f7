/** `l2proof/decode`: the logs of one transaction as events that a person can read. */
export { type Abis, parseAbis, type UserAbi } from './abis.js';
export { type Chain, type ChainContracts, describeChain } from './chain.js';
export { decodeTransaction, missingMetadata } from './decode.js';
export type { TokenStandard } from './definition.js';
export { DecodeError, type DecodeErrorCode } from './errors.js';
export {
  type DecodeInput,
  type LogsInput,
  type MissingMetadata,
  nativeAddress,
  type PoolTokens,
  type TokenMetadata,
  type TokenPrice,
} from './input.js';
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
} from './types.js';
