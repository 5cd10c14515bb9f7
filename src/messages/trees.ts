/**
 * The trees of messages, whose roots are on L1: binary trees of keccak-256. The leaves are the hashes of the messages of a
 * finalization, in the order of their logs, in groups of 2^depth; the last group is filled up with zeros.
 */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, encodeHex, type Hex, isZero } from '../bytes.js';
import { shown, wrongRange, wrongType } from '../errors.js';
import { checkHex } from '../foreign/argument.js';

/** One tree. */
export interface MessageTree {
  /** The root that L1 holds, 32 bytes. */
  readonly root: Hex;
  /** The hashes of its messages in their order, without those that fill it up. */
  readonly leaves: readonly Hex[];
  /**
   * The siblings on the way from a leaf to the root, the leaf's own first: `depth` of them, 32 bytes each.
   *
   * @param leafIndex place of the message in `leaves`, from 0
   * @throws RangeError if there is no such message
   */
  prove(leafIndex: number): Hex[];
}

/** A proof names its leaf by 32 bits. */
const mostDepth = 32;

/** Height of a tree, as L1 has it for the root. @throws TypeError or RangeError */
export function checkDepth(value: unknown): number {
  if (typeof value !== 'number') throw wrongType('depth', `expected a number, got ${shown(value)}`);
  if (Number.isInteger(value) && value >= 1 && value <= mostDepth) return value;
  throw wrongRange(
    'depth',
    `expected 1 to ${mostDepth}; L1 has zero for a root that it does not hold`,
  );
}

export const joinNodes = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  keccak_256(concatBytes(left, right));

/** Roots of trees of zeros, by their height. */
const emptyRoots: Uint8Array[] = [new Uint8Array(32)];

function emptyRoot(height: number): Uint8Array {
  for (let at = emptyRoots.length; at <= height; at++) {
    const below = emptyRoots[at - 1] as Uint8Array;
    emptyRoots.push(joinNodes(below, below));
  }
  return emptyRoots[height] as Uint8Array;
}

/** The tree of one group. @param leaves one or more, at most 2^depth */
export function toTree(leaves: readonly Uint8Array[], depth: number): MessageTree {
  const levels: (readonly Uint8Array[])[] = [leaves];
  for (let height = 0; height < depth; height++) {
    const level = levels[height] as readonly Uint8Array[];
    levels.push(
      Array.from({ length: Math.ceil(level.length / 2) }, (_, i) =>
        joinNodes(level[2 * i] as Uint8Array, level[2 * i + 1] ?? emptyRoot(height)),
      ),
    );
  }
  return Object.freeze({
    root: encodeHex(levels[depth]?.[0] as Uint8Array),
    leaves: Object.freeze(leaves.map(encodeHex)),
    prove(leafIndex: number) {
      if (!Number.isInteger(leafIndex) || leafIndex < 0 || leafIndex >= leaves.length) {
        throw wrongRange('leafIndex', `expected 0 to ${leaves.length - 1}`);
      }
      return Array.from({ length: depth }, (_, height) => {
        // Beside a leaf below 2^32 in a tree of as many: exact in a number, which a 32-bit operator would not be.
        const place = Math.floor(leafIndex / 2 ** height);
        const sibling = place % 2 === 0 ? place + 1 : place - 1;
        return encodeHex(levels[height]?.[sibling] ?? emptyRoot(height));
      });
    },
  });
}

/**
 * The trees of the messages of a finalization.
 *
 * @param hashes of all its messages, in the order of their logs, 32 bytes each
 * @param depth height of the trees, 1 to 32: each has 2^depth leaves
 * @returns one tree for each group, in order; none if there are no messages
 * @throws TypeError or RangeError for a wrong argument; zero is refused, since it fills trees up
 */
export function messageTrees(hashes: readonly Hex[], depth: number): MessageTree[] {
  const height = checkDepth(depth);
  if (!Array.isArray(hashes)) throw wrongType('hashes', `expected an array, got ${shown(hashes)}`);
  const leaves = Array.from({ length: hashes.length }, (_, i) => {
    const leaf = checkHex(hashes[i], 32, `hashes[${i}]`);
    if (isZero(leaf)) throw wrongRange(`hashes[${i}]`, 'is zero, which is no hash of a message');
    return leaf;
  });
  const width = 2 ** height;
  return Array.from({ length: Math.ceil(leaves.length / width) }, (_, i) =>
    toTree(leaves.slice(i * width, (i + 1) * width), height),
  );
}
