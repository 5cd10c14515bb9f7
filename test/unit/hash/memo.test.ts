import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createMemo } from '../../../src/hash/memo.js';
import { runsOf } from '../../support/runs.js';

test('preimages of any bytes and widths have digests of their own', () => {
  const memo = createMemo((preimage) => Uint8Array.of(preimage.length, ...preimage));
  memo.reset(100_000);
  for (let byte = 0; byte < 256; byte++) memo.digest(Uint8Array.of(byte));
  for (let byte = 0; byte < 256; byte++) {
    expect(memo.digest(Uint8Array.of(byte))).toEqual(Uint8Array.of(1, byte));
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (preimage) => {
      const expected = Uint8Array.of(preimage.length, ...preimage);
      expect(memo.digest(preimage)).toEqual(expected);
      expect(memo.digest(preimage)).toEqual(expected);
    }),
    runsOf(),
  );
});

test('a digest is computed once while there is room, and never more are kept', () => {
  const hash = vi.fn((preimage: Uint8Array) => preimage);
  const memo = createMemo(hash);
  const ask = (...bytes: number[]) => {
    for (const byte of bytes) memo.digest(Uint8Array.of(byte));
    return hash.mock.calls.length;
  };
  expect(ask(1, 1)).toBe(2);
  memo.reset(2);
  expect(ask(1, 2, 1, 2)).toBe(4);
  expect(ask(3)).toBe(5);
  expect(ask(3)).toBe(5);
  expect(ask(1)).toBe(6);
  memo.reset(2);
  expect(ask(1)).toBe(7);
});
