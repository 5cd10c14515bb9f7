/** The name of a hash family: the field, permutation and compression that a tree is hashed with. */
export type HashFamily = 'poseidon2' | 'mimc';

/** Width of a digest and of a hash block, in bytes, in both families. */
export const blockWidth = 32;

/** One hash family, as the codecs and the verifier use it. */
export interface Hasher {
  readonly family: HashFamily;
  /** Field and permutation, for messages. */
  readonly title: string;
  /**
   * Digest of whole blocks.
   *
   * @param bytes canonical field elements, a multiple of 32 bytes, at least one block
   * @throws RangeError for anything else
   */
  hash(bytes: Uint8Array): Uint8Array;
  /** Whether every field element in `bytes` (whole blocks) is below p. */
  isCanonical(bytes: Uint8Array): boolean;
}

/** Refuses what no digest is defined for: one shape of input, one digest. */
export function checkBlocks(
  bytes: Uint8Array,
  hasher: Pick<Hasher, 'title' | 'isCanonical'>,
): void {
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
