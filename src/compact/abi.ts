/** Calldata for the path verifiers on L1: as much of Solidity's ABI as their functions take. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, integerToBytes } from '../bytes.js';
import { padLeft } from '../codec/word.js';

/** An argument of a function: `uint256`, `bytes32`, `address` or `bytes`, and `bytes[]`. */
export type Argument = bigint | Uint8Array | readonly Uint8Array[];

const wordWidth = 32;
const selectorWidth = 4;

const numberWord = (value: number | bigint): Uint8Array => integerToBytes(BigInt(value), wordWidth);

/** The length, then the bytes, with zeros up to a whole word. */
function encodeBytes(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil(bytes.length / wordWidth) * wordWidth);
  padded.set(bytes);
  return concatBytes(numberWord(bytes.length), padded);
}

/** A part of an encoding: a word that stands for itself, or bytes of any length. */
interface Part {
  readonly isWord: boolean;
  readonly bytes: Uint8Array;
}

/** A word for each part, which is the offset if the part is long; then the long parts. */
function encodeParts(parts: readonly Part[]): Uint8Array {
  let offset = wordWidth * parts.length;
  const heads: Uint8Array[] = [];
  const tails: Uint8Array[] = [];
  for (const { isWord, bytes } of parts) {
    heads.push(isWord ? bytes : numberWord(offset));
    if (isWord) continue;
    tails.push(bytes);
    offset += bytes.length;
  }
  return concatBytes(...heads, ...tails);
}

const long = (bytes: Uint8Array): Part => ({ isWord: false, bytes });

function encodeArgument(type: string, argument: Argument): Part {
  if (type === 'uint256') return { isWord: true, bytes: numberWord(argument as bigint) };
  if (type === 'bytes') return long(encodeBytes(argument as Uint8Array));
  if (type === 'bytes[]') {
    const elements = (argument as readonly Uint8Array[]).map(encodeBytes);
    return long(concatBytes(numberWord(elements.length), encodeParts(elements.map(long))));
  }
  // bytes32 fills the word; an address stands at its end.
  return { isWord: true, bytes: padLeft(argument as Uint8Array) };
}

/**
 * Calldata of a call.
 *
 * @param signature for example `verifyProof(bytes[],uint256,bytes32)`
 * @param args one for each type of the signature
 */
export function encodeCall(signature: string, args: readonly Argument[]): Uint8Array {
  const letters = Uint8Array.from(signature, (letter) => letter.charCodeAt(0));
  const types = signature.slice(signature.indexOf('(') + 1, -1).split(',');
  const parts = types.map((type, i) => encodeArgument(type, args[i] as Argument));
  return concatBytes(keccak_256(letters).subarray(0, selectorWidth), encodeParts(parts));
}
