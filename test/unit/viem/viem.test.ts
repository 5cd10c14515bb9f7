/** Programs of viem and ethers over the provider, unchanged; and how they see what was refused. */
import { BrowserProvider } from 'ethers';
import * as viem from 'viem';
import { createPublicClient, custom, http } from 'viem';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Hex, mappingSlot } from '../../../src/index.js';
import {
  createProvider,
  type Provider,
  ProviderError,
  type ProviderOptions,
} from '../../../src/provider/index.js';
import { verifiedActions, verifiedTransport } from '../../../src/viem/index.js';
import { accounts, create2, slotInit, word } from '../../support/anvil.js';
import { slots } from '../../support/chain.js';
import { type Living, openLiving } from '../../support/living.js';
import {
  type Findings,
  readWithEthers,
  readWithViem,
  sendWithEthers,
  sendWithViem,
  type Task,
} from '../../support/programs.js';
import { patience } from '../../support/runs.js';

const owner = accounts[1];
const token = slots(1);
const task: Task = { owner, token, to: `0x${'ee'.repeat(20)}` };

let world: Living;
let options: ProviderOptions;
let newest: number;
let known: Findings;
beforeAll(async () => {
  world = await openLiving();
  await world.l2.mine(create2(1, slotInit), { to: owner, value: 3n });
  const data: Hex = `${mappingSlot(owner, 0n)}${word(1234)}`;
  await world.l2.mine({ to: token, data }, { from: owner, to: task.to });
  newest = await world.finalize();
  // As the program finds it at the node itself, which then goes on.
  known = await readWithViem(createPublicClient({ transport: http(world.l2.url) }), task);
  await world.l2.mine({ to: owner, value: 1n });
  options = { l2: world.transport, l1: world.l1Transport, network: world.network };
}, patience);
afterAll(() => world.close());

const open: Provider[] = [];
const opened = (change: Partial<ProviderOptions> = {}) => {
  const provider = createProvider({ ...options, ...change });
  open.push(provider);
  return provider;
};
const transportOf = (change: Partial<ProviderOptions> = {}) =>
  verifiedTransport({ ...options, ...change });
const browser = (provider: Provider) =>
  new BrowserProvider(provider, undefined, { cacheTimeout: -1 });
afterEach(() => {
  for (const provider of open.splice(0)) provider.close();
  world.meddle();
  world.requests.length = 0;
});

/** Methods that reached the server. */
const methods = () => world.requests.map(({ method }) => method);

describe('programs find what the node has', () => {
  test('viem', async () => {
    const client = createPublicClient({ transport: transportOf() });
    expect(await readWithViem(client, task)).toEqual(known);
    expect(known).toMatchObject({ block: BigInt(newest), tokens: 1234n, nonce: 1 });
    // The owner's account, the token's with its slot, the code.
    expect(methods().sort()).toEqual(['eth_getCode', 'l2_getProof', 'l2_getProof']);
    expect(await readWithViem(client, task)).toEqual(known);
    expect(methods().length).toBe(3);
  });

  test('ethers', async () => {
    const provider = browser(opened());
    expect(await readWithEthers(provider, task)).toEqual(known);
    expect(methods().sort()).toEqual(['eth_getCode', 'l2_getProof', 'l2_getProof']);
    provider.destroy();
  });
});

