/** Round constants from their published seeds: no table is typed by hand. */
// @ts-nocheck

import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToInteger } from '../bytes.js';

/**
 * The keccak chain that gnark-crypto derives its round constants with: d_0 = keccak256(seed),
 * d_(i+1) = keccak256(d_i) over the raw digest, c_i = d_(i+1) mod p.
 */
export function deriveConstants(seed: string, count: number, modulus: bigint): bigint[] {
  let digest = keccak_256(Uint8Array.from(seed, (letter) => letter.charCodeAt(0)));
  return Array.from({ length: count }, () => {
    digest = keccak_256(digest);
    return bytesToInteger(digest) % modulus;
  });
}
