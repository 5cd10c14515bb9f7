/** The client of the data interface and the decoder, before servers of all kinds. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import {
  createDataClient,
  type DataClientOptions,
  DataError,
  type DecodeRequest,
} from '../../../src/data/index.js';
import { startHttp, type TestServer } from '../../support/http.js';

const txHash = `0x${'ab'.repeat(32)}` as const;
const key = 'a-very-secret-key';

interface Seen {
  readonly request: IncomingMessage;
  readonly body: string;
}

let server: TestServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Serves answers in turn, the last one again and again. */
async function serve(
  answers: readonly ((response: ServerResponse) => void)[],
  options: Partial<DataClientOptions> = {},
) {
  const seen: Seen[] = [];
  server = await startHttp(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const answer = answers[Math.min(seen.length, answers.length - 1)];
    seen.push({ request, body });
    answer?.(response);
  });
  const { url } = server;
  return { seen, url, client: createDataClient({ url, key, chain: 'l2-mainnet', ...options }) };
}

const json =
  (body: unknown, status = 200, headers = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const envelope = (data: unknown) =>
  json({ data, error: false, error_message: null, error_code: null });

/** The sample of the partner's page, in short, as an older decoder sends it. */
const sample = {
  success: true,
  events: [
    {
      action: 'Transferred',
      category: 'Token',
      name: 'Transfer',
      protocol: { logo: 'https://logos.example/t.png', name: 'Token' },
      details: [{ heading: 'From', value: '0x01', type: 'address' }],
      tokens: [
        {
          decimals: 18,
          heading: 'Token Amount',
          pretty_quote: '$0.00',
          ticker_logo: null,
          ticker_symbol: null,
          value: '1000',
          another: 7,
        },
      ],
      nfts: null,
    },
    { action: null, category: 'Others', name: null, protocol: null, details: [] },
  ],
  tx_metadata: {
    tx_hash: txHash,
    block_height: 5,
    gas_spent: 21_000,
    explorers: [{ label: null, url: 'https://explorer.example/tx/0xab' }],
    new_member: { deep: true },
  },
};

const caught = (promise: Promise<unknown>): Promise<DataError> =>
  promise.then(
    () => expect.fail('it did not throw'),
    (error) => error,
  );

describe('decodeTransaction', () => {
  test('asks as the interface has it', async () => {
    const { seen, client } = await serve([json(sample)]);
    await client.decodeTransaction({
      txHash: txHash.toUpperCase().replace('0X', '0x') as `0x${string}`,
    });
    await client.decodeTransaction({
      ...{ chainName: 'other', txHash, rawLogs: true, unknown: true, minUsd: 1.5 },
    });
    const [plain, full] = seen as [Seen, Seen];
    expect([plain.request.method, plain.request.url]).toEqual(['POST', '/api/v1/tx/decode']);
    expect(plain.request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-goldrush-api-key': key,
      authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    });
    expect(JSON.parse(plain.body)).toEqual({ chain_name: 'l2-mainnet', tx_hash: txHash });
    expect(full.request.url).toBe('/api/v1/tx/decode?raw_logs=true&unknown=true&min_usd=1.5');
    expect(JSON.parse(full.body)).toEqual({ chain_name: 'other', tx_hash: txHash });
  });

  test('keeps what it does not know, and takes null for anything of an event', async () => {
    const { client } = await serve([json({ ...sample, more: 1 })]);
    const { events, txMetadata } = await client.decodeTransaction({ txHash });
    expect(events).toEqual(sample.events);
    expect(txMetadata).toEqual(sample.tx_metadata);
  });

  test('finds the explorers in either place, the outer one first', async () => {
    const inner = sample.tx_metadata.explorers;
    const outer = [{ label: 'Outer', url: 'https://outer.example' }];
    const { explorers: _, ...bare } = sample.tx_metadata;
    const bodies = [
      sample,
      { ...sample, explorers: outer },
      { ...sample, explorers: null },
      { ...sample, tx_metadata: bare },
    ];
    const { client } = await serve(bodies.map((body) => json(body)));
    const found: unknown[] = [];
    for (const _ of bodies) found.push((await client.decodeTransaction({ txHash })).explorers);
    expect(found).toEqual([inner, outer, inner, []]);
  });

  test.each<[string, unknown, RegExp]>([
    ['a list', [], /the answer does not have the required format/],
    ['no success', { events: [] }, /"success"/],
    ['success that is text', { ...sample, success: 'true' }, /"success"/],
    ['invalid events', { ...sample, events: {} }, /"events"/],
    ['an event that is text', { ...sample, events: ['Transfer'] }, /"events\.0"/],
    [
      'a value that is a number',
      { ...sample, events: [{ tokens: [{ value: 7 }] }] },
      /tokens\.0\.value/,
    ],
    ['no metadata', { ...sample, tx_metadata: null }, /"tx_metadata"/],
    ['an explorer without URL', { ...sample, explorers: [{ label: 'x' }] }, /explorers\.0/],
    [
      'another transaction',
      { ...sample, tx_metadata: { ...sample.tx_metadata, tx_hash: `0x${'00'.repeat(32)}` } },
      /another transaction/,
    ],
  ])('an answer with %s is refused', async (_, body, words) => {
    const { client } = await serve([json(body)]);
    const error = await caught(client.decodeTransaction({ txHash }));
    expect(error).toBeInstanceOf(DataError);
    expect(error).toMatchObject({ code: 'BAD_ANSWER', status: 200 });
    expect(error.message).toMatch(words);
  });

  test.each([
    [400, { name: 'Validation Error', message: 'chain_name is incorrect.' }, 'INVALID_REQUEST'],
    [401, { success: false, message: 'x-goldrush-api-key is required' }, 'UNAUTHORIZED'],
    [404, { success: false, message: 'Not Found' }, 'NOT_FOUND'],
    [500, { success: false, message: 'Internal Server Error' }, 'SERVER_ERROR'],
    [200, { success: false, message: 'Server Error: no' }, 'SERVER_ERROR'],
  ])('an error with status %i has its code and its words', async (status, body, code) => {
    const { client, seen } = await serve([json(body, status)]);
    const error = await caught(client.decodeTransaction({ txHash }));
    expect(error).toMatchObject({ code, status, serverMessage: body.message });
    expect(seen).toHaveLength(1);
  });

  test('a wrong question is not sent', async () => {
    const { seen, client } = await serve([json(sample)]);
    const wrong: [unknown, RegExp][] = [
      [{ txHash: '0x12' }, /"txHash"/],
      [{ txHash: 7 }, /"txHash"/],
      [{ txHash, chainName: '' }, /"chainName"/],
      [{ txHash, minUsd: -1 }, /"minUsd"/],
      [null, /"request"/],
    ];
    for (const [request, words] of wrong) {
      await expect(client.decodeTransaction(request as DecodeRequest)).rejects.toThrow(words);
    }
    expect(seen).toEqual([]);
  });
});

