/** Calls of contracts whose arguments are words. */
import { concatBytes, encodeHex, type Hex } from '../bytes.js';
import { encodeWord } from './word.js';

/** A call of a contract. */
export interface AbiCall {
  readonly to: Hex;
  readonly data: Hex;
}

/**
 * Call data in lower case.
 *
 * @param selector the first four bytes of the keccak-256 of the function's signature
 * @param words the arguments: numbers, or addresses and words in hex
 */
export const callData = (selector: Hex, ...words: readonly (number | bigint | Hex)[]): Hex =>
  `${selector}${encodeHex(concatBytes(...words.map(encodeWord))).slice(2)}`;
