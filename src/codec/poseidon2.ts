/** Trees hashed with Poseidon2: elements hold less than 32 bits, so words go in as limbs of two bytes. */
import { concatBytes, integerToBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { koalaBearModulus, poseidon2Permutation } from '../hash/poseidon2.js';
import type { FamilySpec } from './family.js';
import { limbInteger, padLeft, spread, writeLimbs } from './word.js';

export const poseidon2Spec: FamilySpec = {
  widths: poseidon2Permutation.widths,
  integer: limbInteger,
  // Every element of the digest at p - 1.
  tailHKey: new Uint8Array(blockWidth).map((_, i) => (i % 4 === 0 ? 0x7f : 0)),
  emptyRoot: integerToBytes(
    0x2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7n,
    blockWidth,
  ),
  // Hashed as limbs, and any 32 bytes have canonical limbs.
  isBalance: () => true,
  addressBlocks(address) {
    const limbs = spread(address);
    return concatBytes(limbs.subarray(0, blockWidth), padLeft(limbs.subarray(blockWidth)));
  },
  wordBlocks: spread,
  accountBlocks(value) {
    const blocks = new Uint8Array(10 * blockWidth);
    // nonce, balance
    writeLimbs(value.subarray(0, 2 * blockWidth), blocks, 0);
    // storageRoot, snarkCodeHash: digests are elements as they stand
    blocks.set(value.subarray(2 * blockWidth, 4 * blockWidth), 4 * blockWidth);
    // keccakCodeHash, codeSize
    writeLimbs(value.subarray(4 * blockWidth), blocks, 6 * blockWidth);
    return blocks;
  },
  // An odd chunk is cut 1, 2, 2, ...: its first limb holds one byte.
  codeBlock: (chunk) => padLeft(spread(padLeft(chunk, 2))),
  contract: {
    element: { width: 4, modulus: BigInt(koalaBearModulus) },
    limbs: true,
    elementsFrom: 2 * blockWidth,
    hash: 'poseidon2Hash(bytes)',
    accountKey: (address) => ({ signature: 'hashAccountKey(address)', argument: address }),
  },
};