describe('get', () => {
  const path = '/v1/l2-mainnet/block_v2/latest/';

  test('asks with a query, and gives the data as they are', async () => {
    const data = { items: [{ height: 5, x: null }] };
    const { seen, client } = await serve([envelope(data)], { auth: 'bearer' });
    expect(await client.get(path, { 'page-size': 5, 'no-spam': true, none: undefined })).toEqual(
      data,
    );
    const [{ request, body }] = seen as [Seen];
    expect([request.method, request.url, body]).toEqual([
      'GET',
      `${path}?page-size=5&no-spam=true`,
      '',
    ]);
    expect(request.headers).toMatchObject({ authorization: `Bearer ${key}` });
    expect(request.headers['content-type']).toBe('application/json');
    expect(request.headers).not.toHaveProperty('x-goldrush-api-key');
  });

  test('reads them by a schema, of zod and of zod/mini', async () => {
    const { client } = await serve([envelope({ height: 5 })]);
    const { height } = await client.get(path, {}, z.object({ height: z.number() }));
    expect(height).toBe(5);
    expect(await client.get(path, {}, mini.object({ height: mini.number() }))).toEqual({
      height: 5,
    });
    const error = await caught(client.get(path, {}, z.object({ height: z.string() })));
    expect(error).toMatchObject({ code: 'BAD_ANSWER' });
    expect(error.message).toContain('"height" of the answer');
  });

  test.each<[string, number, object, string, unknown]>([
    ['a number', 200, { error_code: 404 }, 'NOT_FOUND', 404],
    ['a text', 401, { error_code: '401' }, 'UNAUTHORIZED', '401'],
    ['a text under status 200', 200, { error_code: '406' }, 'INVALID_REQUEST', '406'],
    ['none', 200, { error_code: null }, 'SERVER_ERROR', undefined],
    ['an object', 200, { error_code: {} }, 'SERVER_ERROR', undefined],
    ['507', 507, { error_code: 507 }, 'SERVER_ERROR', 507],
    ['402', 402, { error_code: 402 }, 'UNAUTHORIZED', 402],
  ])('an error code that is %s', async (_, status, code, expected, serverCode) => {
    const body = { data: null, error: true, error_message: 'No.', ...code };
    const { client } = await serve([json(body, status)]);
    const error = await caught(client.get(path));
    expect(error).toMatchObject({ code: expected, status, serverCode, serverMessage: 'No.' });
  });

  test('an invalid envelope is refused', async () => {
    const { client } = await serve([json({ data: 7 }), json('7'), json('{')]);
    const codes: string[] = [];
    for (let i = 0; i < 3; i++) codes.push((await caught(client.get(path))).code);
    expect(codes).toEqual(['BAD_ANSWER', 'BAD_ANSWER', 'NOT_JSON']);
  });

  test.each([
    '',
    'v1/x',
    '//evil.example/x',
    '/v1/../x',
    '/v1/%2e%2E/x',
    '/v1/?a=b',
    '/v1/#x',
    '/v1/ x',
    '/v1//x',
  ])('no request goes to %j', async (wrong) => {
    const { seen, client } = await serve([envelope(7)]);
    await expect(client.get(wrong)).rejects.toThrow(/"path"/);
    expect(seen).toEqual([]);
  });
});

