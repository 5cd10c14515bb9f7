/** Numbers as section 2 of docs/compact.md has them, worked out by hand. */
import { expect, test } from 'vitest';
import { CompactReader } from '../../../src/compact/reader.js';
import { CompactWriter } from '../../../src/compact/writer.js';
import { toHex } from '../../support/hex.js';

test.each([
  [0, '00'],
  [127, '7f'],
  [128, '8001'],
  [300, 'ac02'],
  [16383, 'ff7f'],
  [16384, '808001'],
  [2 ** 40 - 1, 'ffffffffff1f'],
  [2 ** 40, '808080808020'],
])('%i', (number, hex) => {
  const writer = new CompactWriter();
  writer.putNumber(number);
  writer.putBytes(Uint8Array.of(9));
  expect(toHex(writer.finish())).toBe(`0x${hex}09`);
  const reader = new CompactReader(writer.finish());
  expect(reader.takeNumber(2 ** 40 + 1, () => '', '')).toBe(number);
  expect(reader.left).toBe(1);
});
