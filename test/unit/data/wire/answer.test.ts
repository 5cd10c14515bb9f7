/** What an answer that is not right says of itself, whatever its body is. */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readAs, toDataError } from '../../../../src/data/wire/answer.js';

const redact = (text: string) => text.replaceAll('secret', '***');
const failure = (body: unknown, status = 500) =>
  toDataError({ status, retryAfter: undefined, body } as never, redact);

test('a member that does not fit is named, and its value is not', () => {
  const schema = z.object({ a: z.object({ b: z.number() }) });
  expect(readAs(schema, { a: { b: 1 } }, 200)).toEqual({ a: { b: 1 } });
  expect(() => readAs(schema, { a: { b: 'secret' } }, 200)).toThrow(
    '"a.b" of the answer does not have the required format: invalid_type',
  );
  expect(() => readAs(schema, 'secret', 200)).toThrow(
    'the answer does not have the required format',
  );
});

test('a message of the server is cut, without its secrets', () => {
  expect(failure({ error_message: `secret ${'x'.repeat(400)}` }).serverMessage).toBe(
    `*** ${'x'.repeat(296)}`,
  );
  expect(failure({ message: 'other', error_code: 429 })).toMatchObject({
    serverMessage: 'other',
    serverCode: 429,
  });
});

test('a body that is no object says nothing', () => {
  for (const body of [7, 'text', null, undefined, { error_message: 7, error_code: {} }]) {
    expect(failure(body)).toMatchObject({ status: 500 });
    expect(failure(body).serverMessage).toBeUndefined();
  }
});
