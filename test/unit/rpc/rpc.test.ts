/** The transport against real servers that answer well, badly, late, without end or not at all. */

import type { RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createTransport, RpcError, type TransportOptions } from '../../../src/rpc/index.js';
import { bodyOf, startHttp, type TestServer } from '../../support/http.js';
import { rejectionOf } from '../../support/thrown.js';

const key = 'k3y-that-must-not-leak';
const open: TestServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** A transport to a server of its own. */
async function against(listener: RequestListener, options: Partial<TransportOptions> = {}) {
  const server = await startHttp(listener);
  open.push(server);
  return createTransport({ url: `${server.url}/v3/${key}`, timeout: 5000, ...options });
}

/** Answers with a text made of the request's id. */
const answering =
  (text: (id: number) => string | Buffer, status = 200, headers = {}): RequestListener =>
  async (request, response) => {
    const { id } = await bodyOf(request);
    response.writeHead(status, headers).end(text(id));
  };

async function failure(call: Promise<unknown>): Promise<RpcError> {
  const error = await rejectionOf(RpcError, call);
  expect(error.cause).toBeUndefined();
  expect(JSON.stringify([error.message, error.stack, error])).not.toContain(key);
  return error;
}

const result = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":7}`;

describe('a call', () => {
  test('posts one JSON-RPC 2.0 request and returns the result', async () => {
    const seen: unknown[] = [];
    const transport = await against(
      async (request, response) => {
        const body = await bodyOf(request);
        const { method, url, headers } = request;
        seen.push({ method, url, type: headers['content-type'], extra: headers['x-extra'], body });
        response.end(JSON.stringify({ jsonrpc: '2.0', id: body.id, result: { a: [1, null] } }));
      },
      { headers: { 'x-extra': 'yes', 'content-type': 'text/plain' } },
    );
    expect(await transport.call('l2_getProof', ['0x1', [], 'latest'])).toEqual({ a: [1, null] });
    await transport.call('other', []);
    const common = { method: 'POST', url: `/v3/${key}`, type: 'application/json', extra: 'yes' };
    expect(seen).toEqual([
      {
        ...common,
        body: { jsonrpc: '2.0', id: 1, method: 'l2_getProof', params: ['0x1', [], 'latest'] },
      },
      { ...common, body: { jsonrpc: '2.0', id: 2, method: 'other', params: [] } },
    ]);
  });

  test('returns a result of null, and one under the longest length', async () => {
    const nothing = await against(answering((id) => `{"jsonrpc":"2.0","id":${id},"result":null}`));
    expect(await nothing.call('m', [])).toBe(null);
    const both = (id: number) => `{"jsonrpc":"2.0","id":${id},"error":null,"result":null}`;
    expect(await (await against(answering(both))).call('m', [])).toBe(null);
    const exact = await against(answering(result), { maxBytes: result(1).length });
    expect(await exact.call('m', [])).toBe(7);
    // A call may take less, and no more.
    expect(await exact.call('m', [], { maxBytes: result(1).length })).toBe(7);
    expect(await exact.call('m', [], { maxBytes: 10_000 })).toBe(7);
    // The transport's own bound counts instead of a question's: a caller can raise what follows from the question.
    expect(await exact.call('m', [], { maxBytes: 10 })).toBe(7);
    const open = await against(answering(result));
    const short = open.call('m', [], { maxBytes: result(1).length - 1 });
    expect(await failure(short)).toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining(`longer than ${result(1).length - 1} bytes`),
    });
    await expect(open.call('m', [], { maxBytes: 0 })).rejects.toThrow('"maxBytes" expected');
    const small = await against(answering(result), { maxBytes: 9 });
    expect(await failure(small.call('m', [], { maxBytes: 10_000 }))).toMatchObject({
      code: 'TOO_LARGE',
      message: expect.stringContaining('longer than 9 bytes'),
    });
  });

  test('takes a result beside an error of null', async () => {
    const text = (id: number) => `{"error":null,"jsonrpc":"2.0","id":${id},"result":{"a":[]}}`;
    expect(await (await against(answering(text))).call('m', [])).toEqual({ a: [] });
  });

  test('keeps concurrent calls apart', async () => {
    const transport = await against(async (request, response) => {
      const { id, params } = await bodyOf(request);
      setTimeout(
        () => response.end(JSON.stringify({ jsonrpc: '2.0', id, result: params[0] })),
        20 - params[0],
      );
    });
    const numbers = Array.from({ length: 20 }, (_, i) => i);
    expect(await Promise.all(numbers.map((i) => transport.call('m', [i])))).toEqual(numbers);
  });

  test('goes through the fetch that is given', async () => {
    const transport = createTransport({
      url: 'https://example.invalid/',
      fetch: async (url, init) => {
        expect(url).toBe('https://example.invalid/');
        const { id } = JSON.parse(String(init?.body));
        return new Response(result(id));
      },
    });
    expect(await transport.call('m', [])).toBe(7);
  });
});

