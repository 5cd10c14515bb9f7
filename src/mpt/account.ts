/** The leaves of L1's two kinds of tries: accounts under a state root, words of storage under an account's root. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { ShapeError } from '../errors.js';
import { type Item, isList } from './encode.js';
import { verifyPath } from './path.js';
import { checkInteger, decodeRlp } from './rlp.js';

/** An account of L1, proven. */
interface L1Account {
  /** Up to 8 bytes, big-endian, without leading zeros. */
  readonly nonce: Uint8Array;
  /** Up to 32 bytes in wei, as above. */
  readonly balance: Uint8Array;
  /** 32 bytes. */
  readonly storageRoot: Uint8Array;
  /** Keccak-256 of the code, 32 bytes. */
  readonly codeHash: Uint8Array;
}

/**
 * Verifies the `accountProof` of an `eth_getProof` answer.
 *
 * @param stateRoot 32 bytes, trusted
 * @param address 20 bytes
 * @returns the account, or undefined if there provably is no such account
 * @throws ShapeError or TrieError as {@link verifyPath}
 */
export function verifyAccount(
  stateRoot: Uint8Array,
  address: Uint8Array,
  nodes: unknown,
  at: string,
): L1Account | undefined {
  const value = verifyPath(stateRoot, keccak_256(address), nodes, at);
  if (value === undefined) return undefined;
  const account = decodeRlp(value, at);
  if (!isList(account) || account.length !== 4) throw new ShapeError(at, 'expected four items');
  const [nonce, balance, storageRoot, codeHash] = account as [Item, Item, Item, Item];
  return {
    nonce: checkInteger(nonce, 8, at, 'the nonce'),
    balance: checkInteger(balance, 32, at, 'the balance'),
    storageRoot: checkHash(storageRoot, at, 'the storage root'),
    codeHash: checkHash(codeHash, at, 'the code hash'),
  };
}

function checkHash(item: Item, at: string, what: string): Uint8Array {
  if (isList(item) || item.length !== 32) throw new ShapeError(at, `expected ${what}, 32 bytes`);
  return item;
}

/**
 * Verifies the `proof` of one entry of `storageProof`.
 *
 * @param storageRoot 32 bytes, of an account that was proven
 * @param slot 32 bytes
 * @returns the word at the slot, 32 bytes; zero if the trie provably has none
 * @throws ShapeError or TrieError as {@link verifyPath}
 */
export function verifySlot(
  storageRoot: Uint8Array,
  slot: Uint8Array,
  nodes: unknown,
  at: string,
): Uint8Array {
  const word = new Uint8Array(32);
  const value = verifyPath(storageRoot, keccak_256(slot), nodes, at);
  if (value === undefined) return word;
  const integer = checkInteger(decodeRlp(value, at), 32, at, 'a word of storage');
  // Writing zero deletes the key.
  if (integer.length === 0) throw new ShapeError(at, 'expected a word of storage that is not zero');
  word.set(integer, 32 - integer.length);
  return word;
}
