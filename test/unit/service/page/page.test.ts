/** The explorer, served over real sockets: its files as they were built, their headers, and requests that no reader sends. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDecoder, createService } from '../../../../src/service/index.js';
import { manifest, pageFolder, pageNames } from '../../../support/page.js';
import { ask, type Served, serveWorld, world } from '../../../support/service.js';

const key = 'a-key-of-somebody';
const settings = {
  network: 'sepolia',
  l1: ['https://l1.example/v1/KEY', 'http://localhost:8545'],
  proofs: '/v3/KEY',
  data: { url: '/', key: 'a key', chain: 'l2' },
  fork: 'prague',
} as const;

let served: Served;
let open: Served;
beforeAll(async () => {
  served = await serveWorld({ page: settings, keys: [key] });
  open = await serveWorld({ page: {} });
});
afterAll(() => Promise.all([served.close(), open.close()]));

const read = (name: string) => readFileSync(join(pageFolder, name));

interface Raw {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Sends bytes as they are, and takes what comes back until the server ends the connection. */
async function sendRaw(head: string, { url } = served): Promise<Raw> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(head, 'latin1');
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  await new Promise((resolve) => {
    socket.once('close', resolve);
  });
  const all = Buffer.concat(parts);
  const at = all.indexOf('\r\n\r\n');
  const [first = '', ...lines] = all.toString('latin1', 0, at).split('\r\n');
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':');
    return [name.toLowerCase(), value.join(':').trim()];
  });
  const status = Number(first.split(' ')[1]);
  return { status, headers: Object.fromEntries(headers), body: all.subarray(at + 4) };
}

const get = (target: string, more: readonly string[] = [], { method = 'GET', host = 'x' } = {}) =>
  sendRaw(
    [`${method} ${target} HTTP/1.1`, `host: ${host}`, 'connection: close', ...more, '', ''].join(
      '\r\n',
    ),
  );

const assets = () => pageNames().filter((name) => name.startsWith('assets/'));
const script = () => assets().find((name) => /index-.*\.js$/.test(name)) as string;

const mediaTypes: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
};

