/** Data of calls to the contracts of a devnet: all of their arguments are words. */
import type { Hex } from '../../index.js';

/** A number, or what stands at the right end of a word, such as an address. */
export type CallArgument = Hex | bigint;

/** @param start selector of a function, or the code that deploys a contract */
export const toCallData = (start: Hex, ...given: readonly CallArgument[]): Hex =>
  `${start}${given
    .map((one) => (typeof one === 'bigint' ? one.toString(16) : one.slice(2)).padStart(64, '0'))
    .join('')}`;
