/** Call data of functions whose arguments are words, and the words that such functions answer. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
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

/** A number of 256 bits; undefined for any other answer. */
export const decodeNumber = (answer: string): bigint | undefined =>
  /^0x[0-9a-f]{64}$/i.test(answer) ? BigInt(answer) : undefined;

/** Bytes of a text that are read: more is never shown. */
const mostText = 256;

/** A text: `string`, or `bytes32` as the first tokens had it; undefined for any other answer. */
export function decodeText(answer: string): string | undefined {
  if (!/^0x([0-9a-f]{64})+$/i.test(answer)) return undefined;
  const digits = answer.slice(2);
  const textOf = (hex: string) => new TextDecoder().decode(hexToBytes(hex));
  if (digits.length === 64) return textOf(digits.replace(/(00)*$/, '')) || undefined;
  // The place of the text, its length, and its bytes.
  const numberAt = (place: number) => BigInt(`0x${digits.slice(2 * place, 2 * place + 64) || 0}`);
  const room = BigInt(digits.length / 2);
  const place = numberAt(0);
  if (place + 32n > room) return undefined;
  const length = numberAt(Number(place));
  if (place + 32n + length > room) return undefined;
  const start = 2 * (Number(place) + 32);
  return textOf(digits.slice(start, start + 2 * Math.min(Number(length), mostText)));
}
