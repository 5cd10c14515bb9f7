/** Where the state keeps the hashes of earlier blocks (EIP-2935). */

/** The contract that keeps them. */
export const blockHashes = '0x0000f90827f1c53a10cb7a02335b175320002935';

/** Hashes that it keeps. */
const kept = 8191n;

/**
 * The slot that holds the hash of a block.
 *
 * @param number of the block @param at the block whose state it is
 * @returns undefined if that state holds it no more, or not yet
 */
export function hashSlot(number: bigint, at: number): string | undefined {
  const age = BigInt(at) - number;
  if (age < 1n || age > kept) return undefined;
  return `0x${(number % kept).toString(16).padStart(64, '0')}`;
}
