/** Fetching from hostile servers: nothing private is asked for, and nothing takes longer or more than its bounds. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createFetchDocument } from '../../../../src/service/documents/fetchDocument.js';
import {
  type DocumentHosts,
  publicAddress,
  startDocumentHosts,
} from '../../../support/documentHosts.js';
import { patience } from '../../../support/runs.js';

const opened: DocumentHosts[] = [];
afterEach(async () => {
  for (const hosts of opened.splice(0)) await hosts.close();
});

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

/** @param answers by path */
async function serve(
  answers: Readonly<Record<string, Answer>>,
  names: Readonly<Record<string, readonly string[]>> = {},
) {
  const hosts = await startDocumentHosts((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer) answer(response, request);
    else response.writeHead(404).end('{}');
  }, names);
  opened.push(hosts);
  const fetch = createFetchDocument({ ...hosts, allowsHttp: true });
  const get = async (url: string, signal = new AbortController().signal) =>
    new TextDecoder().decode(await fetch(url, signal));
  return { hosts, get };
}

const json: Answer = (response) => response.end('{"name":"one"}');
const to =
  (location: string, status = 302): Answer =>
  (response) =>
    response.writeHead(status, { location }).end();

test('a document comes from the address that was checked, and the server learns nothing of us', async () => {
  const { hosts, get } = await serve({ '/a?b=c': json }, { 'nft.example': ['1.2.3.4'] });
  expect(await get('http://nft.example/a?b=c#d')).toBe('{"name":"one"}');
  expect(hosts.resolved).toEqual(['nft.example']);
  expect(hosts.connected).toEqual([{ address: '1.2.3.4', port: 80, servername: undefined }]);
  expect(hosts.asked).toEqual([
    'GET /a?b=c host nft.example accept application/json accept-encoding gzip, br Connection close',
  ]);
});

test('an address in place of a name is not resolved', async () => {
  const { hosts, get } = await serve({ '/': json });
  await get('http://1.2.3.4:443/');
  await get('http://[2606:4700::1]/');
  expect(hosts.resolved).toEqual([]);
  expect(hosts.connected.map(({ address, port }) => [address, port])).toEqual([
    ['1.2.3.4', 443],
    ['2606:4700::1', 80],
  ]);
});

describe('no server is asked', () => {
  test.each([
    'https://u:p@nft.example/',
    'https://user@nft.example/',
    'https://nft.example:8443/',
    'https://nft.example:22/',
    'ftp://nft.example/',
    'file:///etc/passwd',
    'ipfs://bafy/1',
    'gopher://127.0.0.1/',
    'nft.example/a',
    '',
    `https://nft.example/${'a'.repeat(2000)}`,
    // Every form of loopback and of a cloud's own interface that URLs have.
    ...['http://127.0.0.1/', 'http://127.1/', 'http://2130706433/', 'http://0x7f000001/'],
    ...['http://0177.0.0.1/', 'http://0/', 'http://[::1]/', 'http://[::ffff:127.0.0.1]/'],
    ...['http://169.254.169.254/', 'http://[fd00:ec2::254]/', 'http://[fe80::1]/'],
    ...['http://[64:ff9b::7f00:1]/', 'http://[2002:7f00:1::]/', 'http://１２７.0.0.1/'],
    ...['http://10.0.0.1/', 'http://192.168.1.1/', 'http://100.64.0.1/', 'http://[ff02::1]/'],
  ])('at %s', async (url) => {
    const { hosts, get } = await serve({ '/': json });
    await expect(get(url)).rejects.toThrow(/URL|port|address/);
    expect([hosts.resolved, hosts.connected]).toEqual([[], []]);
  });

  test.each(['127.0.0.1', '::1', '10.1.2.3', '169.254.169.254', '::ffff:127.0.0.1', 'fd00::1'])(
    'whose name leads to %s',
    async (address) => {
      const { hosts, get } = await serve({ '/': json }, { 'evil.example': [address] });
      await expect(get('http://evil.example/')).rejects.toThrow('no public address');
      expect(hosts.connected).toEqual([]);
    },
  );

  test('at a private address, if the name has a public one too', async () => {
    const names = { 'both.example': ['127.0.0.1', '1.2.3.4', '::1'] };
    const { hosts, get } = await serve({ '/': json }, names);
    await get('http://both.example/');
    expect(hosts.connected.map(({ address }) => address)).toEqual(['1.2.3.4']);
  });

  test('by http: unless that is allowed', async () => {
    const { hosts } = await serve({ '/': json });
    const fetch = createFetchDocument({ ...hosts, allowsHttp: false });
    const { signal } = new AbortController();
    await expect(fetch('http://nft.example/', signal)).rejects.toThrow('no https: URL');
    expect(hosts.connected).toEqual([]);
  });
});

