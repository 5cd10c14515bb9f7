/** `l2proof/service`: answers `l2_getProof` over HTTP from a state tree. */
export { ServiceError, type ServiceErrorCode } from './errors.js';
export {
  type ContractFinalityOptions,
  contractFinality,
  type Finality,
  fixedFinality,
} from './finality.js';
export type { ServiceLimits } from './limits.js';
export { createLog, type LogLevel, logLevels } from './log.js';
export { createMetrics, type ServiceMetrics } from './metrics.js';
export type { ProvingTree } from './proof.js';
export { type RunningServer, type ServerOptions, startServer } from './server.js';
export { createService, type Service, type ServiceLog, type ServiceOptions } from './service.js';
