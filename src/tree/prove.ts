/** Makes the proofs of keys from the trees of a state. */
import { encodeHex } from '../bytes.js';
import type { Question } from '../verify/claim.js';
import { hashAddresses, hashWords } from './changes.js';
import { accountTree } from './layout.js';
import { type Meter, partsOf } from './meter.js';
import type { EmptyTree } from './nodes.js';
import type { NodeTexts } from './nodeTexts.js';
import type { Place } from './places.js';
import { known, type Reading, readAll } from './reading.js';
import type { StateReader } from './stateReader.js';
import { TreePart } from './treePart.js';
import { type ProofResult, type WireProof, wireExistence, wireNonExistence } from './wireProof.js';

/** Leaves that the proof of a key shows. */
const leavesOf = ({ own, left, right }: Place): number[] =>
  own === undefined ? [left as number, right as number] : [own];

/** What the proofs of slots are made of. */
interface Slots {
  readonly places: readonly Place[];
  readonly part: TreePart;
}

/** What an answer is made of. */
export interface Evidence {
  readonly account: { readonly place: Place; readonly part: TreePart };
  /** Undefined if the account is absent or its storage pristine, or if no slot was asked for. */
  readonly slots: Slots | undefined;
}

/**
 * Reads what the proofs of slots show.
 *
 * @returns undefined if the tree is as empty as it was at first
 */
function* readSlots(
  state: StateReader,
  tree: number,
  hKeys: readonly Uint8Array[],
  texts: NodeTexts,
): Reading<Slots | undefined> {
  const [topNode, places] = yield* readAll([state.topNode(tree), state.places(tree, hKeys)]);
  // An empty tree proves every slot zero by itself, and the public system answers nothing more.
  if (topNode.nextFreeNode === state.empty.topNode.nextFreeNode) return undefined;
  const leafIndices = places.flatMap(leavesOf);
  return { places, part: yield* TreePart.read(state, tree, { topNode, leafIndices, texts }) };
}

/**
 * Reads what the answer to a question shows: where the account stands, then its path and where the
 * slots stand, then their paths.
 */
export function* readEvidence(
  state: StateReader,
  { address, storageKeys }: Question,
  texts: NodeTexts,
): Reading<Evidence> {
  const { spec } = state.empty;
  const [topNode, [place]] = yield* readAll([
    state.topNode(accountTree),
    state.places(accountTree, hashAddresses(spec, [address])),
  ]);
  const { own } = place as Place;
  const leafIndices = leavesOf(place as Place);
  const [part, slots] = yield* readAll([
    TreePart.read(state, accountTree, { topNode, leafIndices, texts }),
    own === undefined || storageKeys.length === 0
      ? known(undefined)
      : readSlots(state, own, hashWords(spec, storageKeys), texts),
  ]);
  return { account: { place: place as Place, part }, slots };
}

/** Proves a key, or its absence. @param key as the proof shows it */
function proveKey(
  empty: EmptyTree,
  part: TreePart,
  { key, place }: { key: Uint8Array; place: Place },
): WireProof {
  const shown = encodeHex(key);
  const { own, left, right } = place;
  return own === undefined
    ? wireNonExistence(empty, part, { key: shown, left: left as number, right: right as number })
    : wireExistence(empty, part, { key: shown, own });
}

/** The answer to a question: what the public system gives. Nothing of it is verified yet. */
export async function proveState(
  empty: EmptyTree,
  { address, storageKeys }: Question,
  { account, slots }: Evidence,
  meter: Meter,
): Promise<ProofResult> {
  const accountProof = proveKey(empty, account.part, { key: address, place: account.place });
  const storageProofs: WireProof[] = [];
  if (slots === undefined) return { accountProof, storageProofs };
  const parts = partsOf([...storageKeys.entries()]);
  for (const some of parts) {
    if (parts.length > 1) await meter.pause();
    for (const [i, key] of some) {
      const place = slots.places[i] as Place;
      storageProofs.push(proveKey(empty, slots.part, { key, place }));
    }
  }
  return { accountProof, storageProofs };
}
