/** Digests of preimages hashed before, for the portable form; the kernel keeps its own. */
import { bytesToText } from '../bytes.js';

/** A bounded memo from whole preimages to digests. */
interface Memo {
  /** The digest of `preimage`, from the memo or computed. */
  digest(preimage: Uint8Array): Uint8Array;
  /** Drops all digests, and makes room for `nodes` of them. */
  reset(nodes: number): void;
}

/**
 * A memo in front of a hash. It is keyed by the full preimage and filled only with digests computed here, so what a
 * refused proof leaves in it is as true as the rest.
 */
export function createMemo(hash: (preimage: Uint8Array) => Uint8Array): Memo {
  const digests = new Map<string, Uint8Array>();
  let limit = 0;
  return {
    digest(preimage) {
      // A character a byte: two preimages never share a key.
      const key = bytesToText(preimage);
      let digest = digests.get(key);
      if (digest === undefined) {
        digest = hash(preimage);
        if (digests.size >= limit) digests.clear();
        if (limit > 0) digests.set(key, digest);
      }
      return digest;
    },
    reset(nodes) {
      digests.clear();
      limit = nodes;
    },
  };
}
