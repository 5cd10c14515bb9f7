/**
 * Poseidon2 over KoalaBear, width 16, in Merkle-Damgard mode (gnark-crypto `field/koalabear/poseidon2`).
 * Portable form on doubles: every linear layer is exact without a reduction.
 */
import { deriveConstants } from './constants.js';
import { blockWidth, type Permutation } from './family.js';

/** Order of the KoalaBear field, 2^31 - 2^24 + 1. */
export const koalaBearModulus = 2130706433;

const P = koalaBearModulus;
const INVERSE_P = 1 / P;
const width = 16;
const fullRounds = 6;
const partialRoundCount = 21;

let derived: Float64Array | undefined;

/** The 117 round constants in round order, derived on first use. */
export function poseidon2Constants(): Float64Array {
  derived ??= Float64Array.from(
    deriveConstants(
      'Poseidon2-koalabear[t=16,rF=6,rP=21,d=3]',
      fullRounds * width + partialRoundCount,
      BigInt(P),
    ),
    Number,
  );
  return derived;
}

/**
 * An integer below 2^40 in size, brought into [0, p]. The quotient is below 2^10, so the product with 1/p errs by less
 * than 2^-40. A quotient that is not whole is at least 1/p > 2^-31 away from a whole one. The floor can only be wrong
 * at a multiple of p, and there p is as good as 0.
 */
const reduce = (x: number): number => x - Math.floor(x * INVERSE_P) * P;

/**
 * a * b modulo p for |a|, |b| <= p + 2^11. The double quotient errs by less than 2^-20, so the result
 * is below p + 2^11 in size and thus exact in 32-bit arithmetic, and fit to be a factor again.
 */
const multiply = (a: number, b: number): number =>
  (Math.imul(a, b) - Math.imul((a * b * INVERSE_P) | 0, P)) | 0;

/**
 * x / 2^n modulo p for 0 <= x <= p and n <= 24, from p = 127 * 2^24 + 1: the low bits come off as so many times
 * 1 = -127 * 2^24. Above -2^31 and below 2^31 at every step, so exact in 32-bit arithmetic.
 */
const scaleDown = (x: number, n: number): number =>
  ((x >> n) - Math.imul(x & ((1 << n) - 1), 127 << (24 - n))) | 0;

const cube = (x: number): number => multiply(multiply(x, x), x);

/** circ(2 M4, M4, M4, M4): M4 on each quarter, then each column's sum added. Grows sizes 35-fold. */
function externalLayer(s: Float64Array): void {
  const x0 = s[0] as number;
  const x1 = s[1] as number;
  const x2 = s[2] as number;
  const x3 = s[3] as number;
  const x4 = s[4] as number;
  const x5 = s[5] as number;
  const x6 = s[6] as number;
  const x7 = s[7] as number;
  const x8 = s[8] as number;
  const x9 = s[9] as number;
  const x10 = s[10] as number;
  const x11 = s[11] as number;
  const x12 = s[12] as number;
  const x13 = s[13] as number;
  const x14 = s[14] as number;
  const x15 = s[15] as number;
  const s0 = x0 + x1 + x2 + x3;
  const a0 = s0 + x0 + 2 * x1;
  const b0 = s0 + x1 + 2 * x2;
  const c0 = s0 + x2 + 2 * x3;
  const d0 = s0 + x3 + 2 * x0;
  const s4 = x4 + x5 + x6 + x7;
  const a4 = s4 + x4 + 2 * x5;
  const b4 = s4 + x5 + 2 * x6;
  const c4 = s4 + x6 + 2 * x7;
  const d4 = s4 + x7 + 2 * x4;
  const s8 = x8 + x9 + x10 + x11;
  const a8 = s8 + x8 + 2 * x9;
  const b8 = s8 + x9 + 2 * x10;
  const c8 = s8 + x10 + 2 * x11;
  const d8 = s8 + x11 + 2 * x8;
  const s12 = x12 + x13 + x14 + x15;
  const a12 = s12 + x12 + 2 * x13;
  const b12 = s12 + x13 + 2 * x14;
  const c12 = s12 + x14 + 2 * x15;
  const d12 = s12 + x15 + 2 * x12;
  const t0 = a0 + a4 + a8 + a12;
  const t1 = b0 + b4 + b8 + b12;
  const t2 = c0 + c4 + c8 + c12;
  const t3 = d0 + d4 + d8 + d12;
  s[0] = a0 + t0;
  s[1] = b0 + t1;
  s[2] = c0 + t2;
  s[3] = d0 + t3;
  s[4] = a4 + t0;
  s[5] = b4 + t1;
  s[6] = c4 + t2;
  s[7] = d4 + t3;
  s[8] = a8 + t0;
  s[9] = b8 + t1;
  s[10] = c8 + t2;
  s[11] = d8 + t3;
  s[12] = a12 + t0;
  s[13] = b12 + t1;
  s[14] = c12 + t2;
  s[15] = d12 + t3;
}

