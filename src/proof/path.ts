/** Reads the 42 nodes of one path and recovers the sub-tree root above its leaf. */
import { decodeHex, isZero } from '../bytes.js';
import { decodeLeafOpening, decodeTopNode } from '../codec/node.js';
import { specOf, type TreeSpec } from '../codec/spec.js';
import { treeDepth } from '../codec/word.js';
import { ShapeError, VerificationError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import { memberPath, readLength, readMember, typeName } from './read.js';
import type { Path } from './types.js';

/** Top node, siblings at heights 39 to 1, sibling leaf, leaf opening. */
const nodeCount: number = treeDepth + 2;
/** Position of the sibling leaf's preimage; the leaf opening follows it. */
const siblingLeafAt: number = treeDepth;
/** Bytes of an inner node's preimage: left, right. */
const innerNodeWidth: number = 2 * blockWidth;
const emptyLeaf: Uint8Array = new Uint8Array(blockWidth);

/** Digits that a node of `width` bytes takes, with its `0x`. */
const textLength = (width: number): number => 2 + 2 * width;

/**
 * The texts of all nodes, before any is looked into: a hostile answer costs 43 reads here, and nothing
 * foreign runs after the last of them.
 */
function readTexts(foreign: unknown, at: string): string[] {
  const length = readLength(foreign, at);
  // With fewer nodes an inner node could pose as a leaf; with more, some would be bound to nothing.
  if (length !== nodeCount) throw new ShapeError(at, `expected ${nodeCount} nodes, got ${length}`);
  const texts: string[] = [];
  for (let i = 0; i < nodeCount; i++) {
    const text = readMember(foreign as object, i, at);
    if (typeof text !== 'string') {
      throw new ShapeError(memberPath(at, i), `expected hex, got ${typeName(text)}`);
    }
    texts.push(text);
  }
  return texts;
}

/** Width of each node, by its place; only the sibling leaf has two. */
function nodeWidths(spec: TreeSpec, texts: readonly string[], at: string): number[] {
  // The one place where the families show at a glance; telling them apart here turns the usual mistake,
  // a proof from before the change of hash, into an error that says so.
  const otherTopWidth = specOf(spec.other).topNodeWidth;
  if ((texts[0] as string).length === textLength(otherTopWidth)) {
    throw new VerificationError(
      'WRONG_FAMILY',
      memberPath(at, 0),
      `expected a proof hashed with ${spec.hasher.family}, got one of ${spec.other}; pass hash: '${spec.other}' if the state root is of that family`,
    );
  }
  const widths = new Array<number>(nodeCount).fill(innerNodeWidth);
  widths[0] = spec.topNodeWidth;
  const siblingIsEmpty = (texts[siblingLeafAt] as string).length === textLength(blockWidth);
  widths[siblingLeafAt] = siblingIsEmpty ? blockWidth : spec.leafOpeningWidth;
  widths[siblingLeafAt + 1] = spec.leafOpeningWidth;
  return widths;
}

/**
 * Reads `proofRelatedNodes` and checks all that the nodes alone show: count, widths, hex, canonical
 * elements everywhere, ranges, in the sibling leaf as well as in the leaf.
 *
 * @param foreign the array; each node as hex
 * @param leafIndex already checked
 * @throws ShapeError, or VerificationError `WRONG_FAMILY`
 */
export function parsePath(spec: TreeSpec, foreign: unknown, leafIndex: bigint, at: string): Path {
  const texts = readTexts(foreign, at);
  const widths = nodeWidths(spec, texts, at);
  const nodes = new Uint8Array(widths.reduce((sum, width) => sum + width, 0));
  let offset = 0;
  const spans = widths.map((width, i) => {
    if (!decodeHex(texts[i] as string, width, nodes, offset)) {
      throw new ShapeError(memberPath(at, i), `expected 0x and ${2 * width} hex digits`);
    }
    offset += width;
    return nodes.subarray(offset - width, offset);
  });
  const bad = spans.findIndex((node) => !spec.hasher.isCanonical(node));
  // x and x + p hash alike: with an alias of hKey, a pointer or a balance a true root proves a lie.
  if (bad >= 0) {
    throw new ShapeError(
      memberPath(at, bad),
      `expected canonical elements of ${spec.hasher.title}, got one at or above the modulus`,
    );
  }
  const top = decodeTopNode(spec, spans[0] as Uint8Array, memberPath(at, 0));
  const sibling = spans[siblingLeafAt] as Uint8Array;
  const siblingLeafWidth = sibling.length;
  if (siblingLeafWidth === blockWidth) {
    // An empty leaf is not hashed; anything but zeros here would put a digest of one's own into the tree.
    if (!isZero(sibling)) {
      throw new ShapeError(
        memberPath(at, siblingLeafAt),
        'expected an empty leaf of 32 zero bytes',
      );
    }
  } else {
    decodeLeafOpening(spec, sibling, memberPath(at, siblingLeafAt));
  }
  const leafAt = siblingLeafAt + 1;
  const leaf = decodeLeafOpening(spec, spans[leafAt] as Uint8Array, memberPath(at, leafAt));
  return Object.freeze({ leafIndex, top, leaf, nodes, siblingLeafWidth, at });
}

/**
 * Recovers the sub-tree root above one leaf from its opening and the siblings' preimages. Compares nothing:
 * `checkInclusion` does.
 *
 * @returns 32 bytes
 */
export function recoverSubTreeRoot(spec: TreeSpec, path: Path): Uint8Array {
  const { hasher, topNodeWidth, leafOpeningWidth } = spec;
  const { nodes, leafIndex, siblingLeafWidth } = path;
  const leafOffset = nodes.length - leafOpeningWidth;
  const siblingLeafOffset = leafOffset - siblingLeafWidth;
  let digest = hasher.hash(nodes.subarray(leafOffset));
  const pair = new Uint8Array(innerNodeWidth);
  for (let height = 0; height < treeDepth; height++) {
    const offset = topNodeWidth + (treeDepth - 1 - height) * innerNodeWidth;
    const sibling =
      height > 0
        ? hasher.hash(nodes.subarray(offset, offset + innerNodeWidth))
        : siblingLeafWidth === blockWidth
          ? emptyLeaf
          : hasher.hash(nodes.subarray(siblingLeafOffset, leafOffset));
    // BigInt shifts: a 32-bit operator would forget the upper bits of the index.
    const isRight = ((leafIndex >> BigInt(height)) & 1n) === 1n;
    pair.set(sibling, isRight ? 0 : blockWidth);
    pair.set(digest, isRight ? blockWidth : 0);
    digest = hasher.hash(pair);
  }
  return digest;
}

/** The top node's bytes, whose digest is the root. */
export function topNodeOf(spec: TreeSpec, path: Path): Uint8Array {
  return path.nodes.subarray(0, spec.topNodeWidth);
}
