/** Calls executed on any source of proven state. */
export { type AccessListResult, createAccessList } from './accessList.js';
export {
  type AccessEntry,
  type AccountOverride,
  type Call,
  type Environment,
  type Fork,
  forks,
  type HeaderName,
  type HeaderValues,
  type Outcome,
  type Overrides,
} from './call.js';
export { EvmError, type EvmErrorCode } from './errors.js';
export { type Estimate, estimateGas } from './estimate.js';
export { type BlockRules, rulesOf } from './fork.js';
export { openSession, type Session, type SessionOptions } from './session.js';
export type { KnownAccount, StateAnswer, StateQuestion, StateSource } from './source.js';
export { createTurns, type Turns } from './turns.js';
export { viewAnswer, viewCall } from './viewCall.js';
