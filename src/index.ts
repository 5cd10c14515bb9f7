/**
 * `l2proof`: the pure verifier. Every name is exported by hand; nothing here touches the outside.
 *
 * @example
 * ```ts
 * import { slotKey, verifyProof } from 'l2proof';
 *
 * declare const result: unknown; // what a server answered to l2_getProof
 * const state = verifyProof(result, {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4)],
 * });
 * console.log(state.account?.balance, state.storage[0]?.value);
 * ```
 *
 * @module l2proof
 */
export type { Hex } from './bytes.js';
export type { AccountValue } from './codec/account.js';
export type { LeafOpening, TopNode } from './codec/node.js';
export { ProofError, ShapeError, type VerificationCode, VerificationError } from './errors.js';
export type { Engine } from './hash/engine.js';
export type { HashFamily } from './hash/family.js';
export { parseProof } from './proof/parse.js';
export type {
  AccountProof,
  ExistenceProof,
  NonExistenceProof,
  ParsedProof,
  Path,
  SlotProof,
} from './proof/types.js';
export { mappingSlot, slotKey } from './slots.js';
export type { ProofClaim } from './verify/claim.js';
export { verifyExistence } from './verify/existence.js';
export { hashKey } from './verify/hashKey.js';
export { type AccountJson, type StateJson, stateToJson } from './verify/json.js';
export { verifyNonExistence } from './verify/nonExistence.js';
export type { Account, StateKind, VerifiedSlot, VerifiedState } from './verify/result.js';
export {
  createVerifier,
  type ProofItem,
  type ProofOutcome,
  type Verifier,
  verifyProof,
  verifyProofs,
} from './verify/verifier.js';