test('https: needs TLS of the name, on its own port', async () => {
  const { hosts, get } = await serve({ '/': json });
  await get('https://nft.example/');
  await get('https://nft.example:80/');
  expect(hosts.connected).toEqual([
    { address: publicAddress, port: 443, servername: 'nft.example' },
    { address: publicAddress, port: 80, servername: 'nft.example' },
  ]);
});

test('the next address is asked if one does not answer', async () => {
  const names = { 'nft.example': ['1.2.3.4', '5.6.7.8'] };
  const { hosts } = await serve({ '/': json }, names);
  const fetch = createFetchDocument({
    ...{ resolve: hosts.resolve, allowsHttp: true },
    connect: async (target, signal) => {
      const socket = await hosts.connect(target, signal);
      if (target.address !== '1.2.3.4') return socket;
      socket.destroy();
      throw new Error('refused');
    },
  });
  const bytes = await fetch('http://nft.example/', new AbortController().signal);
  expect(new TextDecoder().decode(bytes)).toBe('{"name":"one"}');
  expect(hosts.connected.map(({ address }) => address)).toEqual(['1.2.3.4', '5.6.7.8']);
});

describe('a redirect', () => {
  test('is followed three times, and each place is checked', async () => {
    const { hosts, get } = await serve({
      ...{ '/0': to('/1', 301), '/1': to('//b.example/2', 303), '/2': to('../3', 307) },
      ...{ '/3': json, '/many': to('/0', 308) },
    });
    expect(await get('http://a.example/0')).toBe('{"name":"one"}');
    expect(hosts.resolved).toEqual(['a.example', 'a.example', 'b.example', 'b.example']);
    await expect(get('http://a.example/many')).rejects.toThrow('too many redirects');
    expect(hosts.asked).toHaveLength(8);
  });

  test.each([
    ...['http://127.0.0.1/', 'http://169.254.169.254/latest/', 'http://[::1]/', '//10.0.0.1/'],
    ...['http://inner.example/', 'file:///etc/passwd', 'https://a:b@c.example/', '//c.example:81/'],
  ])('to %s is not followed', async (location) => {
    const { hosts, get } = await serve({ '/': to(location) }, { 'inner.example': ['127.0.0.1'] });
    await expect(get('http://a.example/')).rejects.toThrow(/URL|port|address/);
    expect(hosts.connected.map(({ address }) => address)).toEqual([publicAddress]);
  });

  test('to http: is not followed from https: unless that is allowed', async () => {
    const { hosts } = await serve({ '/': to('http://a.example/b'), '/b': json });
    const fetch = createFetchDocument({ ...hosts, allowsHttp: false });
    await expect(fetch('https://a.example/', new AbortController().signal)).rejects.toThrow(
      'no https: URL',
    );
    expect(hosts.connected).toHaveLength(1);
  });

  test('without a place is a failure', async () => {
    const { get } = await serve({ '/': (response) => response.writeHead(302).end() });
    await expect(get('http://a.example/')).rejects.toThrow('status 302');
  });
});

const big = Buffer.from(`{"name":"${'a'.repeat(256 * 1024)}"}`);
const fits = Buffer.from(`{"name":"${'a'.repeat(256 * 1024 - 11)}"}`);

