/** Arguments from what a reader has typed. */
import { expect, test } from 'vitest';
import { ArgumentError, parseArgument } from '../../../../src/page/format/arguments.js';
import { exampleOf } from '../../../../src/page/format/examples.js';

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const [low, high] = [-(2n ** 255n), 2n ** 256n - 1n];

test.each([
  ['uint256', '0', 0n],
  ['uint256', ' 12 ', 12n],
  ['uint256', '0xff', 255n],
  ['uint256', String(high), high],
  ['uint8', '255', 255n],
  ['int8', '-128', -128n],
  ['int256', String(low), low],
  ['bool', 'true', true],
  ['bool', ' false', false],
  ['address', address, address.toLowerCase()],
  ['address', address.toLowerCase(), address.toLowerCase()],
  ['bytes3', '0xABcdef', '0xabcdef'],
  ['bytes', '0x', '0x'],
  ['string', ' as it is ', ' as it is '],
  ['uint256[]', '[1, "2", 3]', [1n, 2n, 3n]],
  [
    'uint8[2][]',
    '[[1,2],[3,4]]',
    [
      [1n, 2n],
      [3n, 4n],
    ],
  ],
  ['string[]', '["a", "0x"]', ['a', '0x']],
  ['bool[1]', '[true]', [true]],
])('%s %s', (type, text, value) => {
  expect(parseArgument({ name: '', type }, text)).toEqual(value);
});

test.each([
  ['uint256', '', 'expected a whole number'],
  ['uint256', '1.5', 'expected a whole number'],
  ['uint256', '1,000', 'expected a whole number'],
  ['uint256', '1e18', 'expected a whole number'],
  ['uint256', '-1', `expected a number from 0 to ${high}`],
  ['uint256', String(high + 1n), 'expected a number from 0'],
  ['uint256', '9'.repeat(100_000), 'expected a whole number'],
  ['uint8', '256', 'expected a number from 0 to 255'],
  ['int8', '128', 'expected a number from -128 to 127'],
  ['bool', '1', 'expected true or false'],
  ['address', '0x12', 'expected 0x and 40 hex digits'],
  ['address', address.replace('C8', 'c8'), 'checksum'],
  ['bytes3', '0xabcd', 'expected 0x and 6 hex digits'],
  ['bytes', '0xabc', 'expected 0x and hex digits in pairs'],
  ['uint256[]', '1, 2', 'expected JSON'],
  ['uint256[]', '7', 'expected a list'],
  ['uint256[]', '[1, null]', 'value 2: expected a value'],
  ['uint256[]', '[9007199254740993]', 'value 1: write so large a number in quotes'],
  ['uint256[2]', '[1]', 'expected 2 values, got 1'],
  ['uint8[2][]', '[[1, 2], [3, 999]]', 'value 2: value 2: expected a number from 0 to 255'],
  ['bool[]', `[${'true,'.repeat(10_001)}true]`, 'expected at most 10000 values'],
])('%s of another form is refused (%#)', (type, text, message) => {
  expect(() => parseArgument({ name: '', type }, text)).toThrow(ArgumentError);
  expect(() => parseArgument({ name: '', type }, text)).toThrow(message);
});

const point = {
  name: 'at',
  type: 'tuple',
  components: [
    { name: 'x', type: 'uint8' },
    { name: '__proto__', type: 'bool' },
  ],
};

test('members of a tuple come in their order, or by their names', () => {
  expect(parseArgument(point, '[1, true]')).toEqual([1n, true]);
  expect(parseArgument(point, '{"__proto__": true, "x": 1}')).toEqual([1n, true]);
  expect(parseArgument({ ...point, type: 'tuple[]' }, '[[1, true]]')).toEqual([[1n, true]]);
  expect(() => parseArgument(point, '{"x": 1}')).toThrow('expected the member __proto__');
  expect(() => parseArgument(point, '[1]')).toThrow('expected 2 values, got 1');
  expect(() => parseArgument(point, '[999, true]')).toThrow('x: expected a number from 0 to 255');
  expect(() => parseArgument(point, '7')).toThrow('expected a list, or members by their names');
});

test('each type says how it is written', () => {
  const types = ['uint8', 'int256', 'bool', 'address', 'bytes', 'bytes32', 'string', 'bool[]'];
  const examples = types.map((type) => exampleOf({ name: '', type }));
  expect(examples).toEqual([
    ...['a whole number', 'a whole number', 'true or false', '0x and 40 hex digits'],
    ...['0x…', '0x…', 'a text', 'JSON, such as ["1", "2"]'],
  ]);
  expect(exampleOf(point)).toBe('JSON, such as ["1", "2"]');
});
