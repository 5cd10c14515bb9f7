/** The proof that a message is a leaf of a tree whose root is on L1. */
import { encodeHex, equalBytes, type Hex } from '../bytes.js';
import { checkHex, ownMembers } from '../foreign/argument.js';
import { createReader } from '../foreign/reader.js';
import { hexBytes, parseWholeNumber } from '../foreign/values.js';
import { MessageError } from './errors.js';
import { checkMessage, hashChecked, type Message } from './message.js';
import { checkDepth, joinNodes } from './trees.js';

/** Options of {@link verifyMessageProof}. */
export interface MessageClaim {
  /** Of unknown origin: the siblings on the way from the leaf to the root, the leaf's own first; 32 bytes each. */
  readonly proof: unknown;
  /** Of unknown origin: the place of the leaf, from 0. */
  readonly leafIndex: unknown;
  /** Root of the tree, 32 bytes, trusted: L1 holds it. */
  readonly root: Hex;
  /** Height of the tree, trusted: what L1 holds for the root, 1 to 32. */
  readonly depth: number;
  /** The message itself. Of a hash alone nothing could be said: an inner node has a proof as well, a shorter one. */
  readonly message: Message;
}

const names = ['proof', 'leafIndex', 'root', 'depth', 'message'] as const;

const { openArray, read, as } = createReader(
  (path, reason, { cause } = {}) =>
    new MessageError('BAD_ANSWER', `"${path}" ${reason}`, { cause, path }),
);

const readNode = as((value) => hexBytes(value, 32), '0x and 64 hex digits');

/**
 * Verifies that a message is in a tree of messages. Sends no request.
 *
 * @returns the hash of the message, 32 bytes
 * @throws MessageError `BAD_ANSWER` or `BAD_PROOF`
 * @throws TypeError or RangeError for a wrong root, depth or message, before the proof is looked at
 */
export function verifyMessageProof(claim: MessageClaim): Hex {
  const given = ownMembers(claim, names, 'claim');
  const root = checkHex(given.root, 32, 'root');
  const depth = checkDepth(given.depth);
  const leaf = hashChecked(checkMessage(given.message));

  const proof = openArray(given.proof, 'proof');
  // A shorter way would make an inner node a leaf, and a longer one a leaf an inner node.
  if (proof.length !== depth) {
    const text = `the proof has ${proof.length} hashes; the tree is ${depth} high`;
    throw new MessageError('BAD_PROOF', text, { path: 'proof' });
  }
  let place = parseWholeNumber(given.leafIndex);
  if (place === undefined || place >= 2 ** depth) {
    const text = `"leafIndex" expected a whole number from 0 and below 2^${depth}`;
    throw new MessageError('BAD_ANSWER', text, { path: 'leafIndex' });
  }
  let node = leaf;
  for (let height = 0; height < depth; height++) {
    const sibling = read(proof, height, readNode);
    node = place % 2 === 0 ? joinNodes(node, sibling) : joinNodes(sibling, node);
    place = Math.floor(place / 2);
  }
  if (equalBytes(node, root)) return encodeHex(leaf);
  throw new MessageError('BAD_PROOF', 'the proof leads to another root', { path: 'proof' });
}
