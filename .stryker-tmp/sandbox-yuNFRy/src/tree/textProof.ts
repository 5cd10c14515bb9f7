/**
 * The same proofs as text, put together from the texts of their nodes: a server writes nothing else
 * of them, and objects would cost it several times as much.
 */
// @ts-nocheck

import { encodeHex } from '../bytes.js';
import { TreeError } from './errors.js';
import type { Leaf } from './leaves.js';
import { type EmptyTree, openingBytes, type Position, siblingOf, topNodeBytes } from './nodes.js';
import type { TreeTexts } from './nodeTexts.js';
import type { PathSource } from './wireProof.js';

/** A tree whose upper nodes are kept as text. */
export interface TextSource extends PathSource {
  readonly texts: TreeTexts;
}

/** The nodes beside a path where all but the path is empty: from the root down to a height. */
const bareStem = ({ spec, texts }: EmptyTree, { topNode }: TextSource, height: number): string =>
  `"${encodeHex(topNodeBytes(spec, topNode))}"${texts[height]}`;

/** The nodes beside a path, from the root down to those beside a position on it. */
function stemText(empty: EmptyTree, source: TextSource, position: Position): string {
  const known = source.texts.stem(position);
  if (known !== undefined) return known;
  const { height, index } = position;
  const span = 2 ** height;
  const { nextFreeNode } = source.topNode;
  let text: string;
  if (span >= nextFreeNode) text = bareStem(empty, source, height);
  else {
    const above = { height: height + 1, index: Math.floor(index / 2) };
    const sibling = { height, index: siblingOf(index) };
    const isThere = sibling.index * span < nextFreeNode;
    const node = isThere ? source.node(sibling).text : empty.nodes[height];
    text = `${stemText(empty, source, above)},"${node}"`;
  }
  source.texts.keepStem(position, text);
  return text;
}

/** As `wireLeafProof` gives it. */
function leafProofText(empty: EmptyTree, source: TextSource, leafIndex: number): string {
  const { spec, nodes } = empty;
  const leaf = source.leaf(leafIndex);
  if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${leafIndex}`);
  const openingText = (one: Leaf) => encodeHex(openingBytes(spec, one));
  const siblingLeaf = source.leaf(siblingOf(leafIndex));
  const sibling = siblingLeaf ? openingText(siblingLeaf) : nodes[0];
  const stem = stemText(empty, source, { height: 1, index: Math.floor(leafIndex / 2) });
  return `{"value":"${encodeHex(leaf.value)}","proofRelatedNodes":[${stem},"${sibling}","${openingText(leaf)}"]}`;
}

/** As `wireExistence` gives it. */
export const existenceText = (
  empty: EmptyTree,
  source: TextSource,
  { key, own }: { key: string; own: number },
): string => `{"key":"${key}","leafIndex":${own},"proof":${leafProofText(empty, source, own)}}`;

/** As `wireNonExistence` gives it. */
export const nonExistenceText = (
  empty: EmptyTree,
  source: TextSource,
  { key, left, right }: { key: string; left: number; right: number },
): string =>
  `{"key":"${key}","leftProof":${leafProofText(empty, source, left)},"rightProof":${leafProofText(empty, source, right)},"leftLeafIndex":${left},"rightLeafIndex":${right}}`;
