/**
 * Poseidon2 over KoalaBear, width 16, in Merkle-Damgard mode (gnark-crypto `field/koalabear/poseidon2`).
 * Portable form on doubles, where every linear layer is exact without a reduction.
 */
import { deriveConstants } from './constants.js';
import { blockWidth, type Permutation } from './family.js';

/** Order of the KoalaBear field, 2^31 - 2^24 + 1. */
export const koalaBearModulus = 2130706433;

const P = koalaBearModulus;
const INVERSE_P = 1 / P;
const width = 16;
const fullRounds = 6;
const partialRounds = 21;

let derived: Float64Array | undefined;

/** The 117 round constants in round order, derived on first use. */
export function poseidon2Constants(): Float64Array {
  derived ??= Float64Array.from(
    deriveConstants(
      'Poseidon2-koalabear[t=16,rF=6,rP=21,d=3]',
      fullRounds * width + partialRounds,
      BigInt(P),
    ),
    Number,
  );
  return derived;
}

/** 1 / 2^n in the field, as the exact halvings of 1 modulo p. */
function inversePowerOfTwo(n: number): number {
  let x = 1;
  for (let i = 0; i < n; i++) x = x % 2 === 0 ? x / 2 : (x + P) / 2;
  return x;
}

/** Diagonal of the internal matrix less one; written out here because no seed gives it. */
const diagonal = Float64Array.of(
  -2,
  1,
  2,
  inversePowerOfTwo(1),
  3,
  4,
  -inversePowerOfTwo(1),
  -3,
  -4,
  inversePowerOfTwo(8),
  inversePowerOfTwo(3),
  inversePowerOfTwo(24),
  -inversePowerOfTwo(8),
  -inversePowerOfTwo(3),
  -inversePowerOfTwo(4),
  -inversePowerOfTwo(24),
);

/**
 * An integer below 2^40 in size, brought into [0, p]. The quotient is below 2^10, so the product with
 * 1/p errs by less than 2^-40, while a quotient that is not whole is at least 1/p > 2^-31 away from
 * one: the floor can only be wrong at a multiple of p, where p is as good as 0.
 */
const reduce = (x: number): number => x - Math.floor(x * INVERSE_P) * P;

/**
 * a * b modulo p for |a|, |b| <= p + 2^11. The double quotient errs by less than 2^-20, so the result
 * is below p + 2^11 in size and thus exact in 32-bit arithmetic, and fit to be a factor again.
 */
const multiply = (a: number, b: number): number =>
  (Math.imul(a, b) - Math.imul((a * b * INVERSE_P) | 0, P)) | 0;

const cube = (x: number): number => multiply(multiply(x, x), x);

/** circ(2 M4, M4, M4, M4): M4 on each quarter, then each column's sum added. Grows sizes 35-fold. */
function externalLayer(s: Float64Array): void {
  let t0 = 0;
  let t1 = 0;
  let t2 = 0;
  let t3 = 0;
  for (let i = 0; i < width; i += 4) {
    const a = s[i] as number;
    const b = s[i + 1] as number;
    const c = s[i + 2] as number;
    const d = s[i + 3] as number;
    const sum = a + b + c + d;
    const y0 = sum + a + b + b;
    const y1 = sum + b + c + c;
    const y2 = sum + c + d + d;
    const y3 = sum + d + a + a;
    t0 += y0;
    t1 += y1;
    t2 += y2;
    t3 += y3;
    s[i] = y0;
    s[i + 1] = y1;
    s[i + 2] = y2;
    s[i + 3] = y3;
  }
  for (let i = 0; i < width; i += 4) {
    s[i] = (s[i] as number) + t0;
    s[i + 1] = (s[i + 1] as number) + t1;
    s[i + 2] = (s[i + 2] as number) + t2;
    s[i + 3] = (s[i + 3] as number) + t3;
  }
}

/** Adds 16 constants, cubes, mixes. Elements come in below 2^38 in size and leave below 35 (p + 2^11). */
function fullRound(s: Float64Array, constants: Float64Array, at: number): void {
  for (let i = 0; i < width; i++) {
    s[i] = cube(reduce((s[i] as number) + (constants[at + i] as number)));
  }
  externalLayer(s);
}

/** Cubes element 0, then y_i = sum + d_i x_i. Elements are below 2^37 in size before and after. */
function partialRound(s: Float64Array, constant: number): void {
  s[0] = cube(reduce((s[0] as number) + constant));
  let sum = s[0] as number;
  for (let i = 1; i < width; i++) {
    const x = reduce(s[i] as number);
    s[i] = x;
    sum += x;
  }
  for (let i = 0; i < width; i++) s[i] = sum + multiply(s[i] as number, diagonal[i] as number);
}

function permute(s: Float64Array): void {
  const constants = poseidon2Constants();
  let at = 0;
  externalLayer(s);
  for (; at < (fullRounds / 2) * width; at += width) fullRound(s, constants, at);
  const lastPartial = at + partialRounds;
  for (; at < lastPartial; at++) partialRound(s, constants[at] as number);
  for (; at < constants.length; at += width) fullRound(s, constants, at);
}

function isCanonical(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length; at += 4) if (view.getUint32(at) >= P) return false;
  return true;
}

/** Poseidon2 as a {@link Permutation}: one block is eight big-endian 32-bit field elements. */
export const poseidon2Permutation: Permutation = {
  family: 'poseidon2',
  title: 'Poseidon2 over KoalaBear',
  isCanonical,
  digest(bytes) {
    const input = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const state = new Float64Array(width);
    for (let at = 0; at < bytes.length; at += blockWidth) {
      for (let i = 0; i < 8; i++) state[8 + i] = input.getUint32(at + 4 * i);
      permute(state);
      // h' = m + the second half of the permutation; the first half is dropped.
      for (let i = 0; i < 8; i++) {
        state[i] = reduce((state[8 + i] as number) + input.getUint32(at + 4 * i)) % P;
      }
    }
    const digest = new Uint8Array(blockWidth);
    const output = new DataView(digest.buffer);
    for (let i = 0; i < 8; i++) output.setUint32(4 * i, state[i] as number);
    return digest;
  },
};
