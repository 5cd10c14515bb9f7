/** The keys of a claim as the trees know them, and what both forms of answers show alike. */

import { encodeHex } from '../bytes.js';
import { decodeAccount } from '../codec/account.js';
import type { TreeSpec } from '../codec/spec.js';
import type { ClaimQuestion } from '../verify/claim.js';
import { accountToJson } from '../verify/json.js';
import { verifiedAccount } from '../verify/result.js';
import { attempt } from './attempt.js';
import type { KeyExplanation } from './types.js';

/** A key that was asked for. */
export interface Asked {
  readonly tree: KeyExplanation['tree'];
  readonly key: Uint8Array;
  readonly hKey: Uint8Array;
  /** Location of its entry in a result. */
  readonly at: string;
  /** Its index among the proofs of an explanation. */
  readonly proof: number;
}

/** The address, and then the slots. */
export function askedKeys(spec: TreeSpec, { address, storageKeys }: ClaimQuestion): Asked[] {
  const { hasher, addressBlocks, wordBlocks } = spec;
  return [
    {
      tree: 'account',
      key: address,
      hKey: hasher.hash(addressBlocks(address)),
      at: 'accountProof',
      proof: 0,
    },
    ...storageKeys.map((key, i) => ({
      tree: 'storage' as const,
      key,
      hKey: hasher.hash(wordBlocks(key)),
      at: `storageProofs[${i}]`,
      proof: i + 1,
    })),
  ];
}

/** A value as it is shown, with its hash; undefined if there is none. */
export function shownValue(
  spec: TreeSpec,
  tree: KeyExplanation['tree'],
  bytes: Uint8Array | undefined,
): Pick<KeyExplanation, 'value' | 'hValue' | 'account'> {
  if (bytes === undefined) return { value: null, hValue: null, account: null };
  const value = encodeHex(bytes);
  const hash = (blocks: Uint8Array) => encodeHex(spec.hasher.hash(blocks));
  if (tree === 'storage') return { value, hValue: hash(spec.wordBlocks(bytes)), account: null };
  const account = attempt(() => decodeAccount(spec, bytes, '')).value;
  // Only the fields of a canonical value can be hashed.
  if (account === undefined) return { value, hValue: null, account: null };
  return {
    value,
    hValue: hash(spec.accountBlocks(bytes)),
    account: accountToJson(verifiedAccount(account)),
  };
}

/** A key of which nothing is shown. */
export const emptyKey = (
  { at, tree, key, hKey }: Asked,
  shows: KeyExplanation['shows'],
): KeyExplanation => ({
  ...{ at, tree, key: encodeHex(key), hKey: encodeHex(hKey), shows },
  ...{ answeredKey: null, root: null, value: null, hValue: null, account: null },
  ...{ own: null, left: null, right: null },
});
