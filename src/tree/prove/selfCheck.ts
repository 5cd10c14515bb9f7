/** Verifies answers before they are given, each key under a root once. */
import { equalBytes } from '../../bytes.js';
import { VerificationError } from '../../errors.js';
import type { Steps } from '../../steps.js';
import { checkProofs } from '../../verify/result.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import { cutForTurns, keysPerTurn } from '../store/readBudget.js';
import { cacheKey, slotCacheKey } from './cacheKey.js';
import type { KeyProofData } from './keyProofData.js';
import { openAccountProof, openSlotProof } from './ownProof.js';
import { OwnProofBuilder } from './ownProofBuilder.js';
import type { AnswerData } from './prove.js';

/** Proofs that are known to verify, at most: after that many, they are verified anew. */
const maxVerified = 1 << 16;

/**
 * Checks an answer as its reader would.
 *
 * @returns whether there was anything to verify
 * @throws TreeError `DAMAGED`
 */
type SelfCheck = (stateRoot: Uint8Array, answer: AnswerData) => Steps<boolean>;

/** Some of the slots that an answer shows, by their positions in its question. */
interface Part {
  readonly answer: AnswerData;
  readonly chosen: readonly number[];
}

/** Checks slots of an account that exists. */
function checkSlots(
  storageRoot: Uint8Array,
  { answer: { empty, question, proofData }, chosen }: Part,
  builder: OwnProofBuilder,
): void {
  const { spec } = empty;
  const { slots } = proofData;
  if (slots === undefined) {
    // Only an empty tree proves slots by itself.
    if (chosen.length === 0 || equalBytes(storageRoot, spec.emptyRoot)) return;
    throw new VerificationError('SLOT_WITHHELD', 'storageProofs', 'expected a proof for each slot');
  }
  const entries = chosen.map((i) => {
    const slot = slots[i] as KeyProofData;
    const key = question.storageKeys[i] as Uint8Array;
    const proof = openSlotProof(spec, key, builder.build(slot), `storageProofs[${i}]`);
    return { hKey: slot.hKey, proof };
  });
  checkProofs(spec, { root: storageRoot, kind: spec.word }, entries);
}

/**
 * Checks the account and some of its slots by the laws of the verifier. Keys are not hashed again: the same hasher did it,
 * from the same bytes, when their leaves were looked for.
 */
function check(stateRoot: Uint8Array, part: Part, builder: OwnProofBuilder): void {
  const { empty, question, proofData } = part.answer;
  const { spec } = empty;
  const { account } = proofData;
  // Parts that were verified before are not checked again.
  builder.clear();
  try {
    const proof = openAccountProof(spec, question.address, builder.build(account));
    checkProofs(spec, { root: stateRoot, kind: spec.account }, [{ hKey: account.hKey, proof }]);
    if (proof.kind === 'existence') checkSlots(proof.account.storageRoot, part, builder);
  } catch (cause) {
    if (cause instanceof TreeError) throw cause;
    throw new TreeError('DAMAGED', 'the proof of what the store holds does not verify', { cause });
  }
}

/** Makes a check that passes over what it has verified under the same root before. */
export function createSelfCheck(empty: EmptyTree): SelfCheck {
  const verified = new Set<string>();
  const builder = new OwnProofBuilder(empty, 1 + keysPerTurn);

  function note(names: readonly string[]): void {
    if (verified.size > maxVerified) verified.clear();
    for (const name of names) verified.add(name);
  }

  return function* (stateRoot, answer) {
    const { address, storageKeys } = answer.question;
    const name = cacheKey(stateRoot, { address, storageKeys: [] });
    const names = storageKeys.map((key) => slotCacheKey(name, key));
    const fresh = [...names.keys()].filter((i) => !verified.has(names[i] as string));
    if (fresh.length === 0 && verified.has(name)) return false;
    const parts = fresh.length > 0 ? cutForTurns(fresh) : [[]];
    for (const [i, chosen] of parts.entries()) {
      if (i > 0) yield;
      // The account is in every part: its nodes are remembered by then.
      check(stateRoot, { answer, chosen }, builder);
    }
    note([name, ...fresh.map((i) => names[i] as string)]);
    return true;
  };
}
