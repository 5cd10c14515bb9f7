/** The provider as a JSON-RPC endpoint, asked by the libraries and tools that take a URL. */

import { request as httpRequest } from 'node:http';
import { JsonRpcProvider } from 'ethers';
import { createPublicClient, http } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Hex, mappingSlot, slotKey } from '../../../src/index.js';
import { createProvider, type Provider } from '../../../src/provider/index.js';
import { createProxy, type RunningServer, startServer } from '../../../src/service/index.js';
import type { RpcAnswer } from '../../support/answers.js';
import { type Anvil, accounts, create2, slotInit, startAnvil, word } from '../../support/anvil.js';
import { slots } from '../../support/chain.js';
import { gatewayKey, type Living, openLiving } from '../../support/living.js';
import {
  type Findings,
  readWithEthers,
  readWithViem,
  sendWithEthers,
  sendWithViem,
  type Task,
} from '../../support/programs.js';
import { patience } from '../../support/runs.js';
import { until } from '../../support/until.js';

const owner = accounts[1];
const token = slots(1);
/** None of the accounts that Anvil gives a balance of its own. */
const holder: Hex = `0x${'d1'.repeat(20)}`;
const task: Task = { owner, token, to: `0x${'ee'.repeat(20)}` };

let world: Living;
let provider: Provider;
let server: RunningServer;
let url: string;
let known: Findings;
let newest: Hex;
beforeAll(async () => {
  world = await openLiving();
  await world.l2.mine(create2(1, slotInit), { to: owner, value: 3n }, { to: holder, value: 5n });
  await world.l2.mine({ to: token, data: `${mappingSlot(owner, 0n)}${word(1234)}` });
  newest = `0x${(await world.finalize()).toString(16)}`;
  known = await readWithViem(createPublicClient({ transport: http(world.l2.url) }), task);
  await world.l2.mine({ to: owner, value: 1n });
  provider = createProvider({
    l2: world.transport,
    l1: world.l1Transport,
    network: world.network,
    passthrough: ['send', 'eth_getBlockByNumber'],
  });
  server = await startServer(await createProxy({ provider }));
  url = `http://127.0.0.1:${server.port}`;
}, patience);
afterAll(async () => {
  provider.close();
  await server.stop();
  await world.close();
});
afterEach(() => {
  world.meddle();
  world.requests.length = 0;
});

const json = { 'content-type': 'application/json' };

async function post(body: unknown, headers: Record<string, string> = json) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect(text).not.toMatch(new RegExp(`${gatewayKey}|${world.url}`));
  const { status } = response;
  return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

const call = (id: unknown, method: string, ...params: unknown[]) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

