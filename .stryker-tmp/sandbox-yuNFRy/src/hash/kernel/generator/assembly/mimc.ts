/**
 * MiMC over the scalar field of BLS12-377, Miyaguchi-Preneel (protocol.md section 2).
 *
 * A number is nine 64-bit words holding limbs of 29 bits, in Montgomery form (x * 2^261 mod p). It is
 * signed and kept within a small multiple of p, not below p: 2^261 is 437 p, so a product of two numbers
 * within 4 p lies between -1.04 p and 0.04 p. emitMimc.ts derives the exact ranges, and terms.ts refuses to emit a
 * sum that could leave 64 bits.
 */
// @ts-nocheck

import { ONE, PRIME, PRIME_0, PRIME_1, PRIME_2, PRIME_3, R_ONE, R_SQUARED, ROUNDS } from './constants'
import { decodeDigits } from './hex'
import { JOBS, WORK } from './layout'
import { power16, product } from './products'

export const TOP_BLOCKS: u32 = 2
export const LEAF_BLOCKS: u32 = 4

const MASK: i64 = 0x1fffffff
const LAST_ROUND: usize = 61

/** Chaining value, message, round state and its 16th power: nine words each. */
const H: usize = WORK
const M: usize = WORK + 0x50
const T: usize = WORK + 0xa0
const X: usize = WORK + 0xf0
/** Nine words that stay zero. */
const ZERO: usize = WORK + 0x140
/** Little-endian number, 32 bytes, with eight more for loads that run past its end. */
const WORDS: usize = WORK + 0x190
/** One row behind the constants: what the last round adds instead of a constant. */
const LAST_ADDEND: usize = ROUNDS + 36 * (LAST_ROUND + 1)

let hashedBlocks: u32 = 0

/** 32-byte blocks hashed since instantiation. */
export function hashed(): u32 {
  return hashedBlocks
}

/** Reads a canonical big-endian block at `src` into limbs. Limb i starts at bit 29 i, that is in byte 29 i / 8. */
function readLimbs(src: usize, dst: usize): void {
  for (let i: usize = 0; i < 32; i += 8) store<u64>(WORDS + i, bswap(load<u64>(src + 24 - i)))
  for (let i: usize = 0; i < 9; i++) store<i64>(dst + 8 * i, (load<i64>(WORDS + ((29 * i) >> 3)) >> ((29 * i) & 7)) & MASK)
}

/** Writes the number at `limbs`, normalized and from -p to p - 1, as a canonical big-endian block. */
function writeCanonical(limbs: usize, dst: usize): void {
  const negative = load<i64>(limbs, 64) >> 63
  let carry: i64 = 0
  for (let i: usize = 0; i < 32; i += 8) store<u64>(WORDS + i, 0)
  for (let i: usize = 0; i < 9; i++) {
    carry += load<i64>(limbs + 8 * i) + (load<i64>(PRIME + 8 * i) & negative)
    const at = WORDS + ((29 * i) >> 3)
    store<i64>(at, load<i64>(at) | ((carry & MASK) << ((29 * i) & 7)))
    carry >>= 29
  }
  for (let i: usize = 0; i < 32; i += 8) store<u64>(dst + i, bswap(load<u64>(WORDS + 24 - i)))
}

/** Hashes `blocks` canonical 32-byte blocks; `dst` is written last and may overlap the input. */
export function hash(src: usize, blocks: u32, dst: usize): void {
  hashedBlocks += blocks
  for (let i: usize = 0; i < 72; i += 8) store<u64>(H + i, 0)
  for (const end = src + 32 * blocks; src < end; src += 32) {
    readLimbs(src, M)
    product(M, R_SQUARED, ZERO, ZERO, M)
    // M + H + first constant has limbs below 3 * 2^29, too wide for a square: carries are taken once
    let carry: i64 = 0
    for (let i: usize = 0; i < 9; i++) {
      const sum = load<i64>(M + 8 * i) + load<i64>(H + 8 * i)
      store<i32>(LAST_ADDEND + 4 * i, <i32>sum) // -2^23 < sum < 2^30
      carry += sum + load<i32>(ROUNDS + 4 * i)
      store<i64>(T + 8 * i, i < 8 ? carry & MASK : carry)
      carry >>= 29
    }
    // each product takes in the next round's key and constant; the last one gives x + 2h + m, where E = x + h
    for (let constants = ROUNDS + 36; constants <= LAST_ADDEND; constants += 36) {
      power16(T, X)
      product(X, T, H, constants, T)
    }
    // the result is within 16 p; one product with 2^261 mod p brings it near p without changing its residue
    product(T, R_ONE, ZERO, ZERO, H)
  }
  // (x - q p) / 2^261 with 0 <= q < 2^261 and |x| < 2 p: from -p to 0
  product(H, ONE, ZERO, ZERO, X)
  writeCanonical(X, dst)
}

/** Hashes the first `count` jobs one by one: two or four at a time, in lanes, were no faster. */
export function hashMany(count: u32, blocks: u32): void {
  for (let job = JOBS; job < JOBS + 8 * count; job += 8) hash(load<u32>(job), blocks, load<u32>(job, 4))
}

/** Says whether each of `blocks` blocks is below p. */
export function canonical(src: usize, blocks: u32): bool {
  for (const end = src + 32 * blocks; src < end; src += 32) {
    if (!belowPrime(src)) return false
  }
  return true
}

function belowPrime(src: usize): bool {
  const w0 = bswap(load<u64>(src))
  if (w0 != PRIME_0) return w0 < PRIME_0
  const w1 = bswap(load<u64>(src, 8))
  if (w1 != PRIME_1) return w1 < PRIME_1
  const w2 = bswap(load<u64>(src, 16))
  if (w2 != PRIME_2) return w2 < PRIME_2
  return bswap(load<u64>(src, 24)) < PRIME_3
}

export { decodeDigits as decodeHex }
