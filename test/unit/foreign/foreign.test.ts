/** Reading of foreign values with errors of the caller's own, and the parts that errors are made of. */
import { describe, expect, test } from 'vitest';
import { CodedError, ProofError, ShapeError, VerificationError } from '../../../src/errors.js';
import { createMemberReader, memberPath, ownMember } from '../../../src/foreign/members.js';
import {
  dataText,
  hexBytes,
  hexText,
  parseQuantity,
  parseWholeNumber,
  toQuantity,
} from '../../../src/foreign/values.js';

/** Another caller's error. */
class Refusal extends Error {}

const { openObject, openArray, readMember } = createMemberReader(
  (at, reason, options) => new Refusal(`${at}: ${reason}`, options),
);

describe('members', () => {
  test('an own data property is read; what the prototype has is not', () => {
    const source = openObject(Object.assign(Object.create({ inherited: 1 }), { own: 2 }), 'a');
    expect(readMember(source, 'own')).toBe(2);
    expect(readMember(source, 'inherited')).toBeUndefined();
    expect(readMember(source, 'toString')).toBeUndefined();
    expect(readMember(openObject(JSON.parse('{"__proto__":3}'), ''), '__proto__')).toBe(3);
  });

  test('of parsed JSON, too, only what is its own is read', () => {
    const json = JSON.parse('{"a":1,"b":[2]}');
    expect(ownMember(json, 'a')).toBe(1);
    expect(ownMember(json.b, 0)).toBe(2);
    expect([ownMember(json, 'toString'), ownMember(json.b, 1)]).toEqual([undefined, undefined]);
  });

  test('elements are read, also past the end and in holes', () => {
    const source = openArray([7, , 9], 'a');
    expect(source.length).toBe(3);
    expect([0, 1, 2, 3].map((i) => readMember(source, i))).toEqual([7, undefined, 9, undefined]);
  });

  test('paths name members and elements', () => {
    expect(memberPath(openObject({}, ''), 'b')).toBe('b');
    expect(memberPath(openObject({}, 'a'), 'b')).toBe('a.b');
    expect(memberPath(openArray([], 'a'), 3)).toBe('a[3]');
  });

  const thrower = () => {
    throw new RangeError('foreign');
  };
  const getter = Object.defineProperty({}, 'b', { get: thrower });
  const trap = new Proxy({}, { getOwnPropertyDescriptor: thrower });
  const { proxy: revoked, revoke } = Proxy.revocable([], {});
  revoke();
  const longArray = new Proxy([], {
    getOwnPropertyDescriptor: () => ({ value: -1, writable: true }),
  });
  test.each([
    ['null', () => openObject(null, 'a'), /^a: expected an object, got null$/],
    ['text', () => openObject('x', 'a'), /^a: expected an object, got string$/],
    ['an accessor', () => readMember(openObject(getter, 'a'), 'b'), /^a\.b: .* accessor$/],
    ['a trap that throws', () => readMember(openObject(trap, 'a'), 'b'), /^a: .* threw$/],
    ['no array', () => openArray({ length: 1 }, 'a'), /^a: expected an array, got object$/],
    ['a revoked Proxy', () => openArray(revoked, 'a'), /^a: .* threw$/],
    ['an invalid length', () => openArray(longArray, 'a'), /^a: .* whole length$/],
  ])("%s is refused with the caller's error", (_, read, message) => {
    expect(read).toThrow(Refusal);
    expect(read).toThrow(message);
  });
});

describe('values', () => {
  test('hex of an exact width, of either case', () => {
    expect(hexBytes('0x0aFf', 2)).toEqual(Uint8Array.of(10, 255));
    expect(hexText('0x0aFf', 2)).toBe('0x0aff');
    expect(hexText('0x', 0)).toBe('0x');
    for (const bad of ['0x0aff0', '0x0af', '0X0aff', '0aff', '0x0ag0', '0x0a\uff46f', ' 0x0aff']) {
      expect(hexBytes(bad, 2), bad).toBeUndefined();
    }
    for (const bad of [null, undefined, 0xaff, ['0x0aff'], Object('0x0aff')]) {
      expect(hexText(bad, 2)).toBeUndefined();
    }
  });

  test('for a width that the text does not have, nothing is allocated', () => {
    expect(hexBytes('0x00', 2 ** 48)).toBeUndefined();
  });

  test('data of any whole number of bytes up to a bound', () => {
    expect(dataText('0xABcd', 2)).toBe('0xabcd');
    expect(dataText('0x', 2)).toBe('0x');
    for (const bad of ['', '0', '0xa', '0xabc', '0xabcdef', 'abcd', 12]) {
      expect(dataText(bad, 2), String(bad)).toBeUndefined();
    }
  });

  test('whole numbers of JSON', () => {
    expect([0, 7, Number.MAX_SAFE_INTEGER].map(parseWholeNumber)).toEqual([0, 7, 2 ** 53 - 1]);
    for (const bad of [-0, -1, 0.5, 2 ** 53, Number.NaN, '1', 1n, null]) {
      expect(parseWholeNumber(bad)).toBeUndefined();
    }
  });

  test('quantities below a bound', () => {
    expect(parseQuantity('0x0', 1)).toBe(0n);
    expect(parseQuantity('0x00fF', 8)).toBe(255n);
    expect(parseQuantity(255, 8)).toBe(255n);
    expect(parseQuantity(`0x${'f'.repeat(64)}`, 256)).toBe(2n ** 256n - 1n);
    for (const bad of ['0x100', 256, '0x', '255', '0X1', '0xg', -1, 1.5, 1n, null, '0x1\n']) {
      expect(parseQuantity(bad, 8), String(bad)).toBeUndefined();
    }
    expect(parseQuantity(`0x${'0'.repeat(65)}`, 8)).toBeUndefined();
  });
});

describe('values that are written', () => {
  // As the specification of the execution APIs has them: no leading zeros, and 0x0 for zero.
  test.each([
    [0, '0x0'],
    [1024n, '0x400'],
    [2 ** 53 - 1, '0x1fffffffffffff'],
    [2n ** 256n - 1n, `0x${'f'.repeat(64)}`],
  ])('the quantity of %s', (value, text) => {
    expect(toQuantity(value)).toBe(text);
    expect(parseQuantity(text, 256)).toBe(BigInt(value));
  });
});

describe('errors', () => {
  test('path, reason and code make the message', () => {
    const error = new VerificationError('WRONG_KIND', 'a.b', 'expected another');
    expect(error.message).toBe('"a.b" expected another (WRONG_KIND)');
    expect(error).toMatchObject({ path: 'a.b', reason: 'expected another', code: 'WRONG_KIND' });
    expect(error).toBeInstanceOf(ProofError);
    expect(error).toBeInstanceOf(CodedError);
    expect(new VerificationError('WRONG_KIND', '', 'expected another').message).toBe(
      'expected another (WRONG_KIND)',
    );
  });

  test('a ShapeError has no code', () => {
    const error = new ShapeError('a', 'expected hex', { cause: 1 });
    expect(error.message).toBe('"a" expected hex');
    expect(error).toMatchObject({ path: 'a', reason: 'expected hex', code: undefined, cause: 1 });
    expect(error).toBeInstanceOf(ProofError);
  });
});
