/** Numbers are written big-endian, as Node writes them, whatever their size. */
import { expect, test } from 'vitest';
import { readNumber, writeNumber } from '../../../../src/tree/store/numbers.js';
import { randomOf } from '../../../support/blocks.js';
import { toHex } from '../../../support/hex.js';

const edges = [8, 16, 24, 31, 32, 33, 40, 47, 48].flatMap((bits) => [2 ** bits - 1, 2 ** bits]);
const random = randomOf(5);
const some = Array.from({ length: 2000 }, (_, i) =>
  Math.floor((random(2 ** 30) / 2 ** 30) * 2 ** (1 + (i % 53))),
);

test.each([1, 2, 3, 4, 5, 6])('in %d bytes', (width) => {
  for (const value of [0, 1, ...edges, ...some]) {
    if (value >= 256 ** width) continue;
    const expected = Buffer.alloc(20, 0xaa);
    expected.writeUIntBE(value, 7, width);
    const bytes = new Uint8Array(20).fill(0xaa);
    writeNumber(bytes, 7, value, width);
    expect(toHex(bytes)).toBe(toHex(expected));
    expect(readNumber(bytes, 7, width)).toBe(value);
  }
});

test.each([7, 8, 16, 32])('in %d bytes, any safe number', (width) => {
  for (const value of [0, 1, Number.MAX_SAFE_INTEGER, ...edges, ...some]) {
    const bytes = new Uint8Array(40).fill(0xaa);
    writeNumber(bytes, 3, value, width);
    const digits = value.toString(16).padStart(2 * width, '0');
    expect(toHex(bytes)).toBe(`0x${'aa'.repeat(3)}${digits}${'aa'.repeat(37 - width)}`);
    expect(readNumber(bytes, 3, width)).toBe(value);
  }
});
