/** The call that claims a message on L1. */
import { encodeBytes, encodeParts, longPart, type Part, wordPart } from '../abi/encode.js';
import { encodeWord } from '../abi/word.js';
import { concatBytes, encodeHex, type Hex } from '../bytes.js';
import { hexToBytes } from '../foreign/argument.js';
import type { Message } from './message.js';

/** First four bytes of the keccak-256 of `claimMessageWithProof` and its one tuple. */
const claimSelector: Hex = '0x6463fb2a';

/** A message and its proof, checked. */
interface ProvenLeaf {
  readonly message: Message;
  readonly proof: readonly Hex[];
  readonly leafIndex: number;
  readonly root: Hex;
}

/**
 * The data of the call to the rollup contract on L1.
 *
 * @param feeRecipient who gets the fee, 20 bytes; the zero address for the one who calls
 */
export function claimCalldata(
  { message, proof, leafIndex, root }: ProvenLeaf,
  feeRecipient: Hex,
): Hex {
  const { from, to, fee, value, messageNumber, data } = message;
  const word = (number: bigint | number | Hex): Part => wordPart(encodeWord(number));
  const hashes = concatBytes(encodeWord(proof.length), ...proof.map(hexToBytes));
  const tuple = encodeParts([
    longPart(hashes),
    ...[messageNumber, leafIndex, from, to, fee, value, feeRecipient, root].map(word),
    longPart(encodeBytes(hexToBytes(data))),
  ]);
  return encodeHex(concatBytes(hexToBytes(claimSelector), encodeParts([longPart(tuple)])));
}
