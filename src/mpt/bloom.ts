/** Blooms of headers: which addresses and topics the logs of a block may have (Ethereum's yellow paper, 4.3.1). */
import { keccak_256 } from '@noble/hashes/sha3.js';

export const bloomWidth = 256;

/** The three bits that an address or topic sets. */
export function bitsOf(item: Uint8Array): readonly number[] {
  const hash = keccak_256(item);
  return [0, 2, 4].map((at) => (((hash[at] as number) << 8) | (hash[at + 1] as number)) & 2047);
}

const byteOf = (bit: number): number => bloomWidth - 1 - (bit >> 3);
const maskOf = (bit: number): number => 1 << (bit & 7);

/** Adds an address or topic to a bloom. */
export function addToBloom(bloom: Uint8Array, item: Uint8Array): void {
  for (const bit of bitsOf(item)) bloom[byteOf(bit)] = (bloom[byteOf(bit)] as number) | maskOf(bit);
}

/** Whether a block of this bloom may have a log with an item of these bits. A bloom may hold what no log has. */
export const mayHave = (bloom: Uint8Array, bits: readonly number[]): boolean =>
  bits.every((bit) => ((bloom[byteOf(bit)] as number) & maskOf(bit)) !== 0);

/** Whether a bloom has all bits of another. */
export const covers = (bloom: Uint8Array, other: Uint8Array): boolean =>
  other.every((byte, i) => (byte & ~(bloom[i] as number)) === 0);
