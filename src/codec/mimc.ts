/** Trees hashed with MiMC: one block is one field element, so 32 bytes go in whole only if they are below p. */
import { integerToBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { mimcModulus, mimcPermutation } from '../hash/mimc.js';
import { blocksOf, type FamilySpec, type ValueBlocks } from './family.js';
import { blockInteger, copyInto, padLeft, splitInto } from './word.js';

const word: ValueBlocks = {
  width: 2 * blockWidth,
  write: (value, out, at) => splitInto(value, { from: 0, at }, out),
};

/** All words are elements but for keccakCodeHash, which is split. */
const account: ValueBlocks = {
  width: 7 * blockWidth,
  write(value, out, at) {
    const split = 4 * blockWidth;
    copyInto(value, { from: 0, to: split, at }, out);
    splitInto(value, { from: split, at: at + split }, out);
    const size = { from: split + blockWidth, to: 6 * blockWidth, at: at + 6 * blockWidth };
    copyInto(value, size, out);
  },
};

export const mimcSpec: FamilySpec = {
  widths: mimcPermutation.widths,
  integer: blockInteger,
  tailHKey: integerToBytes(mimcModulus - 1n, blockWidth),
  fileNumber: 1,
  emptyRoot: integerToBytes(
    0x07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5n,
    blockWidth,
  ),
  // A balance is hashed as one element: balance + p would pass for the balance.
  isBalance: mimcPermutation.isCanonical,
  addressBlocks: (address) => padLeft(address),
  word,
  account,
  wordBlocks: blocksOf(word),
  accountBlocks: blocksOf(account),
  codeBlock: (chunk) => padLeft(chunk),
  contract: {
    element: { width: blockWidth, modulus: mimcModulus },
    limbs: false,
    elementsFrom: blockWidth,
    hash: 'mimcHash(bytes)',
    accountKey: (address) => ({ signature: 'mimcHash(bytes)', argument: padLeft(address) }),
  },
};
