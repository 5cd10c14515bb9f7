/**
 * Unknown JSON -> parsed proof: the one place that looks at a foreign answer. Rejects, never repairs, and
 * hashes nothing, so a hostile server buys at most one bounded pass over its own answer.
 */
import { addressWidth } from '../bytes.js';
import { decodeAccount } from '../codec/account.js';
import { ownMembers } from '../codec/argument.js';
import { accountWidth, specOf, type TreeSpec } from '../codec/spec.js';
import { ShapeError, VerificationError } from '../errors.js';
import { maxStorageKeys } from '../foreign/limits.js';
import { memberPath, type Source } from '../foreign/members.js';
import { openArray, openObject, readMember } from '../foreign/shape.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import { runSteps, type Steps } from '../steps.js';
import { parsePath } from './path.js';
import { parseHex, parseLeafIndex } from './read.js';
import type {
  AccountProof,
  ExistenceProof,
  NonExistenceProof,
  ParsedProof,
  Path,
  SlotProof,
} from './types.js';

/** Leaf index of the tail; the head's is the one below. */
const tailIndex = 1n;

/** The two members of an entry that show one leaf, and their names. */
interface LeafMembers {
  readonly indexName: string;
  readonly index: unknown;
  readonly proofName: string;
  readonly proof: unknown;
}

const readLeaf = (entry: Source, indexName: string, proofName: string): LeafMembers => ({
  indexName,
  index: readMember(entry, indexName),
  proofName,
  proof: readMember(entry, proofName),
});

/** How many of both members are there. */
const countGiven = ({ index, proof }: LeafMembers): number =>
  Number(index !== undefined) + Number(proof !== undefined);

/** The leaves of an entry. */
type EntryLeaves =
  | { readonly kind: 'existence'; readonly own: LeafMembers }
  | { readonly kind: 'nonExistence'; readonly left: LeafMembers; readonly right: LeafMembers };

/**
 * The members of either kind of proof. The kind follows from all members that are there, never from the first one
 * found: with both kinds in one answer, a server could show each verifier another proof.
 */
function readLeaves(entry: Source): EntryLeaves {
  const own = readLeaf(entry, 'leafIndex', 'proof');
  const left = readLeaf(entry, 'leftLeafIndex', 'leftProof');
  const right = readLeaf(entry, 'rightLeafIndex', 'rightProof');
  const existence = countGiven(own);
  const nonExistence = countGiven(left) + countGiven(right);
  if (existence > 0 && nonExistence > 0) {
    throw new ShapeError(entry.at, 'expected a proof of one kind, got members of both');
  }
  if (existence === 2) return { kind: 'existence', own };
  if (nonExistence === 4) return { kind: 'nonExistence', left, right };
  throw new ShapeError(
    entry.at,
    'expected leafIndex, proof, or leftLeafIndex, leftProof, rightLeafIndex, rightProof; not all are there',
  );
}

/** One kind of tree, as far as the values of its leaves go. */
export interface LeafValues {
  /** Widths of the value of a leaf that is shown to exist. */
  readonly own: readonly number[];
  /** Widths of the value of a neighbour at some index. */
  readonly neighbour: (leafIndex: bigint) => readonly number[];
}

export const accountLeaves: LeafValues = {
  own: [accountWidth],
  // Head and tail hold no account: servers give one zero word for them.
  neighbour: (leafIndex) => (leafIndex <= tailIndex ? [accountWidth, blockWidth] : [accountWidth]),
};
export const slotLeaves: LeafValues = { own: [blockWidth], neighbour: () => [blockWidth] };
/** If the caller brings the hash of the value, the kind of tree is not known. */
const anyLeaves: LeafValues = {
  own: [accountWidth, blockWidth],
  neighbour: () => [accountWidth, blockWidth],
};

/** Reads a leaf. @param widths of its value, at its index */
function parseLeaf(
  spec: TreeSpec,
  entry: Source,
  { indexName, index, proofName, proof }: LeafMembers,
  widths: (leafIndex: bigint) => readonly number[],
): { value: Uint8Array; path: Path } {
  const leafIndex = parseLeafIndex(index, memberPath(entry, indexName));
  const leaf = openObject(proof, memberPath(entry, proofName));
  const value = parseHex(readMember(leaf, 'value'), widths(leafIndex), memberPath(leaf, 'value'));
  const nodes = readMember(leaf, 'proofRelatedNodes');
  const path = parsePath(spec, nodes, leafIndex, memberPath(leaf, 'proofRelatedNodes'));
  return { value, path };
}

function parseEntry(
  spec: TreeSpec,
  entry: Source,
  { own, neighbour }: LeafValues,
): ExistenceProof | NonExistenceProof {
  const leaves = readLeaves(entry);
  const { kind } = leaves;
  if (kind === 'existence') {
    const { value, path } = parseLeaf(spec, entry, leaves.own, () => own);
    return { kind, value, path };
  }
  return {
    kind,
    left: parseLeaf(spec, entry, leaves.left, neighbour).path,
    right: parseLeaf(spec, entry, leaves.right, neighbour).path,
  };
}

