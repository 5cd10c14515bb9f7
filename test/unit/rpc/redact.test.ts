/** Secrets of requests stay out of errors, whatever a server makes of them. The servers are real ones that repeat. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createDataClient, type DataError } from '../../../src/data/index.js';
import { createProofClient, createTransport, type RpcError } from '../../../src/rpc/index.js';
import { createRedact, leftOut, redactKeys } from '../../../src/rpc/redact.js';

let server: Server | undefined;
afterEach(async () => {
  const old = server;
  server = undefined;
  if (old) await new Promise((done) => old.close(done));
});

/** Serves answers. @returns the origin */
async function serve(answer: (request: IncomingMessage, id: number) => [number, string, object?]) {
  const listening = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const [status, body, headers = {}] = answer(request, text === '' ? 0 : JSON.parse(text).id);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
  });
  server = listening;
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

/** All that a log or a JSON of an error could show. */
function shownOf(error: object): string {
  const own = Object.fromEntries(
    Object.getOwnPropertyNames(error).map((name) => [name, Reflect.get(error, name)]),
  );
  return `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(own)} ${String(error)}`;
}

const rpcError = (id: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message } });

/** What a transport's error shows if the server says a text. */
async function saying(
  text: string,
  { path = '/', headers = {} }: { path?: string; headers?: Record<string, string> },
) {
  const origin = await serve((_, id) => [200, rpcError(id, text)]);
  const transport = createTransport({ url: `${origin}${path}`, headers });
  const error = (await transport.call('m', []).catch((failure) => failure)) as RpcError;
  expect(error).toMatchObject({ name: 'RpcError', code: 'SERVER_ERROR' });
  return { error, shown: shownOf(error) };
}

const b64 = (text: string) => Buffer.from(text).toString('base64');
const pair = b64('alice:pa55w0rd!');

