/** Call data of functions whose arguments are words. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Hex } from '../../index.js';

/** A call of a contract. */
export interface ContractCall {
  readonly to: Hex;
  readonly data: Hex;
}

/** 32 bytes in hex. @param value a whole number below 2^256, or an address */
function wordOf(value: bigint | Hex): string {
  const digits = (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).toLowerCase();
  if (digits.length > 64 || !/^[0-9a-f]+$/.test(digits)) throw new RangeError(`no word: ${value}`);
  return digits.padStart(64, '0');
}

/** @param signature such as `approve(address,uint256)` @throws RangeError for an argument that is no word */
export function encodeCall(signature: string, ...words: readonly (bigint | Hex)[]): Hex {
  const selector = bytesToHex(keccak_256(utf8ToBytes(signature)).subarray(0, 4));
  return `0x${selector}${words.map(wordOf).join('')}`;
}