/** Adds 16 constants, cubes all, mixes. Elements come in below 2^38 in size and leave below 35 (p + 2^11). */
function fullRound(s: Float64Array, constants: Float64Array, offset: number): void {
  for (let i = 0; i < width; i++) {
    s[i] = cube(reduce((s[i] as number) + (constants[offset + i] as number)));
  }
  externalLayer(s);
}

/**
 * The partial rounds: add a constant to element 0, cube it, then y_i = sum + d_i x_i, with the diagonal d =
 * (-2, 1, 2, 1/2, 3, 4, -1/2, -3, -4, 1/2^8, 1/8, 1/2^24, -1/2^8, -1/8, -1/16, -1/2^24).
 *
 * Elements are below 2^37 in size before and after: the sum of sixteen reduced ones is below 16 (p + 2^11), and a small
 * d_i adds at most 4 p. Local variables rather than the array: twice as fast.
 */
function partialRounds(s: Float64Array, constants: Float64Array, from: number): void {
  let x0 = s[0] as number;
  let x1 = s[1] as number;
  let x2 = s[2] as number;
  let x3 = s[3] as number;
  let x4 = s[4] as number;
  let x5 = s[5] as number;
  let x6 = s[6] as number;
  let x7 = s[7] as number;
  let x8 = s[8] as number;
  let x9 = s[9] as number;
  let x10 = s[10] as number;
  let x11 = s[11] as number;
  let x12 = s[12] as number;
  let x13 = s[13] as number;
  let x14 = s[14] as number;
  let x15 = s[15] as number;
  for (let i = from; i < from + partialRoundCount; i++) {
    x0 = cube(reduce(x0 + (constants[i] as number)));
    x1 = reduce(x1);
    x2 = reduce(x2);
    x3 = reduce(x3);
    x4 = reduce(x4);
    x5 = reduce(x5);
    x6 = reduce(x6);
    x7 = reduce(x7);
    x8 = reduce(x8);
    x9 = reduce(x9);
    x10 = reduce(x10);
    x11 = reduce(x11);
    x12 = reduce(x12);
    x13 = reduce(x13);
    x14 = reduce(x14);
    x15 = reduce(x15);
    const low = x0 + x1 + x2 + x3 + (x4 + x5 + x6 + x7);
    const sum = low + (x8 + x9 + x10 + x11) + (x12 + x13 + x14 + x15);
    x0 = sum - 2 * x0;
    x1 = sum + x1;
    x2 = sum + 2 * x2;
    x3 = sum + scaleDown(x3, 1);
    x4 = sum + 3 * x4;
    x5 = sum + 4 * x5;
    x6 = sum - scaleDown(x6, 1);
    x7 = sum - 3 * x7;
    x8 = sum - 4 * x8;
    x9 = sum + scaleDown(x9, 8);
    x10 = sum + scaleDown(x10, 3);
    x11 = sum + scaleDown(x11, 24);
    x12 = sum - scaleDown(x12, 8);
    x13 = sum - scaleDown(x13, 3);
    x14 = sum - scaleDown(x14, 4);
    x15 = sum - scaleDown(x15, 24);
  }
  s.set([x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15]);
}

function permute(s: Float64Array): void {
  const constants = poseidon2Constants();
  let offset = 0;
  externalLayer(s);
  for (; offset < (fullRounds / 2) * width; offset += width) fullRound(s, constants, offset);
  partialRounds(s, constants, offset);
  offset += partialRoundCount;
  for (; offset < constants.length; offset += width) fullRound(s, constants, offset);
}

function isCanonical(bytes: Uint8Array): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset < bytes.length; offset += 4) {
    if (view.getUint32(offset) >= P) return false;
  }
  return true;
}

/** Poseidon2 as a {@link Permutation}: one block is eight big-endian 32-bit field elements. */
export const poseidon2Permutation: Permutation = {
  family: 'poseidon2',
  title: 'Poseidon2 over KoalaBear',
  // An index takes two blocks, as limbs.
  widths: { topNode: 3 * blockWidth, leafOpening: 6 * blockWidth },
  isCanonical,
  digest(bytes) {
    const input = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const state = new Float64Array(width);
    for (let offset = 0; offset < bytes.length; offset += blockWidth) {
      for (let i = 0; i < 8; i++) state[8 + i] = input.getUint32(offset + 4 * i);
      permute(state);
      // h' = m + the second half of the permutation; the first half is dropped.
      for (let i = 0; i < 8; i++) {
        state[i] = reduce((state[8 + i] as number) + input.getUint32(offset + 4 * i)) % P;
      }
    }
    const digest = new Uint8Array(blockWidth);
    const output = new DataView(digest.buffer);
    for (let i = 0; i < 8; i++) output.setUint32(4 * i, state[i] as number);
    return digest;
  },
};
