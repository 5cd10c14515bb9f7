/**
 * One path of `proofRelatedNodes` (protocol.md sections 3 and 4): decoding its 42 nodes and
 * recovering the sub-tree root above the leaf opening. Comparing leaf, roots and nextFreeNode
 * with what the caller expects is not done here.
 */
import { copy, equal } from './bytes'
import { canonical, decodeHex, hash, LEAF_BLOCKS, TOP_BLOCKS } from './family'
import { EMPTY, EMPTY_PAIR, HEX, OUT, PAIR, PATH } from './layout'
import { digest } from './memo'

const DEPTH: u32 = 40
const PREFIX: u16 = 0x7830 // "0x", little endian

/** Greatest height whose empty digest is in the table; height 0 is 32 zero bytes, as memory starts. */
let emptyHeight: u32 = 0

@inline
function blocksOf(node: u32, siblingBlocks: u32): u32 {
  if (node == 0) return TOP_BLOCKS
  if (node == DEPTH) return siblingBlocks
  return node < DEPTH ? 2 : LEAF_BLOCKS
}

/**
 * Decodes the text at HEX (42 strings, each with its "0x", joined) into PATH.
 * Returns 0, or node + 1 if the text is bad, or -(node + 1) if an element is not
 * canonical, for the first such node. The caller checks the length of every string: reading
 * goes by the widths that `siblingBlocks` implies.
 */
export function decode(siblingBlocks: u32): i32 {
  let src = HEX
  let dst = PATH
  for (let node: u32 = 0; node < DEPTH + 2; node++) {
    const blocks = blocksOf(node, siblingBlocks)
    if (load<u16>(src) != PREFIX || !decodeHex(src + 2, 32 * blocks, dst)) return node + 1
    if (!canonical(dst, blocks)) return -<i32>(node + 1)
    src += 2 + 64 * blocks
    dst += 32 * blocks
  }
  return 0
}

/** Address of the digest of an empty sub-tree, computed on first use. */
function emptyDigest(height: u32): usize {
  for (; emptyHeight < height; emptyHeight++) {
    const below = EMPTY + 32 * emptyHeight
    copy(EMPTY_PAIR, below, 1)
    copy(EMPTY_PAIR + 32, below, 1)
    hash(EMPTY_PAIR, 2, below + 32)
  }
  return EMPTY + 32 * height
}

/**
 * Hashes the inner node at `src` whose children stand at `height`. Two empty children have a known
 * digest, but only the bytes decide: both children are compared with the empty digest, and a node
 * that merely stands where an empty one usually does is hashed like any other. Equal halves are
 * checked first, so that the table is filled only when it can be of use.
 */
function digestInner(src: usize, height: u32, dst: usize): void {
  if (equal(src, src + 32, 1) && equal(src, emptyDigest(height), 1)) copy(dst, emptyDigest(height + 1), 1)
  else digest(src, 2, dst)
}

/** Writes the sub-tree root recovered from the path in PATH to OUT, and the hash of node 0 after it. */
export function recoverRoot(siblingBlocks: u32, leafIndex: u64): void {
  const siblings = PATH + 32 * TOP_BLOCKS
  const siblingLeaf = siblings + 64 * (DEPTH - 1)
  digest(siblingLeaf + 32 * siblingBlocks, LEAF_BLOCKS, OUT)
  for (let height: u32 = 0; height < DEPTH; height++) {
    const right = <usize>((leafIndex >> height) & 1)
    const sibling = PAIR + 32 * (right ^ 1)
    if (height) digestInner(siblingLeaf - 64 * height, height - 1, sibling)
    else if (siblingBlocks == 1) copy(sibling, EMPTY, 1)
    else digest(siblingLeaf, siblingBlocks, sibling)
    copy(PAIR + 32 * right, OUT, 1)
    digestInner(PAIR, height, OUT)
  }
  digest(PATH, TOP_BLOCKS, OUT + 32)
}
