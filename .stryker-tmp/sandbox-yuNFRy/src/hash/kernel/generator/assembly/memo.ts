/**
 * Digests of preimages hashed before, direct mapped. An entry holds the whole preimage, its
 * length, its digest and a generation; a lookup compares all of them, so a colliding or stale
 * entry costs one more hash and never an answer. Only `settle` of queue.ts writes here, and only
 * digests it computed itself. A lookup reads one entry: its time is bounded whatever the input.
 */
// @ts-nocheck

import { copy, equal } from './bytes'
import { LEAF_BLOCKS } from './family'
import { MEMO } from './layout'

/** Entry: preimage (LEAF_BLOCKS blocks, the widest there is), digest (one block), tag (8 bytes), padding. */
const ENTRY: usize = 32 * (<usize>LEAF_BLOCKS + 2)
const DIGEST: usize = 32 * <usize>LEAF_BLOCKS
const TAG: usize = DIGEST + 32
/** 2^20 entries are 192 or 256 MiB. */
const MAX_LOG2_SLOTS: i32 = 20

/** -1 while the memo is off. */
let log2Slots: i32 = -1
/** Fresh memory is zero and no tag is: generation 0 is never current. 2^56 generations do not run out. */
let generation: u64 = 1

/** Sets the memo to 2^`log2` entries, -1 for none; false when memory cannot grow. Entries that stay in range stay valid. */
export function resize(log2: i32): bool {
  if (log2 < -1 || log2 > MAX_LOG2_SLOTS) return false
  if (log2 >= 0) {
    const pages = <i32>((MEMO + (ENTRY << log2) + 0xffff) >> 16)
    const missing = pages - memory.size()
    if (missing > 0 && memory.grow(missing) < 0) return false
  }
  log2Slots = log2
  return true
}

/** Invalidates every entry at once. */
export function forget(): void {
  generation++
}

/** Address of the entry that may hold a preimage: a product mixed over one word of each block (digests spread evenly). */
@inline
function slotOf(src: usize, blocks: u32): usize {
  let mix: u64 = blocks
  for (const end = src + 32 * blocks; src < end; src += 32) mix = rotl(mix ^ load<u64>(src, 24), 29) * 0x9e3779b97f4a7c15
  return MEMO + ENTRY * <usize>((mix >> 32) >> (32 - log2Slots))
}

/** Writes the digest of 1..LEAF_BLOCKS blocks at `src` to `dst` if it is known; else false. */
export function recall(src: usize, blocks: u32, dst: usize): bool {
  if (log2Slots < 0) return false
  const slot = slotOf(src, blocks)
  if (load<u64>(slot, TAG) != ((generation << 8) | blocks) || !equal(slot, src, blocks)) return false
  copy(dst, slot + DIGEST, 1)
  return true
}

/** Keeps a digest that `settle` has computed. */
export function remember(src: usize, blocks: u32, digest: usize): void {
  if (log2Slots < 0) return
  const slot = slotOf(src, blocks)
  copy(slot, src, blocks)
  copy(slot + DIGEST, digest, 1)
  store<u64>(slot, (generation << 8) | blocks, TAG)
}
