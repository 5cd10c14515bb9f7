/** Transactions, written as their hash and the root of a block cover them. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { integerToBytes } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { encodeRlp, type Item, isList, trim } from './encode.js';
import {
  addressForm,
  bitForm,
  byteForm,
  dataForm,
  type Form,
  fitMembers,
  hashForm,
  integer64Form,
  integer256Form,
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
    value === null || value === undefined ? new Uint8Array(0) : addressForm.parse(value, at),
  fits: (item): item is Uint8Array =>
    !isList(item) && (item.length === 0 || addressForm.fits(item)),
  toJson: (item) => (item.length === 0 ? null : addressForm.toJson(item)),
};

const accessList = listOf(
  recordOf([
    ['address', addressForm],
    ['storageKeys', listOf(hashForm)],
  ]),
);

/** Invalid ones stand in blocks too, so nothing of them is judged but whether it can be encoded. */
const authorizationList = listOf(
  recordOf([
    ['chainId', integer256Form],
    ['address', addressForm],
    ['nonce', integer64Form],
    ['yParity', byteForm, 'v'],
    ['r', integer256Form],
    ['s', integer256Form],
  ]),
);

const chainId: Member = ['chainId', integer256Form];
const nonce: Member = ['nonce', integer64Form];
const gasPrice: Member = ['gasPrice', integer256Form];
const fees: readonly Member[] = [
  ['maxPriorityFeePerGas', integer256Form],
  ['maxFeePerGas', integer256Form],
];
const callTo = (to: Form): readonly Member[] => [
  ['gas', integer64Form],
  ['to', to],
  ['value', integer256Form],
  ['input', dataForm, 'data'],
];
const signatureOf = (...parity: Member): readonly Member[] => [
  parity,
  ['r', integer256Form],
  ['s', integer256Form],
];
/** Some servers name it as the first type does. */
const signature = signatureOf('yParity', bitForm, 'v');
const access: Member = ['accessList', accessList];

/** The members of each type, in their order. The last three are the signature. */
const membersOf: Record<TransactionType, readonly Member[]> = {
  0: [nonce, gasPrice, ...callTo(target), ...signatureOf('v', integer256Form)],
  1: [chainId, nonce, gasPrice, ...callTo(target), access, ...signature],
  2: [chainId, nonce, ...fees, ...callTo(target), access, ...signature],
  3: [
    ...[chainId, nonce, ...fees, ...callTo(addressForm), access],
    ['maxFeePerBlobGas', integer256Form],
    ['blobVersionedHashes', listOf(hashForm)],
    ...signature,
  ],
  4: [
    ...[chainId, nonce, ...fees, ...callTo(addressForm), access],
    ['authorizationList', authorizationList],
    ...signature,
  ],
};

/** A transaction, read whole. */
export interface RlpTransaction {
  readonly type: TransactionType;
  /** In the order of RLP. */
  readonly items: readonly Item[];
  /** The encoding that its hash covers. */
  readonly encoded: Uint8Array;
  /** The encoding that the root of its block covers: the same, but for blobs on Anvil. */
  readonly covered: Uint8Array;
}

/**
 * Reads a transaction as JSON-RPC answers it. Only what its hash covers is read.
 *
 * @throws ShapeError; UnknownTypeError
 */
export function parseTransaction(value: unknown, at: string): RlpTransaction {
  const source = readObject(value, at);
  const type = parseType(source);
  const items = parseMembers(source, membersOf[type]);
  const encoded = encodeTyped(type, items);
  const covered = (type === 3 ? encodeWithBlobs(source, items) : undefined) ?? encoded;
  return { type, items, encoded, covered };
}

/** The same of items that came as RLP. @param covered the bytes that they came in @throws ShapeError */
export function toTransaction(
  type: TransactionType,
  items: Item,
  { covered, at }: { readonly covered: Uint8Array; readonly at: string },
): RlpTransaction {
  if (fitMembers(items, membersOf[type])) {
    return { type, items, encoded: encodeTyped(type, items), covered };
  }
  throw new ShapeError(at, `expected a transaction of type ${type}`);
}

/** 32 bytes. */
export const hashTransaction = ({ encoded }: RlpTransaction): Uint8Array => keccak_256(encoded);

/** The member of this name as RLP holds it; undefined if transactions of this type have none. */
export function memberOf({ type, items }: RlpTransaction, name: string): Item | undefined {
  return items[membersOf[type].findIndex(([own]) => own === name)];
}

/** The same of an integer. */
export function integerOf(transaction: RlpTransaction, name: string): bigint | undefined {
  const item = memberOf(transaction, name);
  return item === undefined ? undefined : toInteger(item as Uint8Array);
}

/** The chain that a transaction is for; undefined for one of before EIP-155, which any chain takes. */
export function chainOf(transaction: RlpTransaction): bigint | undefined {
  const v = integerOf(transaction, 'v');
  if (transaction.type !== 0 || v === undefined) return integerOf(transaction, 'chainId');
  return v >= 35n ? (v - 35n) >> 1n : undefined;
}

/** The hash that was signed, 32 bytes. */
export function signingHash(transaction: RlpTransaction): Uint8Array {
  const { type, items } = transaction;
  const unsigned = items.slice(0, -3);
  const chain = type === 0 ? chainOf(transaction) : undefined;
  if (chain === undefined) return keccak_256(encodeTyped(type, unsigned));
  const empty = new Uint8Array(0);
  return keccak_256(encodeRlp([...unsigned, trim(integerToBytes(chain, 32)), empty, empty]));
}

/** The members in the forms of JSON-RPC. */
export const transactionToJson = ({ type, items }: RlpTransaction): Record<string, unknown> =>
  membersToJson(items, membersOf[type]);
