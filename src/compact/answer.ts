/** Answers of either form. */
import { isBytes } from '../bytes.js';
import type { ProofClaim } from '../verify/claim.js';
import type { VerifiedState } from '../verify/result.js';
import { verifyProof } from '../verify/verifier.js';
import { verifyCompactProof } from './verify.js';

/**
 * Verifies an answer in either form: bytes are taken as a compact proof, everything else as a result of `l2_getProof`.
 *
 * @param answer a Uint8Array, or a result of any type; never changed
 * @param claim what was asked, and the trusted root
 * @throws what {@link verifyCompactProof} and `verifyProof` throw
 */
export function verifyAnswer(answer: unknown, claim: ProofClaim): VerifiedState {
  return isBytes(answer) ? verifyCompactProof(answer, claim) : verifyProof(answer, claim);
}
