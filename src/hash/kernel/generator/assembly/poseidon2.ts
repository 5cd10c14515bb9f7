/**
 * Poseidon2 over KoalaBear, width 16 (protocol.md section 2), one permutation in four vectors of
 * four lanes. Elements are in Montgomery form (x * 2^32 mod P).
 *
 * Two states of a lane occur, and every function names the one it takes and gives:
 *   reduced   0 <= x < P, as u32; the sum of two stays below 2^32
 *   signed    -P <= x < P, as i32; the product of two is at most P^2 < 2^62 in size
 * kernel/poseidon2Bounds.ts evaluates each function below at the ends of these ranges.
 *
 * Full rounds hold the state transposed, v[j] = (s[j], s[4+j], s[8+j], s[12+j]): the 4x4 matrix is
 * then sums of whole vectors. Partial rounds keep s[0] in a scalar and regroup the other fifteen
 * by the kind of their diagonal entry, so that the diagonal costs shifts and sums.
 */
import { FULL_ROUNDS, HALF, INVERSES, KEEP_C, KEEP_D, ONES, PARTIAL_ROUNDS, POWERS_A, POWERS_B, PRIME, TO_MONTGOMERY } from './constants'
import { decodeDigits } from './hex'
import { JOBS, LANES } from './layout'
import { hashLanes } from './poseidon2Lanes'

export const TOP_BLOCKS: u32 = 3
export const LEAF_BLOCKS: u32 = 6

const P: i32 = 0x7f000001
/** P^-1 mod 2^32. */
const P_INVERSE: i32 = 0x81000001

let hashedBlocks: u32 = 0

/** 32-byte blocks hashed since instantiation. */
export function hashed(): u32 {
  return hashedBlocks
}

/** reduced + reduced -> reduced. If a + b < P, the difference wraps above 2^31 and min keeps the sum. */
@inline
function add(a: v128, b: v128): v128 {
  const sum = i32x4.add(a, b)
  return i32x4.min_u(sum, i32x4.sub(sum, v128.load(PRIME)))
}

/** signed, but not -P, -> reduced: a negative x is above 2^31 as u32, and x + P is then the smaller. */
@inline
function reduce(x: v128): v128 {
  return i32x4.min_u(x, i32x4.add(x, v128.load(PRIME)))
}

/** reduced - reduced -> reduced. */
@inline
function sub(a: v128, b: v128): v128 {
  return reduce(i32x4.sub(a, b))
}

/** The four high halves of the products of the lanes of a and b. */
@inline
function highHalves(a: v128, b: v128): v128 {
  return v128.shuffle<i32>(i64x2.extmul_low_i32x4_s(a, b), i64x2.extmul_high_i32x4_s(a, b), 1, 3, 5, 7)
}

/**
 * signed * signed / 2^32 -> signed, but never -P. With q = a * b / P mod 2^32 (signed), a * b - q * P is divisible by
 * 2^32: low halves cancel, high halves differ by less than (P^2 + 2^31 * P) / 2^32 < P.
 */
@inline
function product(a: v128, b: v128): v128 {
  const q = i32x4.mul(i32x4.mul(a, b), v128.load(INVERSES))
  return i32x4.sub(highHalves(a, b), highHalves(q, v128.load(PRIME)))
}

/** Adds a round constant, stored less P (so reduced becomes signed), and cubes: reduced -> reduced. */
@inline
function sbox(x: v128, constants: usize): v128 {
  const t = i32x4.add(x, v128.load(constants))
  return reduce(product(product(t, t), t))
}

/** In every lane the sum of the four lanes, reduced -> reduced. */
@inline
function sumLanes(x: v128): v128 {
  const pairs = add(x, v128.shuffle<i32>(x, x, 2, 3, 0, 1))
  return add(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2))
}

/** x / 2^k -> reduced, with `powers` = 2^(32-k): x >> k, less (2^7 - 1) * 2^(24-k) * (x mod 2^k), for 2^-24 = -(2^7 - 1) mod P. */
@inline
function scaleDown(x: v128, powers: v128): v128 {
  const low = i64x2.extmul_low_i32x4_u(x, powers)
  const high = i64x2.extmul_high_i32x4_u(x, powers)
  const remainder = v128.shuffle<i32>(low, high, 0, 2, 4, 6)
  const quotient = v128.shuffle<i32>(low, high, 1, 3, 5, 7)
  return sub(quotient, i32x4.sub(i32x4.shr_u(remainder, 1), i32x4.shr_u(remainder, 8)))
}

/** Scalar forms of `add`, `reduce` and `product`, with the same ranges. */
@inline
function addScalar(a: u32, b: u32): u32 {
  const sum = a + b
  return min<u32>(sum, sum - P)
}

@inline
function reduceScalar(x: i32): u32 {
  return x + (P & (x >> 31))
}

@inline
function productScalar(a: i64, b: i64): i64 {
  const t = a * b
  return (t - <i64>(<i32>t * P_INVERSE) * P) >> 32
}

