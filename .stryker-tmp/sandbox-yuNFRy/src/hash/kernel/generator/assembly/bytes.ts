/** Moves and comparisons of 32-byte blocks, in 64-bit words (no SIMD: both modules use them). */
// @ts-nocheck


/** Copies `blocks` 32-byte blocks. */
export function copy(dst: usize, src: usize, blocks: u32): void {
  for (const end = src + 32 * blocks; src < end; src += 8, dst += 8) store<u64>(dst, load<u64>(src))
}

/** Says whether `blocks` 32-byte blocks are equal. */
export function equal(a: usize, b: usize, blocks: u32): bool {
  for (const end = a + 32 * blocks; a < end; a += 8, b += 8) {
    if (load<u64>(a) != load<u64>(b)) return false
  }
  return true
}
