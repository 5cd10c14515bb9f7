/**
 * A well-formed Merkle-Patricia proof or header that does not belong to the trusted hash. A malformed one
 * is a `ShapeError`.
 */
export class TrieError extends Error {
  override readonly name = 'TrieError';
  /** Where in the answer, for example `storageProof[0].proof[2]`; `` for the whole. */
  readonly path: string;
  /** The message without the path. */
  readonly reason: string;

  constructor(path: string, reason: string) {
    super(path === '' ? reason : `"${path}" ${reason}`);
    this.path = path;
    this.reason = reason;
  }
}

/** A transaction or receipt of a type that this version does not know. It may still be right. */
export class UnknownTypeError extends TrieError {}

/** The hash does not match, and the header has members that may be fields of a fork that this version does not know. */
export class UnknownFieldError extends TrieError {}
