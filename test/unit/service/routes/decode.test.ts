/** What clients may send to the decoder, hostile ones too: every fault is told, in one form, and costs little. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMetrics, createService } from '../../../../src/service/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { send } from '../../../support/contracts/contract.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { type ServedDecoder, serveDecoder } from '../../../support/decoder.js';
import { patience } from '../../../support/runs.js';
import { openWorld, world } from '../../../support/service.js';

const path = '/api/v1/tx/decode';
let node: Anvil;
let served: ServedDecoder;
let hash: string;
beforeAll(async () => {
  node = await startAnvil();
  const gold = await deployErc20(node);
  hash = (await send(node, gold.call('mint', accounts[0], 5n))).transactionHash;
  served = await serveDecoder(node.url);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const asked = (tx_hash: unknown, chain_name: unknown = 'anvil') => ({ chain_name, tx_hash });
const chainFault = 'chain_name is incorrect.';
const missing = 'tx_hash is required.';
const malformed = 'tx_hash must be 0x and 64 hex digits.';

describe('the body', () => {
  test.each<[string, unknown, string]>([
    ['nothing', '', 'the body is no JSON.'],
    ['half an object', '{"chain_name":', 'the body is no JSON.'],
    ['JSON that nests without end', '['.repeat(60_000), 'the body has too many values.'],
    ['JSON that nests as long as it is read', '['.repeat(900), 'the body is no JSON.'],
    ['null', 'null', 'the body must be an object.'],
    ['a list', [asked(hash)], 'the body must be an object.'],
    ['an empty object', {}, `${chainFault} ${missing}`],
    ['an unknown chain', asked(`0x${'12'.repeat(32)}`, 'ethereum'), chainFault],
    ['a chain by its number', asked(`0x${'12'.repeat(32)}`, 31337), chainFault],
    ['a chain that every object has', asked(`0x${'12'.repeat(32)}`, '__proto__'), chainFault],
    ['a padded chain', asked(`0x${'12'.repeat(32)}`, ' anvil'), chainFault],
    ['a hash that is empty', asked(''), missing],
    ['a hash that is a number', asked(7), missing],
    ['a hash that is a list', asked([`0x${'12'.repeat(32)}`]), missing],
    ['a hash too short', asked('0x1234'), malformed],
    ['a hash too long', asked(`0x${'12'.repeat(33)}`), malformed],
    ['a hash without 0x', asked('12'.repeat(32)), malformed],
    ['a hash with 0X', asked(`0X${'12'.repeat(32)}`), malformed],
    ['a padded hash', asked(` 0x${'12'.repeat(32)}`), malformed],
    ['a hash with a line behind it', asked(`0x${'12'.repeat(32)}\n`), malformed],
    ['a hash of other digits', asked(`0x${'１２'.repeat(32)}`), malformed],
    [
      'members of a prototype',
      `{"__proto__":${JSON.stringify(asked(`0x${'12'.repeat(32)}`))}}`,
      `${chainFault} ${missing}`,
    ],
  ])('%s is refused', async (_, body, message) => {
    const reply = await served.post(body);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ success: false, name: 'Validation Error', message });
  });

  test('a hash in upper case is the same', async () => {
    const { status, body } = await served.decode(`0x${hash.slice(2).toUpperCase()}`);
    expect({ status, hash: body.tx_metadata.tx_hash }).toEqual({ status: 200, hash });
  });

  test('members beside those are not looked at', async () => {
    expect((await served.post({ ...asked(hash), network: 7, extra: [] })).status).toBe(200);
  });

  test('one of 10 MB is not read', async () => {
    const large = JSON.stringify({ ...asked(hash), extra: 'x'.repeat(10_000_000) });
    // The server may close the connection before all of it is sent.
    const reply = await served.post(large).catch(() => undefined);
    if (reply) {
      expect(reply).toMatchObject({ status: 413, body: { success: false } });
    }
    const stated = await rawRequest('content-length: 10000000\r\n\r\n{');
    expect(stated).toMatch(/^HTTP\/1\.1 413 /);
    expect((await served.decode(hash)).status).toBe(200);
  });

  test('one that never comes ends in time', async () => {
    const hurried = await serveDecoder(node.url, {}, { limits: { time: 300 } });
    const reply = await rawRequest('content-length: 99\r\n\r\n{', hurried.server.port);
    expect(reply).toMatch(/^HTTP\/1\.1 408 /);
    expect(reply).toContain('"success":false');
    await hurried.close();
  });
});

/** Sends the end of a request's head, and what is behind it. @returns all that comes back */
function rawRequest(rest: string, port = served.server.port): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`POST ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${rest}`);
    });
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

