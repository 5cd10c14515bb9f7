/** A result that was verified, in the parts that compact proofs and calldata are made of. */
import type { AccountValue } from '../codec/account.js';
import { parsingResult } from '../proof/parse.js';
import type { AccountProof, SlotProof } from '../proof/types.js';
import type { Steps } from '../steps.js';
import { type CheckedClaim, checkClaim, type ProofClaim } from '../verify/claim.js';
import { nodesToRemember, verifyingParsed } from '../verify/result.js';
import { distinctKeys } from './keys.js';
import { needsStorage } from './verify.js';

interface VerifiedResult {
  readonly claim: CheckedClaim;
  readonly accountProof: AccountProof;
  /** null: proven absent. */
  readonly account: AccountValue | null;
  /** Proofs of the distinct storage keys, in order; none if no slot needs a proof of its own. */
  readonly slotProofs: readonly SlotProof[];
}

/** Verifies a result and takes it apart. @throws any error of `verifyProof` */
export function* readingVerified(result: unknown, claim: ProofClaim): Steps<VerifiedResult> {
  const checked = checkClaim(claim);
  const { spec, question } = checked;
  spec.hasher.remember(nodesToRemember(question));
  // Parsed once: a foreign object may answer otherwise the second time.
  const parsed = yield* parsingResult(result, spec, question.storageKeys.length);
  yield* verifyingParsed(checked, parsed);
  const { accountProof, storageProofs } = parsed;
  const account = accountProof.kind === 'existence' ? accountProof.account : null;
  const { firsts } = distinctKeys(question.storageKeys);
  const slotProofs = needsStorage(spec, account, firsts.length)
    ? firsts.map((first) => storageProofs[first] as SlotProof)
    : [];
  return { claim: checked, accountProof, account, slotProofs };
}
