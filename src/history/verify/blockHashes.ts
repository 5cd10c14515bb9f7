/** Where the state of a block holds the hashes of blocks before it (EIP-2935). */
import { encodeHex, type Hex, integerToBytes } from '../../bytes.js';

/** The contract that keeps them. */
export const blockHashes: Hex = '0x0000f90827f1c53a10cb7a02335b175320002935';

/** How many it keeps: those of the blocks before the one whose state it is. */
export const keptHashes = 8191;

/** The slot that holds the hash of a block. */
export const slotOfHash = (number: number): Hex =>
  encodeHex(integerToBytes(BigInt(number % keptHashes), 32));
