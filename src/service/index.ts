/**
 * `l2proof/service`: answers `l2_getProof` over HTTP from a state tree, decodes transactions, and tells
 * what wallets hold.
 *
 * @example
 * ```ts
 * import { createService, fixedFinality, startServer } from 'l2proof/service';
 * import { openStateTree } from 'l2proof/tree';
 *
 * const tree = await openStateTree();
 * const service = await createService({ tree, finality: fixedFinality(1) });
 * const server = await startServer(service, { port: 8645 });
 * console.log(`http://127.0.0.1:${server.port}/v3/`);
 * ```
 *
 * @module l2proof/service
 */
export {
  checkIndex,
  createIndexer,
  type Index,
  type IndexCheck,
  type IndexCheckOptions,
  IndexError,
  type IndexErrorCode,
  type IndexedBlock,
  type Indexer,
  type IndexerOptions,
  type IndexOptions,
  type IndexStatus,
  openIndex,
  readIndexStatus,
  type TokenDifference,
  type TokenStandings,
} from '../indexer/index.js';
export { NodeError, type NodeErrorCode } from './chain/errors.js';
export { fixedPrices } from './chain/fixedPrices.js';
export type { PriceQuestion, PriceSource } from './chain/prices.js';
export {
  createDataInterface,
  type DataInterface,
  type DataInterfaceOptions,
  type IndexedChain,
} from './data/dataInterface.js';
export {
  createDecoder,
  type DecodedChain,
  type DecodeRequest,
  type Decoder,
  type DecoderOptions,
} from './decoder/decoder.js';
export type { ConnectionTarget, ConnectTo, ResolveHost } from './documents/connect.js';
export type { NftMetadataOptions } from './documents/nftMetadata.js';
export { ServiceError, type ServiceErrorCode } from './http/errors.js';
export { createLog, type LogLevel, logLevels, type ServiceLog } from './http/log.js';
export type { ServiceLimits } from './limits/limits.js';
export type { PageSettings } from './page/settings.js';
export { type PoolPricesOptions, poolPrices } from './prices/poolPrices.js';
export type { ProvingTree } from './proofs/block.js';
export {
  type ContractFinalityOptions,
  contractFinality,
  type Finality,
  fixedFinality,
  storeFinality,
} from './proofs/finality.js';
export type { OwnState } from './proving/ownState.js';
export { createProxy, type ProxiedProvider, type ProxyOptions } from './proxy.js';
export { type RunningServer, type ServerOptions, startServer } from './server.js';
export { createService, type Service, type ServiceOptions } from './service.js';
export { shareLimits } from './share.js';
export {
  createMetrics,
  type PartMetrics,
  type ServiceMetrics,
  sumMetrics,
} from './watch/metrics.js';