describe('programs send', () => {
  test.each<[string, () => Promise<Hex>]>([
    ['viem', () => sendWithViem(transportOf({ passthrough: ['send'] }), task)],
    ['ethers', () => sendWithEthers(browser(opened({ passthrough: ['send'] })), task)],
  ])('%s', async (_, send) => {
    const before = BigInt(await world.l2.call('eth_getBalance', task.to, 'latest'));
    const hash = await send();
    await world.l2.mine();
    expect(await world.l2.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    const after = BigInt(await world.l2.call('eth_getBalance', task.to, 'latest'));
    expect(after - before).toBe(7n);
    expect(methods()).toContain('eth_sendRawTransaction');
    expect(methods()).not.toContain('eth_call');
  });

  test('not if a hash differs', async () => {
    world.meddle((method, _params, answer) =>
      method === 'eth_sendRawTransaction' ? { result: `0x${'12'.repeat(32)}` } : answer,
    );
    const passthrough = ['send'];
    await expect(sendWithViem(transportOf({ passthrough }), task)).rejects.toThrow(/another hash/);
    await expect(sendWithEthers(browser(opened({ passthrough })), task)).rejects.toMatchObject({
      error: { code: -31001, data: { reason: 'HASH_MISMATCH' } },
    });
    expect(methods().filter((method) => method === 'eth_sendRawTransaction').length).toBe(2);
    await world.l2.mine();
  });
});

describe('what is refused', () => {
  const lie = () =>
    world.meddle((method, _params, answer) =>
      method === 'l2_getProof'
        ? { result: { ...answer.result, accountProof: { key: owner } } }
        : answer,
    );

  test('is asked once by viem, and its error is at hand', async () => {
    lie();
    // Whatever the client says of retries.
    const client = createPublicClient({ transport: transportOf(), pollingInterval: 10 });
    expect(client.transport.retryCount).toBe(0);
    const error = await client.getBalance({ address: owner }).catch((reason) => reason);
    expect(methods()).toEqual(['l2_getProof']);
    const cause = error.walk((one: unknown) => one instanceof ProviderError);
    expect(cause).toMatchObject({
      code: -31001,
      data: { reason: 'MALFORMED', path: 'accountProof', block: newest, legacyCode: -32001 },
    });
  });

  const fail = () =>
    world.meddle((method, _params, answer) =>
      method === 'l2_getProof' ? { error: { code: -32000, message: 'not now' } } : answer,
    );
  const honest = () => world.meddle();
  const refusals = [
    [-31001, lie, 'An answer was refused: it is not what is proven.', {}],
    [
      -31002,
      fail,
      'It could not be found out: no endpoint gave an answer that can be checked.',
      {},
    ],
    [-31003, honest, 'The answer cannot be proven, as it was asked.', { blockNumber: 1n }],
  ] as const;

  test.each(refusals)('%i has a text in viem', async (code, meddle, shortMessage, block) => {
    meddle();
    // A client of one transport and a transport made for a client alike.
    const client = createPublicClient({ transport: transportOf() });
    const error = await client.getBalance({ address: owner, ...block }).catch((reason) => reason);
    expect(error).toBeInstanceOf(viem.BaseError);
    expect(error).toMatchObject({ shortMessage, code, name: 'UnverifiedRpcError' });
    const cause = error.walk((one: unknown) => one instanceof ProviderError);
    expect(cause).toMatchObject({ code, data: { legacyCode: -32001 } });
    expect(error.details).toBe(cause.message);
    const asked = methods().length;
    // Nor by a client that is told to ask again.
    const again = createPublicClient({
      transport: (more) => transportOf()({ ...more, retryCount: 3 }),
    });
    await again.getBalance({ address: owner, ...block }).catch(() => {});
    expect(methods().length).toBe(2 * asked);
  });

  test.each(refusals)('%i is in ethers as it is', async (code, meddle, _text, block) => {
    meddle();
    const provider = browser(opened());
    const { blockNumber } = { blockNumber: 'latest', ...block };
    const error = await provider.getBalance(owner, blockNumber).catch((reason) => reason);
    expect(error).toMatchObject({
      code: 'UNKNOWN_ERROR',
      error: { code, data: { legacyCode: -32001 } },
    });
    expect(error.message).toContain(error.error.message.slice(0, 40));
    provider.destroy();
  });

  test.each(refusals)('viem and the specifications have no meaning for %i', (code) => {
    const known = Object.values(viem as Record<string, unknown>).flatMap((one) =>
      typeof one === 'function' && 'code' in one && typeof one.code === 'number' ? [one.code] : [],
    );
    expect(known).toEqual(expect.arrayContaining([-32001, -32700, 4001, 4902]));
    expect([...known, 429, 5000, -32007]).not.toContain(code);
    // What JSON-RPC reserves.
    expect(code < -32768 || code > -32000).toBe(true);
  });

  test("is asked once over viem's own transport if that is told so, and four times if not", async () => {
    lie();
    const provider = opened();
    for (const [given, times] of [
      [{ retryCount: 0 }, 1],
      [{}, 4],
    ] as const) {
      world.requests.length = 0;
      const client = createPublicClient({ transport: custom(provider, given) });
      const error = await client.getBalance({ address: owner }).catch((reason) => reason);
      const cause = error.walk((one: unknown) => one instanceof ProviderError);
      expect(cause).toMatchObject({ code: -31001, data: { reason: 'MALFORMED' } });
      expect(methods().length).toBe(times);
    }
  });

  test('a method that is not proven is refused without a request', async () => {
    const client = createPublicClient({ transport: transportOf() });
    const error = await client.getGasPrice().catch((reason) => reason);
    expect(error).toMatchObject({ cause: { code: 4200 } });
    expect(error.cause).toBeInstanceOf(ProviderError);
    // Codes that viem knows keep its own class and text.
    expect(error).toBeInstanceOf(viem.UnsupportedProviderMethodError);
    await expect(client.createPendingTransactionFilter()).rejects.toThrow(
      /eth_newPendingTransactionFilter is not available/,
    );
    await expect(client.getBalance({ address: owner, blockTag: 'pending' })).rejects.toMatchObject({
      cause: { code: -32602 },
    });
    expect(methods()).toEqual([]);
  });

  test('is where ethers keeps it', async () => {
    lie();
    const provider = browser(opened());
    const error = await provider.getBalance(owner).catch((reason) => reason);
    expect(error).toMatchObject({
      code: 'UNKNOWN_ERROR',
      error: { code: -31001, data: { reason: 'MALFORMED', path: 'accountProof', block: newest } },
    });
    expect(methods()).toEqual(['l2_getProof']);
    const call = await provider.call({ to: token }).catch((reason) => reason);
    expect(call.info.error).toMatchObject({ code: -31001, data: { reason: 'MALFORMED' } });
    const trace = await provider.send('debug_traceCall', [{}]).catch((reason) => reason);
    expect(trace.error).toMatchObject({ code: 4200 });
    provider.destroy();
  });
});

test('actions say what an answer rests on', async () => {
  const client = createPublicClient({ transport: transportOf() }).extend(verifiedActions());
  const anchor = await client.getAnchor();
  expect(anchor).toMatchObject({ l2BlockNumber: newest, how: 'call' });
  const explained = await client.explain({ method: 'eth_getBalance', params: [owner, 'latest'] });
  expect(explained).toMatchObject({ proven: true, anchor, assumed: [] });
  expect(BigInt(explained.result as Hex)).toBe(await client.getBalance({ address: owner }));
  client.transport.provider.close();
  await expect(client.getAnchor()).rejects.toMatchObject({ code: 4900 });
  const other = createPublicClient({ transport: http('http://127.0.0.1:1') });
  expect(() => other.extend(verifiedActions() as never)).toThrow(TypeError);
});

test('a run ends once the user of viem gives up', async () => {
  const transport = transportOf({ gasCap: 2n ** 60n, callTimeout: Infinity });
  const client = createPublicClient({ transport });
  open.push(client.transport.provider);
  // A loop without end.
  const call = { method: 'eth_call', params: [{ data: '0x5b5f56' }, 'latest'] } as const;
  const controller = new AbortController();
  const running = client.request(call as never, { signal: controller.signal });
  setTimeout(() => controller.abort(new Error('enough')), 300);
  await expect(running).rejects.toThrow(/aborted|enough/i);
  const other = new AbortController();
  const requestOptions = { signal: other.signal };
  const asked = client.call({ data: '0x5b5f56', requestOptions });
  setTimeout(() => other.abort(), 300);
  await expect(asked).rejects.toThrow(/abort/i);
  // Nothing runs any more that would keep the loop.
  const balance = await world.l2.call('eth_getBalance', owner, `0x${newest.toString(16)}`);
  expect(await client.getBalance({ address: owner })).toBe(BigInt(balance));
});
