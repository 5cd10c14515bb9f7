/** Verifies answers before they are given, each key under a root once. */
import type { Pieces } from '../../pieces.js';
import { heldAccountProof, heldSlotProof } from '../../proof/held.js';
import type { ParsedProof } from '../../proof/types.js';
import { verifyParsed } from '../../verify/result.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import { keysPerTurn, partsOf } from '../store/meter.js';
import type { KeyEvidence } from './evidence.js';
import { HeldProofs } from './heldProofs.js';
import type { Answer } from './prove.js';
import { questionName, slotName } from './questionName.js';

/** Proofs that are known to verify, at most: after that many, they are verified anew. */
const maxVerified = 1 << 16;

/**
 * Checks an answer as its reader would.
 *
 * @returns whether there was anything to verify
 * @throws TreeError `DAMAGED`
 */
export type AnswerCheck = (stateRoot: Uint8Array, answer: Answer) => Pieces<boolean>;

/** Verifies the account and some of its slots. @param chosen which of the question's keys */
function check(
  stateRoot: Uint8Array,
  { answer, chosen }: { answer: Answer; chosen: readonly number[] },
  held: HeldProofs,
): void {
  const { empty, question, evidence } = answer;
  const { spec } = empty;
  const { address } = question;
  const storageKeys = chosen.map((i) => question.storageKeys[i] as Uint8Array);
  const { account } = evidence;
  const slots = evidence.slots ? chosen.map((i) => evidence.slots?.[i] as KeyEvidence) : [];
  // Parts that were verified before are not checked again.
  held.clear();
  try {
    const parsed: ParsedProof = {
      hash: spec.hasher.family,
      accountProof: heldAccountProof(spec, address, held.proofOf(account)),
      storageProofs: slots.map((slot, i) =>
        heldSlotProof(
          spec,
          storageKeys[i] as Uint8Array,
          held.proofOf(slot),
          `storageProofs[${i}]`,
        ),
      ),
    };
    // Hashed by the same hasher from the same bytes, when their places were looked for.
    const hKeys = { account: account.hKey, slots: slots.map(({ hKey }) => hKey) };
    verifyParsed({ spec, stateRoot, question: { address, storageKeys }, hKeys }, parsed);
  } catch (cause) {
    if (cause instanceof TreeError) throw cause;
    throw new TreeError('DAMAGED', 'the proof of what the store holds does not verify', { cause });
  }
}

/** Makes a check that passes over what it has verified under the same root before. */
export function createAnswerCheck(empty: EmptyTree): AnswerCheck {
  const verified = new Set<string>();
  const held = new HeldProofs(empty, 1 + keysPerTurn);

  function note(names: readonly string[]): void {
    if (verified.size > maxVerified) verified.clear();
    for (const name of names) verified.add(name);
  }

  return function* (stateRoot, answer) {
    const { address, storageKeys } = answer.question;
    const name = questionName(stateRoot, { address, storageKeys: [] });
    const names = storageKeys.map((key) => slotName(name, key));
    const fresh = [...names.keys()].filter((i) => !verified.has(names[i] as string));
    if (fresh.length === 0 && verified.has(name)) return false;
    const parts = fresh.length > 0 ? partsOf(fresh) : [[]];
    for (const [i, chosen] of parts.entries()) {
      if (i > 0) yield;
      // The account is in every part: its nodes are remembered by then.
      check(stateRoot, { answer, chosen }, held);
    }
    note([name, ...fresh.map((i) => names[i] as string)]);
    return true;
  };
}
