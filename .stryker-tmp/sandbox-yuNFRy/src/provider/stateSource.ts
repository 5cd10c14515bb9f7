/** The state under a root as the engine for calls reads it. */
// @ts-nocheck

import type { StateAnswer, StateQuestion, StateSource } from '../evm/source.js';
import type { Codes } from './codes.js';
import type { View } from './view.js';

/** Accounts that are asked for at once. */
const concurrent = 8;

export function sourceOf(view: View, codes: Codes): StateSource {
  const { l2BlockNumber: block } = view.anchor;
  return {
    known: (address) => view.known(address),
    knownCode: (account) => codes.known(account),
    async read(questions) {
      const answers: StateAnswer[] = [];
      let next = 0;
      async function work(): Promise<void> {
        while (next < questions.length) {
          const i = next++;
          const { address, storageKeys } = questions[i] as StateQuestion;
          answers[i] = await view.read(address, storageKeys);
        }
      }
      await Promise.all(Array.from({ length: Math.min(concurrent, questions.length) }, work));
      return answers;
    },
    expectCode: (address) => codes.expect(address),
    code: (address, account) => codes.codeOf(address, account, block),
  };
}
