/** A whole `l2_getProof` result: one account and its slots, all under one trusted state root. */
import { encodeHex, equalBytes, type Hex } from '../bytes.js';
import type { AccountValue } from '../codec/account.js';
import type { ValueBlocks } from '../codec/family.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import { parsingResult } from '../proof/parse.js';
import type { AccountProof, ParsedProof, SlotProof } from '../proof/types.js';
import { runSteps, type Steps } from '../steps.js';
import type { CheckedClaim, ClaimQuestion } from './claim.js';
import { checkExistence } from './existence.js';
import { digestAt, type HashedProof, hashProofs, hashValues, type KeyedProof } from './hashed.js';
import { checkNonExistence } from './nonExistence.js';

/**
 * What state is proven by: `tree`, the sparse Merkle tree of the rollup; or `header`, the Merkle-Patricia trie whose root stands
 * in the header of a block.
 */
export type StateKind = 'tree' | 'header';

/** What states of one kind have, and those of the other have not. */
interface OfKind {
  tree: { hash: HashFamily; snarkCodeHash: Hex; codeSize: bigint };
  header: { hash: undefined; snarkCodeHash: undefined; codeSize: undefined };
}

/** A proven account. */
export interface Account<Kind extends StateKind = 'tree'> {
  /** Transactions sent, below 2^64. */
  readonly nonce: bigint;
  /** In wei. */
  readonly balance: bigint;
  /** Root of the storage tree, 32 bytes. */
  readonly storageRoot: Hex;
  /** Hash of the code in the tree's own family, 32 bytes; undefined under a header. */
  readonly snarkCodeHash: OfKind[Kind]['snarkCodeHash'];
  /** keccak256 of the code, 32 bytes. */
  readonly keccakCodeHash: Hex;
  /** Bytes of code, below 2^64; undefined under a header, which proves the hash of the code alone. */
  readonly codeSize: OfKind[Kind]['codeSize'];
}

/** A proven slot. */
export interface VerifiedSlot {
  /** 32 bytes, as asked. */
  readonly key: Hex;
  /** 32 bytes; zero if the slot does not exist. */
  readonly value: Hex;
  /** Whether the slot has a leaf; a leaf that holds zero exists. */
  readonly exists: boolean;
}

/** The proven state; deeply frozen; all hex in lower case. */
export interface VerifiedState<Kind extends StateKind = 'tree'> {
  /** The trusted root of the claim, 32 bytes. */
  readonly stateRoot: Hex;
  /** The account asked for, 20 bytes. */
  readonly address: Hex;
  /** The family of the root; undefined under a header, whose state is hashed with keccak256. */
  readonly hash: OfKind[Kind]['hash'];
  /** null: proven not to exist. */
  readonly account: Account<Kind> | null;
  /** One per storage key asked, in the same order. */
  readonly storage: readonly VerifiedSlot[];
}

/** Checks one entry of either kind under one root. */
export function checkProof(spec: TreeSpec, root: Uint8Array, entry: HashedProof): void {
  const { hKey } = entry;
  if (entry.kind === 'existence') {
    const { hValue, own } = entry;
    checkExistence({ spec, root, hKey, hValue, own });
  } else {
    const { left, right } = entry;
    checkNonExistence({ root, hKey, left, right });
  }
}

/** Checks entries of one tree under its root. @param tree.kind of their values */
function checkProofs(
  spec: TreeSpec,
  { root, kind }: { root: Uint8Array; kind: ValueBlocks },
  entries: readonly KeyedProof[],
): void {
  for (const hashed of hashProofs(spec, kind, entries)) checkProof(spec, root, hashed);
}

function checkKey(proof: { readonly key: Uint8Array }, asked: Uint8Array, at: () => string): void {
  // Another key's leaf has another hKey and would be refused too; this tells mislabelling from a forgery.
  if (!equalBytes(proof.key, asked)) {
    throw new VerificationError(
      'KEY_MISMATCH',
      `${at()}.key`,
      `expected ${encodeHex(asked)}, got ${encodeHex(proof.key)}`,
    );
  }
}

export function verifiedAccount(account: AccountValue): Account {
  return Object.freeze({
    nonce: account.nonce,
    balance: account.balance,
    storageRoot: encodeHex(account.storageRoot),
    snarkCodeHash: encodeHex(account.snarkCodeHash),
    keccakCodeHash: encodeHex(account.keccakCodeHash),
    codeSize: account.codeSize,
  });
}

function verifyAccount(
  { spec, stateRoot, question }: CheckedClaim,
  proof: AccountProof,
): AccountValue | null {
  const { address } = question;
  checkKey(proof, address, () => 'accountProof');
  const hKey = spec.hasher.hash(spec.addressBlocks(address));
  checkProofs(spec, { root: stateRoot, kind: spec.account }, [{ hKey, proof }]);
  return proof.kind === 'existence' ? proof.account : null;
}

const zeroValue: Hex = encodeHex(new Uint8Array(blockWidth));

/** @param slot.value named even if undefined: a missing member would be looked up in the prototype */
export function verifiedSlot({
  key,
  value,
}: {
  key: Uint8Array;
  value: Uint8Array | undefined;
}): VerifiedSlot {
  return Object.freeze({
    key: encodeHex(key),
    value: value ? encodeHex(value) : zeroValue,
    exists: value !== undefined,
  });
}