describe('an answer that is refused', () => {
  test('a batch is named as what it is', async () => {
    const transport = await against(answering((id) => `[${result(id)}]`));
    expect((await failure(transport.call('m', []))).message).toContain('got array');
  });

  test.each<[string, string, (id: number) => string | Buffer]>([
    ['NOT_JSON', 'no JSON', () => '<html>'],
    ['NOT_JSON', 'nothing at all', () => ''],
    ['NOT_JSON', 'JSON cut in the middle', (id) => result(id).slice(0, -1)],
    [
      'NOT_JSON',
      'bytes that are no UTF-8',
      (id) => Buffer.from(result(id).replace('7', '"\xff"'), 'latin1'),
    ],
    ['BAD_ENVELOPE', 'null', () => 'null'],
    ['BAD_ENVELOPE', 'a batch', (id) => `[${result(id)}]`],
    ['BAD_ENVELOPE', 'another version', (id) => `{"jsonrpc":"1.0","id":${id},"result":7}`],
    ['BAD_ENVELOPE', 'no version', (id) => `{"id":${id},"result":7}`],
    ['BAD_ENVELOPE', 'neither result nor error', (id) => `{"jsonrpc":"2.0","id":${id}}`],
    [
      'BAD_ENVELOPE',
      'result and error',
      (id) => `{"jsonrpc":"2.0","id":${id},"result":7,"error":{"code":1,"message":"x"}}`,
    ],
    ['BAD_ENVELOPE', 'an error of null', (id) => `{"jsonrpc":"2.0","id":${id},"error":null}`],
    [
      'BAD_ENVELOPE',
      'a false result and an error',
      (id) => `{"jsonrpc":"2.0","id":${id},"result":false,"error":{"code":1,"message":"x"}}`,
    ],
    [
      'BAD_ENVELOPE',
      'an error of false beside a result',
      (id) => `{"jsonrpc":"2.0","id":${id},"result":7,"error":false}`,
    ],
    [
      'BAD_ENVELOPE',
      'a result and an error, without an id',
      () => '{"jsonrpc":"2.0","result":7,"error":{"code":1,"message":"x"}}',
    ],
    [
      'WRONG_ID',
      'an error with the id of another request',
      (id) => `{"jsonrpc":"2.0","id":${id + 1},"error":{"code":1,"message":"x"}}`,
    ],
    [
      'WRONG_ID',
      'a result and an error of null, without an id',
      () => '{"jsonrpc":"2.0","result":7,"error":null}',
    ],
    [
      'BAD_ENVELOPE',
      'an error without a code',
      (id) => `{"jsonrpc":"2.0","id":${id},"error":{"message":"x"}}`,
    ],
    [
      'BAD_ENVELOPE',
      'an error without a message',
      (id) => `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000}}`,
    ],
    ['WRONG_ID', 'the id of another request', (id) => result(id + 1)],
    ['WRONG_ID', 'the id as text', (id) => `{"jsonrpc":"2.0","id":"${id}","result":7}`],
    ['WRONG_ID', 'no id', () => '{"jsonrpc":"2.0","result":7}'],
    ['WRONG_ID', 'a result for the id null', () => '{"jsonrpc":"2.0","id":null,"result":7}'],
    ['TOO_LARGE', 'a long answer', (id) => result(id).padEnd(5000)],
    ['TOO_LARGE', 'a long answer without a length', (id) => result(id).padEnd(500_000)],
  ])('%s: %s', async (code, _, text) => {
    const transport = await against(answering(text), { maxBytes: 4000 });
    expect(await failure(transport.call('m', []))).toMatchObject({ code, method: 'm' });
  });

  test('a compressed answer counts as long as it becomes', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000, ' '));
    expect(bomb.length).toBeLessThan(4000);
    const transport = await against(
      answering(() => bomb, 200, { 'content-encoding': 'gzip' }),
      { maxBytes: 4000 },
    );
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'TOO_LARGE' });
  });

  test('an endless answer is dropped once it is too long', async () => {
    let ended: Promise<void> | undefined;
    const transport = await against(
      (_, response: ServerResponse) => {
        ended = new Promise((resolve) => {
          response.on('close', resolve);
        });
        const chunk = Buffer.alloc(65_536, ' ');
        const more = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', more);
        more();
      },
      { maxBytes: 1_000_000 },
    );
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'TOO_LARGE' });
    await ended;
  });
});

