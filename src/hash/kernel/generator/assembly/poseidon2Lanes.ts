/**
 * Four Poseidon2 hashes at once, one in each 32-bit lane. As no value crosses lanes, there are no horizontal sums, and
 * the S-box of a partial round, which everything waits for, serves four.
 *
 * Ranges are named as in ./laneElements.ts. The state lies in memory, not in locals, which the engine would move to and
 * from the stack for as long as it computes.
 */
import {
  CLOSING, FIRST_ADDENDS, FULL_ADDENDS, HALF, INVERSE, LAST_ADDENDS, LOW_1, LOW_16, LOW_2, LOW_24, LOW_4, LOW_6, OPENING,
  PARTIAL_ADDENDS, PRIME,
} from './laneConstants'
import {
  add, cube, double, highDoubles, integers, lessMultiple, lessShare, lowDoubles, multiply, scaleDown, shrink, sub, times16,
  times9, unsigned,
} from './laneElements'
import { JOBS, WORK } from './layout'
import { swapBytes } from './poseidon2'

/** What a permutation takes: the chaining value, then the message; eight vectors each. */
const INPUT: usize = WORK
const MESSAGE: usize = INPUT + 128
/** Element i of the four states at 16 i. */
const STATE: usize = INPUT + 256
/** The sums of columns, less P, that are still to be added to the state: four vectors. */
const SUMS: usize = STATE + 256

/** The external matrix, loose -> loose: the 4x4 matrix on each quarter of the state, and the sums of columns, less P, to SUMS. */
function mix(): void {
  const p = v128.load(PRIME)
  for (let quarter = STATE; quarter < STATE + 256; quarter += 64) {
    const x0 = v128.load(quarter)
    const x1 = v128.load(quarter, 16)
    const x2 = v128.load(quarter, 32)
    const x3 = v128.load(quarter, 48)
    const x01 = add(x0, x1, p)
    const x23 = add(x2, x3, p)
    const all = add(x01, x23, p)
    const all1 = add(all, x1, p)
    const all3 = add(all, x3, p)
    v128.store(quarter, add(x01, all1, p))
    v128.store(quarter, add(add(x2, x2, p), all1, p), 16)
    v128.store(quarter, add(x23, all3, p), 32)
    v128.store(quarter, add(add(x0, x0, p), all3, p), 48)
  }
  for (let i: usize = 0; i < 64; i += 16) {
    const low = add(v128.load(STATE + i), v128.load(STATE + i, 64), p)
    const high = add(v128.load(STATE + i, 128), v128.load(STATE + i, 192), p)
    v128.store(SUMS + i, i32x4.sub(add(low, high, p), p))
  }
}

/** The first matrix; the constants of the round after it are added before it. */
function firstMatrix(): void {
  const p = v128.load(PRIME)
  for (let i: usize = 0; i < 256; i += 16) {
    v128.store(STATE + i, add(v128.load(INPUT + i), v128.load32_splat(FIRST_ADDENDS + (i >> 2)), p))
  }
  mix()
}

/** An element of a quarter and the sum of its column -> signed, at most 2^20 beyond -P and P: loose, and loose less P. */
@inline
function summed(quarter: usize, column: usize): v128 {
  return i32x4.add(v128.load(quarter + column), v128.load(SUMS + column))
}

/** Centred -> loose. */
@inline
function addRound(y: v128, addend: usize, p: v128): v128 {
  return shrink(i32x4.add(y, v128.load32_splat(addend)), p)
}

/**
 * Three full rounds: cube what the matrix before gave, add constants of FULL_ADDENDS, mix. Four cubes at a time: each is a
 * long chain of steps that wait for one another, and a processor does not look far enough ahead to find the next.
 */
function fullRounds(addends: usize): void {
  const p = v128.load(PRIME)
  for (const end = addends + 192; addends < end;) {
    for (let quarter = STATE; quarter < STATE + 256; quarter += 64, addends += 16) {
      const x0 = summed(quarter, 0)
      const x1 = summed(quarter, 16)
      const x2 = summed(quarter, 32)
      const x3 = summed(quarter, 48)
      const y0 = addRound(cube(x0), addends, p)
      const y1 = addRound(cube(x1), addends + 4, p)
      const y2 = addRound(cube(x2), addends + 8, p)
      const y3 = addRound(cube(x3), addends + 12, p)
      v128.store(quarter, y0)
      v128.store(quarter, y1, 16)
      v128.store(quarter, y2, 32)
      v128.store(quarter, y3, 48)
    }
    mix()
  }
}

/** The element `at` bytes into the state and the sum of its column -> strict. */
@inline
function settled(at: usize, p: v128): v128 {
  return shrink(unsigned(summed(STATE + (at & ~48), at & 48), p), p)
}

