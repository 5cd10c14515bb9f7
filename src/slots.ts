/**
 * Where Solidity keeps what: the storage keys of variables and of the entries of mappings ("Layout of State Variables in
 * Storage" in its documentation). A mapping's entry lies at the keccak-256 of its key and the mapping's slot, a word each.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import {
  addressWidth,
  concatBytes,
  decodeHex,
  encodeHex,
  type Hex,
  integerToBytes,
} from './bytes.js';
import { wrongRange, wrongType } from './errors.js';

const wordWidth = 32;
/** @throws TypeError or RangeError, with the name of the argument */
function wordOf(value: unknown, name: string): Uint8Array {
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw wrongType(name, `expected a whole number, got ${typeof value}`);
  }
  // A number beyond 2^53 may be another than the caller wrote.
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw wrongRange(name, 'expected a safe whole number; pass a greater one as a bigint');
  }
  const integer = BigInt(value);
  if (integer < 0n || integer >> 256n !== 0n) {
    throw wrongRange(name, 'expected a whole number from 0 to 2^256 - 1');
  }
  return integerToBytes(integer, wordWidth);
}

/** Hex of one of some widths as a word: addresses are numbers, with zeros on the left. @throws RangeError */
function paddedWord(text: string, widths: readonly number[], name: string): Uint8Array {
  const word = new Uint8Array(wordWidth);
  if (!widths.some((width) => decodeHex(text, width, word, wordWidth - width))) {
    throw wrongRange(name, `expected 0x and the hex of ${widths.join(' or ')} bytes`);
  }
  return word;
}

/**
 * The storage key of the variable at slot `n`.
 *
 * @param n from 0 to 2^256 - 1; as a number, to 2^53 - 1
 * @returns 32 bytes, big-endian
 * @throws TypeError or RangeError if it is anything else
 *
 * @example
 * ```ts
 * import { slotKey } from 'l2proof';
 *
 * console.log(slotKey(2));
 * // 0x0000000000000000000000000000000000000000000000000000000000000002
 * ```
 */
export function slotKey(n: number | bigint): Hex {
  return encodeHex(wordOf(n, 'n'));
}

/**
 * The storage key of a mapping's entry. Mappings in mappings nest: the allowance that `owner` gave `spender` in a mapping at
 * slot 1 lies at `mappingSlot(spender, mappingSlot(owner, 1))`. Keys of type `string` or `bytes` are laid out otherwise and
 * are not meant here.
 *
 * @param key an integer from 0 to 2^256 - 1, or the hex of 20 bytes (an address) or of 32 (a word)
 * @param slot of the mapping: its number, or the storage key that {@link slotKey} or this function gave
 * @returns 32 bytes
 * @throws TypeError or RangeError if an argument is anything else
 *
 * @example
 * ```ts
 * import { mappingSlot } from 'l2proof';
 *
 * // balances[owner] of `mapping(address => uint256) balances` at slot 0
 * const owner = '0x1111111111111111111111111111111111111111';
 * console.log(mappingSlot(owner, 0));
 * // 0xf043c50fe795c69f30b8ff78b84032dc53a9d87ca283ae10a1dacfbb648e83ef
 * ```
 */
export function mappingSlot(key: Hex | bigint, slot: number | bigint | Hex): Hex {
  if (typeof key !== 'string' && typeof key !== 'bigint') {
    throw wrongType('key', `expected hex or a bigint, got ${typeof key}`);
  }
  const keyWord =
    typeof key === 'string'
      ? paddedWord(key, [addressWidth, wordWidth], 'key')
      : wordOf(key, 'key');
  const slotWord =
    typeof slot === 'string' ? paddedWord(slot, [wordWidth], 'slot') : wordOf(slot, 'slot');
  return encodeHex(keccak_256(concatBytes(keyWord, slotWord)));
}
