/**
 * Paths as proofs show them. The upper part of a path is the same for all paths below one
 * node, so it is kept in one piece.
 */
import { innerNodeWidth, treeDepth } from '../../hash/geometry.js';
import type { Leaf } from '../nodes/leaves.js';
import {
  type EmptyTree,
  openingBytes,
  type Position,
  siblingOf,
  spans,
  topNodeBytes,
} from '../nodes/nodes.js';
import { TreeError } from '../store/errors.js';
import { JsonWriter } from './jsonWriter.js';
import type { EncodedNode, TreeNodeCache, UpperPath } from './upperNodeCache.js';
import type { PathSource } from './wireProof.js';

/** A leaf that is not empty, and the nodes of its path. */
export interface LeafPath {
  readonly leaf: Leaf;
  readonly opening: Uint8Array;
  /** Undefined if the sibling leaf is empty. */
  readonly siblingOpening: Uint8Array | undefined;
  readonly upperPath: UpperPath;
  /** The nodes below the upper path, down to height 1; undefined for an empty sub-tree. */
  readonly lower: readonly { height: number; node: EncodedNode | undefined }[];
}

/** A tree whose upper nodes are kept. */
interface CachedSource extends PathSource {
  readonly nodeCache: TreeNodeCache;
}

/** The node beside one that a path goes through; undefined for an empty sub-tree. */
function nodeBeside(source: PathSource, { height, index }: Position): EncodedNode | undefined {
  const sibling = siblingOf(index);
  const isThere = sibling * (spans[height] as number) < source.topNode.nextFreeNode;
  return isThere ? source.node({ height, index: sibling }) : undefined;
}

/** Offset of the node at a height among the bytes of a path, behind the top node. */
export const offsetOf = (height: number): number => (treeDepth - 1 - height) * innerNodeWidth;

/** Used again for each upper path, which is written without a pause. */
const json = new JsonWriter();

/** The upper part of the paths through a position. */
function makeUpperPath(
  empty: EmptyTree,
  source: CachedSource,
  { height, index }: Position,
): UpperPath {
  const { topNode } = source;
  const { arena } = source.nodeCache;
  let emptyFrom = height;
  // Beside a node that spans all leaves, everything is empty.
  while (emptyFrom < treeDepth && (spans[emptyFrom] as number) < topNode.nextFreeNode) emptyFrom++;
  const nodes = arena.copy(empty.siblings.subarray(offsetOf(emptyFrom - 1), offsetOf(height - 1)));
  json.clear();
  for (let at = emptyFrom - 1; at >= height; at--) {
    const node = nodeBeside(source, {
      height: at,
      index: Math.floor(index / (spans[at - height] as number)),
    });
    if (node) nodes.set(node.preimage, offsetOf(at) - offsetOf(emptyFrom - 1));
    json.text(',');
    if (node) json.hex(node.preimage);
    else json.text(`"${empty.nodes[at]}"`);
  }
  const top = topNodeBytes(empty.spec, topNode);
  return { top, emptyFrom, nodes, text: arena.copy(json.bytes) };
}

/** The path of a leaf. @throws TreeError `DAMAGED` if the leaf is empty */
export function toLeafPath(empty: EmptyTree, source: CachedSource, leafIndex: number): LeafPath {
  const { nodeCache } = source;
  const leaf = source.leaf(leafIndex);
  if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${leafIndex}`);
  const siblingLeaf = source.leaf(siblingOf(leafIndex));
  const height = nodeCache.upperHeight;
  const position = { height, index: Math.floor(leafIndex / (spans[height] as number)) };
  let upperPath = nodeCache.upperPath(position);
  if (upperPath === undefined) {
    upperPath = makeUpperPath(empty, source, position);
    nodeCache.keepUpperPath(position, upperPath);
  }
  const lower: { height: number; node: EncodedNode | undefined }[] = [];
  for (let at = height - 1; at > 0; at--) {
    const index = Math.floor(leafIndex / (spans[at] as number));
    lower.push({ height: at, node: nodeBeside(source, { height: at, index }) });
  }
  const opening = openingBytes(empty.spec, leaf);
  const siblingOpening = siblingLeaf && openingBytes(empty.spec, siblingLeaf);
  return { leaf, opening, siblingOpening, upperPath, lower };
}
