/** A proof in which nothing can be saved: no sibling sub-tree is empty. */
import { encodeHex } from '../src/bytes.js';
import type { Hex } from '../src/index.js';
import type { Case } from './cases.js';
import { mimc, poseidon2 } from './library.js';
import { bytesForm, bytesOf, textsOf, walk } from './walk.js';

/**
 * The same account as in `original`, in a tree whose sibling nodes all differ. Any preimages make a valid path under
 * the root that they hash to.
 */
export function fullPath(original: Case): Case {
  const { result, claim } = original;
  const digest = claim.hash === 'mimc' ? mimc : poseidon2;
  const nodes = textsOf(original).map(bytesOf);
  for (let i = 1; i < 40; i++) {
    const seed = new Uint8Array(32);
    seed[31] = i;
    const left = digest(seed);
    nodes[i] = Buffer.concat([left, digest(left)]);
  }
  if ((nodes[40] as Uint8Array).length === 32) nodes[40] = nodes[41] as Uint8Array;
  const { leafIndex, proof } = result.accountProof;
  // The top node names the sub-tree root too, so it is recovered first and put in.
  const form = bytesForm(digest);
  let subTreeRoot = new Uint8Array();
  const stateRoot = walk(
    {
      ...form,
      withSubTreeRoot(top, below) {
        subTreeRoot = new Uint8Array(below);
        return form.withSubTreeRoot(top, below);
      },
    },
    nodes,
    leafIndex,
  );
  nodes[0] = form.withSubTreeRoot(nodes[0] as Uint8Array, subTreeRoot);
  // Through JSON, as off the wire: text that was put together piece by piece is slower to read.
  const proofRelatedNodes = JSON.parse(JSON.stringify(nodes.map(encodeHex))) as Hex[];
  return {
    file: original.file,
    result: {
      ...result,
      accountProof: { ...result.accountProof, proof: { ...proof, proofRelatedNodes } },
    },
    claim: { ...claim, stateRoot: encodeHex(stateRoot) },
  };
}