/** A pair of elements a and b, which the diagonal multiplies by d and by -d: to their mean, and (a - b) / 2d. */
function openPair(a: usize, b: usize, factor: usize): void {
  const p = v128.load(PRIME)
  const x = v128.load(a)
  const y = v128.load(b)
  v128.store(a, scaleDown(add(x, y, p), 1, LOW_1))
  v128.store(b, multiply(sub(x, y, p), factor, p))
}

/** The inverse: the mean m of now and that of the round before give m + d n and m - d n. */
function closePair(a: usize, b: usize, factor: usize): void {
  const p = v128.load(PRIME)
  const mean = v128.load(a)
  const half = multiply(v128.load(b), factor, p)
  v128.store(a, add(mean, half, p))
  v128.store(b, sub(mean, half, p))
}

/** Element i of the state. */
@inline
function element(i: usize): usize {
  return STATE + 16 * i
}

/** The mean of now takes the place of the one before. */
@inline
function step(a: usize, b: usize, next: v128): v128 {
  v128.store(b, v128.load(a))
  v128.store(a, next)
  return next
}

/**
 * All partial rounds. README.md says why pairs are kept as means, and why a cube is computed between the sums of the round
 * before. The cube after the last round is not used.
 */
function partialRounds(): void {
  const p = v128.load(PRIME)
  // all elements but the first, and an addend
  let sum = v128.load32_splat(PARTIAL_ADDENDS + 4)
  let share = i32x4.shr_u(sum, 4)
  for (let i: usize = 0; i < 256; i += 16) {
    const x = settled(i, p)
    v128.store(STATE + i, x)
    if (i) {
      sum = i32x4.add(sum, x)
      share = i32x4.add(share, i32x4.shr_u(x, 4))
    }
  }
  openPair(element(3), element(6), OPENING)
  openPair(element(4), element(7), OPENING + 16)
  openPair(element(5), element(8), OPENING + 32)
  openPair(element(9), element(12), OPENING + 48)
  openPair(element(10), element(13), OPENING + 64)
  openPair(element(11), element(15), OPENING + 80)
  let rest = lessShare(sum, share, 27, p)
  let x = i32x4.add(v128.load(STATE), v128.load32_splat(PARTIAL_ADDENDS))
  let y = cube(x)
  for (let addend: usize = PARTIAL_ADDENDS + 8; addend <= PARTIAL_ADDENDS + 88; addend += 4) {
    const all = add(rest, unsigned(y, p), p)
    // element 0 becomes all - 2y = rest - y; less half of P, it is signed
    x = i32x4.sub(i32x4.sub(rest, v128.load(HALF)), y)
    // `cube`, of the next round, in steps between the sums of this one
    const low = lowDoubles(x)
    const high = highDoubles(x)
    const lowShare = f64x2.mul(low, v128.load(INVERSE))
    const highShare = f64x2.mul(high, v128.load(INVERSE))
    const q = integers(f64x2.mul(low, lowShare), f64x2.mul(high, highShare))

    const half = step(element(3), element(6), add(scaleDown(v128.load(element(6)), 2, LOW_2), all, p))
    const three = step(element(4), element(7), times9(v128.load(element(7)), all, p))
    let pair = i32x4.add(half, three)
    sum = pair
    share = i32x4.shr_u(pair, 3)
    const four = step(element(5), element(8), times16(v128.load(element(8)), all, p))
    const by8 = step(element(9), element(12), add(scaleDown(v128.load(element(12)), 16, LOW_16), all, p))
    pair = i32x4.add(four, by8)
    sum = i32x4.add(sum, pair)
    share = i32x4.add(share, i32x4.shr_u(pair, 3))
    const square = lessMultiple(i32x4.mul(x, x), q)
    // read by nobody: it keeps the engine from computing the square elsewhere
    v128.store(STATE, square)
    const by3 = step(element(10), element(13), add(scaleDown(v128.load(element(13)), 6, LOW_6), all, p))
    const by24 = step(
      element(11),
      element(15),
      add(scaleDown(scaleDown(v128.load(element(15)), 24, LOW_24), 24, LOW_24), all, p),
    )
    pair = i32x4.add(by3, by24)
    sum = i32x4.shl(i32x4.add(sum, pair), 1)
    share = i32x4.add(share, i32x4.shr_u(pair, 3))

    const r = integers(f64x2.mul(lowDoubles(square), lowShare), f64x2.mul(highDoubles(square), highShare))
    y = lessMultiple(i32x4.mul(square, x), r)
    const one = add(v128.load(element(1)), all, p)
    v128.store(element(1), one)
    const two = add(double(v128.load(element(2)), p), all, p)
    v128.store(element(2), two)
    pair = i32x4.add(one, two)
    sum = i32x4.add(sum, pair)
    share = i32x4.add(share, i32x4.shr_u(pair, 4))
    const by4 = sub(all, scaleDown(v128.load(element(14)), 4, LOW_4), p)
    v128.store(element(14), by4)
    pair = i32x4.add(by4, v128.load32_splat(addend))
    rest = lessShare(i32x4.add(sum, pair), i32x4.add(share, i32x4.shr_u(pair, 4)), 27, p)
  }
  v128.store(STATE, x)
  closePair(element(3), element(6), CLOSING)
  closePair(element(4), element(7), CLOSING + 16)
  closePair(element(5), element(8), CLOSING + 32)
  closePair(element(9), element(12), CLOSING + 48)
  closePair(element(10), element(13), CLOSING + 64)
  closePair(element(11), element(15), CLOSING + 80)
  for (let i: usize = 1; i < 16; i++) {
    v128.store(STATE + 16 * i, i32x4.add(v128.load(STATE + 16 * i), v128.load32_splat(LAST_ADDENDS + 4 * i)))
  }
  for (let at: usize = SUMS; at < SUMS + 64; at += 16) v128.store(at, i32x4.splat(0))
}

