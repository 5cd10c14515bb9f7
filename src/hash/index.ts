/**
 * `l2proof/hash`: the hash families as plain functions of bytes.
 *
 * @example
 * ```ts
 * import { poseidon2 } from 'l2proof/hash';
 *
 * console.log(poseidon2(new Uint8Array(32))); // of one block of 32 bytes
 * ```
 *
 * @module l2proof/hash
 */
import { sharedHasher } from './engine.js';

export type { HashFamily } from './family.js';

/**
 * Poseidon2 over KoalaBear (width 16, Merkle-Damgard), as the state is hashed since 1 April 2026.
 *
 * @param bytes whole 32-byte blocks, at least one; each block is eight big-endian 32-bit elements below
 *   2130706433
 * @returns the 32-byte digest
 * @throws TypeError if it is no Uint8Array
 * @throws RangeError for any other width or an element that is not canonical
 */
export function poseidon2(bytes: Uint8Array): Uint8Array {
  return sharedHasher('poseidon2').hash(bytes);
}

/**
 * MiMC over the BLS12-377 scalar field (Miyaguchi-Preneel), as the state was hashed before 1 April 2026.
 *
 * @param bytes whole 32-byte blocks, at least one; each block is one big-endian element below the order
 *   of the field
 * @returns the 32-byte digest
 * @throws TypeError if it is no Uint8Array
 * @throws RangeError for any other width or an element that is not canonical
 */
export function mimc(bytes: Uint8Array): Uint8Array {
  return sharedHasher('mimc').hash(bytes);
}
