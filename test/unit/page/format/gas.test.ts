import { expect, test } from 'vitest';
import { shareText } from '../../../../src/page/format/gas.js';

test('a share of a limit, in the form of the reader', () => {
  expect(shareText(21_000n, 30_000_000n, 'en-US')).toBe('0.07%');
  expect(shareText(1n, 3n, 'de-DE')).toBe('33,33\u00a0%');
  expect(shareText(7n, 7n, 'en-US')).toBe('100%');
  expect(shareText(7n, 0n, 'en-US')).toBe('0%');
});
