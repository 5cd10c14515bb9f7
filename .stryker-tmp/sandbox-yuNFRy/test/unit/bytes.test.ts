// @ts-nocheck
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { bytesToText, encodeHex } from '../../src/bytes.js';
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

test('bytesToText gives each byte a character, at any width', () => {
  for (const width of [0, 1, 4095, 4096, 4097, 300_000]) {
    const bytes = new Uint8Array(randomBytes(width));
    expect(bytesToText(bytes)).toBe(Buffer.from(bytes).toString('latin1'));
  }
});

test('without TextDecoder encodeHex writes the same', async () => {
  vi.stubGlobal('TextDecoder', undefined);
  vi.resetModules();
  try {
    const { encodeHex: encodeWithout } = await import('../../src/bytes.js');
    const bytes = new Uint8Array(randomBytes(1000));
    expect(encodeWithout(bytes)).toBe(toHex(bytes));
  } finally {
    vi.unstubAllGlobals();
  }
});