/** Four words of each of the four inputs, `from` bytes after their start: word i of all of them to `target` + 16 i. */
@inline
function gather(from: usize, target: usize): void {
  const x = swapBytes(v128.load(from + load<u32>(JOBS)))
  const y = swapBytes(v128.load(from + load<u32>(JOBS, 8)))
  const z = swapBytes(v128.load(from + load<u32>(JOBS, 16)))
  const w = swapBytes(v128.load(from + load<u32>(JOBS, 24)))
  const xy = v128.shuffle<i32>(x, y, 0, 4, 1, 5)
  const zw = v128.shuffle<i32>(z, w, 0, 4, 1, 5)
  v128.store(target, v128.shuffle<i32>(xy, zw, 0, 1, 4, 5))
  v128.store(target, v128.shuffle<i32>(xy, zw, 2, 3, 6, 7), 16)
  const xyHigh = v128.shuffle<i32>(x, y, 2, 6, 3, 7)
  const zwHigh = v128.shuffle<i32>(z, w, 2, 6, 3, 7)
  v128.store(target, v128.shuffle<i32>(xyHigh, zwHigh, 0, 1, 4, 5), 32)
  v128.store(target, v128.shuffle<i32>(xyHigh, zwHigh, 2, 3, 6, 7), 48)
}

/** The inverse of `gather`, to the four targets. */
@inline
function scatter(source: usize, to: usize): void {
  const x = v128.load(source)
  const y = v128.load(source, 16)
  const z = v128.load(source, 32)
  const w = v128.load(source, 48)
  const xy = v128.shuffle<i32>(x, y, 0, 4, 1, 5)
  const zw = v128.shuffle<i32>(z, w, 0, 4, 1, 5)
  v128.store(to + load<u32>(JOBS, 4), swapBytes(v128.shuffle<i32>(xy, zw, 0, 1, 4, 5)))
  v128.store(to + load<u32>(JOBS, 12), swapBytes(v128.shuffle<i32>(xy, zw, 2, 3, 6, 7)))
  const xyHigh = v128.shuffle<i32>(x, y, 2, 6, 3, 7)
  const zwHigh = v128.shuffle<i32>(z, w, 2, 6, 3, 7)
  v128.store(to + load<u32>(JOBS, 20), swapBytes(v128.shuffle<i32>(xyHigh, zwHigh, 0, 1, 4, 5)))
  v128.store(to + load<u32>(JOBS, 28), swapBytes(v128.shuffle<i32>(xyHigh, zwHigh, 2, 3, 6, 7)))
}

/** Hashes the four jobs, `blocks` canonical 32-byte blocks each. Targets are written last and may overlap the inputs. */
export function hashLanes(blocks: u32): void {
  const p = v128.load(PRIME)
  for (let at = INPUT; at < MESSAGE; at += 16) v128.store(at, i32x4.splat(0))
  for (let from: usize = 0; from < 32 * <usize>blocks; from += 32) {
    gather(from, MESSAGE)
    gather(from + 16, MESSAGE + 64)
    firstMatrix()
    fullRounds(FULL_ADDENDS)
    partialRounds()
    fullRounds(FULL_ADDENDS + 192)
    // the second half of the state, and the message once more
    for (let i: usize = 0; i < 128; i += 16) {
      v128.store(INPUT + i, add(settled(128 + i, p), v128.load(MESSAGE + i), p))
    }
  }
  scatter(INPUT, 0)
  scatter(INPUT + 64, 16)
}
