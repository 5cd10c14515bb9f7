/**
 * What a tree of one hash family looks like, to the byte (protocol section 2). Both specs are plain frozen
 * values that are passed along: there is no family to set.
 */
import { concatBytes, integerToBytes } from '../bytes.js';
import { blockWidth, type Hasher, type HashFamily } from '../hash/family.js';
import { mimcHasher, mimcModulus } from '../hash/mimc.js';
import { poseidon2Hasher } from '../hash/poseidon2.js';
import {
  blockInteger,
  type IntegerCodec,
  limbInteger,
  padLeft,
  splitWord,
  spread,
} from './word.js';

/** Bytes of an account value: six words. */
export const accountWidth: number = 6 * blockWidth;

/** Widths, encodings and key hashes of one family's trees. */
export interface TreeSpec {
  readonly hasher: Hasher;
  /** The other family, to name in errors. */
  readonly other: HashFamily;
  readonly integer: IntegerCodec;
  /** Bytes of the top node: the next free node, then the sub-tree root. */
  readonly topNodeWidth: number;
  /** Bytes of a leaf opening: prev, next, hKey, hValue. */
  readonly leafOpeningWidth: number;
  /** hKey of the tail, the largest value of the hash's range. */
  readonly tailHKey: Uint8Array;
  /** Root of a tree that holds head and tail only. */
  readonly emptyRoot: Uint8Array;
  /** The bytes that are hashed to an account's hKey. @param address 20 bytes */
  encodeAddress(address: Uint8Array): Uint8Array;
  /** The bytes that are hashed to a slot's hKey or hValue. @param word 32 bytes */
  encodeWord(word: Uint8Array): Uint8Array;
  /** The bytes that are hashed to an account's hValue. @param value 192 bytes */
  encodeAccount(value: Uint8Array): Uint8Array;
}

function sixWords(value: Uint8Array): Uint8Array[] {
  return Array.from({ length: 6 }, (_, i) => value.subarray(32 * i, 32 * (i + 1)));
}

function defineSpec(
  family: Pick<
    TreeSpec,
    'hasher' | 'other' | 'integer' | 'tailHKey' | 'encodeAddress' | 'encodeWord' | 'encodeAccount'
  > & { emptyRoot: bigint },
): TreeSpec {
  const integerWidth = family.integer.width;
  return Object.freeze({
    ...family,
    topNodeWidth: integerWidth + blockWidth,
    leafOpeningWidth: 2 * integerWidth + 2 * blockWidth,
    emptyRoot: integerToBytes(family.emptyRoot, blockWidth),
  });
}

const mimcSpec: TreeSpec = defineSpec({
  hasher: mimcHasher,
  other: 'poseidon2',
  integer: blockInteger,
  tailHKey: integerToBytes(mimcModulus - 1n, blockWidth),
  emptyRoot: 0x07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5n,
  encodeAddress: (address) => padLeft(address),
  encodeWord: splitWord,
  encodeAccount(value) {
    const [nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] = sixWords(
      value,
    ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    return concatBytes(
      nonce,
      balance,
      storageRoot,
      snarkCodeHash,
      splitWord(keccakCodeHash),
      codeSize,
    );
  },
});

const poseidon2Spec: TreeSpec = defineSpec({
  hasher: poseidon2Hasher,
  other: 'mimc',
  integer: limbInteger,
  // Every element of the digest at p - 1.
  tailHKey: new Uint8Array(blockWidth).map((_, i) => (i % 4 === 0 ? 0x7f : 0)),
  emptyRoot: 0x2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7n,
  encodeAddress(address) {
    const limbs = spread(address);
    return concatBytes(limbs.subarray(0, blockWidth), padLeft(limbs.subarray(blockWidth)));
  },
  encodeWord: spread,
  encodeAccount(value) {
    const [nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] = sixWords(
      value,
    ) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    return concatBytes(
      spread(nonce),
      spread(balance),
      storageRoot,
      snarkCodeHash,
      spread(keccakCodeHash),
      spread(codeSize),
    );
  },
});

/**
 * The spec of the family that a caller names.
 *
 * @throws TypeError where it is none
 */
export function specOf(family: HashFamily): TreeSpec {
  if (family === 'poseidon2') return poseidon2Spec;
  if (family === 'mimc') return mimcSpec;
  throw new TypeError(`"hash" expected 'poseidon2' or 'mimc', got ${typeof family}`);
}
