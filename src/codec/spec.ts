/**
 * What a tree of one hash family looks like, to the byte (protocol section 2). Specs are plain values that are
 * passed along: there is no family to set.
 */
import { concatBytes, integerToBytes } from '../bytes.js';
import { shownWord } from '../errors.js';
import { type Engine, openHasher, sharedHasher } from '../hash/engine.js';
import { blockWidth, type Hasher, type HashFamily } from '../hash/family.js';
import { type PathWidths, pathWidths } from '../hash/geometry.js';
import { mimcModulus } from '../hash/mimc.js';
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

/** Widths, encodings and fixed values of one family's trees. */
interface FamilySpec {
  /** The other family, to name in errors. */
  readonly other: HashFamily;
  readonly widths: PathWidths;
  readonly integer: IntegerCodec;
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

/** A family's trees together with what hashes them. */
export interface TreeSpec extends FamilySpec {
  readonly hasher: Hasher;
}

type SixWords = [Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array];

/** nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize. @param value 192 bytes */
function sixWords(value: Uint8Array): SixWords {
  const word = (_: unknown, i: number) => value.subarray(blockWidth * i, blockWidth * (i + 1));
  return Array.from({ length: 6 }, word) as SixWords;
}

const mimcSpec: FamilySpec = {
  other: 'poseidon2',
  widths: pathWidths.mimc,
  integer: blockInteger,
  tailHKey: integerToBytes(mimcModulus - 1n, blockWidth),
  emptyRoot: integerToBytes(
    0x07977874126658098c066972282d4c85f230520af3847e297fe7524f976873e5n,
    blockWidth,
  ),
  encodeAddress: (address) => padLeft(address),
  encodeWord: splitWord,
  encodeAccount(value) {
    const [nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] = sixWords(value);
    return concatBytes(
      nonce,
      balance,
      storageRoot,
      snarkCodeHash,
      splitWord(keccakCodeHash),
      codeSize,
    );
  },
};

const poseidon2Spec: FamilySpec = {
  other: 'mimc',
  widths: pathWidths.poseidon2,
  integer: limbInteger,
  // Every element of the digest at p - 1.
  tailHKey: new Uint8Array(blockWidth).map((_, i) => (i % 4 === 0 ? 0x7f : 0)),
  emptyRoot: integerToBytes(
    0x2fa0344a2fab2b310d2af3155c330261263f887379aef18b4941e3ea1cc59df7n,
    blockWidth,
  ),
  encodeAddress(address) {
    const limbs = spread(address);
    return concatBytes(limbs.subarray(0, blockWidth), padLeft(limbs.subarray(blockWidth)));
  },
  encodeWord: spread,
  encodeAccount(value) {
    const [nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize] = sixWords(value);
    return concatBytes(
      spread(nonce),
      spread(balance),
      storageRoot,
      snarkCodeHash,
      spread(keccakCodeHash),
      spread(codeSize),
    );
  },
};

function familySpec(family: HashFamily): FamilySpec {
  if (family === 'poseidon2') return poseidon2Spec;
  if (family === 'mimc') return mimcSpec;
  throw new TypeError(`"hash" expected 'poseidon2' or 'mimc', got ${shownWord(family)}`);
}

/**
 * The spec of the family that a caller names, by default today's, with the hasher that all calls share.
 *
 * @throws TypeError where it is no family, or `engine` no engine; RangeError where the engine is not to be had
 */
export function specOf(family: HashFamily = 'poseidon2', engine?: Engine): TreeSpec {
  return { ...familySpec(family), hasher: sharedHasher(family, engine) };
}

/** The same with a hasher, and so a memo, of its own. */
export function ownSpecOf(family: HashFamily = 'poseidon2', engine?: Engine): TreeSpec {
  return { ...familySpec(family), hasher: openHasher(family, engine) };
}
