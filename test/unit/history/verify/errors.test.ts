/** Errors of reading an answer: the server's faults have codes, and faults of the process stay what they are. */
import { expect, test } from 'vitest';
import { ShapeError } from '../../../../src/errors.js';
import { HistoryError } from '../../../../src/history/node.js';
import { checkAnswer } from '../../../../src/history/verify/errors.js';
import { TrieError, UnknownFieldError, UnknownTypeError } from '../../../../src/mpt/errors.js';

const thrownBy = (cause: unknown): unknown => {
  try {
    return checkAnswer(() => {
      throw cause;
    });
  } catch (error) {
    return error;
  }
};

test('a fault of the answer gets its code, its path and its cause', () => {
  for (const [cause, code] of [
    [new ShapeError('a[0]', 'is none'), 'BAD_ANSWER'],
    [new TrieError('a[0]', 'is none'), 'WRONG_HEADER'],
    [new UnknownFieldError('a[0]', 'is none'), 'UNKNOWN_HEADER_FIELD'],
    [new UnknownTypeError('a[0]', 'is none'), 'UNKNOWN_TYPE'],
  ] as const) {
    const error = thrownBy(cause);
    expect(error).toBeInstanceOf(HistoryError);
    expect(error).toMatchObject({ code, path: 'a[0]', cause });
  }
  // The answer as a whole has no path.
  expect(thrownBy(new TrieError('', 'is none'))).not.toHaveProperty('path');
});

test('any other error is not blamed on the server', () => {
  const reason = new RangeError('Array buffer allocation failed');
  expect(thrownBy(reason)).toBe(reason);
  expect(checkAnswer(() => 7)).toBe(7);
});
