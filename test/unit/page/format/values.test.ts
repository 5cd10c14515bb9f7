/** Calls and values, by the examples of Solidity's own page on its ABI (docs.soliditylang.org, "Contract ABI Specification"). */
import { expect, test } from 'vitest';
import { parseAbiText } from '../../../../src/page/format/abi.js';
import { parseArgument } from '../../../../src/page/format/arguments.js';
import { encodeCall, showReason, showValues } from '../../../../src/page/format/values.js';

type Digits = `0x${string}`;
const words = (...given: (string | number)[]) =>
  given
    .map((word) => (typeof word === 'number' ? word.toString(16).padStart(64, '0') : word))
    .join('');
const left = (digits: string) => digits.padEnd(64, '0');
const hex = (...given: (string | number)[]): Digits => `0x${words(...given)}`;

function encode(signature: string, args: readonly string[]): Digits {
  const [item] = parseAbiText(signature).functions;
  if (item === undefined) throw new Error(signature);
  return encodeCall(
    item,
    item.inputs.map((input, i) => parseArgument(input, args[i] as string)),
  );
}

test('published calls', () => {
  expect(encode('baz(uint32 x, bool y) pure returns (bool r)', ['69', 'true'])).toBe(
    `0xcdcd77c0${words(0x45, 1)}`,
  );
  expect(encode('bar(bytes3[2])', ['["0x616263", "0x646566"]'])).toBe(
    `0xfce353f6${words(left('616263'), left('646566'))}`,
  );
  expect(encode('sam(bytes, bool, uint[])', ['0x64617665', 'true', '[1,2,3]'])).toBe(
    `0xa5643bf2${words(0x60, 1, 0xa0, 4, left('64617665'), 3, 1, 2, 3)}`,
  );
  const many = [
    '0x123',
    '["0x456", "0x789"]',
    '0x31323334353637383930',
    '0x48656c6c6f2c20776f726c6421',
  ];
  expect(encode('f(uint256,uint32[],bytes10,bytes)', many)).toBe(
    `0x8be65246${words(
      ...[0x123, 0x80, left('31323334353637383930'), 0xe0, 2, 0x456, 0x789],
      ...[0xd, left('48656c6c6f2c20776f726c6421')],
    )}`,
  );
});

const outputsOf = (text: string) =>
  parseAbiText(`f() view returns (${text})`).functions[0]?.outputs ?? [];

test('values of a result', () => {
  expect(
    showValues(
      outputsOf('uint256 amount, bool ok, address to'),
      hex(7, 1, '11'.repeat(20).padStart(64, '0')),
    ),
  ).toMatchObject([
    { name: 'amount', type: 'uint256', kind: 'number', text: '7' },
    { name: 'ok', type: 'bool', kind: 'text', text: 'true' },
    { name: 'to', kind: 'address', text: `0x${'11'.repeat(20)}` },
  ]);
  expect(showValues(outputsOf('string'), hex(32, 4, left('64617665')))).toMatchObject([
    { kind: 'text', text: 'dave' },
  ]);
  expect(showValues(outputsOf('int8, bytes3'), hex('f'.repeat(64), left('616263')))).toMatchObject([
    { text: '-1' },
    { kind: 'hex', text: '0x616263' },
  ]);
  expect(showValues([], '0x')).toEqual([]);
});

test('members of one name stay two', () => {
  const part = { name: 'x', type: 'uint8' };
  const tuple = { name: 'p', type: 'tuple', components: [part, part] };
  const [shown] = showValues([tuple], hex(1, 2)) ?? [];
  expect(shown?.items.map(({ name, text }) => [name, text])).toEqual([
    ['x', '1'],
    ['x', '2'],
  ]);
});

test.each([
  ['uint8', hex(256)],
  ['bool', hex(2)],
  ['address', hex('f'.repeat(64))],
  ['uint256', hex(7, 7)],
  ['uint256', '0x'],
  ['uint256', '0x07'],
  ['string', hex(64, 0, 4, left('64617665'))],
  ['string', hex(32, 40, left('64617665'))],
  ['string', hex(32, 4, left('6461766565'))],
  ['uint256[]', hex(32, 'f'.repeat(64))],
  ['uint256[][]', hex(32, 100_000, 0)],
] as const)('%s of another form than encoding gives has no values (%#)', (type, data) => {
  expect(showValues(outputsOf(type), data)).toBeUndefined();
});

test('a long list is cut, and says how many are left', () => {
  const [shown] =
    showValues(
      outputsOf('uint256[]'),
      hex(32, 2000, ...Array.from({ length: 2000 }, (_, i) => i)),
    ) ?? [];
  expect([shown?.items.length, shown?.left]).toEqual([500, 1500]);
});

test('a reason in words', () => {
  const { errors } = parseAbiText('f()\nerror Nope(uint256 code, address who)');
  const text = hex(32, 4, left('64617665')).slice(2);
  expect(showReason([], `0x08c379a0${text}`)).toMatchObject({
    name: 'Error',
    values: [{ name: 'reason', text: 'dave' }],
  });
  expect(showReason([], `0x4e487b71${words(0x11)}`)).toMatchObject({
    name: 'Panic',
    meaning: 'a number is too large or too small for its type',
  });
  expect(showReason([], `0x4e487b71${words(0xff)}`)?.meaning).toBeUndefined();
  const own = encode('Nope(uint256, address)', ['7', `0x${'1'.repeat(40)}`]);
  expect(showReason(errors, own)).toMatchObject({ name: 'Nope', values: [{ text: '7' }, {}] });
  expect(showReason([], own)).toBeUndefined();
  expect(showReason(errors, '0x')).toBeUndefined();
  expect(showReason(errors, '0x08c379a0')).toBeUndefined();
});
