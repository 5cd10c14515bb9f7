/**
 * `l2proof/explain`: what an answer says, for people: the path from leaf to root, the neighbours of a key that is absent,
 * and each law with both its sides.
 *
 * @example
 * ```ts
 * import type { ProofClaim } from 'l2proof';
 * import { explainProof } from 'l2proof/explain';
 *
 * declare const result: unknown; // what a server answered to l2_getProof
 * declare const claim: ProofClaim;
 * const { verdict, laws } = explainProof(result, claim);
 * console.log(verdict.verified, laws.find(({ holds }) => !holds)?.text);
 * ```
 *
 * @module l2proof/explain
 */
export { explainProof } from './explain.js';
export type {
  Explanation,
  KeyExplanation,
  Law,
  LawId,
  Leaf,
  Level,
  PathExplanation,
  Place,
  TopNode,
  Verdict,
} from './types.js';
