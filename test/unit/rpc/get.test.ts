/** JSON by GET, against real servers. */
import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createGetter } from '../../../src/rpc/get.js';
import { RpcError } from '../../../src/rpc/index.js';
import { startHttp } from '../../support/http.js';
import { rejectionOf } from '../../support/thrown.js';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});
const key = 'k3y-that-must-not-leak';

async function getterOf(listener: RequestListener, timeout?: number) {
  const { url, close } = await startHttp(listener);
  closing.push(close);
  return createGetter({ url: `${url}/${key}/`, timeout });
}
const question = { name: 'a question', path: '/a?b=c', maxBytes: 100 };
const failure = async (work: Promise<unknown>): Promise<RpcError> => {
  const error = await rejectionOf(RpcError, work);
  expect(error.message).not.toContain(key);
  expect(error.method).toBe('a question');
  return error;
};

test('an answer is what the server says', async () => {
  const seen: unknown[] = [];
  const get = await getterOf((request, response) => {
    seen.push(request.method, request.url, request.headers.accept);
    response.end('{"a":[1]}');
  });
  expect(await get(question)).toEqual({ a: [1] });
  expect(seen).toEqual(['GET', `/${key}/a?b=c`, 'application/json']);
});

describe('what goes wrong has its code', () => {
  test.each<[string, RequestListener, string]>([
    ['a status', (_, response) => response.writeHead(503).end('{}'), 'HTTP_STATUS'],
    [
      'a long page with a status',
      (_, response) => response.writeHead(404).end('x'.repeat(200)),
      'HTTP_STATUS',
    ],
    [
      'a redirect',
      (_, response) => response.writeHead(302, { location: '/b' }).end(),
      'HTTP_STATUS',
    ],
    ['too long an answer', (_, response) => response.end(`"${'x'.repeat(99)}"`), 'TOO_LARGE'],
    ['no JSON', (_, response) => response.end('{"a":'), 'NOT_JSON'],
    ['no UTF-8', (_, response) => response.end(Buffer.from([0x22, 0xff, 0x22])), 'NOT_JSON'],
    ['an answer that breaks off', (_, response) => response.destroy(), 'NETWORK'],
  ])('%s', async (_, listener, code) => {
    const get = await getterOf(listener);
    expect((await failure(get(question))).code).toBe(code);
  });

  test('one that does not come', async () => {
    const get = await getterOf(() => {}, 50);
    expect((await failure(get(question))).code).toBe('TIMEOUT');
  });

  test('a caller that gives up', async () => {
    const get = await getterOf(() => {});
    const reason = new Error('enough');
    const ender = new AbortController();
    const asking = get({ ...question, signal: ender.signal });
    ender.abort(reason);
    await expect(asking).rejects.toBe(reason);
    await expect(get({ ...question, signal: ender.signal })).rejects.toBe(reason);
  });
});

test('an answer as long as is allowed is taken', async () => {
  const get = await getterOf((_, response) => response.end(`"${'x'.repeat(98)}"`));
  expect(await get(question)).toBe('x'.repeat(98));
});

test('wrong options are refused before anything is sent', () => {
  expect(() => createGetter({ url: 'http://localhost/?a' })).toThrow('expected no ? and no #');
  expect(() => createGetter({ url: 'ftp://localhost' })).toThrow('expected http: or https:');
  expect(() => createGetter({ url: 'http://localhost', timeout: 0 })).toThrow(RangeError);
});
