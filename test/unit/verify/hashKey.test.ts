/** Hashed keys, against the reference. */
import { expect, test } from 'vitest';
import { hashKey } from '../../../src/index.js';
import { hashAddress, hashWord } from '../../support/reference.js';
import { families } from '../../support/runs.js';

const address = 'Ab'.repeat(20);
const key = 'fF'.repeat(32);

test.each(families)('an address and a storage key, hashed with %s', (hash) => {
  expect(hashKey(`0x${address}`, { hash })).toBe(`0x${hashAddress(hash, address)}`);
  expect(hashKey(`0x${key}`, { hash })).toBe(`0x${hashWord(hash, key)}`);
});

test('the family is poseidon2 unless another is named', () => {
  expect(hashKey(`0x${key}`)).toBe(hashKey(`0x${key}`, { hash: 'poseidon2' }));
});

const width = '"key" expected 0x and 64 hex digits (32 bytes)';
test.each<[unknown, Error]>([
  [undefined, new TypeError('"key" expected a hex string, got undefined')],
  [null, new TypeError('"key" expected a hex string, got null')],
  [5, new TypeError('"key" expected a hex string, got number 5')],
  [`0x${'00'.repeat(19)}`, new RangeError(width)],
  [`0x${'00'.repeat(33)}`, new RangeError(width)],
  [`0x${'zz'.repeat(32)}`, new RangeError(width)],
])('%s is no key', (wrong, error) => {
  const hash = () => hashKey(wrong as never);
  expect(hash).toThrow(error);
  expect(hash).toThrow(error.constructor as ErrorConstructor);
});

test('options are an object', () => {
  expect(() => hashKey(`0x${key}`, null as never)).toThrow(
    /^"options" expected an object \{ hash \}, got null$/,
  );
});

test('an unknown family is refused', () => {
  expect(() => hashKey(`0x${key}`, { hash: 'sha256' as never })).toThrow(TypeError);
});