/** What is sent, what the server says, and what must not be shown. */
const rows: [string, { path?: string; headers?: Record<string, string> }, string, string[]][] = [
  [
    'a bearer token',
    { headers: { Authorization: 'Bearer tok-12345' } },
    'unknown token tok-12345 in "Bearer tok-12345"',
    ['tok-12345'],
  ],
  ['x-api-key', { headers: { 'x-api-key': 'Zm9vYmFy' } }, 'key Zm9vYmFy!', ['Zm9vYmFy']],
  ['any header', { headers: { 'X-Team': 'red;sid=s3cr3t-9' } }, 'sid s3cr3t-9', ['s3cr3t-9']],
  [
    'a user and password',
    { headers: { authorization: `Basic ${pair}` } },
    `no user alice with pa55w0rd! (${pair}, ${pair.replace(/=+$/, '')}, alice:pa55w0rd!)`,
    ['alice', 'pa55w0rd', pair, pair.replace(/=+$/, '')],
  ],
  [
    'a key as base64',
    { headers: { 'x-api-key': 'key-9876' } },
    b64('key-9876:'),
    [b64('key-9876:')],
  ],
  ['a query value', { path: '/?key=abc%2Bd%2fe' }, 'no abc+d/e, abc%2bd%2Fe', ['abc+d', 'abc%2']],
  [
    'a query value with a plus',
    { path: '/?key=abc+def' },
    'no "abc def" abc+def',
    ['abc+', 'abc def'],
  ],
  ['a query of a key alone', { path: '/?abcdefgh' }, 'no abcdefgh', ['abcdefgh']],
  ['a path part', { path: '/v2/k3y5' }, 'no project k3y5: /v2/k3y5', ['k3y5']],
  ['a part of a part', { path: '/p;key=k3y55/x' }, 'no project k3y55', ['k3y55']],
  ['an encoded path part', { path: '/k%c3%a9y-1234' }, 'K%C3%A9Y-1234 kéy-1234', ['1234']],
  ['one encoded twice', { path: '/ab%2Bcd' }, 'no ab%252bcd', ['ab', 'cd']],
  ['one with each digit encoded', { path: '/abcd' }, 'no %61%62%63%64', ['%61']],
  ['one escaped', { path: '/abcd' }, 'no \\u0061bcd', ['0061']],
  ['one for HTML', { path: '/?key=a%26bcd' }, 'no a&amp;bcd', ['bcd']],
  ['one in other case', { path: '/AbCdEf' }, 'no abcdef or ABCDEF', ['abcdef', 'ABCDEF']],
  ['a short path part', { path: '/v2/k7' }, 'no project k7', ['k7']],
  ['a short query value', { path: '/?key=q9z' }, 'no key=q9z, keyq9z', ['q9z']],
  ['a short header value', { headers: { 'x-api-key': 'Z9' } }, 'no Z9', ['Z9']],
  ['a short password', { headers: { authorization: `Basic ${b64('bob:p7')}` } }, 'no p7', ['p7']],
  ['a letter', { path: '/?key=Q' }, 'no key Q', ['Q']],
  ['a short one, encoded', { path: '/?key=a%2B' }, 'no a%252b', ['a%25']],
  [
    'one that a cut would halve',
    { path: '/s3cret-s3cret' },
    `${'x'.repeat(295)}s3cret-s3cret`,
    ['s3c'],
  ],
  ['many', { path: '/s3cret-s3cret' }, 's3cret-s3cret'.repeat(2000), ['s3c']],
  ['a short path part in a word', { path: '/v2/k7q' }, 'no projectk7qx', ['k7q']],
  ['two letters of a path in a word', { path: '/zq/' }, 'no xzqx', ['zq']],
  ['a key behind a word', { path: '/key-k7q/' }, 'no k7q here, ak7qb', ['k7q']],
  ['a longer key behind a word', { path: '/team_s3cret.json' }, 'no s3cret', ['s3cret']],
  ['a short key between encoded signs', { path: '/a%3Ak7q%2F' }, 'no k7q', ['k7q']],
  ['two digits', { path: '/v1/77' }, 'no 177', ['77']],
  [
    'a member of JSON in a header of any name',
    { headers: { 'x-whatever': '{"team":"red1","token":"s3cr3t-9"}' } },
    'unknown token s3cr3t-9 of red1',
    ['s3cr3t-9', 'red1'],
  ],
  [
    'a quoted member of a header',
    { headers: { 'x-sig': 'keyId="k-4567", sig="abcd1234=="' } },
    'no k-4567, abcd1234==',
    ['k-4567', 'abcd1234'],
  ],
  [
    'pairs of a header',
    { headers: { cookie: 'sid:s3cr3t-9|other=t0k3n' } },
    'no s3cr3t-9 or t0k3n',
    ['s3cr3t-9', 't0k3n'],
  ],
  [
    'a key in the URL of a header',
    { headers: { referer: 'https://x.example/?key=s3cr3t-9&a=1' } },
    'no s3cr3t-9',
    ['s3cr3t-9'],
  ],
  ['one with signs of patterns', { path: '/?key=(a%2B)%2B$[x]' }, 'no (a+)+$[x]', ['a+', '[x]']],
];

