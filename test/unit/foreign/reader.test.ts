/** The reader of foreign JSON: what it takes, what it refuses, and where its errors say that it is. */
import { describe, expect, test } from 'vitest';
import { createReader, nullable, optional, type ValueReader } from '../../../src/foreign/reader.js';

/** A caller's error. */
class Refusal extends Error {
  constructor(
    readonly at: string,
    readonly reason: string,
  ) {
    super(`${at}: ${reason}`);
  }
}

const reader = createReader((at, reason) => new Refusal(at, reason));
const { read, readObject, as, asList } = reader;
const readBoolean = as(
  (value) => (typeof value === 'boolean' ? value : undefined),
  'true or false',
);
const word = `0x${'Ab'.repeat(32)}`;

describe('a value of each form', () => {
  test.each<[string, ValueReader<unknown>, unknown, unknown]>([
    ['hex, in lower case', reader.asHex(32), word, word.toLowerCase()],
    ['a quantity', reader.asQuantity(256), '0x00ff', 255n],
    ['a JSON number as a quantity', reader.asQuantity(8), 255, 255n],
    ['a number', reader.asNumber(53), '0x1fffffffffffff', Number.MAX_SAFE_INTEGER],
    ['a boolean', readBoolean, false, false],
    ['a list', asList(reader.asNumber(8)), ['0x1', 2], [1, 2]],
    [
      'what a function of the caller takes',
      reader.as((value) => value === 7 || undefined, '7'),
      7,
      true,
    ],
    ['what may be missing', optional(readBoolean), undefined, undefined],
    ['what may be null', nullable(readBoolean), null, undefined],
    ['what may be missing or null', nullable(readBoolean), undefined, undefined],
    ['what may be missing, and is there', optional(readBoolean), true, true],
    ['what may be null, and is there', nullable(readBoolean), false, false],
  ])('%s is read', (_, reading, value, result) => {
    expect(reading(value, 'a')).toEqual(result);
  });

  test.each<[string, ValueReader<unknown>, unknown, string, string]>([
    ['hex of another width', reader.asHex(32), '0xab', 'a', 'expected 0x and 64 hex digits'],
    ['hex with other digits', reader.asHex(1), '0xg0', 'a', 'expected 0x and 2 hex digits'],
    [
      'a quantity beyond its bits',
      reader.asQuantity(48),
      '0x1000000000000',
      'a',
      'expected a number below 2^48, as 0x and hex digits',
    ],
    [
      'decimal digits',
      reader.asNumber(53),
      '12',
      'a',
      'expected a number below 2^53, as 0x and hex digits',
    ],
    ['text in place of a boolean', readBoolean, 'true', 'a', 'expected true or false'],
    [
      'an object in place of an array',
      asList(readBoolean),
      { length: 1 },
      'a',
      'expected an array, got object',
    ],
    ['an element', asList(readBoolean), [true, 1], 'a[1]', 'expected true or false'],
    ['a hole', asList(readBoolean), [true, , true], 'a[1]', 'expected true or false'],
    ['an array in place of an object', readObject, [], 'a', 'expected an object, got array'],
    ['null in place of an object', readObject, null, 'a', 'expected an object, got null'],
    [
      'what a function of the caller does not take',
      reader.as(() => undefined, 'x'),
      7,
      'a',
      'expected x',
    ],
    ['null that may only be missing', optional(readBoolean), null, 'a', 'expected true or false'],
  ])('%s is refused', (_, reading, value, at, reason) => {
    expect(() => reading(value, 'a')).toThrow(expect.objectContaining({ at, reason }));
  });
});

describe('members', () => {
  const source = readObject({ a: { b: '0x1' } }, 'whole');

  test('are read at their place', () => {
    const inner = read(source, 'a', readObject);
    expect(inner.at).toBe('whole.a');
    expect(read(inner, 'b', reader.asNumber(8))).toBe(1);
    expect(() => read(inner, 'b', readBoolean)).toThrow(
      expect.objectContaining({ at: 'whole.a.b' }),
    );
  });

  test('that only a prototype has are missing', () => {
    const lent = readObject(Object.create({ b: true }), 'whole');
    expect(() => read(lent, 'b', readBoolean)).toThrow(expect.objectContaining({ at: 'whole.b' }));
    expect(read(lent, 'b', optional(readBoolean))).toBeUndefined();
  });
});

test('a caller words its forms', () => {
  const own = createReader((at, reason) => new Refusal(at, reason), {
    hex: (width) => `${width} bytes`,
    quantity: (bits) => `less than ${bits} bits`,
  });
  expect(() => own.asHex(20)('', 'a')).toThrow('a: expected 20 bytes');
  expect(() => own.asQuantity(8)('', 'a')).toThrow('a: expected less than 8 bits');
  expect(() => own.asNumber(8)('', 'a')).toThrow('a: expected less than 8 bits');
});
