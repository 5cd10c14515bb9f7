/** Trees hashed with Poseidon2: elements hold less than 32 bits, so words go in as limbs of two bytes. */
import { integerToBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { koalaBearModulus, poseidon2Permutation } from '../hash/poseidon2.js';
import { blocksOf, type FamilySpec, type ValueBlocks } from './family.js';
import { copyInto, limbInteger, padLeft, spread, spreadInto } from './word.js';

const word: ValueBlocks = {
  width: 2 * blockWidth,
  write: (value, out, at) => spreadInto(value, { from: 0, to: blockWidth, at }, out),
};

/** Nonce and balance as limbs, both hashes as elements, keccakCodeHash and codeSize as limbs. */
const account: ValueBlocks = {
  width: 10 * blockWidth,
  write(value, out, at) {
    spreadInto(value, { from: 0, to: 2 * blockWidth, at }, out);
    const hashes = { from: 2 * blockWidth, to: 4 * blockWidth, at: at + 4 * blockWidth };
    copyInto(value, hashes, out);
    spreadInto(value, { from: hashes.to, to: 6 * blockWidth, at: at + 6 * blockWidth }, out);
  },
};

export const poseidon2Spec: FamilySpec = {
  widths: poseidon2Permutation.widths,
  integer: limbInteger,
  // Every element of the digest at p - 1.
  tailHKey: new Uint8Array(blockWidth).map((_, i) => (i % 4 === 0 ? 0x7f : 0)),
  fileNumber: 2,
  emptyRoot: integerToBytes(
    0x2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7n,
    blockWidth,
  ),
  // Hashed as limbs, and any 32 bytes have canonical limbs.
  isBalance: () => true,
  addressBlocks(address) {
    const blocks = new Uint8Array(2 * blockWidth);
    const middle = blockWidth / 2;
    spreadInto(address, { from: 0, to: middle, at: 0 }, blocks);
    const end = {
      from: middle,
      to: address.length,
      at: blocks.length - 2 * (address.length - middle),
    };
    spreadInto(address, end, blocks);
    return blocks;
  },
  word,
  account,
  wordBlocks: blocksOf(word),
  accountBlocks: blocksOf(account),
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
