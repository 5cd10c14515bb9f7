/**
 * Memory map, the same in both modules. Constants (asc's static data) lie below HEX;
 * generate.ts sets that limit. All areas are 16-byte aligned.
 */

/** Input: the hexadecimal text of one path, 8 KiB. The longest path takes 6036 bytes. */
export const HEX: usize = 0x2000
/** The decoded path, 4 KiB. The longest takes 2976 bytes. */
export const PATH: usize = 0x4000
/** Result of `recoverRoot`: 32 bytes of sub-tree root, 32 bytes of the top node's hash. */
export const OUT: usize = 0x5000
/** Working space of the hash itself, 1 KiB; each family divides it. */
export const WORK: usize = 0x5100
/** The pair of children that `recoverRoot` is about to hash, 64 bytes. */
export const PAIR: usize = 0x5500
/** A pair of equal children while the table of empty sub-trees grows, 64 bytes. */
export const EMPTY_PAIR: usize = 0x5540
/** Digests of the empty sub-trees, one for each height 0..40. */
export const EMPTY: usize = 0x5580
/** Input of plain hashing, 64 KiB. */
export const DATA: usize = 0x6000
/** First entry of the memo; memory beyond the initial two pages exists only for it. */
export const MEMO: usize = 0x16000