describe('the query', () => {
  test.each([
    ['?raw_logs=yes', 'raw_logs must be true or false.'],
    ['?raw_logs=TRUE', 'raw_logs must be true or false.'],
    ['?raw_logs', 'raw_logs must be true or false.'],
    ['?raw_logs=true&raw_logs=true', 'raw_logs is given more than once.'],
    ['?unknown=1', 'unknown must be true or false.'],
    ['?min_usd=-1', 'min_usd must be a number from 0.'],
    ['?min_usd=1e3', 'min_usd must be a number from 0.'],
    ['?min_usd=NaN', 'min_usd must be a number from 0.'],
    ['?min_usd=', 'min_usd must be a number from 0.'],
    [
      '?min_usd=x&raw_logs=x&unknown=x',
      'raw_logs must be true or false. unknown must be true or false. min_usd must be a number from 0.',
    ],
  ])('%s is refused before the body is looked at', async (query, message) => {
    const reply = await served.post('{', path + query);
    expect(reply.status).toBe(400);
    expect(reply.body).toEqual({ success: false, name: 'Validation Error', message });
  });

  test('others are not looked at', async () => {
    const { status } = await served.decode(hash, '?raw_logs=false&unknown=false&min_usd=0.5&x=1');
    expect(status).toBe(200);
  });
});

