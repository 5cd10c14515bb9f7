/**
 * MiMC over the BLS12-377 scalar field, hashed in Miyaguchi-Preneel mode (gnark-crypto
 * `ecc/bls12-377/fr/mimc`). Portable form on BigInt.
 */
// @ts-nocheck

import { bytesToInteger, integerToBytes } from '../bytes.js';
import { deriveConstants } from './constants.js';
import { blockWidth, type Permutation } from './family.js';

/** Order of the BLS12-377 scalar field. */
export const mimcModulus =
  8444461749428370424248824938781546531375899335154063827935233455917409239041n;

const rounds = 62;

const multiply = (a: bigint, b: bigint): bigint => (a * b) % mimcModulus;
const square = (a: bigint): bigint => multiply(a, a);

let derived: readonly bigint[] | undefined;

/** The 62 round constants, derived on first use: most callers never need the portable form. */
export function mimcConstants(): readonly bigint[] {
  derived ??= deriveConstants('seed', rounds, mimcModulus);
  return derived;
}

/** The block cipher: 62 rounds of x -> (x + key + c)^17, then + key. */
function encrypt(message: bigint, key: bigint, constants: readonly bigint[]): bigint {
  let x = message;
  for (const constant of constants) {
    const base = x + key + constant;
    x = multiply(square(square(square(square(base)))), base);
  }
  return x + key;
}

function isCanonical(bytes: Uint8Array): boolean {
  for (let offset = 0; offset < bytes.length; offset += blockWidth) {
    if (bytesToInteger(bytes.subarray(offset, offset + blockWidth)) >= mimcModulus) return false;
  }
  return true;
}

/** MiMC as a {@link Permutation}: one block is one big-endian field element. */
export const mimcPermutation: Permutation = {
  family: 'mimc',
  title: 'MiMC over BLS12-377',
  // An index takes one block.
  widths: { topNode: 2 * blockWidth, leafOpening: 4 * blockWidth },
  isCanonical,
  digest(bytes) {
    const constants = mimcConstants();
    let digest = 0n;
    for (let offset = 0; offset < bytes.length; offset += blockWidth) {
      const block = bytesToInteger(bytes.subarray(offset, offset + blockWidth));
      // The message is added once more than in plain Davies-Meyer: without it a block could be undone.
      digest = (encrypt(block, digest, constants) + digest + block) % mimcModulus;
    }
    return integerToBytes(digest, blockWidth);
  },
};