describe('a transport', () => {
  test.each(rows)('does not show %s', async (_, sent, text, secrets) => {
    const { shown } = await saying(text, sent);
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });

  test.each([
    ['/', 'missing trie node'],
    ['/v2/abcdefgh', 'the method does not exist'],
    ['/v3/0123456789abcdef0123456789abcdef', 'execution reverted: 100% of %zz, v30 \\o/ &amp;'],
    ['/?key=abcdefgh&n=5', 'query returned more than 10000 results'],
    ['/rpc', 'too many requests; try again in 15 s'],
    ['/api/v3/eth/l2', 'the method v30_capital is not available, even behind httpethl2x'],
  ])('shows what an honest server at %s says', async (path, text) => {
    const headers = { authorization: 'Bearer abcdefghijk', 'user-agent': 'l2proof' };
    expect((await saying(text, { path, headers })).error.serverMessage).toBe(text);
  });

  test('takes out the secret alone, and leaves out the text if that is not possible', async () => {
    const sent = { path: '/abcdefgh/k7' };
    expect((await saying('no project abcdefgh here', sent)).error.serverMessage).toBe(
      'no project *** here',
    );
    await new Promise((done) => server?.close(done));
    const { error } = await saying('no project k7 here', sent);
    expect(error.serverMessage).toBe(leftOut);
    expect(error.message).toBe(`m: -32000 ${leftOut} (SERVER_ERROR)`);
  });

  test.each<[string, number, boolean]>([
    ['/4815162342', 4815162342, false],
    ['/4815162342', -4815162342, false],
    ['/?key=77', 77, false],
    ['/v2/481', 5481, false],
    ['/4815162342', -32000, true],
    ['/32005', -32005, true],
    ['/?key=3', 3, true],
    ['/v2/481', 1234, true],
  ])('of %s shows the code %s: %s', async (path, code, isShown) => {
    const origin = await serve((_, id) => [
      ...([429, JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: 'no' } })] as const),
      { 'retry-after': String(Math.abs(code)) },
    ]);
    const transport = createTransport({ url: `${origin}${path}` });
    const error = (await transport.call('m', []).catch((failure) => failure)) as RpcError;
    expect(error.serverCode).toBe(isShown ? code : undefined);
    expect(error.message).toBe(`m: ${isShown ? `${code} ` : ''}no (SERVER_ERROR)`);
    if (!isShown && code !== 77) expect(shownOf(error)).not.toContain(path.slice(-3));
  });

  test.each([
    ['77', 77, undefined],
    ['60', 60, 60],
    ['481', 482, 482],
  ])('of the key %s shows the wait %s as %s', async (key, seconds, shown) => {
    const headers = { 'retry-after': String(seconds) };
    const origin = await serve((_, id) => [429, rpcError(id, 'busy'), headers]);
    const transport = createTransport({ url: `${origin}/${key}` });
    const error = (await transport.call('m', []).catch((failure) => failure)) as RpcError;
    expect(error).toMatchObject({ code: 'SERVER_ERROR', status: 429 });
    expect(error.retryAfter).toBe(shown);
  });

  test('keeps what the server meant if another puts it into other words', async () => {
    const origin = await serve((_, id) => [200, rpcError(id, 'missing trie node k7')]);
    const transport = createTransport({ url: `${origin}/k7` });
    const named = {
      call: (...request: Parameters<typeof transport.call>) =>
        transport.call(...request).catch((error) => {
          throw error.restate(`--l2: ${error.reason}`);
        }),
    };
    const asked = createProofClient({ transport: named, method: 'm' }).getProof({
      ...{ address: `0x${'11'.repeat(20)}`, block: 1 },
    });
    await expect(asked).rejects.toMatchObject({ code: 'BLOCK_NOT_HELD', serverMessage: leftOut });
  });

  test('shows nothing of bodies and redirects', async () => {
    const key = 'abcd-efgh';
    for (const status of [301, 302, 307, 400, 401, 500, 200]) {
      const headers = { location: `https://example.org/${key}`, 'www-authenticate': key };
      const origin = await serve(() => [status, `<p>${key}</p>`, headers]);
      const transport = createTransport({ url: `${origin}/${key}`, headers: { 'x-api-key': key } });
      const error = (await transport.call('m', []).catch((failure) => failure)) as RpcError;
      expect(error).toMatchObject({ name: 'RpcError' });
      expect(shownOf(error)).not.toContain(key);
      await new Promise((done) => server?.close(done));
    }
  });

  test('shows nothing of what a fetch throws', async () => {
    const fetch = async () => {
      throw Object.assign(new Error('ABCD_1234'), { code: 'ABCD_1234' });
    };
    const transport = createTransport({ url: 'http://127.0.0.1:1/ABCD_1234', fetch });
    const error = await transport.call('m', []).catch((failure) => failure);
    expect(error).toMatchObject({ code: 'NETWORK', message: 'm: the request failed (NETWORK)' });
  });

  test.each(['BLOCK_MISSING_IN_CHAIN - block k7 is missing', 'missing trie node k7'])(
    'knows what a server means, though its words are not shown: %s',
    async (message) => {
      const origin = await serve((_, id) => [
        200,
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32600, message } }),
      ]);
      const transport = createTransport({ url: `${origin}/k7` });
      const client = createProofClient({ transport, method: 'm' });
      const address = `0x${'11'.repeat(20)}` as const;
      const error = (await client
        .getProof({ address, block: 1 })
        .catch((failure) => failure)) as RpcError;
      expect(error).toMatchObject({ code: 'BLOCK_NOT_HELD', serverMessage: leftOut });
      expect(shownOf(error)).not.toMatch(/k7|MISSING_IN|trie/);
    },
  );
});