describe('trouble on the way', () => {
  const path = '/v1/x/';

  test('429 is asked again after the time that the server says', async () => {
    const busy = json({ error: true, error_code: 429 }, 429, { 'retry-after': '1' });
    const { seen, client } = await serve([busy, envelope('there')]);
    const start = performance.now();
    expect(await client.get(path)).toBe('there');
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
    expect(seen).toHaveLength(2);
  });

  test('if it says more than a minute, the caller is told', async () => {
    const { seen, client } = await serve([json('{}', 429, { 'retry-after': '61' })]);
    const error = await caught(client.get(path));
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfter: 61 });
    expect(seen).toHaveLength(1);
  });

  test('a server that is away for a moment is asked again, but not for ever', async () => {
    const { seen, client } = await serve([json('<html>', 502), json('', 503), envelope(1)]);
    expect(await client.get(path)).toBe(1);
    expect(seen).toHaveLength(3);
    await server?.close();
    const ill = await serve([json('<html>', 504)]);
    const error = await caught(ill.client.get(path));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', status: 504 });
    expect(ill.seen).toHaveLength(4);
  });

  test('a connection that breaks off is asked again', async () => {
    const { seen, client } = await serve([(response) => response.destroy(), envelope(1)]);
    expect(await client.get(path)).toBe(1);
    expect(seen).toHaveLength(2);
  });

  test('an answer takes no longer, and is no longer, than allowed', async () => {
    const { client } = await serve([() => {}], { timeout: 100 });
    expect(await caught(client.get(path))).toMatchObject({ code: 'TIMEOUT' });
    // A fetch that ends by itself once its time is over says no more than ours.
    const heeding: typeof fetch = (_, init) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new Error('the fetch was aborted')));
      });
    const other = createDataClient({ url: 'http://127.0.0.1:1', fetch: heeding, timeout: 20 });
    expect(await caught(other.get(path))).toMatchObject({
      code: 'TIMEOUT',
      message: expect.stringContaining('no answer in 20 ms'),
    });
    await server?.close();
    const large = await serve([envelope('x'.repeat(2000))], { maxBytes: 1000 });
    expect(await caught(large.client.get(path))).toMatchObject({ code: 'TOO_LARGE' });
  });

  test('a signal ends it: before, on the way, and between two tries', async () => {
    const { seen, client } = await serve([json('', 503, { 'retry-after': '50' })]);
    const over = AbortSignal.abort(new Error('enough'));
    await expect(client.get(path, {}, undefined, { signal: over })).rejects.toThrow('enough');
    expect(seen).toEqual([]);
    const controller = new AbortController();
    const waiting = client.decodeTransaction({ txHash, signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough now')), 100);
    await expect(waiting).rejects.toThrow('enough now');
    await server?.close();
    const silent = await serve([() => {}]);
    const later = new AbortController();
    const asking = silent.client.get(path, {}, undefined, { signal: later.signal });
    setTimeout(() => later.abort(new Error('enough too')), 100);
    await expect(asking).rejects.toThrow('enough too');
  });

  test('a redirect is not followed, so that the key goes nowhere else', async () => {
    const { seen, client, url } = await serve([
      (response) => response.writeHead(302, { location: '/v1/elsewhere/' }).end(),
    ]);
    const error = await caught(client.get(path));
    expect(error).toMatchObject({ code: 'SERVER_ERROR', status: 302 });
    expect(seen).toHaveLength(1);
    expect(error.message).not.toContain(url);
  });

  test('neither key nor URL is in a message, though the server repeats them', async () => {
    const credentials = Buffer.from(`${key}:`).toString('base64');
    const text = `key ${key}, header ${credentials}`;
    const { client, url } = await serve([json({ error: true, error_message: text }, 403)]);
    const error = await caught(client.get(path));
    expect(error.serverMessage).toBe('key ***, header ***');
    expect(error.message).not.toMatch(new RegExp(`${key}|${credentials}|${url}`));
    await server?.close();
    const away = await caught(client.get(path));
    expect(away).toMatchObject({ code: 'NETWORK' });
    expect(`${away.message} ${away.stack} ${away.cause}`).not.toContain(url.slice(7));
  });
});

test('wrong options are refused, and the key is not shown', () => {
  const url = 'http://127.0.0.1:1';
  const wrong: [unknown, RegExp][] = [
    [{}, /"url"/],
    [{ url: `http://user:${key}@127.0.0.1` }, /"url"/],
    [{ url: `http://127.0.0.1/?key=${key}` }, /"url"/],
    [{ url: 'ftp://127.0.0.1' }, /"url"/],
    [{ url, key: `${key}\n` }, /"key"/],
    [{ url, key: `${key}:x` }, /"key"/],
    [{ url, key: 7 }, /"key"/],
    [{ url, key, auth: 'digest' }, /"auth"/],
    [{ url, timeout: 0 }, /"timeout"/],
    [{ url, maxBytes: -1 }, /"maxBytes"/],
  ];
  for (const [options, words] of wrong) {
    expect(() => createDataClient(options as DataClientOptions)).toThrow(words);
    try {
      createDataClient(options as DataClientOptions);
    } catch (error) {
      expect((error as Error).message).not.toContain(key);
    }
  }
});
