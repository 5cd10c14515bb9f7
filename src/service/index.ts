/** `l2proof/service`: answers `l2_getProof` over HTTP from a state tree. */
export type { ProvingTree } from './block.js';
export { ServiceError, type ServiceErrorCode } from './errors.js';
export {
  type ContractFinalityOptions,
  contractFinality,
  type Finality,
  fixedFinality,
  storeFinality,
} from './finality.js';
export type { ServiceLimits } from './limits.js';
export { createLog, type LogLevel, logLevels, type ServiceLog } from './log.js';
export {
  createMetrics,
  type PartMetrics,
  type ServiceMetrics,
  sumMetrics,
} from './metrics.js';
export { createProxy, type ProxiedProvider, type ProxyOptions } from './proxy.js';
export { type RunningServer, type ServerOptions, startServer } from './server.js';
export { createService, type Service, type ServiceOptions } from './service.js';
export { shareLimits } from './share.js';
