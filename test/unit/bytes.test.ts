import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { Arena, bytesToInteger, bytesToText, encodeHex, isLowerHex } from '../../src/bytes.js';
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

test('isLowerHex takes 0x and digits in lower case, and no other character, wherever it stands', () => {
  const wrong: string[] = [];
  for (let code = 0; code < 0x10000; code++) {
    const char = String.fromCharCode(code);
    for (const text of [`${char}x12`, `0${char}12`, `0x${char}2`, `0x1${char}`, `0x${char}`]) {
      if (isLowerHex(text) !== /^0x[0-9a-f]*$/.test(text)) wrong.push(text);
    }
  }
  expect(wrong).toEqual([]);
  const cases = ['', '0', 'x', '0x', '0xA1', '0X12', '12', '0x12\n', ' 0x12', '0x123', '0x😀'];
  expect(cases.filter(isLowerHex)).toEqual(['0x', '0x123']);
});

test('bytesToText gives each byte a character, at any width', () => {
  for (const width of [0, 1, 4095, 4096, 4097, 300_000]) {
    const bytes = new Uint8Array(randomBytes(width));
    expect(bytesToText(bytes)).toBe(Buffer.from(bytes).toString('latin1'));
  }
});

test('bytesToInteger reads what BigInt reads, however many zeros come first', () => {
  for (const width of [8, 16, 32, 64]) {
    for (let zeros = 0; zeros <= width; zeros++) {
      for (const fill of [1, 0x7f, 0x80, 0xff]) {
        const bytes = new Uint8Array(width).fill(fill, zeros);
        expect(bytesToInteger(bytes)).toBe(BigInt(toHex(bytes)));
        // Bytes of another array in front of it, and behind.
        const within = new Uint8Array(width + 3).fill(0xaa);
        within.set(bytes, 1);
        expect(bytesToInteger(within.subarray(1, width + 1))).toBe(BigInt(toHex(bytes)));
      }
    }
  }
});

test('a slab gives zeros that no other array of it shares, few to a piece and long ones by themselves', () => {
  const slab = new Arena();
  const widths = Array.from(
    { length: 2000 },
    (_, i) => [0, 1, 32, 192, 960, 2049, 8192, 8193][i % 8] as number,
  );
  const arrays = widths.map((width, i) => {
    const array = i % 3 === 0 ? slab.copy(new Uint8Array(width)) : slab.take(width);
    expect(array.length).toBe(width);
    expect(array.every((byte) => byte === 0)).toBe(true);
    return array.fill(i % 251);
  });
  for (const [i, array] of arrays.entries()) {
    expect(array.every((byte) => byte === i % 251)).toBe(true);
  }
  const pieces = new Set(arrays.map(({ buffer }) => buffer));
  const alone = arrays.filter(({ length }) => length > 8192);
  for (const { buffer, length } of alone) expect(buffer.byteLength).toBe(length);
  // 11 kB of eight arrays in 64 KiB.
  expect(pieces.size - alone.length).toBeLessThan(100);
  const bytes = Uint8Array.of(1, 2, 3);
  const copy = slab.copy(bytes);
  bytes[0] = 9;
  expect(copy).toEqual(Uint8Array.of(1, 2, 3));
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
