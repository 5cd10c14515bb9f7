/** Calls executed on any source of proven state. */
export { type AccessListResult, createAccessList } from './accessList.js';
export type {
  AccessEntry,
  AccountOverride,
  Call,
  CallOutcome,
  Environment,
  HeaderName,
  HeaderValues,
  Overrides,
} from './call/call.js';
export { EvmError, type EvmErrorCode } from './call/errors.js';
export { type BlockRules, rulesOf } from './call/fork.js';
export { viewAnswer, viewCall } from './call/viewCall.js';
export { type Estimate, estimateGas } from './estimate.js';
export { openSession, type Session, type SessionOptions } from './session.js';
export type { ReadBounds } from './state/knownState.js';
export type { AccountQuestion, KnownAccount, StateAnswer, StateSource } from './state/source.js';
