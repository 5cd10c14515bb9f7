/** What is refused before it is routed: paths with dots, the names of other machines, and too many headers. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { isMisleading } from '../../../../src/service/http/target.js';
import { createMetrics } from '../../../../src/service/index.js';
import { ask, type Served, serveWorld, world } from '../../../support/service.js';

let served: Served | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends a target as it is written: fetch would resolve its dots. */
async function send(port: number, path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const request = httpRequest({ host: '127.0.0.1', port, path, method, headers, agent: false });
  request.end(body);
  const [response] = await once(request, 'response');
  return { status: response.statusCode as number, text: await textOf(response) };
}

const good = JSON.stringify(ask([world.wallet, [], 'latest']));
const key = 'a-key-of-somebody';

describe('a target in which a proxy may see another path is not found', () => {
  test.each([
    '/v3/../metrics',
    '/v3/./../metrics',
    '/v3/%2e%2e/metrics',
    '/v3/%2E%2E/metrics',
    '/v3/.%2e/metrics',
    '/v3/%2e./metrics',
    '/v3/..%2fmetrics',
    '/v3/%2e%2e%2Fmetrics',
    '/v3/..\\metrics',
    '/v3/%2e%2e%5cmetrics',
    '/v3/./a-key-of-somebody',
    '/v3/%2e/a-key-of-somebody',
    '/./metrics',
    '/metrics/.',
    '/metrics/x/..',
    '/metrics/x/..?y',
    'http://127.0.0.1/v3/../metrics',
    'http://127.0.0.1/v3/%2e%2e/metrics',
    // A proxy may take what comes behind the third slash for the path; as a URL, it has the host `v3`.
    'http:///v3/metrics',
    'HTTP:///v3/metrics',
    'https:////v3/metrics',
    'http://?/v3/../metrics',
    '*',
    '/%6detrics',
    '/%6Detrics?x',
    '/metric%73/',
    '/%763/a-key-of-somebody',
    'http://127.0.0.1/%6detrics',
  ])('%s', async (path) => {
    served = await serveWorld({ keys: [key], metrics: await createMetrics() });
    const { port } = served.server;
    expect((await send(port, path)).status).toBe(404);
    const posted = await send(port, path, { method: 'POST', body: good });
    expect(posted).toEqual({ status: 404, text: '{"error":"not found"}' });
  });

  test('and nothing else is', async () => {
    served = await serveWorld({ keys: [key], metrics: await createMetrics() });
    const { port } = served.server;
    expect((await send(port, '/metrics')).status).toBe(200);
    expect((await send(port, '/metrics?x=/../y')).status).toBe(200);
    expect((await send(port, `/v3/${key}`, { method: 'POST', body: good })).status).toBe(200);
    // A key may have dots in it; another host's name in the path is no route.
    for (const path of ['/v3/..a', '/v3/.a.', '/v3/a..', '/v3/...']) {
      expect(isMisleading(path)).toBe(false);
      expect((await send(port, path, { method: 'POST', body: good })).status).toBe(401);
    }
    for (const host of ['localhost', '127.0.0.1:8645', '[::1]', 'l2.example']) {
      const posted = { method: 'POST', body: good };
      expect((await send(port, `http://${host}/v3/${key}`, posted)).status).toBe(200);
    }
    const doubled = await send(port, `//v3/v3/${key}`, { method: 'POST', body: good });
    expect(doubled.status).toBe(404);
  });
});

// The parser of Node refuses these today.
test.each([
  '/v3/.\t./metrics',
  '/v3/%2e\n%2e/metrics',
  'http://\t/v3/metrics',
  'ht\ttp:///v3/metrics',
])('what URLs drop hides nothing: %j', (target) => {
  expect(isMisleading(target)).toBe(true);
});

describe('without keys', () => {
  const post = (port: number, host: string) =>
    send(port, '/v3/any', { method: 'POST', body: good, headers: { host } });

  test('a name of this machine is answered', async () => {
    served = await serveWorld({ metrics: await createMetrics() });
    const { port } = served.server;
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      expect((await post(port, host)).status).toBe(200);
      expect((await send(port, '/metrics', { headers: { host } })).status).toBe(200);
    }
  });

  test.each(['evil.example', '127.0.0.1.evil.example', 'localhost.evil.example:80'])(
    'a page of %s, a name that was pointed here, is not',
    async (host) => {
      served = await serveWorld({ metrics: await createMetrics() });
      const { port } = served.server;
      const { status, text } = await post(port, host);
      expect(status).toBe(403);
      expect(JSON.parse(text).error.message).toMatch(/^the Host header names another machine/);
      for (const path of ['/v3/any', '/metrics', '/ready', '/health', '/v3/', '/nothing']) {
        expect((await send(port, path, { headers: { host } })).status, path).toBe(403);
      }
    },
  );

  test('a name in the target goes before the header', async () => {
    served = await serveWorld({ metrics: await createMetrics() });
    const { port } = served.server;
    const headers = { host: 'localhost' };
    const posted = { method: 'POST', body: good, headers };
    for (const path of ['/v3/any', '/metrics', '/health']) {
      expect((await send(port, `http://evil.example${path}`, { headers })).status).toBe(403);
      expect((await send(port, `http://localhost@evil.example${path}`, posted)).status).toBe(403);
      expect((await send(port, `http://localhost${path}`, { headers })).status).not.toBe(403);
    }
    expect((await send(port, 'http://localhost/v3/any', posted)).status).toBe(200);
  });

  test('with keys, any name is answered', async () => {
    served = await serveWorld({ keys: [key] });
    const { port } = served.server;
    const headers = { host: 'l2.example' };
    const { status } = await send(port, `/v3/${key}`, { method: 'POST', body: good, headers });
    expect(status).toBe(200);
  });
});

test('too many headers are refused, not dropped: 431', async () => {
  served = await serveWorld({});
  const { port } = served.server;
  const withHeaders = async (count: number) => {
    const socket = connect(port, '127.0.0.1');
    const lines = Array.from({ length: count }, (_, i) => `a${i}:b\r\n`).join('');
    socket.write(`GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${lines}\r\n`);
    return (await textOf(socket)).split('\r\n', 1)[0];
  };
  expect(await withHeaders(150)).toBe('HTTP/1.1 200 OK');
  expect(await withHeaders(198)).toBe('HTTP/1.1 200 OK');
  expect(await withHeaders(199)).toBe('HTTP/1.1 431 Request Header Fields Too Large');
  expect(await withHeaders(2000)).toBe('HTTP/1.1 431 Request Header Fields Too Large');
});
