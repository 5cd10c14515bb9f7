/** The part of `fetch` that transports use, beside the platform's: real servers, honest and not. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { nodeFetch } from '../../../../src/cli/flags/nodeFetch.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { startHttp } from '../../../support/http.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = await startHttp(answer);
  cleanups.push(() => server.close());
  return server.url;
}

const answer = (result: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
const long = 'x'.repeat(300_000);

test.each<[string, (request: IncomingMessage, response: ServerResponse) => unknown]>([
  ['an answer', (_, response) => response.end(answer('0x1'))],
  ['a long answer', (_, response) => response.end(answer(long))],
  [
    'a compressed answer',
    (_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync(answer(long)));
    },
  ],
  [
    'an answer that says that it is compressed',
    (_, response) => {
      response.setHeader('content-encoding', 'gzip');
      response.end(answer(long));
    },
  ],
  ['no body', (_, response) => response.end()],
  [
    'a redirect, which is not followed',
    (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  ],
  [
    'a server that is busy',
    (_, response) => response.writeHead(429, { 'retry-after': '7' }).end('later'),
  ],
  [
    'an answer that is cut off',
    (_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{"jsonrpc"', () => response.destroy());
    },
  ],
  [
    'a compressed answer that is cut off',
    (_, response) => {
      const bytes = gzipSync(answer('some text that is worth compressing'));
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(bytes.subarray(0, bytes.length - 9));
    },
  ],
  ['a connection that ends', ({ socket }) => socket.destroy()],
  ['what is no HTTP', ({ socket }) => socket.end('hello\r\n\r\n')],
])('%s is read as the platform reads it', async (_, handler) => {
  const url = await serve(handler);
  const outcomeOf = async (fetch: typeof globalThis.fetch | undefined) => {
    const transport = createTransport({ url, ...(fetch && { fetch }), maxBytes: 2 ** 20 });
    return transport.call('m', []).then(
      (result) => ({ result }),
      ({ code, status, retryAfter }) => ({ code, status, retryAfter }),
    );
  };
  expect(await outcomeOf(nodeFetch)).toEqual(await outcomeOf(undefined));
});

test('the question arrives whole, with the headers', async () => {
  const seen: unknown[] = [];
  const url = await serve(async (request, response) => {
    const { method, headers, url: path } = request;
    let text = '';
    for await (const chunk of request) text += chunk;
    seen.push({ method, path, text, key: headers['x-key'], length: headers['content-length'] });
    response.end(answer('0x1'));
  });
  const headers = { 'x-key': 'secret' };
  const transport = createTransport({ url: `${url}/v3/key?a=b`, fetch: nodeFetch, headers });
  expect(await transport.call('m', [long])).toBe('0x1');
  const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'm', params: [long] });
  const length = String(text.length);
  expect(seen).toEqual([{ method: 'POST', path: '/v3/key?a=b', text, key: 'secret', length }]);
});

test('a server that sends without end is read no further than it may', async () => {
  const url = await serve((_, response) => {
    const more = () => {
      while (response.write('x'.repeat(65536)) && !response.destroyed);
    };
    response.on('drain', more);
    more();
  });
  const transport = createTransport({ url, fetch: nodeFetch, maxBytes: 1000 });
  await expect(transport.call('m', [])).rejects.toMatchObject({ code: 'TOO_LARGE' });
});

test('nobody there, a signal and a deadline end a question', async () => {
  const url = await serve(() => {});
  const transport = createTransport({ url, fetch: nodeFetch, timeout: 200 });
  await expect(transport.call('m', [])).rejects.toMatchObject({ code: 'TIMEOUT' });
  const aborter = new AbortController();
  const asked = transport.call('m', [], { signal: aborter.signal });
  aborter.abort('enough');
  await expect(asked).rejects.toBe('enough');
  const nobody = createTransport({ url: 'http://127.0.0.1:1', fetch: nodeFetch });
  await expect(nobody.call('m', [])).rejects.toThrow(/ECONNREFUSED/);
});
