/**
 * The lane ranges on which `assembly/poseidon2.ts` relies, evaluated at their ends.
 *
 * Each check names the function it stands for and throws if a step could leave its 32 or 64 bits or give a
 * result outside the promised range. Lanes are computed here as the machine does, modulo 2^32.
 */
// @ts-nocheck

import { koalaPrime as p } from './constants.js';

const u32 = (n: bigint) => BigInt.asUintN(32, n);
const i32 = (n: bigint) => BigInt.asIntN(32, n);
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);

/** Ends and turning points of the two ranges. */
const reducedEnds = [
  0n,
  1n,
  2n,
  p / 2n,
  p / 2n + 1n,
  (1n << 24n) - 1n,
  1n << 24n,
  (1n << 30n) - 1n,
  1n << 30n,
  p - 2n,
  p - 1n,
];
const signedEnds = [...reducedEnds, ...reducedEnds.map((x) => -x)];
const pInverse = 0x81000001n;

function expect(condition: boolean, what: string): void {
  if (!condition) throw new RangeError(what);
}

const isReduced = (x: bigint, residue: bigint) => x >= 0n && x < p && (x - residue) % p === 0n;
const isSigned = (x: bigint) => x > -p && x < p;

const add = (a: bigint, b: bigint) => smaller(u32(a + b), u32(a + b - p));
const reduce = (x: bigint) => smaller(u32(x), u32(x + p));

/** i64 product less q P, shifted; every step has to stay below 2^63. */
function product(a: bigint, b: bigint): bigint {
  const q = i32(a * b * pInverse);
  const steps = [a * b, q * p, a * b - q * p];
  for (const step of steps)
    expect(step < 1n << 63n && step >= -(1n << 63n), 'product exceeds 64 bits');
  expect(u32(a * b) === u32(q * p), 'low halves do not cancel');
  return (a * b - q * p) >> 32n;
}

function scaleDown(x: bigint, k: bigint): bigint {
  const remainder = u32(x << (32n - k));
  const correction = (remainder >> 1n) - (remainder >> 8n);
  // `sub` needs both operands reduced
  expect(correction >= 0n && correction < p, 'scaleDown: correction is not reduced');
  return reduce((x >> k) - correction);
}

/** Throws if a function of the kernel could break its promise. */
export function checkPoseidon2Bounds(): void {
  expect(u32(pInverse * p) === 1n, 'P_INVERSE');
  // the greatest sizes that occur, beyond the sampled values: |a b| <= (p-1)^2 and |q| <= 2^31
  expect((p - 1n) ** 2n + (1n << 31n) * p < 1n << 63n, 'product: 64 bits');
  expect(((p - 1n) ** 2n + (1n << 31n) * p) >> 32n < p, 'product: result is signed');
  expect(2n * (p - 1n) < 1n << 32n, 'add: 32 bits');
  for (const a of reducedEnds) {
    for (const b of reducedEnds) {
      expect(isReduced(add(a, b), a + b), 'add');
      expect(isReduced(reduce(a - b), a - b), 'sub');
      // x + (c - P), the S-box input of a full round, and of the first partial one
      expect(a + b - p >= -p && a + b - p < p, 'S-box input');
    }
    for (const k of [1n, 3n, 4n, 8n, 24n]) {
      const scaled = scaleDown(a, k);
      expect(isReduced(scaled, scaled) && ((scaled << k) - a) % p === 0n, 'scaleDown');
    }
    const half = (a >> 1n) + (a & 1n) * ((p + 1n) / 2n);
    expect(isReduced(half, half) && (2n * half - a) % p === 0n, 'half');
  }
  // a full round's S-box input may be -P itself (0 + 0 - P)
  for (const a of [...signedEnds, -p]) {
    for (const b of [...signedEnds, -p]) {
      const c = product(a, b);
      expect(isSigned(c), 'product is signed');
      expect(isReduced(reduce(c), c), 'reduce');
      expect(((c << 32n) - a * b) % p === 0n, 'product');
    }
  }
  expect((p ** 2n + (1n << 31n) * p) >> 32n < p, 'product with -P: result is signed');
}
