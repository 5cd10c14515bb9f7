/** What tests of compact proofs share: claims of statements, how a call is refused, and a hasher that counts. */
import type { Hasher } from '../../src/hash/family.js';
import {
  type HashFamily,
  type Hex,
  type ProofClaim,
  type StateJson,
  VerificationError,
} from '../../src/index.js';
import { toHex } from '../support/hex.js';
import { digits, digitsOf } from '../support/reference.js';

/** What a call is refused with: name of the class, and the code if it has one. */
export function refusal(action: () => unknown): string | undefined {
  try {
    action();
    return undefined;
  } catch (error) {
    if (error instanceof VerificationError) return error.code;
    return (error as Error).name;
  }
}

/** Law that the second reader names -> its code in section 10 of the page. */
export const codeOfLaw: Record<string, string> = {
  ...Object.fromEntries(
    [
      'another version',
      'the proof is cut',
      'bytes are left over',
      'a number of more than six bytes',
      'not the shortest form',
      'a number beyond its limit',
      'no leaf',
      'indices do not ascend',
      'nonce or code size',
      'an element that is not canonical',
    ].map((law) => [law, 'ShapeError']),
  ),
  'an index at or beyond the next free node': 'INDEX_OUT_OF_RANGE',
  'no storage tree': 'SLOT_WITHHELD',
  'a storage tree of no account': 'SLOT_OF_ABSENT_ACCOUNT',
  'a storage tree that is not needed': 'LEAF_NOT_NEEDED',
  'a place beyond the keys': 'LEAF_NOT_NEEDED',
  'two leaves of a key': 'LEAF_NOT_NEEDED',
  'a leaf that is not needed': 'LEAF_NOT_NEEDED',
  'head or tail as a key': 'HEAD_OR_TAIL',
  'a key outside all leaves': 'KEY_NOT_BETWEEN',
  "a key's own leaf as a neighbour": 'KEY_NOT_BETWEEN',
  'no neighbours': 'NOT_NEIGHBOURS',
  'the root': 'ROOT_MISMATCH',
};

export const claimOf = (statement: {
  stateRoot: string;
  address: string;
  storageKeys: string[];
  hash: ProofClaim['hash'];
}): ProofClaim => ({
  stateRoot: `0x${statement.stateRoot}`,
  address: `0x${statement.address}`,
  storageKeys: statement.storageKeys.map((key): Hex => `0x${key}`),
  hash: statement.hash as 'mimc',
});

/** A hasher that counts what it hashes, leaf openings and pairs alike. */
export function counting(hasher: Hasher): { hasher: Hasher; inputs: string[] } {
  const inputs: string[] = [];
  const keep = (bytes: Uint8Array, width: number) => {
    for (let at = 0; at < bytes.length; at += width) {
      inputs.push(toHex(bytes.subarray(at, at + width)));
    }
  };
  return {
    inputs,
    hasher: {
      ...hasher,
      hash(bytes) {
        keep(bytes, bytes.length);
        return hasher.hash(bytes);
      },
      hashEach(bytes, width) {
        keep(bytes, width);
        return hasher.hashEach(bytes, width);
      },
    },
  };
}

/** A statement as the second implementation takes it. */
export const statementOf = ({ stateRoot, address, storageKeys = [], hash }: ProofClaim) => ({
  stateRoot: digitsOf(stateRoot).toLowerCase(),
  address: digitsOf(address).toLowerCase(),
  storageKeys: storageKeys.map((key) => digitsOf(key).toLowerCase()),
  hash: hash as HashFamily,
});
/** What was proven, as the second implementation says it. */
export const provenOf = ({ account, storage }: Pick<StateJson, 'account' | 'storage'>) => ({
  account: account && [
    ...[account.nonce, account.balance].map((value) => digits(BigInt(value))),
    ...[account.storageRoot, account.snarkCodeHash, account.keccakCodeHash].map(digitsOf),
    digits(BigInt(account.codeSize)),
  ],
  storage: storage.map(({ key, value, exists }) => ({
    key: digitsOf(key),
    value: digitsOf(value),
    exists,
  })),
});
