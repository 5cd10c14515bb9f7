/**
 * Paths as proofs show them. The upper part of a path, its stem, is the same for all paths below one
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
import type { ShownNode, Stem, TreeTexts } from './nodeTexts.js';
import type { PathSource } from './wireProof.js';

/** A leaf that is not empty, and what its path shows. */
export interface LeafPath {
  readonly leaf: Leaf;
  readonly opening: Uint8Array;
  /** Undefined if the sibling leaf is empty. */
  readonly siblingOpening: Uint8Array | undefined;
  readonly stem: Stem;
  /** The nodes below the stem, down to height 1; undefined for an empty sub-tree. */
  readonly lower: readonly { height: number; node: ShownNode | undefined }[];
}

/** A tree whose upper nodes are kept as text. */
interface TextSource extends PathSource {
  readonly texts: TreeTexts;
}

/** The node beside one that a path goes through; undefined for an empty sub-tree. */
function nodeBeside(source: PathSource, { height, index }: Position): ShownNode | undefined {
  const sibling = siblingOf(index);
  const isThere = sibling * (spans[height] as number) < source.topNode.nextFreeNode;
  return isThere ? source.node({ height, index: sibling }) : undefined;
}

/** Where the bytes of the node at a height lie among those of a path, behind the top node. */
export const offsetOf = (height: number): number => (treeDepth - 1 - height) * innerNodeWidth;

/** Used again for each stem, which is written without a pause. */
const json = new JsonWriter();

/** The stem of the paths through a position. */
function makeStem(empty: EmptyTree, source: TextSource, { height, index }: Position): Stem {
  const { topNode } = source;
  const { slab } = source.texts;
  let emptyFrom = height;
  // Beside a node that spans all leaves, everything is empty.
  while (emptyFrom < treeDepth && (spans[emptyFrom] as number) < topNode.nextFreeNode) emptyFrom++;
  const nodes = slab.copy(empty.siblings.subarray(offsetOf(emptyFrom - 1), offsetOf(height - 1)));
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
  return { top, emptyFrom, nodes, text: slab.copy(json.bytes) };
}

/** The path of a leaf. @throws TreeError `DAMAGED` if the leaf is empty */
export function pathOf(empty: EmptyTree, source: TextSource, leafIndex: number): LeafPath {
  const { texts } = source;
  const leaf = source.leaf(leafIndex);
  if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${leafIndex}`);
  const siblingLeaf = source.leaf(siblingOf(leafIndex));
  const height = texts.stemHeight;
  const position = { height, index: Math.floor(leafIndex / (spans[height] as number)) };
  let stem = texts.stem(position);
  if (stem === undefined) {
    stem = makeStem(empty, source, position);
    texts.keepStem(position, stem);
  }
  const lower: { height: number; node: ShownNode | undefined }[] = [];
  for (let at = height - 1; at > 0; at--) {
    const index = Math.floor(leafIndex / (spans[at] as number));
    lower.push({ height: at, node: nodeBeside(source, { height: at, index }) });
  }
  const opening = openingBytes(empty.spec, leaf);
  const siblingOpening = siblingLeaf && openingBytes(empty.spec, siblingLeaf);
  return { leaf, opening, siblingOpening, stem, lower };
}
