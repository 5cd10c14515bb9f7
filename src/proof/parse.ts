/**
 * Unknown JSON -> parsed proof: the one place that looks at a foreign answer. Rejects, never repairs, and
 * hashes nothing, so a hostile server buys at most one bounded pass over its own answer.
 */
import { decodeAccount } from '../codec/account.js';
import { ownMembers } from '../codec/argument.js';
import { accountWidth, specOf, type TreeSpec } from '../codec/spec.js';
import { ShapeError, VerificationError } from '../errors.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import { parsePath } from './path.js';
import { asObject, memberPath, readLength, readMember } from './read.js';
import type {
  AccountProof,
  ExistenceProof,
  NonExistenceProof,
  ParsedProof,
  SlotProof,
} from './types.js';
import { parseHex, parseLeafIndex } from './values.js';

/** Bytes of an address. */
export const addressWidth = 20;

/** Most storage keys one result may answer: a bound on time and memory that no real request comes near. */
export const maxStorageKeys = 16384;

/** Leaf index of the tail; the head's is the one below. */
const tailIndex = 1n;

const existenceMembers = ['leafIndex', 'proof'] as const;
const nonExistenceMembers = ['leftLeafIndex', 'leftProof', 'rightLeafIndex', 'rightProof'] as const;
type ProofMember = (typeof existenceMembers)[number] | (typeof nonExistenceMembers)[number];

/**
 * The members of either kind of proof. The kind follows from all that are there, never from the first one
 * found: a server that gives both could have each verifier see another one.
 */
function readMembers(
  target: object,
  at: string,
): { kind: 'existence' | 'nonExistence'; members: Record<ProofMember, unknown> } {
  const members: Record<ProofMember, unknown> = Object.create(null);
  const read = (names: readonly ProofMember[]) => {
    for (const name of names) members[name] = readMember(target, name, at);
    return names.filter((name) => members[name] !== undefined).length;
  };
  const existence = read(existenceMembers);
  const nonExistence = read(nonExistenceMembers);
  if (existence > 0 && nonExistence > 0) {
    throw new ShapeError(at, 'expected a proof of one kind, got members of both');
  }
  if (existence === existenceMembers.length) return { kind: 'existence', members };
  if (nonExistence === nonExistenceMembers.length) return { kind: 'nonExistence', members };
  throw new ShapeError(
    at,
    `expected ${existenceMembers.join(', ')}, or ${nonExistenceMembers.join(', ')}; not all are there`,
  );
}

/** One kind of tree, as far as the values of its leaves go. */
interface LeafValues {
  /** Widths of the value of a leaf that is shown to exist. */
  readonly own: readonly number[];
  /** Widths of the value of a neighbour at some index. */
  readonly neighbour: (leafIndex: bigint) => readonly number[];
}

const accountLeaves: LeafValues = {
  own: [accountWidth],
  // Head and tail hold no account: servers give one zero word for them.
  neighbour: (leafIndex) => (leafIndex <= tailIndex ? [accountWidth, blockWidth] : [accountWidth]),
};
const slotLeaves: LeafValues = { own: [blockWidth], neighbour: () => [blockWidth] };
/** Where the tree is not known and the caller brings the hash of the value. */
const anyLeaves: LeafValues = {
  own: [accountWidth, blockWidth],
  neighbour: () => [accountWidth, blockWidth],
};

