/** Calldata by the signature of a function: as much of Solidity's ABI as the path verifiers on L1 take. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes } from '../bytes.js';
import { encodeArray, encodeBytes, encodeParts, longPart, type Part, wordPart } from './encode.js';
import { encodeWord, wordWidth } from './word.js';

/** An argument of a function: `uint256`, `bytes32`, `address` or `bytes`, and `bytes[]`. */
export type Argument = bigint | Uint8Array | readonly Uint8Array[];

const selectorWidth = 4;

function encodeArgument(type: string, argument: Argument): Part {
  if (type === 'uint256') return wordPart(encodeWord(argument as bigint));
  if (type === 'bytes') return longPart(encodeBytes(argument as Uint8Array));
  if (type === 'bytes[]') {
    return longPart(encodeArray((argument as readonly Uint8Array[]).map(encodeBytes)));
  }
  // bytes32 fills the word; an address stands at its end.
  const bytes = argument as Uint8Array;
  return wordPart(concatBytes(new Uint8Array(wordWidth - bytes.length), bytes));
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
