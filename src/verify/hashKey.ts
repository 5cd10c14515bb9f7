/** Keys as the trees know them. */
import { addressWidth, encodeHex, type Hex } from '../bytes.js';
import { checkHex, ownMembers } from '../codec/argument.js';
import { specOf } from '../codec/spec.js';
import { blockWidth, type HashFamily } from '../hash/family.js';

/**
 * The hKey of an account or of a storage slot, as {@link verifyExistence} and {@link verifyNonExistence} take it.
 *
 * @param key an address of 20 bytes, or a storage key of 32
 * @param options.hash family of the tree; default `poseidon2`
 * @returns 32 bytes
 * @throws TypeError or RangeError for anything else
 *
 * @example
 * ```ts
 * import { hashKey } from 'l2proof';
 *
 * console.log(hashKey('0x6c6553b4934a681a4efe765efb6db43e753aa036'));
 * // 0x683aa3dc2ff95cd17c4fe0d17c21540d7c6f1d143e565e172178a13a64e3081d
 * ```
 */
export function hashKey(key: Hex, options: { hash?: HashFamily } = {}): Hex {
  const { hash } = ownMembers(options, ['hash'], 'options');
  const { addressBlocks, wordBlocks, hasher } = specOf(hash);
  const isAddress = typeof key === 'string' && key.length === 2 + 2 * addressWidth;
  const bytes = checkHex(key, isAddress ? addressWidth : blockWidth, 'key');
  return encodeHex(hasher.hash(isAddress ? addressBlocks(bytes) : wordBlocks(bytes)));
}