describe('each file of the page', () => {
  test('is sent as it was built, with its type, and without a key', async () => {
    const names = pageNames();
    expect(names).toEqual(expect.arrayContaining(['index.html', 'files.json', script()]));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const { status, headers, body } = await get(`/${name}`);
      expect([name, status]).toEqual([name, 200]);
      expect(body.equals(read(name)), name).toBe(true);
      expect(headers['content-type']).toBe(mediaTypes[name.split('.').at(-1) as string]);
      expect(headers['content-length']).toBe(String(body.length));
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['cache-control']).toBe(
        name.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      );
    }
    for (const [name, hash] of Object.entries(manifest())) {
      expect(createHash('sha256').update(read(name)).digest('hex')).toBe(hash);
    }
    const { body } = await get('/');
    expect(body.equals(read('index.html'))).toBe(true);
  });

  test('is shorter by gzip for those who take it, and the same', async () => {
    const path = `/${script()}`;
    const whole = read(script());
    for (const taken of ['gzip', 'br, GZIP;q=0.5', 'deflate,gzip ; q = 1.000']) {
      const { headers, body } = await get(path, [`accept-encoding: ${taken}`]);
      expect([taken, headers['content-encoding']]).toEqual([taken, 'gzip']);
      expect(headers.vary).toBe('accept-encoding');
      expect(body.length).toBeLessThan(whole.length / 2);
      expect(headers['content-length']).toBe(String(body.length));
      expect(gunzipSync(body).equals(whole)).toBe(true);
    }
    for (const refused of ['gzip;q=0', 'gzip ; Q=0.000', 'br', 'xgzip', 'identity', '', ',;=,']) {
      const { headers, body } = await get(path, [`accept-encoding: ${refused}`]);
      expect([refused, headers['content-encoding']]).toEqual([refused, undefined]);
      expect(headers.vary).toBe('accept-encoding');
      expect(body.equals(whole)).toBe(true);
    }
  });

  test('forbids other scripts, frames, guesses of its type and referrers', async () => {
    const [, meta] = /Policy"\s+content="([^"]+)"/.exec(read('index.html').toString()) ?? [];
    expect(meta).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; /);
    const guarded = ['/', '/page.json', ...pageNames().map((name) => `/${name}`)];
    for (const path of guarded) {
      const { headers } = await get(path);
      expect(headers).toMatchObject({
        'content-security-policy': `${meta}; frame-ancestors 'none'`,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      });
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test('is not sent again to those who have it', async () => {
    for (const path of ['/', '/page.json', '/files.json', `/${script()}`]) {
      const { headers } = await get(path);
      const { etag, vary, 'cache-control': cache } = headers as Record<string, string>;
      expect(etag).toMatch(/^W\/"[\da-f]{64}"$/);
      for (const known of [etag, `"x", ${etag}`, `${etag},W/"y"`]) {
        const again = await get(path, [`if-none-match: ${known}`, 'accept-encoding: gzip']);
        expect([path, again.status, again.body.length]).toEqual([path, 304, 0]);
        expect(again.headers).toMatchObject({ etag, vary, 'cache-control': cache });
        expect(again.headers['content-security-policy']).toContain('frame-ancestors');
      }
      for (const other of [
        '',
        '*x',
        '"',
        `${etag}x`,
        ','.repeat(5000),
        'W/"',
        '\u00ff',
        etag?.slice(2),
      ]) {
        const whole = await get(path, [`if-none-match: ${other}`]);
        expect([path, other, whole.status]).toEqual([path, other, 200]);
      }
    }
  });

  test('has the same headers for HEAD, and no body', async () => {
    for (const path of ['/', '/page.json', `/${script()}`]) {
      for (const more of [[], ['accept-encoding: gzip']]) {
        const whole = await get(path, more);
        const head = await get(path, more, { method: 'HEAD' });
        expect([head.status, head.body.length]).toEqual([200, 0]);
        const { date: _, ...headers } = whole.headers;
        expect(head.headers).toMatchObject(headers);
      }
      const etag = (await get(path)).headers.etag;
      const known = await get(path, [`if-none-match: ${etag}`], { method: 'HEAD' });
      expect(known.status).toBe(304);
    }
  });
});

test('the settings are published as they are, to everyone', async () => {
  const { status, headers, body } = await get('/page.json');
  expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  expect(headers['cache-control']).toBe('no-cache');
  expect(JSON.parse(body.toString())).toEqual(settings);
  const empty = await fetch(`${open.url}/page.json`);
  expect(await empty.json()).toEqual({});
});

describe('a request that no reader sends', () => {
  const paths = [
    ...['/..%2f', '/..%2fpackage.json', '/%2e%2e/package.json', '/assets/../../package.json'],
    ...['/assets/..%2f..%2f..%2fpackage.json', '/assets/..\\..\\package.json', '/assets/.', '/..'],
    ...['//', '//index.html', '///', '/./', '/assets', '/assets/', '/assets//', '//assets/'],
    ...[
      '/%00',
      '/index.html%00',
      '/index.html%00.js',
      '/assets/%00',
      '/%69ndex.html',
      '/Index.html',
    ],
    ...['/assets/__proto__', '/assets/constructor', '/__proto__', '/constructor', '/toString'],
    ...['/package.json', '/assets/package.json', '/etc/passwd', '/dist/page/index.html', '/index'],
    ...['/index.html/', '/index.html/x', '/page.json/', '/files.json.gz', '/cli/main.js', '/*'],
    ...[
      'http://x',
      'http:///',
      'https://x/assets/',
      'file:///etc/passwd',
      '*',
      'x',
      `/${'a'.repeat(8000)}`,
    ],
  ];

  test('finds nothing outside of the list of files', async () => {
    const texts = ['index.html', 'files.json'].map((name) => read(name).toString());
    for (const path of paths) {
      const { status, body } = await get(path);
      // A URL without a path is that of the page.
      const isRoot = path === 'http://x';
      expect([path, status]).toEqual([path, isRoot ? 200 : expect.any(Number)]);
      if (isRoot) continue;
      expect([path, status >= 400 && status < 500]).toEqual([path, true]);
      expect([path, texts.includes(body.toString())]).toEqual([path, false]);
      expect(body.toString()).not.toMatch(/l2proof@|"version"|root:/);
    }
    // Encoded or not, a question asks for the file in front of it.
    for (const path of ['/?x', '/index.html?../../package.json', '/?/v3/']) {
      const { status, body } = await get(path);
      expect([path, status, body.equals(read('index.html'))]).toEqual([path, 200, true]);
    }
  });

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])(
    'by %s is refused',
    async (method) => {
      for (const path of ['/', '/page.json', '/files.json', `/${script()}`]) {
        const { status, headers, body } = await get(path, ['content-length: 0'], { method });
        expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD']);
        expect(JSON.parse(body.toString())).toEqual({ error: 'expected GET' });
      }
    },
  );

  test('gets an answer all the same, if only its headers are odd', async () => {
    const index = read('index.html');
    const odd = [
      ...['range: bytes=0-3', 'range: bytes=5-2, x', 'if-range: "x"', 'if-match: "x"'],
      ...[
        `accept-encoding: ${'a,'.repeat(6000)}`,
        `accept-encoding: ${';q=0,'.repeat(2000)}gzip;q=0`,
      ],
      ...['accept: image/png', 'if-modified-since: x', 'origin: https://evil.example'],
      ...['content-type: application/json', 'x-forwarded-host: evil.example', 'cookie: a=b'],
    ];
    for (const line of odd) {
      const { status, body } = await get('/', [line]);
      expect([line.slice(0, 40), status, body.equals(index)]).toEqual([
        line.slice(0, 40),
        200,
        true,
      ]);
    }
    // Longer than a head may be.
    const { status } = await get('/', [`accept-encoding: ${'gzip,'.repeat(20_000)}`]);
    expect(status).toBe(431);
    expect((await get('/')).status).toBe(200);
  });

  test('of HTTP/1.0, without a host, is answered', async () => {
    for (const { url } of [served, open]) {
      const { status, body } = await sendRaw('GET / HTTP/1.0\r\n\r\n', { url } as Served);
      expect([status, body.equals(read('index.html'))]).toEqual([200, true]);
    }
  });
});

