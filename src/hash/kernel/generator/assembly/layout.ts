/**
 * Memory map, the same in both modules. Constants (asc's static data) lie below HEX;
 * generate.ts sets that limit. All areas are 16-byte aligned.
 */

/** Most paths that climb together, and most hashes that are due at once: the lanes of a vector. */
export const LANES: u32 = 4

/** Input: the hexadecimal text of one path, 8 KiB. The longest path takes 6036 bytes. */
export const HEX: usize = 0x2000
/** Paths whose roots are to be recovered, one every PATH_STRIDE bytes. The longest takes 2976 bytes. */
export const PATH: usize = 0x4000
export const PATH_STRIDE: usize = 0x1000
/** Of each path: 32 bytes of sub-tree root, 32 bytes of the top node's hash. On the way up the former is the node reached. */
export const OUT: usize = 0x8000
/** Of each path: leaf index (8 bytes), blocks of the sibling leaf, height from which its siblings are path 0's (4 bytes each). */
export const SHAPE: usize = 0x8100
/** Hashes that are due: source and target, 4 bytes each; see `queue.ts`. */
export const JOBS: usize = 0x8140
/** Digests that are wanted a second time: where they will be, and where they are wanted, 4 bytes each. */
export const COPIES: usize = 0x8160
/** Pairs of children that are about to be hashed, one for each path, 64 bytes. */
export const PAIR: usize = 0x8200
/** A pair of equal children while the table of empty sub-trees grows, 64 bytes. */
export const EMPTY_PAIR: usize = 0x8300
/** Working space of the hash itself, 1 KiB; each family divides it. */
export const WORK: usize = 0x8340
/** Digests of the empty sub-trees, one for each height 0..40. */
export const EMPTY: usize = 0x8740
/** Digests beside each path, one for each height 0..39. */
export const SIBLINGS: usize = 0x8c80
/** The path that was decoded last, 4 KiB. */
export const DECODED: usize = 0xa100
/** Input of plain hashing, 64 KiB. */
export const DATA: usize = 0xb100
/** First entry of the memo; memory beyond the initial two pages exists only for it. */
export const MEMO: usize = 0x1b100
