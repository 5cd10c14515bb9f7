/** Answers for a key from one tree of a state. */
import { encodeHex } from '../bytes.js';
import { TreeError } from './errors.js';
import type { Leaf } from './leaves.js';
import type { Top } from './nodes.js';
import {
  planPath,
  type WireLeafProof,
  type WireProof,
  wireLeafProof,
  wireNonExistence,
} from './path.js';
import type { StateReader } from './state.js';
import { together } from './together.js';

async function path(
  state: StateReader,
  tree: number,
  top: Top,
  index: number,
  leaf: Leaf,
): Promise<WireLeafProof> {
  const plan = planPath(index, top.nextFreeNode);
  const [siblings, [siblingLeaf]] = await together([
    state.nodes(tree, plan.siblings),
    state.leaves(tree, [plan.siblingLeaf]),
  ]);
  const lost = siblings.indexOf(undefined);
  if (lost >= 0) throw lostError(`a node at height ${plan.siblings[lost]?.height}`);
  return wireLeafProof(state.spec, top, plan, leaf, siblings as Uint8Array[], siblingLeaf);
}

const lostError = (what: string) => new TreeError('DAMAGED', `the store has lost ${what}`);

/** Proves a key, or its absence, and gives its leaf where it has one. @param key as the proof shows it */
export async function proveKey(
  state: StateReader,
  tree: number,
  top: Top,
  key: Uint8Array,
  hKey: Uint8Array,
): Promise<{ proof: WireProof; found?: { index: number; leaf: Leaf } }> {
  const [index] = await state.indices(tree, [hKey]);
  const at = index ?? (await state.leftOf(tree, hKey));
  const [leaf] = await state.leaves(tree, [at]);
  if (leaf === undefined) throw lostError(`leaf ${at}`);
  const shown = encodeHex(key);
  if (index !== undefined) {
    const proof = { key: shown, leafIndex: at, proof: await path(state, tree, top, at, leaf) };
    return { proof, found: { index: at, leaf } };
  }
  const [right] = await state.leaves(tree, [leaf.next]);
  if (right === undefined) throw lostError(`leaf ${leaf.next}`);
  const [leftProof, rightProof] = await together([
    path(state, tree, top, at, leaf),
    path(state, tree, top, leaf.next, right),
  ]);
  const left = { index: at, proof: leftProof };
  return { proof: wireNonExistence(shown, left, { index: leaf.next, proof: rightProof }) };
}
