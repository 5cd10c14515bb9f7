import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { encodeHex } from '../../src/bytes.js';
import { toHex } from '../support/hex.js';

test('encodeHex writes what Node writes, at every width up to twice its scratch room', () => {
  for (let width = 0; width <= 600; width++) {
    const bytes = new Uint8Array(randomBytes(width));
    expect(encodeHex(bytes)).toBe(toHex(bytes));
  }
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  expect(encodeHex(all)).toBe(toHex(all));
  expect(encodeHex(all.subarray(3, 5))).toBe('0x0304');
});
