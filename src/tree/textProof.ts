/**
 * The same proofs as text, put together from the texts of their nodes: a server writes nothing else
 * of them, and objects would cost it several times as much.
 */
import { encodeHex } from '../bytes.js';
import type { EmptyTree } from './nodes.js';
import type { TreePart } from './treePart.js';

/** As `wireLeafProof` gives it. */
function leafProofText(empty: EmptyTree, part: TreePart, leafIndex: number): string {
  const { leaf, opening, siblingOpening, stem, lower } = part.path(leafIndex);
  const sibling = siblingOpening ? encodeHex(siblingOpening) : empty.nodes[0];
  let nodes = stem.text;
  for (const { height, node } of lower) nodes += `,"${node?.text ?? empty.nodes[height]}"`;
  return `{"value":"${encodeHex(leaf.value)}","proofRelatedNodes":[${nodes},"${sibling}","${encodeHex(opening)}"]}`;
}

/** As `wireExistence` gives it. */
export const existenceText = (
  empty: EmptyTree,
  part: TreePart,
  { key, own }: { key: string; own: number },
): string => `{"key":"${key}","leafIndex":${own},"proof":${leafProofText(empty, part, own)}}`;

/** As `wireNonExistence` gives it. */
export const nonExistenceText = (
  empty: EmptyTree,
  part: TreePart,
  { key, left, right }: { key: string; left: number; right: number },
): string =>
  `{"key":"${key}","leftProof":${leafProofText(empty, part, left)},"rightProof":${leafProofText(empty, part, right)},"leftLeafIndex":${left},"rightLeafIndex":${right}}`;
