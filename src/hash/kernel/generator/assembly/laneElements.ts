/**
 * Elements of four Poseidon2 states side by side, one in each 32-bit lane. No value crosses lanes.
 *
 * Elements are plain residues, not in Montgomery form. Lanes are unsigned unless said otherwise, and every function
 * names the range that it takes and gives:
 *   strict   below P
 *   loose    below P + 2^19: a few quotients too far off to matter
 *   signed   any word, as a signed one: from -2^31 to 2^31 - 1
 *   centred  signed, at most P / 2 + 2^11 in size
 * ../README.md derives the bounds; ../lanesBounds.ts evaluates them. Constants of doubles are loaded from memory: in locals, the
 * engine would move them to and from the stack.
 */
import { FACTOR_127, INVERSE, PRIME, ROUND } from './laneConstants'

/** below 2P -> below P; below 2P + e -> below P + e. If x < P the difference wraps above 2^31, and min keeps x. */
@inline
export function shrink(x: v128, p: v128): v128 {
  return i32x4.min_u(x, i32x4.sub(x, p))
}

@inline
export function add(a: v128, b: v128, p: v128): v128 {
  return shrink(i32x4.add(a, b), p)
}

/** strict - strict -> strict. */
@inline
export function sub(a: v128, b: v128, p: v128): v128 {
  const difference = i32x4.sub(a, b)
  return i32x4.min_u(difference, i32x4.add(difference, p))
}

/** Lanes 0 and 1, signed, as doubles. */
@inline
export function lowDoubles(x: v128): v128 {
  return f64x2.convert_low_i32x4_s(x)
}

/** Lanes 2 and 3, signed, as doubles. */
@inline
export function highDoubles(x: v128): v128 {
  return f64x2.convert_low_i32x4_s(v128.shuffle<i32>(x, x, 2, 3, 2, 3))
}

/** Doubles rounded to integers, modulo 2^32: with 2^52 and more added, the low word of a double is its integer. */
@inline
export function integers(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(f64x2.add(low, v128.load(ROUND)), f64x2.add(high, v128.load(ROUND)), 0, 2, 4, 6)
}

/** x - q P. */
@inline
export function lessMultiple(x: v128, q: v128): v128 {
  return i32x4.sub(x, i32x4.mul(q, v128.load(PRIME)))
}

/** signed -> the cube, centred. */
@inline
export function cube(x: v128): v128 {
  const low = lowDoubles(x)
  const high = highDoubles(x)
  const lowShare = f64x2.mul(low, v128.load(INVERSE))
  const highShare = f64x2.mul(high, v128.load(INVERSE))
  const q = integers(f64x2.mul(low, lowShare), f64x2.mul(high, highShare))
  const square = lessMultiple(i32x4.mul(x, x), q)
  const r = integers(f64x2.mul(lowDoubles(square), lowShare), f64x2.mul(highDoubles(square), highShare))
  return lessMultiple(i32x4.mul(square, x), r)
}

/** Signed, from -P to below P + e -> below P + e. If x is not negative, x + P is greater; if it is, x + P wraps to less. */
@inline
export function unsigned(x: v128, p: v128): v128 {
  return i32x4.min_u(x, i32x4.add(x, p))
}

/** strict times a factor of a table -> strict. The table holds the factor's share of P, a double, and the factor. */
@inline
export function multiply(x: v128, factor: usize, p: v128): v128 {
  const share = v128.load64_splat(factor)
  const q = integers(f64x2.mul(lowDoubles(x), share), f64x2.mul(highDoubles(x), share))
  return unsigned(lessMultiple(i32x4.mul(x, v128.load32_splat(factor, 8)), q), p)
}

/** strict -> strict. */
@inline
export function double(x: v128, p: v128): v128 {
  return add(x, x, p)
}

/**
 * x / 2^k + (1 - 2^-k) (P - 1), strict -> strict: x >> k, and (P - 1) / 2^k for each low bit's worth that x lacks. `low` holds
 * 2^k - 1.
 */
@inline
export function scaleDown(x: v128, k: i32, low: usize): v128 {
  const missing = v128.andnot(v128.load(low), x)
  const quotient = i32x4.shr_u(x, k)
  // 127 missing, by 2^(24 - k)
  if (k == 24) return i32x4.add(quotient, i32x4.sub(i32x4.shl(missing, 7), missing))
  if (k > 8) return i32x4.add(quotient, i32x4.sub(i32x4.shl(missing, 31 - k), i32x4.shl(missing, 24 - k)))
  return i32x4.add(quotient, i32x4.shl(i32x4.dot_i16x8_s(missing, v128.load(FACTOR_127)), 24 - k))
}

/** x - q P, below 2P, made strict. `share` >> `bits` is q: x / 2^31, at most one too low. */
@inline
export function lessShare(x: v128, share: v128, bits: i32, p: v128): v128 {
  return shrink(i32x4.sub(x, i32x4.mul(i32x4.shr_u(share, bits), p)), p)
}

/** 9 x + y, strict -> strict. */
@inline
export function times9(x: v128, y: v128, p: v128): v128 {
  const share = i32x4.add(x, i32x4.shr_u(i32x4.add(x, y), 3))
  return lessShare(i32x4.add(i32x4.shl(x, 3), i32x4.add(x, y)), share, 28, p)
}

/** 16 x + y, strict -> strict. */
@inline
export function times16(x: v128, y: v128, p: v128): v128 {
  return lessShare(i32x4.add(i32x4.shl(x, 4), y), i32x4.add(x, i32x4.shr_u(y, 4)), 27, p)
}