describe('programs find what the node has, and send', () => {
  test('ethers, in batches', async () => {
    const asking = new JsonRpcProvider(url);
    const sizes: number[] = [];
    asking.on('debug', ({ action, payload }) => {
      if (action === 'sendRpcPayload') sizes.push(Array.isArray(payload) ? payload.length : 1);
    });
    expect(await readWithEthers(asking, task)).toEqual(known);
    expect(Math.max(...sizes)).toBeGreaterThan(3);
    // The calls of a batch share what they ask.
    const methods = world.requests.map(({ method }) => method).sort();
    expect(methods).toEqual(['eth_getCode', 'l2_getProof', 'l2_getProof']);
    const hash = await sendWithEthers(asking, task);
    await world.l2.mine();
    expect((await asking.getTransactionReceipt(hash))?.status).toBe(1);
    asking.destroy();
  });

  test('viem', async () => {
    const client = createPublicClient({ transport: http(url) });
    expect(await readWithViem(client, task)).toEqual(known);
    const hash = await sendWithViem(http(url), task);
    await world.l2.mine();
    expect((await client.getTransactionReceipt({ hash })).status).toBe('success');
    // The newest block whose header is proven, though the state is of the one after it.
    const proven = `0x${(BigInt(newest) - 1n).toString(16)}`;
    const logs = await world.l2.call('eth_getLogs', { fromBlock: proven, toBlock: proven });
    expect(await client.request({ method: 'eth_getLogs', params: [{}] })).toEqual(logs);
  });

  test('viem asks once for what could not be verified', async () => {
    world.meddle((method, _params, answer) =>
      method === 'l2_getProof' ? { result: { accountProof: { key: task.to } } } : answer,
    );
    const client = createPublicClient({ transport: http(url) });
    const address: Hex = `0x${'cd'.repeat(20)}`;
    await expect(client.getBalance({ address })).rejects.toMatchObject({
      cause: { code: -31001, data: { reason: 'MALFORMED', legacyCode: -32001 } },
    });
    expect(world.requests.map(({ method }) => method)).toEqual(['l2_getProof']);
  });

  test('so does ethers', async () => {
    world.meddle((method, _params, answer) =>
      method === 'l2_getProof' ? { result: { accountProof: { key: task.to } } } : answer,
    );
    const asking = new JsonRpcProvider(url, undefined, { staticNetwork: true });
    await expect(asking.getBalance(`0x${'ce'.repeat(20)}`)).rejects.toMatchObject({
      error: { code: -31001, data: { reason: 'MALFORMED', legacyCode: -32001 } },
    });
    expect(world.requests.map(({ method }) => method)).toEqual(['l2_getProof']);
    asking.destroy();
  });
});

describe('anvil --fork-url', () => {
  let fork: Anvil;
  beforeAll(async () => {
    fork = await startAnvil('--fork-url', url, '--hardfork', 'prague');
  }, patience);
  afterAll(() => fork.close());

  test('begins at the anchored block, with the proven state', async () => {
    expect(await fork.call('eth_blockNumber')).toBe(newest);
    for (const [method, ...params] of [
      ['eth_getBalance', holder],
      ['eth_getTransactionCount', token],
      ['eth_getCode', token],
      ['eth_getStorageAt', token, mappingSlot(owner, 0n)],
      ['eth_getStorageAt', token, slotKey(0)],
    ]) {
      const expected = await world.l2.call(method as string, ...params, newest);
      expect(await fork.call(method as string, ...params, 'latest'), method).toBe(expected);
    }
    expect(world.requests.map(({ method }) => method)).toContain('l2_getProof');
    expect(world.requests.map(({ method }) => method)).not.toContain('eth_getBalance');
  });

  test('goes on with it', async () => {
    await fork.mine({ to: token, data: `0x${word(3)}${word(33)}` });
    expect(await fork.call('eth_getStorageAt', token, slotKey(3), 'latest')).toBe(slotKey(33));
    expect(await fork.call('eth_getStorageAt', token, slotKey(0), 'latest')).toBe(slotKey(1));
  });
});

