/**
 * The nodes beside a path, from the root of the sub-tree down. Those of its upper part, the stem,
 * are the same for all paths below one node, so they are kept in one piece.
 */
import { innerNodeWidth, treeDepth } from '../hash/geometry.js';
import { flatText } from './flatText.js';
import { type EmptyTree, type Position, siblingOf } from './nodes.js';
import type { ShownNode, Stem, TreeTexts } from './nodeTexts.js';
import type { PathSource } from './wireProof.js';

/** A tree whose upper nodes are kept as text. */
export interface TextSource extends PathSource {
  readonly texts: TreeTexts;
}

/** The nodes beside a path. */
export interface SidePath {
  /** From height 39 down. */
  readonly stem: Stem;
  /** Those below, down to height 1; undefined for an empty sub-tree. */
  readonly lower: readonly { height: number; node: ShownNode | undefined }[];
}

/** The node beside one that a path goes through; undefined for an empty sub-tree. */
function nodeBeside(source: PathSource, { height, index }: Position): ShownNode | undefined {
  const sibling = siblingOf(index);
  const isThere = sibling * 2 ** height < source.topNode.nextFreeNode;
  return isThere ? source.node({ height, index: sibling }) : undefined;
}

/** Where the bytes of the node at a height lie among those of a path. */
export const offsetOf = (height: number): number => (treeDepth - 1 - height) * innerNodeWidth;

function makeStem(empty: EmptyTree, source: PathSource, { height, index }: Position): Stem {
  const { nextFreeNode } = source.topNode;
  const nodes = empty.siblings.slice(0, offsetOf(height - 1));
  let at = treeDepth - 1;
  // Beside a node that spans all leaves, everything is empty.
  while (at >= height && 2 ** at >= nextFreeNode) at--;
  let text = empty.texts[at + 1] as string;
  for (; at >= height; at--) {
    const node = nodeBeside(source, { height: at, index: Math.floor(index / 2 ** (at - height)) });
    if (node) nodes.set(node.preimage, offsetOf(at));
    text += `,"${node?.text ?? empty.nodes[at]}"`;
  }
  return { text: flatText(text), nodes };
}

/** The nodes beside the path of a leaf. */
export function sidePath(empty: EmptyTree, source: TextSource, leafIndex: number): SidePath {
  const { texts } = source;
  const height = texts.stemHeight;
  const position = { height, index: Math.floor(leafIndex / 2 ** height) };
  let stem = texts.stem(position);
  if (stem === undefined) {
    stem = makeStem(empty, source, position);
    texts.keepStem(position, stem);
  }
  const lower: { height: number; node: ShownNode | undefined }[] = [];
  for (let at = height - 1; at > 0; at--) {
    const index = Math.floor(leafIndex / 2 ** at);
    lower.push({ height: at, node: nodeBeside(source, { height: at, index }) });
  }
  return { stem, lower };
}
