/** Trees hashed with MiMC: one block is one field element, so 32 bytes go in whole only if they are below p. */
import { concatBytes, integerToBytes } from '../bytes.js';
import { blockWidth } from '../hash/family.js';
import { mimcModulus, mimcPermutation } from '../hash/mimc.js';
import type { FamilySpec } from './family.js';
import { blockInteger, padLeft, splitWord } from './word.js';

export const mimcSpec: FamilySpec = {
  widths: mimcPermutation.widths,
  integer: blockInteger,
  tailHKey: integerToBytes(mimcModulus - 1n, blockWidth),
  emptyRoot: integerToBytes(
    0x07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5n,
    blockWidth,
  ),
  // A balance is hashed as one element: balance + p would pass for the balance.
  isBalance: mimcPermutation.isCanonical,
  addressBlocks: (address) => padLeft(address),
  wordBlocks: splitWord,
  accountBlocks(value) {
    const keccakCodeHash = value.subarray(4 * blockWidth, 5 * blockWidth);
    return concatBytes(
      value.subarray(0, 4 * blockWidth),
      splitWord(keccakCodeHash),
      value.subarray(5 * blockWidth),
    );
  },
  codeBlock: (chunk) => padLeft(chunk),
  contract: {
    element: { width: blockWidth, modulus: mimcModulus },
    limbs: false,
    elementsFrom: blockWidth,
    hash: 'mimcHash(bytes)',
    accountKey: (address) => ({ signature: 'mimcHash(bytes)', argument: padLeft(address) }),
  },
};
