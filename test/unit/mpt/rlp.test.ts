/** The RLP package refuses every second way to write one thing. */
import { expect, test } from 'vitest';
import { ShapeError } from '../../../src/errors.js';
import { encodeRlp } from '../../../src/mpt/encode.js';
import { decodeRlp } from '../../../src/mpt/rlp.js';
import { fromHex } from '../../support/hex.js';

const decode = (bytes: Uint8Array) => decodeRlp(bytes, 'node');
const a = (count: number) => '61'.repeat(count);

test.each([
  ['no bytes', ''],
  ['a byte below 0x80 with a prefix', '8100'],
  ['the largest such byte', '817f'],
  ['the same inside a list', 'c28100'],
  ['a short string with a long length', `b801${'ff'}`],
  ['a string of 55 bytes with a long length', `b837${a(55)}`],
  ['an empty string with a long length', 'b800'],
  ['a length with a leading zero', `b90038${a(56)}`],
  ['a short list with a long length', 'f801c0'],
  ['an empty list with a long length', 'f800'],
  ['a list of 55 bytes with a long length', `f837${'80'.repeat(55)}`],
  ['a list length with a leading zero', `f90038${'80'.repeat(56)}`],
  ['bytes after a string', '8080'],
  ['bytes after a byte', '0000'],
  ['bytes after a list', 'c000'],
  ['bytes after a long list', `f838${'80'.repeat(57)}`],
  ['a string that is cut', '8261'],
  ['a long string that is cut', `b838${a(55)}`],
  ['a list that is cut', 'c2'],
  ['a long list that is cut', `f838${'80'.repeat(55)}`],
  ['a length that is cut', 'b9'],
  ['a list length that is cut', 'f9ff'],
  ['a string that reaches beyond its list', 'c183'],
  ['a list that reaches beyond its list', 'c1c1'],
  ['a length of eight bytes', `bf${'ff'.repeat(8)}`],
  ['a list length of eight bytes', `ff${'ff'.repeat(8)}`],
])('refuses %s', (_, hex) => {
  expect(() => decode(fromHex(`0x${hex}`))).toThrow(ShapeError);
});

test('what decodes has one encoding: all texts of up to two bytes, and long ones at random', () => {
  const check = (bytes: Uint8Array): boolean => {
    let item: ReturnType<typeof decode>;
    try {
      item = decode(bytes);
    } catch (error) {
      expect(error).toBeInstanceOf(ShapeError);
      return false;
    }
    if (Buffer.compare(encodeRlp(item), bytes) !== 0) {
      throw new Error(`${Buffer.from(bytes).toString('hex')} is a second encoding`);
    }
    return true;
  };
  let decoded = 0;
  for (let i = 0; i < 256; i++) if (check(Uint8Array.of(i))) decoded++;
  for (let i = 0; i < 65536; i++) if (check(Uint8Array.of(i >> 8, i & 255))) decoded++;
  // 0x00 to 0x80 and 0xc0; 0x8180 to 0x81ff, and 0xc1 before one of the first 130.
  expect(decoded).toBe(130 + 128 + 130);
  // A long string and a long list with each byte of their headers changed in each way.
  for (const hex of [`b838${a(56)}`, `f838${'80'.repeat(56)}`, `b90100${a(256)}`]) {
    const bytes = fromHex(`0x${hex}`);
    expect(check(bytes)).toBe(true);
    for (let at = 0; at < 4; at++) {
      for (let value = 0; value < 256; value++) {
        check(Uint8Array.from(bytes, (byte, i) => (i === at ? value : byte)));
      }
    }
  }
});

test('deep nesting of the longest node ends in an answer', () => {
  // 55 lists with a length in one byte, the others with two.
  let bytes = Uint8Array.of(0xc0);
  while (bytes.length < 530) {
    const { length } = bytes;
    const header =
      length < 56
        ? [0xc0 + length]
        : length < 256
          ? [0xf8, length]
          : [0xf9, length >> 8, length & 255];
    bytes = Uint8Array.from([...header, ...bytes]);
  }
  expect(encodeRlp(decode(bytes))).toEqual(bytes);
});
