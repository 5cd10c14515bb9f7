/**
 * The same proofs as text, written from the bytes of their nodes. A server only sends the text, and
 * making objects first would cost it several times as much.
 */

import { innerNodeWidth, treeDepth } from '../../hash/geometry.js';
import type { EmptyTree } from '../nodes/nodes.js';
import type { JsonWriter } from './jsonWriter.js';
import type { KeyProofData } from './keyProofData.js';
import type { TreePart } from './treePart.js';

/** Characters of a node in a list that goes on: `,"0x..."`. */
const listedWidth = 5 + 2 * innerNodeWidth;

/** Writes the text of the object that `wireLeafProof` gives. */
function writeLeafProof(
  json: JsonWriter,
  { empty, part }: { empty: EmptyTree; part: TreePart },
  leafIndex: number,
): void {
  const { leaf, opening, siblingOpening, upperPath, lower } = part.path(leafIndex);
  json.text('{"value":');
  json.hex(leaf.value);
  json.text(',"proofRelatedNodes":[');
  json.hex(upperPath.top);
  json.copy(empty.text.subarray(0, listedWidth * (treeDepth - upperPath.emptyFrom)));
  json.copy(upperPath.text);
  for (const { height, node } of lower) {
    json.text(',');
    if (node) json.hex(node.preimage);
    else json.text(`"${empty.nodes[height]}"`);
  }
  json.text(',');
  if (siblingOpening) json.hex(siblingOpening);
  else json.text(`"${empty.nodes[0]}"`);
  json.text(',');
  json.hex(opening);
  json.text(']}');
}

/** Writes the proof of a key, the same as JSON.stringify of the object. */
export function writeKeyProof(
  json: JsonWriter,
  empty: EmptyTree,
  { key, position: { own, left, right }, part }: KeyProofData,
): void {
  const tree = { empty, part };
  json.text('{"key":');
  json.hex(key);
  if (own !== undefined) {
    json.text(`,"leafIndex":${own},"proof":`);
    writeLeafProof(json, tree, own);
    json.text('}');
  } else {
    json.text(',"leftProof":');
    writeLeafProof(json, tree, left as number);
    json.text(',"rightProof":');
    writeLeafProof(json, tree, right as number);
    json.text(`,"leftLeafIndex":${left},"rightLeafIndex":${right}}`);
  }
}
