/** Hashed keys, against the reference. */
// @ts-nocheck

import { expect, test } from 'vitest';
import { hashKey } from '../../src/index.js';
import { hashAddress, hashWord } from '../support/reference.js';
import { families } from '../support/runs.js';

const address = 'Ab'.repeat(20);
const key = 'fF'.repeat(32);

test.each(families)('an address and a storage key, hashed with %s', (hash) => {
  expect(hashKey(`0x${address}`, { hash })).toBe(`0x${hashAddress(hash, address)}`);
  expect(hashKey(`0x${key}`, { hash })).toBe(`0x${hashWord(hash, key)}`);
});

test('the family is poseidon2 unless another is named', () => {
  expect(hashKey(`0x${key}`)).toBe(hashKey(`0x${key}`, { hash: 'poseidon2' }));
});

test.each<[unknown, ErrorConstructor]>([
  [undefined, TypeError],
  [5, TypeError],
  [`0x${'00'.repeat(19)}`, RangeError],
  [`0x${'00'.repeat(33)}`, RangeError],
  [`0x${'zz'.repeat(32)}`, RangeError],
])('%s is no key', (wrong, error) => {
  expect(() => hashKey(wrong as never)).toThrow(error);
});

test('an unknown family is refused', () => {
  expect(() => hashKey(`0x${key}`, { hash: 'sha256' as never })).toThrow(TypeError);
});
