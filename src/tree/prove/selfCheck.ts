/** Verifies answers before they are given, each key under a root once. */
import type { EmptyTree } from '../nodes/nodes.js';
import { cutForTurns } from '../store/readBudget.js';
import { createAnswerCheck } from './answerCheck.js';
import { cacheKey, slotCacheKey } from './cacheKey.js';
import { type KeyProofData, leavesOf } from './keyProofData.js';
import type { AnswerData } from './prove.js';

/** Proofs that are known to verify, at most: after that many, they are verified anew. */
const maxVerified = 1 << 16;

/**
 * Checks an answer as its reader would.
 *
 * @param pause awaited between pieces
 * @returns whether there was anything to verify
 * @throws TreeError `DAMAGED`, and what the pause throws
 */
type SelfCheck = (
  stateRoot: Uint8Array,
  answer: AnswerData,
  pause: () => Promise<void>,
) => Promise<boolean>;

/** What is shown of a key, as a name has it. If the store has lost since that it has a leaf, others are shown. */
const shownOf = ({ position }: KeyProofData): string => leavesOf(position).join(' ');

/** Makes a check that passes over what it has verified under the same root before. */
export function createSelfCheck(empty: EmptyTree): SelfCheck {
  const verified = new Set<string>();
  const check = createAnswerCheck(empty);

  function note(names: readonly string[]): void {
    if (verified.size > maxVerified) verified.clear();
    for (const name of names) verified.add(name);
  }

  return async (stateRoot, answer, pause) => {
    const { question, proofData } = answer;
    const { address, storageKeys } = question;
    const { account, slots } = proofData;
    const name = cacheKey(stateRoot, { address, storageKeys: [] });
    const accountName = name + shownOf(account);
    // If no proofs of slots are shown, that holds or is refused whichever slot is asked for: a look at the first one decides.
    // It has a name of its own: that a proof of this slot was verified before says nothing about a storage tree that is lost since.
    const names =
      slots === undefined
        ? storageKeys.slice(0, 1).map(() => `${name} without proofs`)
        : slots.map((slot) => slotCacheKey(name, slot.key) + shownOf(slot));
    const fresh = [...names.keys()].filter((i) => !verified.has(names[i] as string));
    if (fresh.length === 0 && verified.has(accountName)) return false;
    const parts = fresh.length > 0 ? cutForTurns(fresh) : [[]];
    for (const [i, chosen] of parts.entries()) {
      if (i > 0) await pause();
      // The account is in every part: its nodes are remembered by then.
      await check({ stateRoot, answer, chosen });
    }
    note([accountName, ...fresh.map((i) => names[i] as string)]);
    return true;
  };
}
