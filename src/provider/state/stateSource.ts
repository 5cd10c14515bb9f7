/** The state under a root as the engine for calls reads it. */
import { mapConcurrently } from '../../concurrent.js';
import type { StateSource } from '../../evm/index.js';
import type { Codes } from './codes.js';
import type { View } from './view.js';

/** Accounts that are asked for at once. */
const concurrent = 8;

export function toStateSource(view: View, codes: Codes): StateSource {
  const { l2BlockNumber: block } = view.anchor;
  return {
    known: (address) => view.known(address),
    knownCode: (account) => codes.known(account),
    read: (questions) =>
      mapConcurrently(questions, concurrent, ({ address, storageKeys }) =>
        view.read(address, storageKeys),
      ),
    expectCode: (address) => codes.expect(address),
    code: (address, account) => codes.codeOf(address, account, block),
  };
}