/** One slot of an answer. */
interface Slot {
  readonly key: Uint8Array;
  /** null if nothing was answered for the key. */
  readonly proof: SlotProof | null;
  /** Among the entries of the answer. */
  readonly index: number;
}

/** Location of a slot in the answer. */
const slotPath = ({ index }: Slot): string => `storageProofs[${index}]`;

/** Checks a slot that has a proof or needs none. @param hashed of its proof */
function verifySlot(
  spec: TreeSpec,
  storageRoot: Uint8Array,
  slot: Slot,
  hashed: HashedProof | undefined,
): VerifiedSlot {
  const { key, proof } = slot;
  if (proof === null || hashed === undefined) {
    // An empty tree proves every slot zero by itself; a tree that ever held a leaf has another root.
    if (equalBytes(storageRoot, spec.emptyRoot)) return verifiedSlot({ key, value: undefined });
    throw new VerificationError(
      'SLOT_WITHHELD',
      slotPath(slot),
      'expected a proof: the storage of this account is not pristine; ask again, or another server',
    );
  }
  checkKey(proof, key, () => slotPath(slot));
  checkProof(spec, storageRoot, hashed);
  return proof.kind === 'existence'
    ? verifiedSlot({ key, value: proof.value })
    : verifiedSlot({ key, value: undefined });
}

/** Slots that are hashed together: enough to fill the lanes, and few enough that a refused one costs no more than these. */
const slotsAtOnce = 16;

/** Hashes the slots that have a proof, side by side. */
function hashSlots(spec: TreeSpec, slots: readonly Slot[]): HashedProof[] {
  const keys: Uint8Array[] = [];
  for (const { key, proof } of slots) if (proof) keys.push(key);
  const hKeys = hashValues(spec.hasher, spec.word, keys);
  let next = 0;
  const entries: KeyedProof[] = [];
  for (const { proof } of slots) {
    if (proof) entries.push({ hKey: digestAt(hKeys, next++), proof });
  }
  return hashProofs(spec, spec.word, entries);
}

/** Verifies the slots of an account that exists, some at a time. */
function* verifySlots(
  spec: TreeSpec,
  storageRoot: Uint8Array,
  slots: readonly Slot[],
): Steps<VerifiedSlot[]> {
  const verified: VerifiedSlot[] = [];
  for (let from = 0; from < slots.length; from += slotsAtOnce) {
    const some = slots.slice(from, from + slotsAtOnce);
    const hashed = hashSlots(spec, some).values();
    for (const slot of some) {
      const entry = slot.proof ? hashed.next().value : undefined;
      verified.push(verifySlot(spec, storageRoot, slot, entry));
    }
    // Nothing of these slots is used any more: others may hash in between.
    yield;
  }
  return verified;
}

/** Slots of an account that does not exist: nothing may be answered for them. */
function verifyNoSlot(slot: Slot): VerifiedSlot {
  const { key, proof } = slot;
  if (proof === null) return verifiedSlot({ key, value: undefined });
  throw new VerificationError(
    'SLOT_OF_ABSENT_ACCOUNT',
    slotPath(slot),
    'expected null: no such account',
  );
}

/** A proven state, frozen. */
export function verifiedState(
  { spec, stateRoot, question }: CheckedClaim,
  { account, storage }: Proven,
): VerifiedState {
  return Object.freeze({
    stateRoot: encodeHex(stateRoot),
    address: encodeHex(question.address),
    hash: spec.hasher.family,
    account: account && verifiedAccount(account),
    storage: Object.freeze(storage),
  });
}

/** Nodes that one path can add to those of other paths under the same root, roughly. */
const nodesPerPath = 64;

/** Least room for the nodes of one result: in less, its own paths evict one another. */
const minNodes = 1024;

/** Nodes to remember while one result is verified: its paths share them. */
export const nodesToRemember = ({ storageKeys }: ClaimQuestion): number =>
  Math.max(minNodes, nodesPerPath * storageKeys.length);

/** The claims that a result proves. */
interface Proven {
  readonly account: AccountValue | null;
  readonly storage: readonly VerifiedSlot[];
}

/** Verifies a result that was parsed for the number of keys asked. */
export function* verifyingParsed(claim: CheckedClaim, parsed: ParsedProof): Steps<Proven> {
  const { spec, question } = claim;
  const { storageKeys } = question;
  const account = verifyAccount(claim, parsed.accountProof);
  const slots = storageKeys.map((key, index): Slot => {
    // An empty array stands for one null per key: servers leave out what pristine storage proves. An index beyond its
    // length must not be read: the prototype would answer, with a proof that was never parsed.
    const proof =
      index < parsed.storageProofs.length
        ? (parsed.storageProofs[index] as SlotProof | null)
        : null;
    return { key, proof, index };
  });
  const storage = account
    ? yield* verifySlots(spec, account.storageRoot, slots)
    : slots.map(verifyNoSlot);
  return { account, storage };
}

/** Verifies a result of any type. */
export const verifyResult = (claim: CheckedClaim, result: unknown): VerifiedState =>
  runSteps(verifyingResult(claim, result));

/** The same in pieces. */
export function* verifyingResult(claim: CheckedClaim, result: unknown): Steps<VerifiedState> {
  const parsed = yield* parsingResult(result, claim.spec, claim.question.storageKeys.length);
  return verifiedState(claim, yield* verifyingParsed(claim, parsed));
}
