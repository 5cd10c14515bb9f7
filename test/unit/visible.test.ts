/** Text from outside, made fit for a terminal. */
import { expect, test } from 'vitest';
import { visible, visibleLines } from '../../src/visible.js';

test.each([
  ['an escape sequence', '\u001b[2J', '\\u001b[2J'],
  ['the same in one character', '\u009b2J', '\\u009b2J'],
  ['a line that is begun anew', 'a\rb', 'a\\u000db'],
  ['newlines and tabs', 'a\n\tb', 'a\\u000a\\u0009b'],
  ['a mark of Arabic letters', '\u061c', '\\u061c'],
  ['marks of direction', '\u200e\u200f', '\\u200e\\u200f'],
  [
    'overrides of direction',
    '\u202a\u202b\u202c\u202d\u202e',
    '\\u202a\\u202b\\u202c\\u202d\\u202e',
  ],
  ['isolates', '\u2066\u2067\u2068\u2069', '\\u2066\\u2067\\u2068\\u2069'],
  ['what has no width', '\u200b\u200d\ufeff\u00ad', '\\u200b\\u200d\\ufeff\\u00ad'],
  ['separators', '\u2028\u2029', '\\u2028\\u2029'],
  ['half a pair', '\ud800', '\\ud800'],
  ['a tag beyond 16 bits', '\u{e0041}', '\\udb40\\udc41'],
  ['fillers', '\u3164\u115f', '\\u3164\\u115f'],
])('%s is escaped', (_, text, shown) => {
  expect(visible(text)).toBe(shown);
  // JSON keeps its value.
  expect(JSON.parse(visible(JSON.stringify({ text })))).toEqual({ text });
});

test('what can be seen stays, in any script', () => {
  const text = 'Gold — 金 ذهب זהב 🪙 é 0x1f $1.00 "quoted"';
  expect(visible(text)).toBe(text);
});

test('lines stay lines, and nothing else does', () => {
  expect(visibleLines('a\u001b\nb\r\n')).toBe('a\\u001b\nb\\u000d\n');
});
