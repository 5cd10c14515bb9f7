/** Makes the proofs of keys from the trees of a state. */
import { compareBytes, encodeHex } from '../../bytes.js';
import type { Pieces } from '../../pieces.js';
import type { Question } from '../../verify/claim.js';
import { hashWords } from '../apply/changes.js';
import type { Place } from '../history/places.js';
import type { StateReader } from '../history/stateReader.js';
import { accountTree } from '../layout/layout.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { partsOf } from '../store/readBudget.js';
import { known, type Reading, readAll } from '../store/reading.js';
import type { KeyEvidence } from './evidence.js';
import type { NodeTexts } from './nodeTexts.js';
import { proofText } from './textProof.js';
import { TreePart } from './treePart.js';
import { type ProofResult, type WireProof, wireExistence, wireNonExistence } from './wireProof.js';

/** Leaves that the proof of a key shows. */
const leavesOf = ({ own, left, right }: Place): number[] =>
  own === undefined ? [left as number, right as number] : [own];

/** The parts of an answer. */
export interface Evidence {
  readonly account: KeyEvidence;
  /**
   * One for each slot asked. Undefined if the account is absent or its storage pristine, or if no
   * slot was asked for.
   */
  readonly slots: readonly KeyEvidence[] | undefined;
}

/** Slots that are read together, so that the nodes which their paths share are read once. */
const slotsTogether = 256;

/** Some hashed keys, each with its index among those asked. */
type Piece = { readonly index: number; readonly hKey: Uint8Array }[];

/** Cuts hashed keys into pieces that lie side by side. */
function piecesOf(hKeys: readonly Uint8Array[]): Piece[] {
  const order = hKeys.map((hKey, index) => ({ index, hKey }));
  order.sort((a, b) => compareBytes(a.hKey, b.hKey));
  const pieces: Piece[] = [];
  for (let start = 0; start < order.length; start += slotsTogether) {
    pieces.push(order.slice(start, start + slotsTogether));
  }
  return pieces;
}

/**
 * Reads what the proofs of slots show: where they stand, then their paths.
 *
 * @returns undefined if nothing was ever inserted into the tree
 */
function* readSlots(
  state: StateReader,
  tree: number,
  { hKeys, texts }: { hKeys: readonly Uint8Array[]; texts: NodeTexts },
): Reading<KeyEvidence[] | undefined> {
  const pieces = piecesOf(hKeys);
  const hKeysOf = (piece: Piece) => piece.map(({ hKey }) => hKey);
  const [topNode, ...places] = yield* readAll([
    state.topNode(tree),
    ...pieces.map((piece) => state.places(tree, hKeysOf(piece))),
  ]);
  // An empty tree proves every slot zero by itself, and the public system answers nothing more.
  if (topNode.nextFreeNode === state.empty.topNode.nextFreeNode) return undefined;
  const parts = yield* readAll(
    places.map((some) =>
      TreePart.read(state, tree, { topNode, leafIndices: some.flatMap(leavesOf), texts }),
    ),
  );
  const evidence = new Array<KeyEvidence>(hKeys.length);
  for (const [i, piece] of pieces.entries()) {
    for (const [j, { index, hKey }] of piece.entries()) {
      evidence[index] = { hKey, place: places[i]?.[j] as Place, part: parts[i] as TreePart };
    }
  }
  return evidence;
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
  const hKey = spec.hasher.hash(spec.addressBlocks(address));
  const [topNode, [place]] = yield* readAll([
    state.topNode(accountTree),
    state.places(accountTree, [hKey]),
  ]);
  const { own } = place as Place;
  const leafIndices = leavesOf(place as Place);
  const [part, slots] = yield* readAll([
    TreePart.read(state, accountTree, { topNode, leafIndices, texts }),
    own === undefined || storageKeys.length === 0
      ? known(undefined)
      : readSlots(state, own, { hKeys: hashWords(spec, storageKeys), texts }),
  ]);
  return { account: { hKey, place: place as Place, part }, slots };
}

/** What an answer is about, and what it is made of. */
export interface Answer {
  readonly empty: EmptyTree;
  readonly question: Question;
  readonly evidence: Evidence;
}

/** The proof of a key as an object. @param key as the proof shows it */
function proofObject(
  empty: EmptyTree,
  key: Uint8Array,
  { place: { own, left, right }, part }: KeyEvidence,
): WireProof {
  const shown = encodeHex(key);
  return own === undefined
    ? wireNonExistence(empty, part, { key: shown, left: left as number, right: right as number })
    : wireExistence(empty, part, { key: shown, own });
}

/** Goes through the slots that an answer shows. */
function* eachSlot(
  { question, evidence: { slots } }: Answer,
  take: (key: Uint8Array, slot: KeyEvidence) => void,
): Pieces<void> {
  if (slots === undefined) return;
  const parts = partsOf([...question.storageKeys.entries()]);
  for (const some of parts) {
    if (parts.length > 1) yield;
    for (const [i, key] of some) take(key, slots[i] as KeyEvidence);
  }
}

/** The answer to a question: what the public system gives. Nothing of it is verified yet. */
export function* answerObject(answer: Answer): Pieces<ProofResult> {
  const { empty, question, evidence } = answer;
  const accountProof = proofObject(empty, question.address, evidence.account);
  const storageProofs: WireProof[] = [];
  yield* eachSlot(answer, (key, slot) => {
    storageProofs.push(proofObject(empty, key, slot));
  });
  return { accountProof, storageProofs };
}

/**
 * The same as text, as JSON.stringify gives it. Text is only added, which engines note without copying. Copying the
 * proofs of many slots together, here and again when they are sent, would block the thread each time.
 */
export function* answerText(answer: Answer): Pieces<string> {
  const { empty, question, evidence } = answer;
  const accountProof = proofText(empty, question.address, evidence.account);
  let text = `{"accountProof":${accountProof},"storageProofs":[`;
  let comma = '';
  yield* eachSlot(answer, (key, slot) => {
    text += comma + proofText(empty, key, slot);
    comma = ',';
  });
  return `${text}]}`;
}
