/** Verifies answers before they are given, each key under a root once. */
import { encodeHex } from '../bytes.js';
import type { TreeSpec } from '../codec/spec.js';
import type { Question } from '../verify/claim.js';
import { verifyResult } from '../verify/result.js';
import { TreeError } from './errors.js';
import { type Meter, partsOf } from './meter.js';
import type { ProofResult } from './wireProof.js';

/** Proofs that are known to verify, at most: after that many, they are verified anew. */
const maxVerified = 1 << 16;

/** An answer, and what it has to prove. */
export interface Answer {
  readonly stateRoot: Uint8Array;
  readonly question: Question;
  readonly result: ProofResult;
}

/** Checks an answer as its reader would. @throws TreeError `DAMAGED` */
export type AnswerCheck = (answer: Answer, meter: Meter) => Promise<void>;

/** Makes a check that passes over what it has verified under the same root before. */
export function createAnswerCheck(spec: TreeSpec): AnswerCheck {
  const verified = new Set<string>();

  /** Verifies the account and some of its slots. @param chosen which of the question's keys */
  function check({ stateRoot, question, result }: Answer, chosen: readonly number[]) {
    const { accountProof, storageProofs } = result;
    const storageKeys = chosen.map((i) => question.storageKeys[i] as Uint8Array);
    const part = {
      accountProof,
      storageProofs: storageProofs.length > 0 ? chosen.map((i) => storageProofs[i]) : [],
    };
    try {
      verifyResult({ spec, stateRoot, question: { ...question, storageKeys }, result: part });
    } catch (cause) {
      throw new TreeError('DAMAGED', 'the proof of what the store holds does not verify', {
        cause,
      });
    }
  }

  return async (answer, meter) => {
    const { stateRoot, question } = answer;
    const name = encodeHex(stateRoot) + encodeHex(question.address);
    const names = question.storageKeys.map((key) => name + encodeHex(key));
    const fresh = [...names.keys()].filter((i) => !verified.has(names[i] as string));
    if (fresh.length === 0 && verified.has(name)) return;
    // The account is in every part: its nodes are remembered by then.
    const [first = [], ...more] = partsOf(fresh);
    check(answer, first);
    for (const chosen of more) {
      await meter.pause();
      check(answer, chosen);
    }
    if (verified.size > maxVerified) verified.clear();
    verified.add(name);
    for (const i of fresh) verified.add(names[i] as string);
  };
}
