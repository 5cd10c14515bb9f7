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
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { slotKey } from 'l2proof';
 * import { compactProof, verifyAnswer } from 'l2proof/compact';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const claim = {
 *   stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a', // from L1
 *   address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
 *   storageKeys: [slotKey(4), slotKey(5)],
 * } as const;
 * for (const answer of [result, compactProof(result, claim)]) {
 *   console.log(verifyAnswer(answer, claim).storage[1]?.exists);
 * }
 * // false
 * // false
 * ```
 */
export function verifyAnswer(answer: unknown, claim: ProofClaim): VerifiedState {
  return isBytes(answer) ? verifyCompactProof(answer, claim) : verifyProof(answer, claim);
}
