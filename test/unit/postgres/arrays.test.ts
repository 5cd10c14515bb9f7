/** Arrays as PostgreSQL takes them, byte by byte: dimensions, flags, type, length, first index, then each member. */
import { expect, test } from 'vitest';
import { byteArrays, numbers } from '../../../src/postgres/arrays.js';

/** Type 17 is bytea. */
const head = (length: string) => `00000001 00000000 00000011 ${length} 00000001`;

test.each([
  [[], head('00000000')],
  [['']],
  [['ff', '', '0102'], `${head('00000003')} 00000001 ff 00000000 00000002 0102`],
] as [string[], string?][])(
  'byte strings %j',
  (items, expected = `${head('00000001')} 00000000`) => {
    const array = byteArrays(items.map((item) => Buffer.from(item, 'hex')));
    expect(array.toString('hex')).toBe(expected.replaceAll(' ', ''));
  },
);

test('whole numbers', () => {
  expect(numbers([])).toBe('{}');
  expect(numbers([0, 7, 2 ** 40])).toBe('{0,7,1099511627776}');
});
