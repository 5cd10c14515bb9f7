/** Makes the proofs of keys from the trees of a state. */
import { compareBytes, encodeHex } from '../bytes.js';
import type { Question } from '../verify/claim.js';
import { hashAddresses, hashWords } from './changes.js';
import { accountTree } from './layout.js';
import { type Pieces, partsOf } from './meter.js';
import type { EmptyTree } from './nodes.js';
import type { NodeTexts } from './nodeTexts.js';
import type { Place } from './places.js';
import { known, type Reading, readAll } from './reading.js';
import type { StateReader } from './stateReader.js';
import { existenceText, nonExistenceText } from './textProof.js';
import { TreePart } from './treePart.js';
import { type ProofResult, type WireProof, wireExistence, wireNonExistence } from './wireProof.js';

/** Leaves that the proof of a key shows. */
const leavesOf = ({ own, left, right }: Place): number[] =>
  own === undefined ? [left as number, right as number] : [own];

/** The parts of the proof of a key. */
export interface KeyEvidence {
  readonly place: Place;
  readonly part: TreePart;
}

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
 * @returns undefined if the tree is as empty as it was at first
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
    for (const [j, { index }] of piece.entries()) {
      evidence[index] = { place: places[i]?.[j] as Place, part: parts[i] as TreePart };
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
      : readSlots(state, own, { hKeys: hashWords(spec, storageKeys), texts }),
  ]);
  return { account: { place: place as Place, part }, slots };
}

/** How the proof of a key is given. @param key as the proof shows it */
type Form<P> = (empty: EmptyTree, key: Uint8Array, evidence: KeyEvidence) => P;

/** As an object. */
const asObject: Form<WireProof> = (empty, key, { place, part }) => {
  const shown = encodeHex(key);
  const { own, left, right } = place;
  return own === undefined
    ? wireNonExistence(empty, part, { key: shown, left: left as number, right: right as number })
    : wireExistence(empty, part, { key: shown, own });
};

/** As text, the same as JSON.stringify of the object. */
const asText: Form<string> = (empty, key, { place, part }) => {
  const shown = encodeHex(key);
  const { own, left, right } = place;
  return own === undefined
    ? nonExistenceText(empty, part, { key: shown, left: left as number, right: right as number })
    : existenceText(empty, part, { key: shown, own });
};

/** The proofs of an answer: what the public system gives. Nothing of them is verified yet. */
function* proveEach<P>(
  form: Form<P>,
  { empty, question, evidence }: Answer,
): Pieces<{ accountProof: P; storageProofs: P[] }> {
  const accountProof = form(empty, question.address, evidence.account);
  const storageProofs: P[] = [];
  const { slots } = evidence;
  if (slots === undefined) return { accountProof, storageProofs };
  const parts = partsOf([...question.storageKeys.entries()]);
  for (const some of parts) {
    if (parts.length > 1) yield;
    for (const [i, key] of some) storageProofs.push(form(empty, key, slots[i] as KeyEvidence));
  }
  return { accountProof, storageProofs };
}

/** What an answer is about, and what it is made of. */
export interface Answer {
  readonly empty: EmptyTree;
  readonly question: Question;
  readonly evidence: Evidence;
}

/** The answer to a question. */
export const answerObject = (answer: Answer): Pieces<ProofResult> => proveEach(asObject, answer);

/** The same as text. */
export function* answerText(answer: Answer): Pieces<string> {
  const { accountProof, storageProofs } = yield* proveEach(asText, answer);
  return `{"accountProof":${accountProof},"storageProofs":[${storageProofs.join(',')}]}`;
}
