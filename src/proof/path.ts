/** Reads the 42 nodes of one path. */
import { isZero } from '../bytes.js';
import { decodeLeafOpening, decodePointers, decodeTopNode } from '../codec/node.js';
import { otherFamilyOf, type TreeSpec } from '../codec/spec.js';
import { hashOption, ShapeError, VerificationError } from '../errors.js';
import { openArray } from '../foreign/shape.js';
import { hexBytes } from '../foreign/values.js';
import { blockWidth } from '../hash/family.js';
import {
  nodeCount,
  nodeWidth,
  nodeWidths,
  pathWidth,
  siblingLeafPosition,
} from '../hash/geometry.js';
import { readString } from './read.js';
import type { Path } from './types.js';

/** The nodes as texts, and the location of their array. */
interface PathTexts {
  readonly texts: readonly string[];
  readonly at: string;
}

/** Characters of a node of `width` bytes, with its `0x`. */
const textLength = (width: number): number => 2 + 2 * width;

/** Location of a node. */
const nodePath = (at: string, i: number): string => `${at}[${i}]`;

/**
 * The texts of all nodes, before any is looked into: a hostile answer costs 43 reads here, and nothing
 * foreign runs after the last of them.
 */
function readTexts(foreign: unknown, at: string): PathTexts {
  const nodes = openArray(foreign, at);
  // With fewer nodes an inner node could pose as a leaf; with more, some would be bound to nothing.
  if (nodes.length !== nodeCount) {
    throw new ShapeError(at, `expected ${nodeCount} nodes, got ${nodes.length}`);
  }
  const texts: string[] = [];
  for (let i = 0; i < nodeCount; i++) texts.push(readString(nodes, i));
  return { texts, at };
}

/** Bytes of the sibling leaf, the one node with two right widths: a leaf opening's, or 32 if it is empty. */
function siblingLeafWidthOf(spec: TreeSpec, { texts }: PathTexts): number {
  const isEmpty = (texts[siblingLeafPosition] as string).length === textLength(blockWidth);
  return isEmpty ? blockWidth : spec.widths.leafOpening;
}

/** The width of the top node shows another family; naming it names the usual mistake. */
function checkFamily(spec: TreeSpec, nodes: PathTexts): void {
  const { length } = nodes.texts[0] as string;
  if (length === textLength(spec.widths.topNode)) return;
  const given = otherFamilyOf(spec, (length - 2) / 2);
  if (given !== undefined) {
    throw new VerificationError(
      'WRONG_FAMILY',
      nodePath(nodes.at, 0),
      `expected a proof hashed with ${spec.hasher.family}, got one of ${given}; pass ${hashOption(given)} if the state root is of that family`,
    );
  }
}

/** Only exact widths keep a leaf from posing as an inner node, and the other way round. */
function checkWidths(spec: TreeSpec, nodes: PathTexts, siblingLeafWidth: number): void {
  for (let i = 0; i < nodeCount; i++) {
    const width = nodeWidth(spec.widths, siblingLeafWidth, i);
    if ((nodes.texts[i] as string).length !== textLength(width)) {
      throw new ShapeError(nodePath(nodes.at, i), `expected 0x and ${2 * width} hex digits`);
    }
  }
}

/** Why the nodes could not be decoded: the first that is no hex, or else has an element that is not canonical. */
function findFault(spec: TreeSpec, nodes: PathTexts, siblingLeafWidth: number): ShapeError {
  const isRight = (width: number, i: number) => {
    const bytes = hexBytes(nodes.texts[i], width);
    return bytes !== undefined && spec.hasher.isCanonical(bytes);
  };
  const widths = nodeWidths(spec.widths, siblingLeafWidth);
  const bad = widths.findIndex((width, i) => !isRight(width, i));
  const { title } = spec.hasher;
  return new ShapeError(
    nodePath(nodes.at, bad),
    `expected hex digits of canonical elements of ${title}, each below the modulus`,
  );
}

/** The bytes of a path's nodes, of the widths that `nodeWidths` gives, canonical; see {@link Path}. */
type PathBytes = Pick<Path, 'leafIndex' | 'nodes' | 'siblingLeafWidth' | 'at'>;

/** Checks what the bytes show beyond their elements. @throws ShapeError */
function openPath(spec: TreeSpec, { leafIndex, nodes, siblingLeafWidth, at }: PathBytes): Path {
  const node = (offset: number, i: number) => ({ bytes: nodes, offset, at: nodePath(at, i) });
  const leafOffset = nodes.length - spec.widths.leafOpening;
  const siblingLeaf = node(leafOffset - siblingLeafWidth, siblingLeafPosition);
  const isEmpty = siblingLeafWidth === blockWidth;
  // An empty leaf is not hashed, so other bytes of its width would be bound to nothing. Zeros of a leaf opening's width
  // are no leaf of any tree: only the head has hKey 0, and its next is not 0.
  if (isZero(nodes, siblingLeaf.offset, leafOffset) !== isEmpty) {
    throw new ShapeError(
      siblingLeaf.at,
      'expected a leaf opening, or an empty leaf of exactly 32 zero bytes',
    );
  }
  if (!isEmpty) decodePointers(spec, siblingLeaf);
  const top = decodeTopNode(spec, node(0, 0));
  const leaf = decodeLeafOpening(spec, node(leafOffset, siblingLeafPosition + 1));
  return Object.freeze({ leafIndex, top, leaf, nodes, siblingLeafWidth, at });
}

/**
 * Opens a path that its holder has as bytes: the same checks as of one that came as text.
 *
 * @throws ShapeError
 */
export function openOwnPath(spec: TreeSpec, path: PathBytes): Path {
  const { nodes, siblingLeafWidth, at } = path;
  const width = pathWidth(spec.widths, siblingLeafWidth);
  // x and x + p hash alike: with an alias of hKey, a pointer or a balance a true root proves a lie.
  if (nodes.length !== width || !spec.hasher.isCanonical(nodes)) {
    throw new ShapeError(at, `expected nodes of canonical elements of ${spec.hasher.title}`);
  }
  return openPath(spec, path);
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
  const given = readTexts(foreign, at);
  checkFamily(spec, given);
  const siblingLeafWidth = siblingLeafWidthOf(spec, given);
  checkWidths(spec, given, siblingLeafWidth);
  const nodes = spec.hasher.decodePath(given.texts, siblingLeafWidth);
  // x and x + p hash alike: with an alias of hKey, a pointer or a balance a true root proves a lie.
  if (nodes === undefined) throw findFault(spec, given, siblingLeafWidth);
  return openPath(spec, { nodes, siblingLeafWidth, leafIndex, at });
}
