/**
 * Paths of `proofRelatedNodes` (protocol.md sections 3 and 4): decoding the 42 nodes of one, and
 * recovering the sub-tree roots above the leaf openings of up to four, which climb together. Comparing leaf, roots and nextFreeNode
 * with what the caller expects is not done here.
 */
import { copy, equal } from './bytes'
import { canonical, decodeHex, hash, LEAF_BLOCKS, TOP_BLOCKS } from './family'
import { DECODED, EMPTY, EMPTY_PAIR, HEX, OUT, PAIR, PATH, PATH_STRIDE, SHAPE, SIBLINGS } from './layout'
import { isDue, request, settle } from './queue'

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
 * Decodes the text at HEX (the strings of node `first` and all after it, each with its "0x", joined) into DECODED, where the
 * nodes before stay as they are. Returns 0, or node + 1 if the text is bad, or -(node + 1) if an element is not
 * canonical, for the first such node. The caller checks the length of every string: reading
 * goes by the widths that `siblingBlocks` implies.
 */
export function decode(first: u32, siblingBlocks: u32): i32 {
  let src = HEX
  let dst = DECODED
  for (let node: u32 = 0; node < DEPTH + 2; node++) {
    const blocks = blocksOf(node, siblingBlocks)
    if (node >= first) {
      if (load<u16>(src) != PREFIX || !decodeHex(src + 2, 32 * blocks, dst)) return node + 1
      if (!canonical(dst, blocks)) return -<i32>(node + 1)
      src += 2 + 64 * blocks
    }
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
 * Asks for the digest of the inner node at `src` whose children stand at `height`. Two empty children have a known
 * digest, but only the bytes decide: both children are compared with the empty digest, and a node
 * that merely stands where an empty one usually does is hashed like any other. Equal halves are
 * checked first, so that the table is filled only when it can be of use.
 */
function requestInner(src: usize, height: u32, dst: usize): void {
  if (equal(src, src + 32, 1) && equal(src, emptyDigest(height), 1)) copy(dst, emptyDigest(height + 1), 1)
  else request(src, 2, dst)
}

/** Address of the sibling leaf of a path. */
@inline
function siblingLeafOf(path: u32): usize {
  return PATH + PATH_STRIDE * path + 32 * TOP_BLOCKS + 64 * (DEPTH - 1)
}

/** Where the digest beside a path at `height` stands. */
@inline
function siblingDigest(path: u32, height: u32): usize {
  return SIBLINGS + 32 * (DEPTH * path + height)
}

/** Says how to read a path: its leaf index, and the blocks of its sibling leaf. */
export function setShape(path: u32, siblingBlocks: u32, leafIndex: u64): void {
  store<u64>(SHAPE + 16 * path, leafIndex)
  store<u32>(SHAPE + 16 * path, siblingBlocks, 8)
}

/** Lowest height, from 1, such that from there up the nodes beside a path are those beside path 0. */
function sharedFrom(path: u32): u32 {
  const own = siblingLeafOf(path)
  const first = siblingLeafOf(0)
  let height = DEPTH
  while (height > 1 && equal(own - 64 * (height - 1), first - 64 * (height - 1), 2)) height--
  return height
}

/** Hashes the leaves and the top nodes, and says how far up the nodes beside each path are its own. */
function hashEnds(count: u32): void {
  for (let path: u32 = 0; path < count; path++) {
    const siblingLeaf = siblingLeafOf(path)
    const siblingBlocks = load<u32>(SHAPE + 16 * path, 8)
    request(siblingLeaf + 32 * siblingBlocks, LEAF_BLOCKS, OUT + 64 * path)
    if (siblingBlocks == 1) copy(siblingDigest(path, 0), EMPTY, 1)
    else request(siblingLeaf, LEAF_BLOCKS, siblingDigest(path, 0))
    store<u32>(SHAPE + 16 * path, path == 0 ? DEPTH : sharedFrom(path), 12)
  }
  settle(LEAF_BLOCKS)
  for (let path: u32 = 0; path < count; path++) request(PATH + PATH_STRIDE * path, TOP_BLOCKS, OUT + 64 * path + 32)
  settle(TOP_BLOCKS)
}

/** Asks for the digest of a node beside a path, unless path 0 has it: the lowest of each of `count` paths come first. */
function requestBeside(index: u32, count: u32): void {
  const path = index % count
  const height: u32 = 1 + index / count
  if (height >= load<u32>(SHAPE + 16 * path, 12)) return
  requestInner(siblingLeafOf(path) - 64 * height, height - 1, siblingDigest(path, height))
}

/** Whether all that a path meets from `height` up is what path 0 meets: sides, nodes beside it, and the digest below. */
function meetsFirst(path: u32, height: u32): bool {
  const shape = SHAPE + 16 * path
  return (
    height >= load<u32>(shape, 12) &&
    load<u64>(shape) >> height == load<u64>(SHAPE) >> height &&
    equal(OUT + 64 * path, OUT, 1)
  )
}

/** Takes a path one height up. */
function climb(path: u32, height: u32): void {
  const shape = SHAPE + 16 * path
  const right = <usize>((load<u64>(shape) >> height) & 1)
  const pair = PAIR + 64 * path
  copy(pair + 32 * right, OUT + 64 * path, 1)
  copy(pair + 32 * (right ^ 1), siblingDigest(height < load<u32>(shape, 12) ? path : 0, height), 1)
  requestInner(pair, height, OUT + 64 * path)
}

/**
 * Writes the sub-tree roots recovered from the first `count` paths in PATH to OUT, each followed by the hash of node 0.
 * Paths that come together climb as one: neighbours differ only near their leaves. A step up waits for the one below, but
 * not the nodes beside the way: those of greater heights take the lanes that the steps leave free.
 */
export function recoverRoots(count: u32): void {
  hashEnds(count)
  const besides = count * (DEPTH - 1)
  let asked: u32 = 0
  let met: u32 = 0
  for (let height: u32 = 0; height < DEPTH; height++) {
    for (; asked < count * height || (isDue() && asked < besides); asked++) requestBeside(asked, count)
    settle(2)
    // Before any climbs: both digests are those at this height.
    for (let path: u32 = 1; path < count; path++) {
      if (!(met & (1 << path)) && meetsFirst(path, height)) met |= 1 << path
    }
    for (let path: u32 = 0; path < count; path++) if (!(met & (1 << path))) climb(path, height)
    for (; isDue() && asked < besides; asked++) requestBeside(asked, count)
    settle(2)
  }
  for (let path: u32 = 1; path < count; path++) if (met & (1 << path)) copy(OUT + 64 * path, OUT, 1)
}
