/** Makes the proofs of keys from the trees of a state. */
import { encodeHex, equalBytes } from '../bytes.js';
import type { Question } from '../verify/claim.js';
import { hashAddresses, hashWords } from './changes.js';
import { TreeError } from './errors.js';
import { accountTree } from './layout.js';
import { headIndex, type Leaf } from './leaves.js';
import type { Top } from './nodes.js';
import {
  type ProofResult,
  planPath,
  type WireLeafProof,
  type WireProof,
  wireLeafProof,
  wireNonExistence,
} from './path.js';
import { accountOf, type StateReader } from './state.js';
import { together } from './together.js';
import { type Meter, partsOf } from './work.js';

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

/** Where a key stands in the list: its own leaf, or the one before its place. */
interface Place {
  readonly index: number;
  readonly isOwn: boolean;
}

async function placesOf(
  state: StateReader,
  tree: number,
  hKeys: readonly Uint8Array[],
): Promise<Place[]> {
  const owns = await state.indices(tree, hKeys);
  const absent = [...hKeys.keys()].filter((i) => owns[i] === undefined);
  const lefts = await state.leftsOf(
    tree,
    absent.map((i) => hKeys[i] as Uint8Array),
  );
  const places = owns.map((index) => ({ index: index ?? headIndex, isOwn: true }));
  for (const [i, at] of absent.entries()) {
    places[at] = { index: lefts[i] as number, isOwn: false };
  }
  return places;
}

/** A key's proof, and its leaf if it has one. */
interface Proven {
  readonly proof: WireProof;
  readonly found: { readonly index: number; readonly leaf: Leaf } | undefined;
}

/** Proves a key, or its absence. @param key as the proof shows it */
async function proveKey(
  state: StateReader,
  tree: number,
  top: Top,
  key: Uint8Array,
  { index, isOwn }: Place,
): Promise<Proven> {
  const [leaf] = await state.leaves(tree, [index]);
  if (leaf === undefined) throw lostError(`leaf ${index}`);
  const shown = encodeHex(key);
  if (isOwn) {
    const proof = {
      key: shown,
      leafIndex: index,
      proof: await path(state, tree, top, index, leaf),
    };
    return { proof, found: { index, leaf } };
  }
  const [right] = await state.leaves(tree, [leaf.next]);
  if (right === undefined) throw lostError(`leaf ${leaf.next}`);
  const [leftProof, rightProof] = await together([
    path(state, tree, top, index, leaf),
    path(state, tree, top, leaf.next, right),
  ]);
  const left = { index, proof: leftProof };
  const proof = wireNonExistence(shown, left, { index: leaf.next, proof: rightProof });
  return { proof, found: undefined };
}

/** Proves slots, some at a time. */
async function proveSlots(
  state: StateReader,
  tree: number,
  keys: readonly Uint8Array[],
  meter: Meter,
): Promise<WireProof[]> {
  const top = await state.top(tree);
  const places = await placesOf(state, tree, hashWords(state.spec.tree, keys));
  const proofs: WireProof[] = [];
  for (const some of partsOf([...keys.entries()])) {
    if (proofs.length > 0) await meter.pause();
    const proven = await together(
      some.map(([i, key]) => proveKey(state, tree, top, key, places[i] as Place)),
    );
    for (const { proof } of proven) proofs.push(proof);
  }
  return proofs;
}

/** The answer to a question: what the public system gives. Nothing of it is verified yet. */
export async function proveState(
  state: StateReader,
  { address, storageKeys }: Question,
  meter: Meter,
): Promise<ProofResult> {
  const { tree } = state.spec;
  const top = await state.top(accountTree);
  const [place] = await placesOf(state, accountTree, hashAddresses(tree, [address]));
  const { proof, found } = await proveKey(state, accountTree, top, address, place as Place);
  // An empty tree proves every slot zero by itself, and the public system answers nothing more.
  if (!found || equalBytes(accountOf(tree, found.leaf).storageRoot, tree.emptyRoot)) {
    return { accountProof: proof, storageProofs: [] };
  }
  const storageProofs = await proveSlots(state, found.index, storageKeys, meter);
  return { accountProof: proof, storageProofs };
}
