import { expect, test } from 'vitest';
import { agoText, amountText, timeText, wholeText } from '../../../../src/page/format/numbers.js';

test('amounts keep all digits, and say that some are not shown', () => {
  expect(amountText(9_999_999_722_703_874_464_456n, 18, 'en-US')).toEqual({
    whole: '9,999.999722703874464456',
    short: '9,999.999722…',
  });
  expect(amountText(3800n * 10n ** 18n, 18, 'en-US')).toEqual({ whole: '3,800', short: '3,800' });
  expect(amountText(15n, 1, 'de-DE').short).toBe('1,5');
  expect(amountText(1n, 18, 'en-US').short).toBe('0.000000…');
  expect(amountText(-25n, 1, 'en-US').short).toBe('-2.5');
  expect(amountText(7n, 0, 'en-US').short).toBe('7');
  expect(wholeText(1_234_567n, 'de-DE')).toBe('1.234.567');
});

test.each([-1, 78, 1e9, 0.5, Number.NaN])(
  'decimals of %d are nobody’s: smallest units',
  (decimals) => {
    expect(amountText(12_345n, decimals, 'en-US').whole).toBe('12,345');
  },
);

test('an amount of 2^256 - 1 keeps each of its digits', () => {
  const most = 2n ** 256n - 1n;
  expect(amountText(most, 18, 'en-US').whole.replace(/[,.]/g, '')).toBe(String(most));
});

test('times are those of the reader, with how long ago', () => {
  expect(timeText(0, 'en-US')).toMatch(/^(Jan 1, 1970|Dec 31, 1969), /);
  expect(agoText(940, 1_000_000, 'en-US')).toBe('1 minute ago');
  expect(agoText(1000n, 1_000_000, 'en-US')).toBe('now');
  expect(agoText(0, 3 * 86_400_000, 'de-DE')).toBe('vor 3 Tagen');
  expect(agoText(1060, 1_000_000, 'en-US')).toBe('in 1 minute');
});
