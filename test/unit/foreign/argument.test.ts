/** Arguments of a caller: what is unknown, empty or of another type is refused by its name. */
import { expect, test } from 'vitest';
import { checkCount, ownMembers, ownOptions } from '../../../src/foreign/argument.js';

const given = (members: object) => members as { roof?: string; floor?: string };

test('members are those that are asked for, and no others', () => {
  expect(ownMembers(given({ roof: 'red' }), ['roof', 'floor'], 'house')).toEqual({ roof: 'red' });
  for (const read of [
    () => ownMembers(given({ rof: 'red' }), ['roof', 'floor'], 'house'),
    () => ownOptions(given({ rof: 'red' }), ['roof', 'floor'], 'house', []),
  ]) {
    expect(read).toThrow(new TypeError('"house.rof" is unknown; did you mean "roof"?'));
  }
});

test('an option that strengthens a check has a value if it is there', () => {
  const read = (members: object) =>
    ownOptions(given(members), ['roof', 'floor'], 'house', ['roof']);
  expect(read({})).toEqual({});
  expect(read({ floor: undefined })).toEqual({ floor: undefined });
  for (const empty of [undefined, null]) {
    expect(() => read({ roof: empty })).toThrow(
      new TypeError(`"roof" is ${empty}; leave it out, or pass a value`),
    );
  }
});

test('a count is a number, and no text of one', () => {
  for (const count of [1, 7, Number.POSITIVE_INFINITY])
    expect(checkCount(count, 'doors', 1)).toBe(count);
  expect(() => checkCount('7', 'doors', 1)).toThrow(TypeError);
  expect(() => checkCount('7', 'doors', 1)).toThrow(/^"doors" expected a number, got /);
  for (const wrong of [0, 1.5, Number.NaN]) {
    expect(() => checkCount(wrong, 'doors', 1)).toThrow(RangeError);
  }
});