describe('the endpoint', () => {
  test('answers batches call by call, in their order', async () => {
    const { status, body } = await post([
      call(1, 'eth_getBalance', owner, 'latest'),
      call('a', 'eth_getBalance', owner, 'pending'),
      { jsonrpc: '2.0', method: 'eth_blockNumber' },
      call(2, 'eth_getWork'),
      7,
      call(3, 'eth_chainId'),
    ]);
    expect(status).toBe(200);
    const balance = await world.l2.call('eth_getBalance', owner, newest);
    expect(body).toEqual([
      { jsonrpc: '2.0', id: 1, result: balance },
      { jsonrpc: '2.0', id: 'a', error: { code: -32602, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 2, error: { code: 4200, message: expect.any(String) } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: 3, result: '0x7a69' },
    ]);
    expect((await post([])).body.error.code).toBe(-32600);
    const many = Array.from({ length: 101 }, (_, id) => call(id, 'eth_chainId'));
    expect((await post(many)).body.error.code).toBe(-32600);
  });

  test('carries out the calls of a batch together', async () => {
    // No answer before all are asked.
    world.meddle(async (_method, _params, answer) => {
      await until(() => world.requests.length === 5, 'all five calls were asked');
      return answer;
    });
    const calls = Array.from({ length: 5 }, (_, i) =>
      call(i, 'eth_getBalance', `0x${`b${i}`.repeat(20)}`, 'latest'),
    );
    const { body } = await post(calls);
    expect(body.map(({ id, result }: RpcAnswer) => [id, result])).toEqual(
      calls.map(({ id }) => [id, '0x0']),
    );
  });

  test('gives the data of a refusal', async () => {
    const { status, body } = await post(call(1, 'eth_getBalance', owner, '0x1'));
    expect(status).toBe(200);
    const data = { reason: 'NOT_PROVABLE', block: 1, legacyCode: -32001 };
    expect(body.error).toMatchObject({ code: -31003, data });
  });

  test('does not show what the provider failed at without meaning to', async () => {
    const failing = await createProxy({
      provider: { request: () => Promise.reject(new Error(`fetch failed: ${world.url}`)) },
    });
    const response = await failing.fetch(
      new Request('http://localhost/', {
        method: 'POST',
        headers: json,
        body: JSON.stringify(call(1, 'x')),
      }),
    );
    expect(await response.json()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'internal error' },
    });
  });

  /** A request with any Host header, which fetch does not let one set. */
  const postTo = (host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const headers = { ...json, host };
      const asking = httpRequest(url, { method: 'POST', headers, setHost: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      asking.once('error', reject);
      asking.end(JSON.stringify(call(1, 'eth_chainId')));
    });

  test('answers only if the Host header names this machine', async () => {
    const { port } = server;
    const own = [
      'localhost',
      '127.0.0.1',
      '[::1]',
      'LOCALHOST',
      `localhost:${port}`,
      '127.0.0.2:1',
    ];
    for (const host of own) expect(await postTo(host), host).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      'localhost.evil.example',
      'evil.example/localhost',
      'evil.example@localhost',
      'localhost@evil.example',
      '127.0.0.1.evil.example',
      '10.0.0.1',
      '[::2]',
      '',
    ]) {
      expect(await postTo(host), host).toBeGreaterThanOrEqual(400);
    }
  });

  test('gives no page of another origin anything', async () => {
    const origin = 'https://app.example';
    const { headers } = await post(call(1, 'eth_chainId'), { ...json, origin });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    // What a page may send without being asked.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', '']) {
      expect((await post(call(1, 'eth_chainId'), { 'content-type': type })).status).toBe(415);
    }
    const open = await createProxy({ provider, cors: [origin] });
    const answer = await open.fetch(
      new Request('http://localhost/', {
        method: 'POST',
        headers: { ...json, origin },
        body: JSON.stringify(call(1, 'eth_chainId')),
      }),
    );
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
  });

  test('has one path, and takes POST alone', async () => {
    expect((await fetch(url)).status).toBe(405);
    expect((await fetch(`${url}/v3/key`, { method: 'POST', headers: json })).status).toBe(404);
    const long = 'x'.repeat(4 * 1024 * 1024);
    expect((await post(call(1, 'eth_sendRawTransaction', long))).status).toBe(413);
  });

  test('stands on loopback only', async () => {
    const proxy = await createProxy({ provider });
    await expect(startServer(proxy, { host: '0.0.0.0' })).rejects.toMatchObject({
      code: 'KEYS_REQUIRED',
    });
    const wrong: [options: object, type: typeof Error, name: string][] = [
      [{ provider: {} }, TypeError, '"provider"'],
      [{ provider, cors: ['app.example'] }, RangeError, '"app.example"'],
      [{}, TypeError, '"provider"'],
    ];
    for (const [options, type, name] of wrong) {
      await expect(createProxy(options as never)).rejects.toThrow(type);
      await expect(createProxy(options as never)).rejects.toThrow(name);
    }
  });
});
