/** A whole `l2_getProof` result: one account and its slots, all under one trusted state root. */
import { encodeHex, equalBytes, type Hex } from '../bytes.js';
import type { AccountValue } from '../codec/account.js';
import type { TreeSpec } from '../codec/spec.js';
import { VerificationError } from '../errors.js';
import { blockWidth, type HashFamily } from '../hash/family.js';
import { parseResult } from '../proof/parse.js';
import type { AccountProof, ExistenceProof, NonExistenceProof, SlotProof } from '../proof/types.js';
import type { CheckedClaim } from './claim.js';
import { checkExistence } from './existence.js';
import { checkNonExistence } from './nonExistence.js';

/** A proven account. */
export interface Account {
  /** Transactions sent, below 2^64. */
  readonly nonce: bigint;
  /** In wei. */
  readonly balance: bigint;
  /** Root of the storage tree, 32 bytes. */
  readonly storageRoot: Hex;
  /** Hash of the code in the tree's own family, 32 bytes. */
  readonly snarkCodeHash: Hex;
  /** keccak256 of the code, 32 bytes. */
  readonly keccakCodeHash: Hex;
  /** Bytes of code, below 2^64. */
  readonly codeSize: bigint;
}

/** A proven slot. */
export interface VerifiedSlot {
  /** 32 bytes, as asked. */
  readonly key: Hex;
  /** 32 bytes; zero where the slot does not exist. */
  readonly value: Hex;
  /** Whether the slot has a leaf; a leaf that holds zero exists. */
  readonly exists: boolean;
}

/** What was proven; frozen, deeply; all hex in lower case. */
export interface VerifiedState {
  readonly stateRoot: Hex;
  readonly address: Hex;
  readonly hash: HashFamily;
  /** null: proven not to exist. */
  readonly account: Account | null;
  /** One per storage key asked, in the same order. */
  readonly storage: readonly VerifiedSlot[];
}

/** Checks one entry under one root, whichever kind it is. */
function checkEntry(
  spec: TreeSpec,
  root: Uint8Array,
  encodedKey: Uint8Array,
  encodeValue: (value: Uint8Array) => Uint8Array,
  proof: ExistenceProof | NonExistenceProof,
): void {
  const { hash } = spec.hasher;
  const hKey = hash(encodedKey);
  if (proof.kind === 'existence') {
    checkExistence(spec, root, hKey, hash(encodeValue(proof.value)), proof.path);
  } else {
    checkNonExistence(spec, root, hKey, proof.left, proof.right);
  }
}

function checkKey(given: Uint8Array, asked: Uint8Array, at: string): void {
  // The fold would refuse another key too; this tells the server's mislabelling from a forgery.
  if (!equalBytes(given, asked)) {
    throw new VerificationError(
      'KEY_MISMATCH',
      `${at}.key`,
      `expected ${encodeHex(asked)}, got ${encodeHex(given)}`,
    );
  }
}

function verifiedAccount(account: AccountValue): Account {
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
  spec: TreeSpec,
  { stateRoot, address }: CheckedClaim,
  proof: AccountProof,
): AccountValue | null {
  checkKey(proof.key, address, 'accountProof');
  checkEntry(spec, stateRoot, spec.encodeAddress(address), spec.encodeAccount, proof);
  return proof.kind === 'existence' ? proof.account : null;
}

const zeroValue: Hex = encodeHex(new Uint8Array(blockWidth));

function verifiedSlot(key: Uint8Array, value?: Uint8Array): VerifiedSlot {
  return Object.freeze({
    key: encodeHex(key),
    value: value ? encodeHex(value) : zeroValue,
    exists: value !== undefined,
  });
}

/**
 * @param storageRoot proven before; undefined where the account is proven not to exist
 * @param proof null where nothing was answered for the key
 */
function verifySlot(
  spec: TreeSpec,
  storageRoot: Uint8Array | undefined,
  key: Uint8Array,
  proof: SlotProof | null,
  at: string,
): VerifiedSlot {
  if (storageRoot === undefined) {
    if (proof === null) return verifiedSlot(key);
    throw new VerificationError('SLOT_OF_ABSENT_ACCOUNT', at, 'expected null: no such account');
  }
  if (proof === null) {
    // An empty tree proves every slot zero by itself; a tree that ever held a leaf has another root.
    if (equalBytes(storageRoot, spec.emptyRoot)) return verifiedSlot(key);
    throw new VerificationError(
      'SLOT_WITHHELD',
      at,
      'expected a proof: the storage of this account is not pristine; ask again, or another server',
    );
  }
  checkKey(proof.key, key, at);
  checkEntry(spec, storageRoot, spec.encodeWord(key), spec.encodeWord, proof);
  return verifiedSlot(key, proof.kind === 'existence' ? proof.value : undefined);
}

/** Verifies a result of any type against a claim that `checkClaim` has checked. */
export function verifyClaim(result: unknown, spec: TreeSpec, claim: CheckedClaim): VerifiedState {
  const { storageKeys } = claim;
  const proof = parseResult(result, spec, storageKeys.length);
  const account = verifyAccount(spec, claim, proof.accountProof);
  const { storageProofs } = proof;
  const storage = storageKeys.map((key, i) => {
    // An empty array stands for one null per key: servers leave out what pristine storage proves. An index beyond its
    // length must not be read: the prototype would answer, with a proof that nobody has parsed.
    const slot = i < storageProofs.length ? (storageProofs[i] as SlotProof | null) : null;
    return verifySlot(spec, account?.storageRoot, key, slot, `storageProofs[${i}]`);
  });
  return Object.freeze({
    stateRoot: encodeHex(claim.stateRoot),
    address: encodeHex(claim.address),
    hash: spec.hasher.family,
    account: account && verifiedAccount(account),
    storage: Object.freeze(storage),
  });
}