describe("a server's own error", () => {
  const error = '{"code":-32600,"message":"BLOCK_MISSING_IN_CHAIN - block is missing"}';
  const expected = {
    code: 'SERVER_ERROR',
    serverCode: -32600,
    serverMessage: 'BLOCK_MISSING_IN_CHAIN - block is missing',
    message: 'm: -32600 BLOCK_MISSING_IN_CHAIN - block is missing (SERVER_ERROR)',
  };

  test.each([200, 400, 500])('is told apart, with status %d', async (status) => {
    const transport = await against(
      answering((id) => `{"jsonrpc":"2.0","id":${id},"error":${error}}`, status),
    );
    expect(await failure(transport.call('m', []))).toMatchObject({ ...expected, status });
  });

  test.each([
    ['of null', '"id":null,'],
    ['left out', ''],
    ['and a result of null', '"id":1,"result":null,'],
  ])('may come with an id %s', async (_, members) => {
    const transport = await against(
      answering(() => `{"jsonrpc":"2.0",${members}"error":${error}}`),
    );
    expect(await failure(transport.call('m', []))).toMatchObject(expected);
  });

  test('without an id shows its text under a status of a limit', async () => {
    const limit = '{"jsonrpc":"2.0","error":{"code":-32005,"message":"slow down"}}';
    const transport = await against(answering(() => limit, 429, { 'retry-after': '7' }));
    expect(await failure(transport.call('m', []))).toMatchObject({
      code: 'SERVER_ERROR',
      status: 429,
      retryAfter: 7,
      message: 'm: -32005 slow down (SERVER_ERROR)',
    });
  });

  test('has a message of bounded length, without the key', async () => {
    const message = `no such project ${key} ${'x'.repeat(10_000)}`;
    const transport = await against(
      answering((id) => JSON.stringify({ jsonrpc: '2.0', id, error: { code: 1, message } })),
    );
    const { serverMessage } = await failure(transport.call('m', []));
    expect(serverMessage).toBe(`no such project *** ${'x'.repeat(280)}`);
  });

  test.each([429, 503])(
    'status %d with a page that is longer than an answer may be',
    async (status) => {
      const transport = await against(answering(() => '<p>'.repeat(50_000), status));
      expect(await failure(transport.call('eth_chainId', []))).toMatchObject({
        code: 'HTTP_STATUS',
        status,
      });
    },
  );

  test.each([404, 429, 500, 503])('a bare status %d', async (status) => {
    const transport = await against(answering(() => 'Sorry', status));
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'HTTP_STATUS', status });
  });

  test('a result under an error status is not taken', async () => {
    const transport = await against(answering(result, 500));
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'HTTP_STATUS' });
  });
});

