/**
 * The same proofs as text, put together from the texts of their nodes: a server writes nothing else
 * of them, and objects would cost it several times as much.
 */
import { encodeHex } from '../bytes.js';
import { TreeError } from './errors.js';
import type { Leaf } from './leaves.js';
import { type EmptyTree, openingBytes, siblingOf, topNodeBytes } from './nodes.js';
import { sidePath, type TextSource } from './stems.js';

/** As `wireLeafProof` gives it. */
function leafProofText(empty: EmptyTree, source: TextSource, leafIndex: number): string {
  const { spec, nodes } = empty;
  const leaf = source.leaf(leafIndex);
  if (leaf === undefined) throw new TreeError('DAMAGED', `the store has lost leaf ${leafIndex}`);
  const openingText = (one: Leaf) => encodeHex(openingBytes(spec, one));
  const siblingLeaf = source.leaf(siblingOf(leafIndex));
  const sibling = siblingLeaf ? openingText(siblingLeaf) : nodes[0];
  const { stem, lower } = sidePath(empty, source, leafIndex);
  let side = stem.text;
  for (const { height, node } of lower) side += `,"${node?.text ?? nodes[height]}"`;
  const top = encodeHex(topNodeBytes(spec, source.topNode));
  return `{"value":"${encodeHex(leaf.value)}","proofRelatedNodes":["${top}"${side},"${sibling}","${openingText(leaf)}"]}`;
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