describe('a data client', () => {
  const failing = async (body: object, path = '', key = 'data-key', status = 403) => {
    const origin = await serve(() => [status, JSON.stringify(body)]);
    const client = createDataClient({ url: `${origin}${path}`, key });
    return client.get('/v1/chains/').catch((failure) => failure);
  };

  test.each([
    ['the key', '', 'data-key', 'no data-key', 'data-key'],
    ['the key in base64', '', 'data-key', `no ${b64('data-key:')}`, b64('data-key:')],
    ['the key, encoded', '', 'data&key', 'no data%26key', 'data%26'],
    ['a short key', '', 'k9', 'no k9', 'k9'],
    ['the path', '/p4th', 'data-key', 'no p4th', 'p4th'],
  ])('does not show %s', async (_, path, key, message, secret) => {
    const error = (await failing({ error: true, error_message: message }, path, key)) as DataError;
    expect(error).toMatchObject({ name: 'DataError', code: 'UNAUTHORIZED' });
    expect(shownOf(error)).not.toContain(secret);
  });

  test('shows what an honest server says', async () => {
    const body = { error: true, error_message: 'unknown chain', error_code: 'NO_CHAIN' };
    expect(await failing(body)).toMatchObject({
      ...{ serverMessage: 'unknown chain', serverCode: 'NO_CHAIN' },
    });
  });

  test('shows no key as a code, nor as the name of a member', async () => {
    const error = (await failing({
      error: true,
      error_message: 'no',
      error_code: 'data-key',
    })) as DataError;
    expect(error.serverCode).toBeUndefined();
    expect(shownOf(error)).not.toContain('data-key');
    await new Promise((done) => server?.close(done));
    const z = await import('zod');
    const body = JSON.stringify({ error: false, data: { 'data-key': 1 } });
    const origin = await serve(() => [200, body]);
    const client = createDataClient({ url: origin, key: 'data-key' });
    const schema = z.record(z.string(), z.string());
    const wrong = await client.get('/v1/chains/', {}, schema).catch((failure) => failure);
    expect(wrong).toMatchObject({ code: 'BAD_ANSWER' });
    expect(shownOf(wrong)).not.toContain('data-key');
  });
});

test('what is no text of a URL or of base64 does no harm', () => {
  const url = new URL('http://127.0.0.1/%zz/%/?%zz=%ff');
  const redact = createRedact({ url, headers: { a: '', b: '\ud800abc', authorization: 'Basic' } });
  expect(redact('an honest text')).toBe('an honest text');
  expect(redact('&#1114112; &#x110000; %ff \\ud800')).not.toContain('undefined');
  const none = createRedact({ url: new URL('http://127.0.0.1') });
  expect(none('any text & more')).toBe('any text & more');
  expect(none('x'.repeat(20_000)).length).toBeGreaterThan(300);
});

// As a pattern, as arguments of a call, and as what base64 is made of.
test.each([60_000, 200_000, 1_000_000])('secrets of %s characters: nothing is shown', (length) => {
  const secret = 'k3y'.repeat(length / 3);
  const bare = new URL('http://127.0.0.1');
  for (const redact of [
    createRedact({ url: new URL(`/${secret}`, bare) }),
    createRedact({ url: new URL(`/?${'k3y&'.repeat(length / 4)}${secret}`, bare) }),
    createRedact({ url: bare, headers: { authorization: `Bearer ${secret}` } }),
    createRedact({ url: bare, key: secret }),
    redactKeys([secret]),
  ])
    expect(redact('an honest text')).toBe(leftOut);
});

test('secrets that no pattern can hold are looked at once, however many texts there are', () => {
  const redact = redactKeys(['k3y'.repeat(70_000)]);
  const encode = vi.spyOn(TextEncoder.prototype, 'encode');
  const texts = Array.from({ length: 60 }, (_, i) => redact(`text ${i}`));
  expect(encode).toHaveBeenCalledTimes(1);
  encode.mockRestore();
  expect(texts).toEqual(new Array(60).fill(leftOut));
});

test('entities of HTML, quoted parts of a header, and a key in the name of the host', () => {
  const redactOf = (url: string, headers = {}) => createRedact({ url: new URL(url), headers });
  const entity = redactOf(`https://a.test/${encodeURIComponent('k"<key>5&6')}`)(
    'no k&quot;&lt;key&gt;5&amp;6',
  );
  expect(entity).not.toContain('key&gt;5');
  const headers = { 'x-signature': 'keyid="ident1fier",sig="s1gnature"' };
  expect(redactOf('https://a.test/', headers)('no ident1fier, s1gnature')).toBe('no ***, ***');
  const host = redactOf('https://0123456789abcdef0123.quick.test/');
  expect(host('no 0123456789ABCDEF0123.quick.test')).toBe('no ***.quick.test');
  expect(host('quick test')).toBe('quick test');
});
