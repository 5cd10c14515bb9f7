/**
 * `l2proof/compact`: the same proofs in a tenth of the bytes or less.
 *
 * @example
 * ```ts
 * import type { ProofClaim } from 'l2proof';
 * import { compactProof, verifyCompactProof } from 'l2proof/compact';
 *
 * declare const result: unknown; // what a server answered to l2_getProof
 * declare const claim: ProofClaim;
 * const bytes = compactProof(result, claim);
 * console.log(bytes.length, verifyCompactProof(bytes, claim).account?.balance);
 * ```
 *
 * @module l2proof/compact
 */
export { verifyAnswer } from './answer.js';
export { toCalldata } from './calldata.js';
export type {
  Calldata,
  CalldataCall,
  CalldataCheck,
  CalldataCheckName,
  CalldataValue,
} from './checks.js';
export { compactProof } from './encode.js';
export { verifyCompactProof } from './verify.js';