describe('the network', () => {
  test.each([301, 302, 307, 308])('a redirect with %d is not followed', async (status) => {
    let visits = 0;
    const elsewhere = await startHttp((_, response) => {
      visits += 1;
      response.end(result(1));
    });
    open.push(elsewhere);
    const transport = await against(answering(() => '', status, { location: elsewhere.url }));
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'HTTP_STATUS', status });
    expect(visits).toBe(0);
  });

  test('a server that is not there', async () => {
    const server = await startHttp(() => {});
    await server.close();
    const transport = createTransport({ url: `${server.url}/v3/${key}` });
    const error = await failure(transport.call('m', []));
    expect(error.message).toBe('m: the request failed: ECONNREFUSED (NETWORK)');
  });

  test('an answer that breaks off', async () => {
    const transport = await against((_, response) => {
      response.writeHead(200, { 'content-length': 1000 });
      response.write('{"jsonrpc"', () => response.destroy());
    });
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'NETWORK' });
  });

  test('a server that speaks no HTTP', async () => {
    const server = createServer((socket) => socket.end('hello\r\n'));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as { port: number };
    const transport = createTransport({ url: `http://127.0.0.1:${port}/v3/${key}` });
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'NETWORK' });
    server.close();
  });

  test('a fetch whose error quotes the URL', async () => {
    const transport = createTransport({
      url: `https://example.invalid/v3/${key}`,
      fetch: async (url) => {
        throw new TypeError(`request to ${url} failed`, { cause: { url } });
      },
    });
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'NETWORK' });
  });
});

describe('time', () => {
  test('a server that says nothing', async () => {
    const transport = await against(() => {}, { timeout: 60 });
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'TIMEOUT' });
  });

  test('a server that drips', async () => {
    const transport = await against(
      (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(' '), 10);
        response.on('close', () => clearInterval(timer));
      },
      { timeout: 120 },
    );
    const start = performance.now();
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'TIMEOUT' });
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('a fetch that does not heed its signal', async () => {
    const transport = createTransport({
      url: 'https://example.invalid',
      fetch: () => new Promise(() => {}),
      timeout: 30,
    });
    expect(await failure(transport.call('m', []))).toMatchObject({ code: 'TIMEOUT' });
  });

  test("ends with the caller's signal, before and during the call", async () => {
    let requests = 0;
    const transport = await against(() => {
      requests += 1;
    });
    const reason = new Error('enough');
    const early = AbortSignal.abort(reason);
    await expect(transport.call('m', [], { signal: early })).rejects.toBe(reason);
    expect(requests).toBe(0);
    const controller = new AbortController();
    const call = transport.call('m', [], { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 30);
    await expect(call).rejects.toBe(reason);
  });
});

test('options that a polluted prototype lends are not read', async () => {
  const answer = '{"jsonrpc":"2.0","id":1,"result":"yes"}';
  const headers = { 'content-type': 'application/json' };
  // The platform's own reads what is lent.
  const fetch = async () => new Response(answer, { headers });
  const options = { url: 'http://127.0.0.1:9', fetch };
  const transport = createTransport(options);
  const lent = { accept: 'application/json', timeout: 'never', maxBytes: 1 };
  Object.assign(Object.prototype, lent);
  try {
    expect(await transport.call('m', [])).toBe('yes');
    expect(await createTransport(options).call('m', [], {})).toBe('yes');
  } finally {
    for (const name of Object.keys(lent)) Reflect.deleteProperty(Object.prototype, name);
  }
});

describe('wrong options', () => {
  const user = /"url" expected no user or password/;
  test.each<[string, Partial<TransportOptions>, ErrorConstructor, RegExp]>([
    ['no URL', { url: 'nonsense' }, TypeError, /"url" expected a URL/],
    ['another protocol', { url: 'file:///etc/passwd' }, TypeError, /http: or https:/],
    ['a password in the URL', { url: `https://:${key}@example.invalid` }, TypeError, user],
    ['a user in the URL', { url: `https://${key}@example.invalid` }, TypeError, user],
    ['a time-out of zero', { timeout: 0 }, RangeError, /"timeout" expected/],
    ['a time-out that a timer cannot hold', { timeout: 2 ** 31 }, RangeError, /"timeout" expected/],
    ['a byte and a half', { maxBytes: 1.5 }, RangeError, /"maxBytes" expected/],
  ])('%s', (_, options, type, message) => {
    const make = () => createTransport({ url: 'https://example.invalid', ...options });
    expect(make).toThrow(type);
    expect(make).toThrow(message);
    expect(make).not.toThrow(key);
  });
});
