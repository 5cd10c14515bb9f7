/** The Merkle-Patricia root of a state, as block headers have it. */
// @ts-nocheck

import { keccak_256 } from '@noble/hashes/sha3.js';
import { integerToBytes } from '../bytes.js';
import { emptyTrieRoot, encodeInteger, encodeList, encodeString } from './encode.js';
import { trieRoot } from './root.js';

/** An account of a state. */
export interface StateAccount {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** Below 2^64. */
  readonly nonce: bigint;
  /** Below 2^256. */
  readonly balance: bigint;
  readonly code: Uint8Array;
  /** Words that differ in their keys; none is zero. */
  readonly storage: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[];
}

const noCodeHash = keccak_256(new Uint8Array(0));

/** How often each account is asked for: its storage, its key and its value are read apart, so that none is kept. */
export const timesAsked = 3;

/**
 * Computes the root of a state. Long work yields to the event loop.
 *
 * @param count of the accounts, which differ in their addresses
 * @param account the account at an index; asked for {@link timesAsked} times
 * @param turn waits for a turn of the event loop; what it throws ends the work
 * @returns 32 bytes
 */
export async function stateTrieRoot(
  count: number,
  account: (index: number) => StateAccount,
  turn: () => Promise<void>,
): Promise<Uint8Array> {
  // Storage comes first: its tries are long work too, and an account's encoding cannot wait for it.
  const storageRoots = new Map<number, Uint8Array>();
  for (let i = 0; i < count; i++) {
    const { storage } = account(i);
    if (storage.length === 0) continue;
    const slot = (at: number) => storage[at] as (typeof storage)[number];
    const entries = {
      count: storage.length,
      key: (at: number) => slot(at).key,
      value: (at: number) => encodeInteger(slot(at).value),
    };
    storageRoots.set(i, await trieRoot(entries, turn));
  }
  function value(index: number): Uint8Array {
    const { nonce, balance, code } = account(index);
    return encodeList(
      encodeInteger(integerToBytes(nonce, 8)),
      encodeInteger(integerToBytes(balance, 32)),
      encodeString(storageRoots.get(index) ?? emptyTrieRoot),
      encodeString(code.length > 0 ? keccak_256(code) : noCodeHash),
    );
  }
  return trieRoot({ count, key: (index) => account(index).address, value }, turn);
}
