/** Reads the 42 nodes of one path. */
import { decodeHex, isZero } from '../bytes.js';
import { decodeLeafOpening, decodeTopNode } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { ShapeError, VerificationError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import { nodeCount, nodeWidths, pathWidths, siblingLeafAt } from '../hash/geometry.js';
import { memberPath, readLength, readMember, shownAt } from './read.js';
import type { Path } from './types.js';

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
      const place = memberPath(at, i);
      throw new ShapeError(place, `expected hex, got ${shownAt(text, place)}`);
    }
    texts.push(text);
  }
  return texts;
}

/** Bytes of the sibling leaf, the one node with two right widths: a leaf opening's, or 32 where it is empty. */
function siblingLeafWidthOf(spec: TreeSpec, texts: readonly string[]): number {
  const isEmpty = (texts[siblingLeafAt] as string).length === textLength(blockWidth);
  return isEmpty ? blockWidth : spec.widths.leafOpening;
}

/** The families show at a glance in the top node's width; telling them apart names the usual mistake. */
function checkFamily(spec: TreeSpec, texts: readonly string[], at: string): void {
  const { family } = spec.hasher;
  if ((texts[0] as string).length === textLength(pathWidths[spec.other].topNode)) {
    throw new VerificationError(
      'WRONG_FAMILY',
      memberPath(at, 0),
      `expected a proof hashed with ${family}, got one of ${spec.other}; pass hash: '${spec.other}' if the state root is of that family`,
    );
  }
}

/** Exact widths are what keeps a leaf from posing as an inner node, and the other way round. */
function checkWidths(texts: readonly string[], widths: readonly number[], at: string): void {
  const bad = widths.findIndex((width, i) => (texts[i] as string).length !== textLength(width));
  if (bad >= 0) {
    const digits = 2 * (widths[bad] as number);
    throw new ShapeError(memberPath(at, bad), `expected 0x and ${digits} hex digits`);
  }
}

/** Why the nodes could not be decoded: the first that is no hex, or else has an element that is not canonical. */
function faultOf(spec: TreeSpec, texts: readonly string[], widths: readonly number[], at: string) {
  const isHex = (width: number, i: number) => {
    const bytes = new Uint8Array(width);
    return decodeHex(texts[i] as string, width, bytes) && spec.hasher.isCanonical(bytes);
  };
  const bad = widths.findIndex((width, i) => !isHex(width, i));
  const { title } = spec.hasher;
  return new ShapeError(
    memberPath(at, bad),
    `expected hex digits of canonical elements of ${title}, each below the modulus`,
  );
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
  checkFamily(spec, texts, at);
  const siblingLeafWidth = siblingLeafWidthOf(spec, texts);
  const widths = nodeWidths(spec.widths, siblingLeafWidth);
  checkWidths(texts, widths, at);
  const nodes = spec.hasher.decodePath(texts, siblingLeafWidth);
  // x and x + p hash alike: with an alias of hKey, a pointer or a balance a true root proves a lie.
  if (nodes === undefined) throw faultOf(spec, texts, widths, at);

  const leafAt = nodes.length - spec.widths.leafOpening;
  const siblingLeaf = nodes.subarray(leafAt - siblingLeafWidth, leafAt);
  const isEmpty = siblingLeafWidth === blockWidth;
  // An empty leaf is not hashed, so other bytes of its width would be bound to nothing; and zeros of a leaf opening's
  // width are no leaf of any tree: only the head has hKey 0, and its next is not 0.
  if (isZero(siblingLeaf) !== isEmpty) {
    const place = memberPath(at, siblingLeafAt);
    throw new ShapeError(
      place,
      'expected a leaf opening, or an empty leaf of exactly 32 zero bytes',
    );
  }
  if (!isEmpty) decodeLeafOpening(spec, siblingLeaf, memberPath(at, siblingLeafAt));
  const top = decodeTopNode(spec, nodes.subarray(0, spec.widths.topNode), memberPath(at, 0));
  const opening = nodes.subarray(leafAt);
  const leaf = decodeLeafOpening(spec, opening, memberPath(at, siblingLeafAt + 1));
  return Object.freeze({ leafIndex, top, leaf, nodes, siblingLeafWidth, at });
}
