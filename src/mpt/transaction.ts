/** Transactions, written as their hash and the root of a block cover them. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { integerToBytes } from '../bytes.js';
import { encodeRlp, type Item, trim } from './encode.js';
import {
  address,
  anyData,
  bit,
  byte,
  type Form,
  hash,
  integer64,
  integer256,
  listOf,
  type Member,
  membersToJson,
  parseMembers,
  readObject,
  recordOf,
} from './forms.js';
import { encodeWithBlobs } from './sidecar.js';
import { toInteger } from './text.js';
import { encodeTyped, parseType, type TransactionType } from './type.js';

/** The account that is called; empty for a creation. */
const target: Form = {
  parse: (value, at) =>
    value === null || value === undefined ? new Uint8Array(0) : address.parse(value, at),
  toJson: (item) => (item.length === 0 ? null : address.toJson(item)),
};

const accessList = listOf(
  recordOf([
    ['address', address],
    ['storageKeys', listOf(hash)],
  ]),
);

/** Invalid ones stand in blocks too, so nothing of them is judged but whether it can be encoded. */
const authorizationList = listOf(
  recordOf([
    ['chainId', integer256],
    ['address', address],
    ['nonce', integer64],
    ['yParity', byte, 'v'],
    ['r', integer256],
    ['s', integer256],
  ]),
);

const chainId: Member = ['chainId', integer256];
const nonce: Member = ['nonce', integer64];
const gasPrice: Member = ['gasPrice', integer256];
const fees: readonly Member[] = [
  ['maxPriorityFeePerGas', integer256],
  ['maxFeePerGas', integer256],
];
const callTo = (to: Form): readonly Member[] => [
  ['gas', integer64],
  ['to', to],
  ['value', integer256],
  ['input', anyData, 'data'],
];
const signatureOf = (...parity: Member): readonly Member[] => [
  parity,
  ['r', integer256],
  ['s', integer256],
];
/** Some servers name it as the first type does. */
const signature = signatureOf('yParity', bit, 'v');
const access: Member = ['accessList', accessList];

/** The members of each type, in their order. The last three are the signature. */
const membersOf: Record<TransactionType, readonly Member[]> = {
  0: [nonce, gasPrice, ...callTo(target), ...signatureOf('v', integer256)],
  1: [chainId, nonce, gasPrice, ...callTo(target), access, ...signature],
  2: [chainId, nonce, ...fees, ...callTo(target), access, ...signature],
  3: [
    ...[chainId, nonce, ...fees, ...callTo(address), access],
    ['maxFeePerBlobGas', integer256],
    ['blobVersionedHashes', listOf(hash)],
    ...signature,
  ],
  4: [
    ...[chainId, nonce, ...fees, ...callTo(address), access],
    ['authorizationList', authorizationList],
    ...signature,
  ],
};

/** A transaction, read whole. */
export interface Transaction {
  readonly type: TransactionType;
  /** In the order of RLP. */
  readonly items: readonly Item[];
  /** What its hash covers. */
  readonly encoded: Uint8Array;
  /** What the root of its block covers: the same, but for blobs on Anvil. */
  readonly covered: Uint8Array;
}

/**
 * Reads a transaction as JSON-RPC answers it. Only what its hash covers is read.
 *
 * @throws ShapeError; UnknownTypeError
 */
export function parseTransaction(value: unknown, at: string): Transaction {
  const source = readObject(value, at);
  const type = parseType(source);
  const items = parseMembers(source, membersOf[type]);
  const encoded = encodeTyped(type, items);
  const covered = (type === 3 ? encodeWithBlobs(source, items) : undefined) ?? encoded;
  return { type, items, encoded, covered };
}

/** 32 bytes. */
export const hashTransaction = ({ encoded }: Transaction): Uint8Array => keccak_256(encoded);

/** The member of this name as RLP holds it; undefined if transactions of this type have none. */
export function memberOf({ type, items }: Transaction, name: string): Item | undefined {
  return items[membersOf[type].findIndex(([own]) => own === name)];
}

/** The same of an integer. */
export function integerOf(transaction: Transaction, name: string): bigint | undefined {
  const item = memberOf(transaction, name);
  return item === undefined ? undefined : toInteger(item as Uint8Array);
}

/** The chain that a transaction is for; undefined for one of before EIP-155, which any chain takes. */
export function chainOf(transaction: Transaction): bigint | undefined {
  const v = integerOf(transaction, 'v');
  if (transaction.type !== 0 || v === undefined) return integerOf(transaction, 'chainId');
  return v >= 35n ? (v - 35n) >> 1n : undefined;
}

/** What was signed, hashed, 32 bytes. */
export function signingHash(transaction: Transaction): Uint8Array {
  const { type, items } = transaction;
  const unsigned = items.slice(0, -3);
  const chain = type === 0 ? chainOf(transaction) : undefined;
  if (chain === undefined) return keccak_256(encodeTyped(type, unsigned));
  const empty = new Uint8Array(0);
  return keccak_256(encodeRlp([...unsigned, trim(integerToBytes(chain, 32)), empty, empty]));
}

/** The members in the forms of JSON-RPC. */
export const transactionToJson = ({ type, items }: Transaction): Record<string, unknown> =>
  membersToJson(items, membersOf[type]);
