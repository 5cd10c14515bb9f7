/** An answer of any form -> what it says, what of it was compared, and the word of the verifier. */
import { encodeHex, isBytes } from '../bytes.js';
import { pickMembers } from '../codec/argument.js';
import { maxCompactWidth } from '../compact/format.js';
import { verifyAnswer } from '../compact/index.js';
import { dataBytes } from '../foreign/values.js';
import { type CheckedClaim, checkClaim, type ProofClaim } from '../verify/claim.js';
import { stateToJson } from '../verify/json.js';
import { attempt } from './attempt.js';
import { explainCompact } from './compact.js';
import type { Compared } from './laws.js';
import { memberOf } from './path.js';
import { explainResult } from './result.js';
import type { Explanation, Verdict } from './types.js';

/** The result in a JSON-RPC answer; anything else as it is. */
function unwrap(answer: unknown): unknown {
  const isResult = ['accountProof', 'storageProofs'].some(
    (name) => memberOf(answer, name) !== undefined,
  );
  return isResult ? answer : (memberOf(answer, 'result') ?? answer);
}

/** The bytes of a compact proof that came as hex; anything else as it is. */
const openHex = (answer: unknown): unknown =>
  typeof answer === 'string' ? (dataBytes(answer, maxCompactWidth) ?? answer) : answer;

/** The word of the verifier itself. */
function judge(answer: unknown, claim: ProofClaim): Verdict {
  const { value, fault } = attempt(() => verifyAnswer(answer, claim));
  if (fault) {
    const { code = null, path, reason, message } = fault;
    return { verified: false, code, path, reason, message };
  }
  const { account, storage } = stateToJson(value);
  return { verified: true, account, storage };
}

/** Whether the first law that does not hold is the one that the verifier names, or all hold and it verifies. */
function agreesWith(verdict: Verdict, broken: Compared | undefined): boolean {
  if (verdict.verified) return broken === undefined;
  return broken?.holds === false && broken.code === verdict.code && broken.at === verdict.path;
}

/** The claim that was checked, as plain data. */
const claimOf = ({ spec, stateRoot, question }: CheckedClaim): Explanation['claim'] => ({
  stateRoot: encodeHex(stateRoot),
  address: encodeHex(question.address),
  storageKeys: question.storageKeys.map(encodeHex),
  hash: spec.hasher.family,
});

/**
 * Explains an answer: the path of each leaf, the neighbours of each absent key, each law with both sides, and the verdict,
 * which is that of `verifyAnswer` itself.
 *
 * @param answer a result of `l2_getProof`, alone or in its JSON-RPC answer, or a compact proof as bytes or hex; of any type,
 *   never changed. Whatever cannot be read of it is null in the explanation
 * @param claim what was asked, and the trusted root, as `verifyProof` takes it
 * @returns plain data for `JSON.stringify`: bytes are hex, numbers that may pass 2^53 are decimal digits. Each path takes
 *   some 10 kB
 * @throws TypeError or RangeError for a wrong claim; nothing for a wrong answer
 */
export function explainProof(answer: unknown, claim: ProofClaim): Explanation {
  const checked = checkClaim(claim);
  const { engine } = pickMembers(claim, ['engine'], 'claim');
  const asked = claimOf(checked);
  const given = openHex(unwrap(openHex(answer)));
  const verdict = judge(given, { ...asked, ...(engine && { engine }) });
  const isCompact = isBytes(given);
  const { proofs, laws } = isCompact
    ? explainCompact(checked, given)
    : explainResult(checked, given);
  const first = laws.findIndex(({ holds }) => holds !== true);
  return {
    form: isCompact ? 'compact' : 'result',
    claim: asked,
    verdict,
    proofs,
    laws: laws.map((law, i) => ({ ...law, reached: first < 0 || i <= first })),
    agrees: agreesWith(verdict, first < 0 ? undefined : laws[first]),
  };
}
