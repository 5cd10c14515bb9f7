/** The functions of a contract, as readers paste them. */
import { expect, test } from 'vitest';
import { AbiTextError, parseAbiText, signatureOf } from '../../../../src/page/format/abi.js';
import { mostAbiText, presets } from '../../../../src/page/format/presets.js';

const signatures = (text: string) => parseAbiText(text).functions.map(signatureOf);

test.each([
  ['balanceOf(address) view returns (uint256)', ['balanceOf(address)']],
  ['function f(uint a, int[3] b) external pure returns (bytes32);', ['f(uint256,int256[3])']],
  ['event E(uint256 a)\nerror Nope(uint256)\n\nname() view returns (string)\n', ['name()']],
  [
    'struct Point { uint256 x; int24 y; }\nfunction at(Point[] points, Point last) view',
    ['at((uint256,int24)[],(uint256,int24))'],
  ],
  ['["function a()", "b(bool) view"]', ['a()', 'b(bool)']],
])('%j has its functions', (text, expected) => {
  expect(signatures(text)).toEqual(expected);
});

const balanceOf = {
  type: 'function',
  name: 'balanceOf',
  stateMutability: 'view',
  inputs: [{ name: 'owner', type: 'address', internalType: 'address' }],
  outputs: [{ name: '', type: 'uint256' }],
};

test('the JSON of a compiler, and what it is a member of', () => {
  const expected = {
    functions: [
      {
        name: 'balanceOf',
        inputs: [{ name: 'owner', type: 'address' }],
        outputs: [{ name: '', type: 'uint256' }],
        isView: true,
      },
    ],
    errors: [],
    skipped: 0,
  };
  expect(parseAbiText(JSON.stringify([balanceOf]))).toEqual(expected);
  expect(parseAbiText(JSON.stringify({ abi: [balanceOf], bytecode: '0x' }))).toEqual(expected);
  expect(parseAbiText(JSON.stringify(balanceOf))).toEqual(expected);
});

test('a function that changes the state, an old one that does not, and errors', () => {
  const { functions, errors } = parseAbiText(
    JSON.stringify([
      { type: 'function', name: 'mint', inputs: [], stateMutability: 'nonpayable' },
      { type: 'function', name: 'old', inputs: [], constant: true },
      { type: 'error', name: 'Nope', inputs: [{ type: 'uint256' }] },
      { type: 'event', name: 'E', inputs: [] },
    ]),
  );
  expect(functions.map(({ name, isView }) => [name, isView])).toEqual([
    ['mint', false],
    ['old', true],
  ]);
  expect(errors).toEqual([{ name: 'Nope', inputs: [{ name: '', type: 'uint256' }] }]);
});

const nested = (depth: number): object =>
  depth === 0
    ? { name: 'a', type: 'uint8' }
    : { name: 'a', type: 'tuple', components: [nested(depth - 1)] };

test.each([
  [{ ...balanceOf, inputs: [{ type: 'uint257' }] }],
  [{ ...balanceOf, inputs: [{ type: 'uint0' }] }],
  [{ ...balanceOf, inputs: [{ type: 'bytes33' }] }],
  [{ ...balanceOf, inputs: [{ type: 'fixed128x18' }] }],
  [{ ...balanceOf, inputs: [{ type: 'function' }] }],
  [{ ...balanceOf, outputs: [{ type: 'uint256[0]' }] }],
  [{ ...balanceOf, outputs: [{ type: 'uint256[99999]' }] }],
  [{ ...balanceOf, outputs: [{ type: 'tuple[3]', components: [] }] }],
  [{ ...balanceOf, outputs: [{ type: 'tuple' }] }],
  [{ ...balanceOf, outputs: [nested(20)] }],
  [{ ...balanceOf, outputs: 'uint256' }],
  [{ ...balanceOf, name: '<script>' }],
  [{ ...balanceOf, name: '' }],
  [{ ...balanceOf, inputs: Array.from({ length: 200 }, () => ({ type: 'bool' })) }],
  [null],
  [7],
])('%j is left out, and counted', (item) => {
  expect(parseAbiText(JSON.stringify([balanceOf, item]))).toMatchObject({
    functions: [{ name: 'balanceOf' }],
    skipped: 1,
  });
});

test.each([
  ['', 'it has no function'],
  ['[]', 'it has no function'],
  ['{"abi": 7}', 'expected a list of functions'],
  ['{"abi":', 'it is no JSON: '],
  ['[{"type":"function"}]', 'none of its functions can be read'],
  ['function f(', 'it cannot be read: '],
  ['balanceOf(adress)', 'it cannot be read: '],
  ['<script>alert(1)</script>', 'it cannot be read: '],
  [`f(${'bool,'.repeat(1000)}bool)`, 'line 1 is longer than 2000 characters'],
  ['a()\n'.repeat(3000), 'expected at most 2000 lines'],
  [`[${'{},'.repeat(3000)}{}]`, 'expected at most 2000 items'],
  ['['.repeat(100_000), 'it is no JSON: '],
  ['x'.repeat(mostAbiText + 1), `expected at most ${mostAbiText} characters`],
])('a text that is no ABI is refused by what is wrong (%#)', (text, message) => {
  expect(() => parseAbiText(text)).toThrow(AbiTextError);
  expect(() => parseAbiText(text)).toThrow(message);
});

test('the functions that readers can take without an ABI', () => {
  const known = presets.flatMap(({ text }) => parseAbiText(text).functions);
  expect(known.every(({ isView, outputs }) => isView && outputs.length === 1)).toBe(true);
  expect(known).toHaveLength(17);
});
