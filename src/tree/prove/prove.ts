/** Makes the proofs of keys from the trees of a state. */
import { compareBytes, encodeHex } from '../../bytes.js';
import type { Steps } from '../../steps.js';
import type { ClaimQuestion } from '../../verify/claim.js';
import { hashWords } from '../apply/changes.js';
import type { KeyPosition } from '../history/keyPositions.js';
import type { StateReader } from '../history/stateReader.js';
import { accountTree } from '../layout/layout.js';
import type { EmptyTree } from '../nodes/nodes.js';
import { cutForTurns } from '../store/readBudget.js';
import { known, type Reading, readAll } from '../store/reading.js';
import { JsonWriter, type Written } from './jsonWriter.js';
import { type KeyProofData, leavesOf } from './keyProofData.js';
import { writeKeyProof } from './proofText.js';
import { TreePart } from './treePart.js';
import type { UpperNodeCache } from './upperNodeCache.js';
import { type ProofResult, type WireProof, wireExistence, wireNonExistence } from './wireProof.js';

/** The parts of an answer. */
export interface ProofData {
  readonly account: KeyProofData;
  /**
   * One for each slot asked. Undefined if the account is absent or its storage pristine, or if no slot was asked for.
   */
  readonly slots: readonly KeyProofData[] | undefined;
}

/** Slots that are read together, so that the nodes which their paths share are read once. */
const slotsTogether = 256;

/** Some hashed keys, each with its index among those asked. */
type Piece = { readonly index: number; readonly hKey: Uint8Array }[];

/** Cuts hashed keys into pieces that lie side by side. */
function cutIntoPieces(hKeys: readonly Uint8Array[]): Piece[] {
  const order = hKeys.map((hKey, index) => ({ index, hKey }));
  order.sort((a, b) => compareBytes(a.hKey, b.hKey));
  const pieces: Piece[] = [];
  for (let start = 0; start < order.length; start += slotsTogether) {
    pieces.push(order.slice(start, start + slotsTogether));
  }
  return pieces;
}

/**
 * Reads the parts of the proofs of slots: their positions, then their paths.
 *
 * @returns undefined if nothing was ever inserted into the tree
 */
function* readSlots(
  state: StateReader,
  tree: number,
  { keys, nodeCache }: { keys: readonly Uint8Array[]; nodeCache: UpperNodeCache },
): Reading<KeyProofData[] | undefined> {
  const hKeys = hashWords(state.empty.spec, keys);
  const pieces = cutIntoPieces(hKeys);
  const hKeysOf = (piece: Piece) => piece.map(({ hKey }) => hKey);
  const [topNode, ...positions] = yield* readAll([
    state.topNode(tree),
    ...pieces.map((piece) => state.positions(tree, hKeysOf(piece))),
  ]);
  // An empty tree proves every slot zero by itself, and the public system answers nothing more.
  if (topNode.nextFreeNode === state.empty.topNode.nextFreeNode) return undefined;
  const parts = yield* readAll(
    positions.map((some) =>
      TreePart.read(state, tree, { topNode, leafIndices: some.flatMap(leavesOf), nodeCache }),
    ),
  );
  const proofData = new Array<KeyProofData>(hKeys.length);
  for (const [i, piece] of pieces.entries()) {
    for (const [j, { index, hKey }] of piece.entries()) {
      proofData[index] = {
        key: keys[index] as Uint8Array,
        hKey,
        position: positions[i]?.[j] as KeyPosition,
        part: parts[i] as TreePart,
      };
    }
  }
  return proofData;
}

/**
 * Reads the parts of the answer to a question: the account's position, then its path and the positions of the
 * slots, then their paths.
 */
export function* readProofData(
  state: StateReader,
  { address, storageKeys }: ClaimQuestion,
  nodeCache: UpperNodeCache,
): Reading<ProofData> {
  const { spec } = state.empty;
  const hKey = spec.hasher.hash(spec.addressBlocks(address));
  const [topNode, [position]] = yield* readAll([
    state.topNode(accountTree),
    state.positions(accountTree, [hKey]),
  ]);
  const { own } = position as KeyPosition;
  const leafIndices = leavesOf(position as KeyPosition);
  const [part, slots] = yield* readAll([
    TreePart.read(state, accountTree, { topNode, leafIndices, nodeCache }),
    own === undefined || storageKeys.length === 0
      ? known(undefined)
      : readSlots(state, own, { keys: storageKeys, nodeCache }),
  ]);
  return { account: { key: address, hKey, position: position as KeyPosition, part }, slots };
}

/** The question of an answer, and the parts of its proofs. */
export interface AnswerData {
  readonly empty: EmptyTree;
  readonly question: ClaimQuestion;
  readonly proofData: ProofData;
}

/** The proof of a key as an object. */
function toKeyProof(
  empty: EmptyTree,
  { key, position: { own, left, right }, part }: KeyProofData,
): WireProof {
  const shown = encodeHex(key);
  return own === undefined
    ? wireNonExistence(empty, part, { key: shown, left: left as number, right: right as number })
    : wireExistence(empty, part, { key: shown, own });
}

/** The answer to a question, as the public system gives it. Nothing of it is verified yet. */
export function* writeProofObject(answer: AnswerData): Steps<ProofResult> {
  const { empty, proofData } = answer;
  const accountProof = toKeyProof(empty, proofData.account);
  const storageProofs: WireProof[] = [];
  const parts = cutForTurns(proofData.slots ?? []);
  for (const part of parts) {
    if (parts.length > 1) yield;
    for (const slot of part) storageProofs.push(toKeyProof(empty, slot));
  }
  return { accountProof, storageProofs };
}

/** Used again for what is written between two pauses. */
const json = new JsonWriter();

type PieceMemory = (bytes: number) => Uint8Array;

/** A copy of what is written. */
function pieceIn(memory: PieceMemory | undefined): Uint8Array {
  const { bytes } = json;
  if (!memory) return bytes.slice();
  const piece = memory(bytes.length);
  piece.set(bytes);
  return piece;
}

/**
 * The same as text, as JSON.stringify gives it; if it is long, as the pieces of its bytes, one for what is written between two
 * pauses. Copying the proofs of many slots together, here and again when they are sent, would block the thread each time.
 *
 * @param memory for a piece, of so many bytes
 */
export function* writeProofText(
  answer: AnswerData,
  memory: PieceMemory | undefined,
): Steps<Written> {
  const { empty, proofData } = answer;
  json.clear();
  json.text('{"accountProof":');
  writeKeyProof(json, empty, proofData.account);
  json.text(',"storageProofs":[');
  const parts = cutForTurns(proofData.slots ?? []);
  const pieces: Uint8Array[] = [];
  let comma = '';
  for (const part of parts) {
    if (parts.length > 1) {
      pieces.push(pieceIn(memory));
      yield;
      json.clear();
    }
    for (const slot of part) {
      json.text(comma);
      writeKeyProof(json, empty, slot);
      comma = ',';
    }
  }
  json.text(']}');
  if (parts.length < 2) return json.toString();
  pieces.push(pieceIn(memory));
  return pieces;
}
