/** What accounts of either kind say of their code. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { expect, test } from 'vitest';
import { isWithoutCode, longestCode, mostCodeOf, noCodeHash } from '../../../src/verify/code.js';
import { toHex } from '../../support/hex.js';

const other = toHex(keccak_256(Uint8Array.of(1))) as typeof noCodeHash;

test('the hash of no code is that of no bytes', () => {
  expect(noCodeHash).toBe(toHex(keccak_256(new Uint8Array(0))));
});

test('of a tree the size says whether there is code, under a header the hash', () => {
  expect(isWithoutCode({ codeSize: 0n, keccakCodeHash: other })).toBe(true);
  expect(isWithoutCode({ codeSize: 1n, keccakCodeHash: noCodeHash })).toBe(false);
  expect(isWithoutCode({ codeSize: undefined, keccakCodeHash: noCodeHash })).toBe(true);
  expect(isWithoutCode({ codeSize: undefined, keccakCodeHash: other })).toBe(false);
});

test('code is no longer than its size, or than any fork lets it be', () => {
  expect(mostCodeOf({ codeSize: 7n, keccakCodeHash: other })).toBe(7);
  expect(mostCodeOf({ codeSize: undefined, keccakCodeHash: other })).toBe(longestCode);
});
