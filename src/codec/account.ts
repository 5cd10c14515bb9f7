/** The value of an account: six 32-byte words <-> fields. */
import { bytesToInteger, writeInteger } from '../bytes.js';
import { ShapeError } from '../errors.js';
import { blockWidth } from '../hash/family.js';
import type { TreeSpec } from './spec.js';

/** An account's fields as bytes and integers. */
export interface AccountValue {
  /** Below 2^64. */
  readonly nonce: bigint;
  /** In wei, below 2^256 (under MiMC below the order of its field). */
  readonly balance: bigint;
  /** Root of the account's storage tree, 32 bytes. */
  readonly storageRoot: Uint8Array;
  /** Hash of the code in the tree's own family, 32 bytes. */
  readonly snarkCodeHash: Uint8Array;
  /** keccak256 of the code, any 32 bytes. */
  readonly keccakCodeHash: Uint8Array;
  /** Bytes of code, below 2^64. */
  readonly codeSize: bigint;
}

const word64 = 1n << 64n;

/** 192 bytes: nonce, balance, storageRoot, snarkCodeHash, keccakCodeHash, codeSize. */
export function encodeAccount(account: AccountValue): Uint8Array {
  const bytes = new Uint8Array(6 * blockWidth);
  writeInteger(account.nonce, bytes, blockWidth);
  writeInteger(account.balance, bytes, 2 * blockWidth);
  bytes.set(account.storageRoot, 2 * blockWidth);
  bytes.set(account.snarkCodeHash, 3 * blockWidth);
  bytes.set(account.keccakCodeHash, 4 * blockWidth);
  writeInteger(account.codeSize, bytes, 6 * blockWidth);
  return bytes;
}

/**
 * Reads an account value.
 *
 * @param bytes 192 bytes
 * @throws ShapeError for a field that is out of range or not canonical
 */
export function decodeAccount(spec: TreeSpec, bytes: Uint8Array, at: string): AccountValue {
  const { isCanonical, title } = spec.hasher;
  const word = (i: number) => bytes.subarray(blockWidth * i, blockWidth * (i + 1));
  const number64 = (i: number, name: string) => {
    const value = bytesToInteger(word(i));
    if (value >= word64) throw new ShapeError(`${at}.${name}`, `expected below 2^64, got ${value}`);
    return value;
  };
  const canonical = (i: number, name: string, isRight: (word: Uint8Array) => boolean) => {
    const given = word(i);
    if (isRight(given)) return given;
    throw new ShapeError(`${at}.${name}`, `expected canonical elements of ${title}`);
  };
  return Object.freeze({
    nonce: number64(0, 'nonce'),
    balance: bytesToInteger(canonical(1, 'balance', spec.isBalance)),
    storageRoot: canonical(2, 'storageRoot', isCanonical),
    snarkCodeHash: canonical(3, 'snarkCodeHash', isCanonical),
    keccakCodeHash: word(4),
    codeSize: number64(5, 'codeSize'),
  });
}