describe('the body', () => {
  const encoded = (encoding: string, bytes: Uint8Array): Answer => {
    return (response) => response.writeHead(200, { 'content-encoding': encoding }).end(bytes);
  };

  test.each<[string, Answer, number]>([
    ['as it is', (response) => response.end(fits), fits.length],
    ['gzip', encoded('gzip', gzipSync(fits)), fits.length],
    ['br', encoded('BR', brotliCompressSync(fits)), fits.length],
    ['identity', encoded('identity', Buffer.from('{}')), 2],
  ])('comes %s', async (_, answer, length) => {
    const { get } = await serve({ '/': answer });
    expect((await get('http://a.example/')).length).toBe(length);
  });

  const endless: Answer = (response) => {
    const write = () => {
      while (response.write(Buffer.alloc(65_536, '['))) if (response.destroyed) return;
    };
    response.on('drain', write);
    write();
  };

  test.each<[string, Answer, RegExp]>([
    ['longer than 256 kB', (response) => response.end(big), /too long/],
    ['endless', endless, /too long/],
    ['a gzip bomb', encoded('gzip', gzipSync(Buffer.alloc(100 << 20))), /larger than 262144/],
    ['a brotli bomb', encoded('br', brotliCompressSync(Buffer.alloc(8 << 20))), /larger than/],
    ['of another encoding', encoded('deflate', deflateSync('{}')), /encoding/],
    ['encoded twice', encoded('gzip, gzip', gzipSync(gzipSync('{}'))), /encoding/],
    ['no gzip', encoded('gzip', Buffer.from('{}')), /header/],
    ['cut', (response) => response.writeHead(200, { 'content-length': '9' }).flushHeaders(), /./],
    ['of status 500', (response) => response.writeHead(500).end('{}'), /status 500/],
    ['partial', (response) => response.writeHead(206).end('{}'), /status 206/],
    ['none', (response) => response.destroy(), /hang up/],
    [
      'behind long headers',
      (response) => response.writeHead(200, { a: 'a'.repeat(9000) }).end('{}'),
      /overflow/i,
    ],
  ])(
    '%s ends it',
    async (name, answer, message) => {
      const { get } = await serve({ '/': answer });
      if (name === 'cut') {
        setTimeout(() => void opened[0]?.close().then(() => opened.splice(0)), 50);
      }
      await expect(get('http://a.example/')).rejects.toThrow(message);
    },
    patience,
  );
});

test(
  'a slow drip ends after five seconds, and those behind it have their turn',
  async () => {
    const drip: Answer = (response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    };
    const silent: Answer = () => {};
    const { hosts, get } = await serve({ '/drip': drip, '/silent': silent, '/': json });
    const began = performance.now();
    const late = ['/drip', '/silent', '/drip', '/silent'].map((path, i) =>
      get(`http://slow${i}.example${path}`).catch((error) => error.message),
    );
    const behind = get('http://a.example/');
    // Four at once: the fifth is not even resolved.
    expect(await Promise.all(late)).toEqual(new Array(4).fill('no document in 5000 ms'));
    expect(await behind).toBe('{"name":"one"}');
    expect(performance.now() - began).toBeGreaterThan(4900);
    expect(hosts.resolved.slice(0, 4)).not.toContain('a.example');
  },
  patience,
);

test('a host is asked ten times a second, whatever the number of its documents', async () => {
  const { hosts, get } = await serve({ '/': json });
  const began = performance.now();
  const times: number[] = [];
  const all = Array.from({ length: 12 }, async () => {
    await get('http://a.example/');
    times.push(performance.now() - began);
  });
  await get('http://b.example/');
  expect(performance.now() - began).toBeGreaterThan(0);
  await Promise.all(all);
  // The twelfth is asked for 1,100 ms after the first.
  expect(Math.max(...times)).toBeGreaterThan(1090);
  expect(hosts.connected).toHaveLength(13);
});

test('a signal ends it at once, also while it waits', async () => {
  const { get } = await serve({ '/': () => {} });
  const controller = new AbortController();
  const waiting = Array.from({ length: 6 }, (_, i) =>
    get(`http://a${i}.example/`, controller.signal).catch((error) => error.message),
  );
  setTimeout(() => controller.abort(new Error('gone')), 50);
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['gone']));
  await expect(get('http://a.example/', AbortSignal.abort(new Error('over')))).rejects.toThrow(
    'over',
  );
});
