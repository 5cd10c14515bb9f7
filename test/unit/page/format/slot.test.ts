import { expect, test } from 'vitest';
import { parseSlot } from '../../../../src/page/format/slot.js';

test('slots are decimal numbers or hex digits that a word holds', () => {
  expect(parseSlot(' 12 ')).toBe(12n);
  expect(parseSlot('0xff')).toBe(255n);
  expect(parseSlot(`0x${'f'.repeat(64)}`)).toBe(2n ** 256n - 1n);
  for (const text of ['', '-1', '1.5', '0x', `0x1${'0'.repeat(64)}`, '9'.repeat(78), 'slot']) {
    expect(parseSlot(text)).toBeUndefined();
  }
});