function parseAccountProof(spec: TreeSpec, foreign: unknown, at: string): AccountProof {
  const entry = openObject(foreign, at);
  const key = parseHex(readMember(entry, 'key'), [addressWidth], memberPath(entry, 'key'));
  const proof = parseEntry(spec, entry, accountLeaves);
  if (proof.kind === 'nonExistence') return Object.freeze({ key, ...proof });
  const account = decodeAccount(spec, proof.value, memberPath(entry, 'proof.value'));
  return Object.freeze({ key, account, ...proof });
}

function parseSlotProof(spec: TreeSpec, foreign: unknown, at: string): SlotProof | null {
  if (foreign === null) return null;
  const entry = openObject(foreign, at);
  const key = parseHex(readMember(entry, 'key'), [blockWidth], memberPath(entry, 'key'));
  return Object.freeze({ key, ...parseEntry(spec, entry, slotLeaves) });
}

/**
 * Tells the usual mistake by its name: the whole answer of the server was passed, and not what is in it. Looked for only
 * once it is clear that there is no proof.
 */
function checkUnwrapped(source: Source): void {
  if (readMember(source, 'result') !== undefined) {
    throw new ShapeError(
      '',
      'expected a result of l2_getProof, got a whole JSON-RPC answer; pass its `result` member',
    );
  }
  if (readMember(source, 'error') !== undefined) {
    throw new ShapeError(
      '',
      'expected a result of l2_getProof, got an error that the server answered; ask it again, or another server',
    );
  }
}

/** Slots that are parsed in one piece. */
const slotsAtOnce = 32;

/**
 * Parses a result for a caller who knows how many storage keys were asked.
 *
 * @param asked number of keys; the array has as many entries, or is empty
 * @throws ShapeError, or VerificationError `WRONG_FAMILY` or `SLOT_COUNT`
 */
export const parseResult = (result: unknown, spec: TreeSpec, asked?: number): ParsedProof =>
  runSteps(parsingResult(result, spec, asked));

/** The same in pieces. What was read is not read again: a change of the result between two of them reaches what is left. */
export function* parsingResult(
  result: unknown,
  spec: TreeSpec,
  asked?: number,
): Steps<ParsedProof> {
  const source = openObject(result, '');
  const accountProof = readMember(source, 'accountProof');
  const foreignSlots = readMember(source, 'storageProofs');
  if (accountProof === undefined && foreignSlots === undefined) checkUnwrapped(source);
  // Counted before anything is read, so that a huge array costs nothing.
  const entries = openArray(foreignSlots, 'storageProofs');
  const { length, at } = entries;
  if (asked !== undefined && length !== 0 && length !== asked) {
    throw new VerificationError(
      'SLOT_COUNT',
      at,
      `expected ${asked} entries as asked, got ${length}`,
    );
  }
  if (length > maxStorageKeys) {
    throw new ShapeError(at, `expected at most ${maxStorageKeys} entries, got ${length}`);
  }
  const account = parseAccountProof(spec, accountProof, 'accountProof');
  const storageProofs: (SlotProof | null)[] = [];
  for (let i = 0; i < length; i++) {
    storageProofs.push(parseSlotProof(spec, readMember(entries, i), memberPath(entries, i)));
    if (i % slotsAtOnce === slotsAtOnce - 1) yield;
  }
  return Object.freeze({
    hash: spec.hasher.family,
    accountProof: account,
    storageProofs: Object.freeze(storageProofs),
  });
}

/** Parses one proof object whose key and tree the caller knows; its `key` is not looked at. */
export function parseProofOfKey(
  proof: unknown,
  spec: TreeSpec,
): ExistenceProof | NonExistenceProof {
  return Object.freeze(parseEntry(spec, openObject(proof, ''), anyLeaves));
}

/**
 * Checks the shape of an `l2_getProof` result and parses it. Nothing is hashed and nothing is proven:
 * use it to refuse a broken answer early; {@link verifyProof} does the same check by itself.
 *
 * @param result the `result` member of a JSON-RPC answer, of any type; never changed, and not looked at
 *   again afterwards
 * @param options.hash the family whose widths and canonical elements the result is checked against; default
 *   `poseidon2`
 * @returns a frozen copy that holds bytes and bigints
 * @throws ShapeError with the path of the first member that does not fit (`docs/protocol.md` sections 3 and 5)
 * @throws VerificationError `WRONG_FAMILY` if the widths are those of another family
 * @throws TypeError if `options.hash` is no family
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs';
 * import { parseProof } from 'l2proof';
 *
 * const file = 'node_modules/l2proof/docs/example/answer.json'; // what a server answered
 * const { result } = JSON.parse(readFileSync(file, 'utf8'));
 * const { accountProof, storageProofs } = parseProof(result);
 * console.log(accountProof.kind, storageProofs[1]?.kind); // existence nonExistence
 * ```
 */
export function parseProof(result: unknown, options: { hash?: HashFamily } = {}): ParsedProof {
  const { hash } = ownMembers(options, ['hash'], 'options');
  return parseResult(result, specOf(hash));
}