function parseEntry(
  spec: TreeSpec,
  entry: object,
  values: LeafValues,
  at: string,
): ExistenceProof | NonExistenceProof {
  const { kind, members } = readMembers(entry, at);
  const parseLeaf = (
    index: ProofMember,
    proof: ProofMember,
    widths: (leafIndex: bigint) => readonly number[],
  ) => {
    const leafIndex = parseLeafIndex(members[index], memberPath(at, index));
    const place = memberPath(at, proof);
    const leaf = asObject(members[proof], place);
    const value = parseHex(
      readMember(leaf, 'value', place),
      widths(leafIndex),
      memberPath(place, 'value'),
    );
    const nodes = readMember(leaf, 'proofRelatedNodes', place);
    return {
      value,
      path: parsePath(spec, nodes, leafIndex, memberPath(place, 'proofRelatedNodes')),
    };
  };
  if (kind === 'existence') {
    return { kind, ...parseLeaf('leafIndex', 'proof', () => values.own) };
  }
  return {
    kind,
    left: parseLeaf('leftLeafIndex', 'leftProof', values.neighbour).path,
    right: parseLeaf('rightLeafIndex', 'rightProof', values.neighbour).path,
  };
}

function parseAccountProof(spec: TreeSpec, foreign: unknown, at: string): AccountProof {
  const entry = asObject(foreign, at);
  const key = parseHex(readMember(entry, 'key', at), [addressWidth], memberPath(at, 'key'));
  const proof = parseEntry(spec, entry, accountLeaves, at);
  if (proof.kind === 'nonExistence') return Object.freeze({ key, ...proof });
  const account = decodeAccount(spec, proof.value, memberPath(at, 'proof.value'));
  return Object.freeze({ key, account, ...proof });
}

function parseSlotProof(spec: TreeSpec, foreign: unknown, at: string): SlotProof | null {
  if (foreign === null) return null;
  const entry = asObject(foreign, at);
  const key = parseHex(readMember(entry, 'key', at), [blockWidth], memberPath(at, 'key'));
  return Object.freeze({ key, ...parseEntry(spec, entry, slotLeaves, at) });
}

/**
 * Parses a result for a caller who knows how many storage keys were asked.
 *
 * @param asked number of keys; the array holds as many entries, or none
 * @throws ShapeError, or VerificationError `WRONG_FAMILY` or `SLOT_COUNT`
 */
export function parseResult(result: unknown, spec: TreeSpec, asked?: number): ParsedProof {
  const target = asObject(result, '');
  const accountProof = readMember(target, 'accountProof', '');
  const entries = readMember(target, 'storageProofs', '');
  const at = 'storageProofs';
  // Counted before anything is read, so that a huge array costs nothing.
  const count = readLength(entries, at);
  if (asked !== undefined && count !== 0 && count !== asked) {
    throw new VerificationError(
      'SLOT_COUNT',
      at,
      `expected ${asked} entries as asked, got ${count}`,
    );
  }
  if (count > maxStorageKeys) {
    throw new ShapeError(at, `expected at most ${maxStorageKeys} entries, got ${count}`);
  }
  const account = parseAccountProof(spec, accountProof, 'accountProof');
  const storageProofs: (SlotProof | null)[] = [];
  for (let i = 0; i < count; i++) {
    const entry = readMember(entries as object, i, at);
    storageProofs.push(parseSlotProof(spec, entry, memberPath(at, i)));
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
  return Object.freeze(parseEntry(spec, asObject(proof, ''), anyLeaves, ''));
}

/**
 * Checks the shape of an `l2_getProof` result and parses it. Nothing is hashed and nothing is proven:
 * use it to refuse a broken answer early; {@link verifyProof} does the same check by itself.
 *
 * @param result the `result` member of a JSON-RPC answer, of any type; never changed, and not looked at
 *   again afterwards
 * @param options.hash the family whose widths and canonical elements are held against it; default
 *   `poseidon2`
 * @returns a frozen copy that holds bytes and bigints
 * @throws ShapeError with the path of the first member that does not fit (protocol sections 3 and 5)
 * @throws VerificationError `WRONG_FAMILY` where the widths are those of the other family
 * @throws TypeError where `options.hash` is no family
 */
export function parseProof(result: unknown, options: { hash?: HashFamily } = {}): ParsedProof {
  const { hash } = ownMembers(options, ['hash'], 'options');
  return parseResult(result, specOf(hash));
}