/** Big-endian words to lanes and back. */
@inline
export function swapBytes(x: v128): v128 {
  return v128.shuffle<u8>(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
}

@inline
function toMontgomery(words: v128): v128 {
  return reduce(product(words, v128.load(TO_MONTGOMERY)))
}

@inline
function fromMontgomery(x: v128): v128 {
  return reduce(product(x, v128.load(ONES)))
}

/** Hashes `blocks` canonical 32-byte blocks; `dst` is written last and may overlap the input. */
export function hash(src: usize, blocks: u32, dst: usize): void {
  hashedBlocks += blocks
  // the chaining value stays transposed: its element j in lane 2 of h[j], element 4 + j in lane 3
  let h0 = i32x4.splat(0)
  let h1 = h0
  let h2 = h0
  let h3 = h0
  for (const end = src + 32 * blocks; src < end; src += 32) {
    const low = toMontgomery(swapBytes(v128.load(src)))
    const high = toMontgomery(swapBytes(v128.load(src, 16)))
    const m0 = v128.shuffle<i32>(low, high, 0, 4, 0, 4)
    const m1 = v128.shuffle<i32>(low, high, 1, 5, 1, 5)
    const m2 = v128.shuffle<i32>(low, high, 2, 6, 2, 6)
    const m3 = v128.shuffle<i32>(low, high, 3, 7, 3, 7)
    let v0 = v128.shuffle<i32>(h0, m0, 2, 3, 6, 7)
    let v1 = v128.shuffle<i32>(h1, m1, 2, 3, 6, 7)
    let v2 = v128.shuffle<i32>(h2, m2, 2, 3, 6, 7)
    let v3 = v128.shuffle<i32>(h3, m3, 2, 3, 6, 7)

    // seven external matrices with six full rounds between them; the partial rounds follow the fourth matrix
    for (let round: usize = 0; ; round++) {
      const v01 = add(v0, v1)
      const v23 = add(v2, v3)
      const all = add(v01, v23)
      const all1 = add(all, v1)
      const all3 = add(all, v3)
      const w0 = add(v01, all1)
      const w1 = add(add(v2, v2), all1)
      const w2 = add(v23, all3)
      const w3 = add(add(v0, v0), all3)
      v0 = add(w0, sumLanes(w0))
      v1 = add(w1, sumLanes(w1))
      v2 = add(w2, sumLanes(w2))
      v3 = add(w3, sumLanes(w3))
      if (round == 6) break

      if (round == 3) {
        // rows r[i] = (s[4i], ..., s[4i+3])
        let t01 = v128.shuffle<i32>(v0, v1, 0, 4, 1, 5)
        let t23 = v128.shuffle<i32>(v2, v3, 0, 4, 1, 5)
        let u01 = v128.shuffle<i32>(v0, v1, 2, 6, 3, 7)
        let u23 = v128.shuffle<i32>(v2, v3, 2, 6, 3, 7)
        const r0 = v128.shuffle<i32>(t01, t23, 0, 1, 4, 5)
        const r1 = v128.shuffle<i32>(t01, t23, 2, 3, 6, 7)
        const r2 = v128.shuffle<i32>(u01, u23, 0, 1, 4, 5)
        // groups by diagonal entry; the unused lane of d is zero throughout
        let a = v128.shuffle<i32>(r2, r0, 7, 1, 2, 3) // s[3], s[9], s[10], s[11]: 2^-1, 2^-8, 2^-3, 2^-24
        let b = v128.shuffle<i32>(u01, u23, 2, 3, 6, 7) // s[12..15]: -2^-8, -2^-3, -2^-4, -2^-24
        let c = v128.shuffle<i32>(r0, r1, 1, 2, 4, 5) // s[1], s[2], s[4], s[5]: 1, 2, 3, 4
        let d = v128.and(v128.shuffle<i32>(r2, r1, 0, 1, 6, 7), v128.load(KEEP_D)) // s[8], 0, s[6], s[7]: -4, -, -1/2, -3

        // sum of the fifteen, and the next S-box input, signed
        let rest: u32 = i32x4.extract_lane(sumLanes(add(add(a, b), add(c, d))), 0)
        let x = <i64>i32x4.extract_lane(r0, 0) + <i64>load<u32>(PARTIAL_ROUNDS) - P
        for (let next = PARTIAL_ROUNDS + 4; next <= PARTIAL_ROUNDS + 84; next += 4) {
          const y = reduceScalar(<i32>productScalar(productScalar(x, x), x))
          // s[0] becomes rest + y - 2y; the word after the last constant is zero
          x = <i64>addScalar(rest, load<u32>(next)) - <i64>y
          const sum = i32x4.splat(addScalar(rest, y))

          a = add(scaleDown(a, v128.load(POWERS_A)), sum)
          b = sub(sum, scaleDown(b, v128.load(POWERS_B)))

          const c2 = add(c, c)
          const c012 = v128.and(v128.shuffle<i32>(c, c2, 0, 1, 2, 7), v128.load(KEEP_C))
          c = add(add(v128.shuffle<i32>(c, c2, 0, 1, 6, 7), c012), sum)

          const d2 = add(d, d)
          const d43 = add(d2, v128.shuffle<i32>(d2, d, 0, 1, 2, 7))
          // x / 2 = (x >> 1) + (x odd ? (P + 1) / 2 : 0)
          const odd = i32x4.neg(v128.and(d, v128.load(ONES)))
          const half = i32x4.add(i32x4.shr_u(d, 1), v128.and(odd, v128.load(HALF)))
          d = v128.and(sub(sum, v128.shuffle<i32>(d43, half, 0, 1, 6, 3)), v128.load(KEEP_D))

          rest = i32x4.extract_lane(sumLanes(add(add(a, b), add(c, d))), 0)
        }
        const n0 = i32x4.replace_lane(v128.shuffle<i32>(c, a, 0, 0, 1, 4), 0, reduceScalar(<i32>x))
        const n1 = v128.shuffle<i32>(c, d, 2, 3, 6, 7)
        const n2 = v128.shuffle<i32>(d, a, 0, 5, 6, 7)
        t01 = v128.shuffle<i32>(n0, n1, 0, 4, 1, 5)
        t23 = v128.shuffle<i32>(n2, b, 0, 4, 1, 5)
        u01 = v128.shuffle<i32>(n0, n1, 2, 6, 3, 7)
        u23 = v128.shuffle<i32>(n2, b, 2, 6, 3, 7)
        v0 = v128.shuffle<i32>(t01, t23, 0, 1, 4, 5)
        v1 = v128.shuffle<i32>(t01, t23, 2, 3, 6, 7)
        v2 = v128.shuffle<i32>(u01, u23, 0, 1, 4, 5)
        v3 = v128.shuffle<i32>(u01, u23, 2, 3, 6, 7)
      }

      const constants = FULL_ROUNDS + 64 * round
      v0 = sbox(v0, constants)
      v1 = sbox(v1, constants + 16)
      v2 = sbox(v2, constants + 32)
      v3 = sbox(v3, constants + 48)
    }
    h0 = add(v0, m0)
    h1 = add(v1, m1)
    h2 = add(v2, m2)
    h3 = add(v3, m3)
  }
  const h01 = v128.shuffle<i32>(h0, h1, 2, 6, 3, 7)
  const h23 = v128.shuffle<i32>(h2, h3, 2, 6, 3, 7)
  v128.store(dst, swapBytes(fromMontgomery(v128.shuffle<i32>(h01, h23, 0, 1, 4, 5))))
  v128.store(dst, swapBytes(fromMontgomery(v128.shuffle<i32>(h01, h23, 2, 3, 6, 7))), 16)
}

/** Fewest hashes that take longer one by one than four do in lanes. */
const WORTH_LANES: u32 = 3

/** Hashes the first `count` jobs, 1..4. */
export function hashMany(count: u32, blocks: u32): void {
  if (count < WORTH_LANES) {
    for (let job = JOBS; job < JOBS + 8 * count; job += 8) hash(load<u32>(job), blocks, load<u32>(job, 4))
    return
  }
  hashedBlocks += count * blocks
  // a lane without a job does the first one again
  for (let job = JOBS + 8 * count; job < JOBS + 8 * LANES; job += 8) store<u64>(job, load<u64>(JOBS))
  hashLanes(blocks)
}

/** Says whether every 4-byte word of `blocks` blocks is below P. */
export function canonical(src: usize, blocks: u32): bool {
  let below = i32x4.splat(-1)
  for (const end = src + 32 * blocks; src < end; src += 16) {
    below = v128.and(below, i32x4.lt_u(swapBytes(v128.load(src)), v128.load(PRIME)))
  }
  return i32x4.all_true(below)
}

/** Values of sixteen digits in pairs, one byte a pair in the low half of each 16-bit lane. */
@inline
function digitPairs(text: v128): v128 {
  const isLetter = i8x16.gt_u(text, i8x16.splat(0x39))
  const values = i8x16.add(v128.and(text, i8x16.splat(15)), v128.and(isLetter, i8x16.splat(9)))
  return v128.and(v128.or(i16x8.shl(values, 4), i16x8.shr_u(values, 8)), i16x8.splat(255))
}

/** All ones in the lanes that hold a digit of either case. */
@inline
function digits(text: v128): v128 {
  const number = i8x16.le_u(i8x16.sub(text, i8x16.splat(0x30)), i8x16.splat(9))
  const letter = i8x16.le_u(i8x16.sub(v128.or(text, i8x16.splat(0x20)), i8x16.splat(0x61)), i8x16.splat(5))
  return v128.or(number, letter)
}

/** `decodeDigits`, sixteen bytes at a time. */
export function decodeHex(src: usize, bytes: u32, dst: usize): bool {
  let valid = i8x16.splat(-1)
  for (; bytes >= 16; bytes -= 16, src += 32, dst += 16) {
    const left = v128.load(src)
    const right = v128.load(src, 16)
    valid = v128.and(valid, v128.and(digits(left), digits(right)))
    v128.store(dst, i8x16.narrow_i16x8_u(digitPairs(left), digitPairs(right)))
  }
  return i8x16.all_true(valid) && decodeDigits(src, bytes, dst)
}