describe('routes', () => {
  test.each([
    ['GET', path],
    ['PUT', path],
    ['POST', '/api/v1/tx'],
    ['POST', '/api/v2/tx/decode'],
    ['GET', '/api'],
  ])('%s %s is not a route', async (method, route) => {
    const response = await fetch(served.url + route, { method });
    expect(response.status).toBe(404);
    const body = await response.json();
    if (route !== '/api') expect(body).toEqual({ success: false, message: 'Not Found' });
  });

  test('the health of the decoder', async () => {
    const before = Date.now();
    const response = await fetch(`${served.url}/api/v1/healthcheck`);
    const body = await response.json();
    expect(response.status).toBe(200);
    expect(body).toEqual({
      success: true,
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      uptime: expect.any(Number),
    });
    expect(Date.parse(body.timestamp)).toBeGreaterThanOrEqual(before - 1);
    expect(body.uptime).toBeGreaterThan(0);
  });

  test('without a tree there are no proofs, and the service is ready', async () => {
    const proofs = await served.post({}, '/v3/some-key');
    expect(proofs).toMatchObject({ status: 404, body: { error: 'not found' } });
    const ready = await fetch(`${served.url}/ready`);
    expect({ status: ready.status, body: await ready.json() }).toEqual({
      status: 200,
      body: { ready: true },
    });
  });

  test('with a tree there are both', async () => {
    const tree = await openWorld();
    const finality = async () => world.finality;
    const both = await serveDecoder(node.url, {}, { tree, finality });
    const params = [world.wallet, [], 'latest'];
    const call = { jsonrpc: '2.0', id: 1, method: 'l2_getProof', params };
    expect((await both.post(call, '/v3/some-key')).body.result.accountProof).toBeDefined();
    expect((await both.decode(hash)).status).toBe(200);
    await both.close();
    await tree.close();
  });

  test('half of what proofs need is refused', async () => {
    const tree = await openWorld();
    for (const options of [{}, { tree }, { finality: async () => 1 }]) {
      await expect(createService(options)).rejects.toThrow(TypeError);
    }
    await expect(createService({ decoder: {} as never })).rejects.toThrow(/createDecoder/);
    await tree.close();
  });

  test('pages of the origins that are named may ask', async () => {
    const origin = 'https://app.example';
    const open = await serveDecoder(node.url, {}, { cors: [origin] });
    const preflight = await fetch(open.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type,x-goldrush-api-key',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('x-goldrush-api-key');
    const stranger = await open.post(asked(hash), path, { origin: 'https://other.example' });
    expect(stranger.headers.get('access-control-allow-origin')).toBeNull();
    await open.close();
  });
});

describe('keys', () => {
  const keys = ['first-secret-key', 'second-secret-key'];
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  let locked: ServedDecoder;
  beforeAll(async () => {
    locked = await serveDecoder(node.url, {}, { keys });
  });
  afterAll(() => locked.close());

  test.each([
    { 'x-goldrush-api-key': keys[0] },
    { 'x-covalent-api-key': keys[1] },
    { authorization: `Bearer ${keys[0]}` },
    { authorization: `bearer ${keys[1]}` },
    { authorization: basic(`${keys[0]}:`) },
    { authorization: basic(`${keys[0]}:whatever`) },
  ] as Record<string, string>[])('%o lets in', async (headers) => {
    expect((await locked.post(asked(hash), path, headers)).status).toBe(200);
  });

  test.each<[Record<string, string>, string]>([
    [{}, 'x-goldrush-api-key is required'],
    [{ authorization: 'Digest x' }, 'x-goldrush-api-key is required'],
    [{ authorization: 'Basic !' }, 'x-goldrush-api-key is required'],
    [{ authorization: basic(`:${keys[0]}`) }, 'x-goldrush-api-key is required'],
    [{ 'x-goldrush-api-key': 'first-secret-kez' }, 'the API key is unknown'],
    [{ authorization: 'Bearer first-secret-key-' }, 'the API key is unknown'],
    [{ 'x-goldrush-api-key': 'x'.repeat(8000) }, 'the API key is unknown'],
  ])('%o does not', async (headers, message) => {
    const reply = await locked.post('{', path, headers);
    expect(reply.status).toBe(401);
    expect(reply.body).toEqual({ success: false, message });
    expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('none in the query, and none is shown', async () => {
    expect((await locked.post(asked(hash), `${path}?key=${keys[0]}`)).status).toBe(401);
    const wrong = await locked.post(asked(hash), path, { 'x-goldrush-api-key': 'some-wrong-key' });
    expect(JSON.stringify(wrong.body)).not.toContain('wrong-key');
  });
});

describe('limits', () => {
  test('a rate: 429 with the time to wait', async () => {
    const slow = await serveDecoder(node.url, {}, { limits: { requestsPerSecond: 3 } });
    // Each costs one for itself and one for its log.
    const replies = await Promise.all(Array.from({ length: 12 }, () => slow.decode(hash)));
    const refused = replies.filter(({ status }) => status === 429);
    expect(replies.some(({ status }) => status === 200)).toBe(true);
    expect(refused.length).toBeGreaterThan(0);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ success: false, message: expect.stringMatching(/per second/) });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    await slow.close();
  });

  test('requests at once: the others are shed', async () => {
    const narrow = await serveDecoder(node.url, {}, { limits: { concurrent: 1 } });
    const hashes = Array.from({ length: 20 }, (_, i) => `0x${String(i).padStart(64, '0')}`);
    const replies = await Promise.all(hashes.map((one) => narrow.decode(one)));
    const shed = replies.filter(({ status }) => status === 503);
    expect(replies.some(({ status }) => status === 404)).toBe(true);
    expect(shed.length).toBeGreaterThan(0);
    for (const { body, headers } of shed) {
      expect(body).toMatchObject({ success: false });
      expect(headers.get('retry-after')).toBe('1');
    }
    await narrow.close();
  });

  test('metrics count, and a line is logged for each request, without hash or key', async () => {
    const lines: object[] = [];
    const write = (fields: object) => lines.push(fields);
    const log = { info: write, warn: write, error: write };
    const metrics = await createMetrics();
    const key = 'first-secret-key';
    const counted = await serveDecoder(node.url, {}, { log, metrics, keys: [key] });
    const headers = { 'x-goldrush-api-key': key };
    await counted.post(asked(hash), path, headers);
    await counted.post(asked('0x'), path, headers);
    expect(lines).toMatchObject([
      { status: 200, key: 1, chain: 'anvil', logs: 1 },
      { status: 400, key: 1 },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(new RegExp(`${key}|${hash}`));
    const { text } = await metrics.read();
    expect(text).toMatch(/l2proof_requests_total\{status="200",code="0"\} 1/);
    expect(text).toMatch(/l2proof_requests_total\{status="400",code="0"\} 1/);
    await counted.close();
  });

  test('wrong keys are counted, and told of when the service ends', async () => {
    const lines: string[] = [];
    const write = (fields: object, text: string) => lines.push(`${text} ${JSON.stringify(fields)}`);
    const log = { info: write, warn: write, error: write };
    const guessed = await serveDecoder(node.url, {}, { log, keys: ['first-secret-key'] });
    for (let i = 0; i < 3; i++) expect((await guessed.post(asked(hash))).status).toBe(401);
    expect(lines).toHaveLength(1);
    await guessed.close();
    expect(lines.slice(1)).toEqual(['more requests with wrong keys {"count":2}']);
  });
});
