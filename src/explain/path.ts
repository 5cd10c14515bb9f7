/** The path from a leaf to the root, as far as its nodes can be read. */
import { concatBytes, encodeHex, equalBytes, isZero } from '../bytes.js';
import type { LeafOpening } from '../codec/node.js';
import { decodeLeafOpening, decodeTopNode } from '../codec/node.js';
import type { TreeSpec } from '../codec/spec.js';
import { indexLimit } from '../codec/word.js';
import { emptyDigest } from '../compact/climb.js';
import { openArray, openObject, readMember } from '../foreign/shape.js';
import { hexBytes, parseWholeNumber } from '../foreign/values.js';
import { blockWidth } from '../hash/family.js';
import { nodeCount, nodeWidth, siblingLeafPosition, treeDepth } from '../hash/geometry.js';
import { attempt } from './attempt.js';
import type { Leaf, Level, PathExplanation, TopNode } from './types.js';

/** A member of an untrusted object; undefined if it cannot be read. */
export const memberOf = (value: unknown, name: string): unknown =>
  attempt(() => readMember(openObject(value, ''), name)).value;

/** Elements of an untrusted array; none if it has another length. */
export function elementsOf(value: unknown, length: number): unknown[] {
  const list = attempt(() => openArray(value, '')).value;
  if (list === undefined || list.length !== length) return [];
  return Array.from({ length }, (_, i) => attempt(() => readMember(list, i)).value);
}

/** The bytes of a node at a position, if they are such a node's. */
function nodeBytes(spec: TreeSpec, text: unknown, position: number): Uint8Array | undefined {
  const { leafOpening } = spec.widths;
  const full = hexBytes(text, nodeWidth(spec.widths, leafOpening, position));
  if (full !== undefined) return spec.hasher.isCanonical(full) ? full : undefined;
  const empty = position === siblingLeafPosition ? hexBytes(text, blockWidth) : undefined;
  return empty !== undefined && isZero(empty) ? empty : undefined;
}

/** A leaf opening as it is shown. */
export const shownLeaf = ({ prev, next, hKey, hValue }: LeafOpening): Leaf => ({
  prev: String(prev),
  next: String(next),
  hKey: encodeHex(hKey),
  hValue: encodeHex(hValue),
});

/** One level; what is undefined is not known. */
export function shownLevel(
  spec: TreeSpec,
  level: number,
  {
    node,
    sibling,
    leafIndex,
  }: {
    node: Uint8Array | undefined;
    sibling: Uint8Array | undefined;
    leafIndex: bigint | undefined;
  },
): Level {
  const isRight = leafIndex === undefined ? undefined : isRightAt(leafIndex, level);
  return {
    level,
    node: node ? encodeHex(node) : null,
    sibling: sibling ? encodeHex(sibling) : null,
    siblingSide: isRight === undefined ? null : isRight ? 'left' : 'right',
    siblingIsEmpty: sibling !== undefined && equalBytes(sibling, emptyDigest(spec.hasher, level)),
  };
}

/** Whether the path is on the right of its sibling. */
const isRightAt = (leafIndex: bigint, level: number): boolean =>
  ((leafIndex >> BigInt(level)) & 1n) === 1n;

/** All levels above a leaf, and the sub-tree root. @param siblings their digests, from the leaf up */
function climb(
  spec: TreeSpec,
  leaf: Uint8Array | undefined,
  leafIndex: bigint | undefined,
  siblings: readonly (Uint8Array | undefined)[],
): Pick<PathExplanation, 'levels' | 'subTreeRoot'> {
  let node = leaf;
  const levels: Level[] = [];
  for (let level = 0; level < treeDepth; level++) {
    const sibling = siblings[level];
    levels.push(shownLevel(spec, level, { node, sibling, leafIndex }));
    const isKnown = node !== undefined && sibling !== undefined && leafIndex !== undefined;
    if (!isKnown) node = undefined;
    else {
      const isRight = isRightAt(leafIndex as bigint, level);
      const pair = isRight ? [sibling, node] : [node, sibling];
      node = spec.hasher.hash(concatBytes(...(pair as [Uint8Array, Uint8Array])));
    }
  }
  return { levels, subTreeRoot: node ? encodeHex(node) : null };
}

function readTop(spec: TreeSpec, bytes: Uint8Array | undefined): TopNode | null {
  if (bytes === undefined) return null;
  const top = attempt(() => decodeTopNode(spec, { bytes, offset: 0, at: '' })).value;
  if (top === undefined) return null;
  return {
    nextFreeNode: String(top.nextFreeNode),
    subTreeRoot: encodeHex(top.subTreeRoot),
    root: encodeHex(spec.hasher.hash(bytes)),
  };
}

function readLeafIndex(value: unknown): bigint | undefined {
  const index = parseWholeNumber(value);
  return index !== undefined && index < Number(indexLimit) ? BigInt(index) : undefined;
}

/**
 * Explains one path of a result.
 *
 * @param entry of the account or of a slot
 * @param names of the two members that show the leaf
 * @returns null if neither is there
 */
export function explainPath(
  spec: TreeSpec,
  entry: unknown,
  names: { readonly index: string; readonly proof: string },
  entryAt: string,
): PathExplanation | null {
  const index = memberOf(entry, names.index);
  const proof = memberOf(entry, names.proof);
  if (index === undefined && proof === undefined) return null;
  const leafIndex = readLeafIndex(index);
  const texts = elementsOf(memberOf(proof, 'proofRelatedNodes'), nodeCount);
  const nodes = Array.from({ length: nodeCount }, (_, i) =>
    i < texts.length ? nodeBytes(spec, texts[i], i) : undefined,
  );
  const hashed = (bytes: Uint8Array | undefined) => bytes && spec.hasher.hash(bytes);
  const leaf = nodes[siblingLeafPosition + 1];
  const siblings = Array.from({ length: treeDepth }, (_, level) => {
    const bytes = nodes[siblingLeafPosition - level];
    // An empty leaf is not hashed.
    return level === 0 && bytes?.length === blockWidth ? bytes : hashed(bytes);
  });
  const opening =
    leaf && attempt(() => decodeLeafOpening(spec, { bytes: leaf, offset: 0, at: '' })).value;
  return {
    at: `${entryAt}.${names.proof}.proofRelatedNodes`,
    leafIndex: leafIndex === undefined ? null : String(leafIndex),
    leaf: opening ? shownLeaf(opening) : null,
    ...climb(spec, hashed(leaf), leafIndex, siblings),
    top: readTop(spec, nodes[0]),
  };
}