test('a page whose name was pointed here reads nothing of a server without keys', async () => {
  const port = new URL(open.url).port;
  for (const path of ['/', '/page.json', '/files.json', `/${script()}`]) {
    for (const host of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example']) {
      const head = `GET ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`;
      expect((await sendRaw(head, open)).status).toBe(403);
    }
    const head = `GET ${path} HTTP/1.1\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`;
    expect((await sendRaw(head, open)).status).toBe(200);
  }
});

test('nothing else of the service changes', async () => {
  const plain = await serveWorld({ keys: [key] });
  try {
    const { contract } = world;
    const paths = ['/health', '/v3', '/v3/x', '/v1/', '/api/', '/openapi.json', '/metrics', '/x'];
    for (const path of paths) {
      const [a, b] = await Promise.all([served, plain].map(({ url }) => fetch(url + path)));
      expect([path, a?.status, await a?.text()]).toEqual([path, b?.status, await b?.text()]);
    }
    const [a, b] = await Promise.all(
      [served, plain].map((one) => one.post(ask([contract, [], 'latest']))),
    );
    expect(a?.body).toEqual(b?.body);
    expect(a?.status).toBe(200);
    for (const path of ['/', '/index.html', '/page.json', '/files.json', `/${script()}`]) {
      expect((await fetch(plain.url + path)).status).toBe(404);
    }
  } finally {
    await plain.close();
  }
});

test('it is there without a server, and without proofs', async () => {
  const decoder = await createDecoder({ chains: [{ name: 'l2', url: 'http://127.0.0.1:1' }] });
  const service = await createService({ decoder, page: settings });
  const page = await service.fetch(new Request('http://localhost/'));
  expect(await page.text()).toBe(read('index.html').toString());
  expect((await service.fetch(new Request('http://localhost/v1/'))).status).toBe(404);
  const { headers } = await service.fetch(new Request('http://localhost/openapi.json'));
  expect(headers.get('content-security-policy')).toBeNull();
  await decoder.close();
});
