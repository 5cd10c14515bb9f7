/** API keys. A key itself is never kept, compared, logged or shown; only its digest is kept and compared. */
import { sha256 } from '@noble/hashes/sha2.js';
import { encodeHex } from '../../bytes.js';

/** The form of a key: a segment of a path that needs no escapes. */
const keyForm = /^[\w.~-]{8,256}$/;

export interface KeyRing {
  /** Whether there are no keys: every client that can reach the service may ask. */
  readonly isOpen: boolean;
  /** How many callers are told apart; 1 if the service is open. */
  readonly size: number;
  /** The number of a key, from 0 (shown from 1); undefined if the key is unknown. If the service is open, every key is 0. */
  find(key: string): number | undefined;
}

/** Node's own hash, if this is Node. A key is hashed with each request, and the portable one takes six times as long. */
const nodeHash: ((algorithm: string, text: string) => string) | undefined =
  globalThis.process?.getBuiltinModule?.('node:crypto')?.hash;

/** @returns hex */
const digestOf = (key: string): string =>
  nodeHash?.('sha256', key) ?? encodeHex(sha256(new TextEncoder().encode(key)));

/** 1 if two digests are the same, else 0, in a time that does not depend on either. */
function same(a: string, b: string): number {
  let difference = 0;
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return (difference - 1) >>> 31;
}

/**
 * Takes the keys in.
 *
 * @throws RangeError if one is of another form or comes twice; the message names its place, from 1, not the key
 */
export function createKeyRing(keys: readonly string[]): KeyRing {
  const digests = keys.map((key, i) => {
    if (typeof key !== 'string' || !keyForm.test(key)) {
      throw new RangeError(`key ${i + 1} expected 8 to 256 letters, digits or any of . _ ~ -`);
    }
    const first = keys.indexOf(key);
    if (first < i) throw new RangeError(`key ${i + 1} is the same as key ${first + 1}`);
    return digestOf(key);
  });
  const isOpen = digests.length === 0;
  return {
    isOpen,
    size: isOpen ? 1 : digests.length,
    find(key) {
      if (isOpen) return 0;
      // The form of keys is no secret, and a longer one costs a longer hash.
      if (!keyForm.test(key)) return undefined;
      const digest = digestOf(key);
      // All are compared, so that the time does not tell which key fits.
      let found = 0;
      digests.forEach((known, i) => {
        found |= same(known, digest) * (i + 1);
      });
      return found === 0 ? undefined : found - 1;
    },
  };
}
