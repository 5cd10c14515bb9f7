/** SSZ's hash tree of the few objects that a light client reads (ethereum/consensus-specs, `ssz/simple-serialize.md`). */
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes, equalBytes, integerToBytes, isZero } from '../../bytes.js';
import { depthOf } from './forks.js';

/** Bytes of a node. */
export const merkleNodeWidth = 32;

const zero: Uint8Array = new Uint8Array(merkleNodeWidth);

/** The node above two. */
const parentOf = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concatBytes(left, right));

/** The root over leaves, from 1; those that are missing up to a power of two are zero. */
export function merkleRoot(leaves: readonly Uint8Array[]): Uint8Array {
  let level = leaves;
  // A level of zeros hashes to what the missing part of the tree does.
  let missing: Uint8Array = zero;
  while (level.length > 1) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      next.push(parentOf(level[i] as Uint8Array, level[i + 1] ?? missing));
    }
    missing = parentOf(missing, missing);
    level = next;
  }
  return level[0] as Uint8Array;
}

/** The node of a number: little-endian. */
export const numberNode = (value: bigint | number): Uint8Array =>
  integerToBytes(BigInt(value), merkleNodeWidth).reverse();

/** The nodes of bytes, the last one filled up with zeros; one node at least. */
function chunksOf(bytes: Uint8Array): Uint8Array[] {
  const count = Math.max(1, Math.ceil(bytes.length / merkleNodeWidth));
  return Array.from({ length: count }, (_, i) => {
    const chunk = new Uint8Array(merkleNodeWidth);
    chunk.set(bytes.subarray(i * merkleNodeWidth, (i + 1) * merkleNodeWidth));
    return chunk;
  });
}

/** The root of bytes whose number is fixed. */
export const bytesRoot = (bytes: Uint8Array): Uint8Array => merkleRoot(chunksOf(bytes));

/** The root of a list of up to 32 bytes. */
export const shortListRoot = (bytes: Uint8Array): Uint8Array =>
  parentOf(bytesRoot(bytes), numberNode(bytes.length));

/** A member's place in the tree of an object. */
interface TreePosition {
  /** Generalized index. */
  readonly index: number;
  /** Root of the object. */
  readonly root: Uint8Array;
}

/**
 * Whether a node stands at its place in the tree. A branch of a container that has more levels than the place has zeros
 * in front, exactly as many as are missing: with others, one member could be shown by two branches.
 *
 * @param branch from the node's sibling up to the child of the root
 */
export function isInTree(
  node: Uint8Array,
  branch: readonly Uint8Array[],
  { index, root }: TreePosition,
): boolean {
  const missing = branch.length - depthOf(index);
  if (missing < 0) return false;
  let above = node;
  for (const [i, sibling] of branch.entries()) {
    if (i < missing) {
      if (!isZero(sibling)) return false;
      continue;
    }
    const isRight = Math.floor(index / 2 ** (i - missing)) % 2 === 1;
    above = isRight ? parentOf(sibling, above) : parentOf(above, sibling);
  }
  return equalBytes(above, root);
}
