/** Hash families, and the seam behind which they hash. */
import { isBytes } from '../bytes.js';

/** The name of a hash family: the field, permutation and compression that a tree is hashed with. */
export type HashFamily = 'poseidon2' | 'mimc';

/** Width of a digest and of a hash block, in bytes, in every family. */
export const blockWidth = 32;

/** Bytes of the two nodes whose width differs between the families. */
export interface PathWidths {
  /** The next free node, then the sub-tree root. */
  readonly topNode: number;
  /** prev, next, hKey, hValue. */
  readonly leafOpening: number;
}

/** The arithmetic of one family in portable form, and the widths that it goes by. */
export interface Permutation {
  readonly family: HashFamily;
  /** Field and permutation, for messages. */
  readonly title: string;
  readonly widths: PathWidths;
  /** Digest of whole blocks of canonical elements, 32 bytes. */
  digest(blocks: Uint8Array): Uint8Array;
  /** Whether every field element in `blocks` is below p. */
  isCanonical(blocks: Uint8Array): boolean;
}

/** A decoded path: what {@link Hasher.recoverRoots} hashes. */
export interface PathNodes {
  /** As {@link Hasher.decodePath} gives them. */
  readonly nodes: Uint8Array;
  readonly siblingLeafWidth: number;
  /** Below 2^40. */
  readonly leafIndex: bigint;
}

/** The two digests above a leaf. */
export interface PathRoots {
  /** Recovered from the leaf opening and the siblings, 32 bytes. */
  readonly subTreeRoot: Uint8Array;
  /** Digest of the top node, 32 bytes. */
  readonly root: Uint8Array;
}

/**
 * The seam between the verifier and the hashing: the kernel and the portable form give the same answers. A path goes
 * through it in two calls, one that reads its text and one that hashes it.
 */
export interface Hasher {
  readonly family: HashFamily;
  readonly title: string;
  /**
   * Digest of whole blocks.
   *
   * @param bytes canonical field elements, a multiple of 32 bytes, at least one block
   * @throws RangeError for anything else
   */
  hash(bytes: Uint8Array): Uint8Array;
  /**
   * Digests of many inputs of one width, back to back.
   *
   * @param bytes the inputs, back to back; may be empty
   * @param width bytes of each input, a multiple of 32
   * @throws RangeError if {@link hash} would refuse an input, or the bytes are not a whole number of inputs
   */
  hashEach(bytes: Uint8Array, width: number): Uint8Array;
  /** Whether every field element in `bytes` (whole blocks) is below p. */
  isCanonical(bytes: Uint8Array): boolean;
  /**
   * The bytes of all nodes of a path, back to back.
   *
   * @param texts hex of each node, of the lengths that `nodeWidths` gives
   * @returns undefined if a text is no hex or an element is not canonical
   */
  decodePath(texts: readonly string[], siblingLeafWidth: number): Uint8Array | undefined;
  /** Recovers both roots above the leaf of each path. Compares nothing. Paths in one call may be hashed side by side. */
  recoverRoots(paths: readonly PathNodes[]): PathRoots[];
  /** Drops all digests remembered, and makes room for about `nodes` of them. */
  remember(nodes: number): void;
}

/** Refuses input that no digest is defined for: one shape of input, one digest. */
export function checkBlocks(bytes: Uint8Array, hasher: Permutation): void {
  if (!isBytes(bytes)) throw new TypeError('"bytes" expected a Uint8Array');
  // No length is mixed into the digest and nothing is padded, so an exact width is all that keeps
  // two inputs from sharing a digest.
  if (bytes.length === 0 || bytes.length % blockWidth !== 0) {
    throw new RangeError(
      `"bytes" expected one or more blocks of ${blockWidth} bytes, got ${bytes.length} bytes`,
    );
  }
  if (!hasher.isCanonical(bytes)) {
    throw new RangeError(
      `"bytes" expected field elements of ${hasher.title}, all below the modulus`,
    );
  }
}

/** Refuses a width that no input has, and bytes that end within an input: a part of an input has no digest. */
export function checkInputs(bytes: Uint8Array, width: number): void {
  const isWidth = Number.isSafeInteger(width) && width > 0 && width % blockWidth === 0;
  if (!isWidth || bytes.length % width !== 0) {
    throw new RangeError(`"bytes" expected inputs of ${width} bytes, got ${bytes.length} bytes`);
  }
}
