/** Counting traits, against counts by hand. */
import { expect, test } from 'vitest';
import { parseDocument } from '../../../../src/service/documents/document.js';
import { countTraits, mostValues } from '../../../../src/service/documents/traits.js';

type Given = Readonly<Record<string, string | number>> | readonly (readonly [string, string])[];

/** A document with these traits. */
const document = (traits: Given) => {
  const entries = Array.isArray(traits) ? traits : Object.entries(traits);
  const attributes = entries.map(([trait_type, value]) => ({ trait_type, value }));
  const json = JSON.stringify({ attributes: [...attributes, { value: 'of no trait' }] });
  return parseDocument(new TextEncoder().encode(json), (text) => text);
};

const count = (...all: Given[]) => countTraits(all.map(document), async () => {});

test('each token counts once for a value, and the values of the most tokens come first', async () => {
  const traits = await count(
    { Eyes: 'blue', Level: 3 },
    { Eyes: 'red', Level: '10' },
    [
      ['Eyes', 'red'],
      ['Eyes', 'red'],
      ['Eyes', 'green'],
      ['Level', '-2.5'],
    ],
    { Hat: 'top' },
  );
  expect(traits).toEqual([
    {
      name: 'Eyes',
      values: [
        { value: 'red', count: 2 },
        { value: 'blue', count: 1 },
        { value: 'green', count: 1 },
      ],
      range: undefined,
    },
    { name: 'Hat', values: [{ value: 'top', count: 1 }], range: undefined },
    {
      name: 'Level',
      values: ['-2.5', '10', '3'].map((value) => ({ value, count: 1 })),
      range: { min: -2.5, max: 10 },
    },
  ]);
});

test.each([
  ['0x10', false],
  ['1e400', false],
  ['Infinity', false],
  ['1,5', false],
  [' 1', true],
  ['007', true],
  ['9'.repeat(31), false],
])('"%s" is a number: %s', async (value, isNumber) => {
  const [trait] = (await count({ a: value })) ?? [];
  expect(trait?.range !== undefined).toBe(isNumber);
});

test('names of traits are those of no prototype', async () => {
  const traits = await count([
    ['__proto__', 'a'],
    ['constructor', 'b'],
  ]);
  expect(traits?.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
});

test('more values than are counted are refused, in pieces', async () => {
  const documents = Array.from({ length: 1 + mostValues / 100 }, (_, i) =>
    document(Object.fromEntries(Array.from({ length: 100 }, (_, k) => [`t${k}`, `v${i}`]))),
  );
  let pieces = 0;
  const pause = async () => {
    pieces += 1;
  };
  expect(await countTraits(documents.slice(1), pause)).toHaveLength(100);
  expect(pieces).toBeGreaterThan(10);
  expect(await countTraits(documents, pause)).toBeUndefined();
});
