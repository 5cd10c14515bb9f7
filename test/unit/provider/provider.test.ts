/** The provider over real nodes: what it proves, what it keeps, and what it refuses. */

import { runInNewContext } from 'node:vm';
import { keccak256, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type AnchoredRoot,
  defineNetwork,
  fetchAnchor,
  givenAnchor,
} from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { compactProof } from '../../../src/compact/index.js';
import { slotKey, verifyProof } from '../../../src/index.js';
import { createStateClient } from '../../../src/proven/index.js';
import {
  createProvider,
  type Provider,
  ProviderError,
  type ProviderOptions,
  type ProviderRequest,
} from '../../../src/provider/index.js';
import { createLifetime } from '../../../src/provider/state/lifetime.js';
import { createViews } from '../../../src/provider/state/view.js';
import { createTransport, type Transport } from '../../../src/rpc/index.js';
import { accounts, create2, slotInit, store } from '../../support/anvil.js';
import { randomOf } from '../../support/blocks.js';
import { broken } from '../../support/broken.js';
import { slots } from '../../support/chain.js';
import { startHttp } from '../../support/http.js';
import { gatewayKey, type Living, type Meddle, openLiving } from '../../support/living.js';
import { manifest } from '../../support/project.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';
import { rejectionOf } from '../../support/thrown.js';

const contract = slots(1);
const absent: Hex = `0x${'ab'.repeat(20)}`;

let world: Living;
let options: ProviderOptions;
let first: number;
let newest: number;
beforeAll(async () => {
  world = await openLiving();
  await world.l2.mine(create2(1, slotInit));
  await world.l2.mine(store(contract, 1, 101), { to: accounts[1], value: 1n });
  first = await world.finalize();
  await world.l2.mine(store(contract, 1, 102), { to: accounts[1], value: 2n });
  await world.l2.mine(store(contract, 2, 200));
  newest = await world.finalize();
  // The node is ahead of L1.
  await world.l2.mine(store(contract, 1, 999), { to: accounts[1], value: 3n });
  options = { l2: world.transport, l1: world.l1Transport, network: world.network };
}, patience);
afterAll(() => world.close());

let provider: Provider;
beforeEach(async () => {
  provider = createProvider(options);
  await provider.anchor();
  world.requests.length = 0;
});
afterEach(() => {
  provider.close();
  world.meddle();
});

const hex = (number: number | bigint): Hex => `0x${number.toString(16)}`;
const ask = (method: string, ...params: unknown[]): Promise<Wire> =>
  provider.request({ method, params });

/** What a request is refused with. */
async function refusal(method: string, ...params: unknown[]): Promise<ProviderError> {
  const error = await rejectionOf(ProviderError, ask(method, ...params));
  expect(error.message).not.toMatch(new RegExp(`${gatewayKey}|127\\.0\\.0\\.1|https?:`));
  return error;
}

/** Each read, and its parameters but for the block. */
const reads: [method: string, params: unknown[]][] = [
  ...[...accounts, contract, absent].flatMap((address): [string, unknown[]][] => [
    ['eth_getBalance', [address]],
    ['eth_getTransactionCount', [address]],
    ['eth_getCode', [address]],
    ['eth_getStorageAt', [address, slotKey(1)]],
  ]),
  ['eth_getStorageAt', [contract, slotKey(0)]],
  ['eth_getStorageAt', [contract, slotKey(2)]],
  ['eth_getStorageAt', [contract, slotKey(7)]],
];

describe('reads', () => {
  test.each(['latest', 'finalized', undefined])(
    'at %s are those of the anchored block',
    async (tag) => {
      for (const [method, params] of reads) {
        const known = await world.l2.call(method, ...params, hex(newest));
        const given = tag === undefined ? params : [...params, tag];
        expect(await ask(method, ...given), `${method} ${params}`).toBe(known);
      }
    },
  );

  test('at a number that L1 has a root for', async () => {
    for (const block of [first, newest]) {
      for (const [method, params] of reads) {
        const known = await world.l2.call(method, ...params, hex(block));
        expect(await ask(method, ...params, hex(block))).toBe(known);
        for (const more of [{}, { requireCanonical: true }, { blockHash: null }]) {
          const named = { blockNumber: hex(block), ...more };
          expect(await ask(method, ...params, named)).toBe(known);
        }
      }
    }
    expect(await refusal('eth_getBalance', accounts[0], hex(first + 1))).toMatchObject({
      code: -31003,
      data: { reason: 'NOT_PROVABLE', block: first + 1 },
    });
  });

  test('slots and addresses as libraries write them', async () => {
    const known = `0x${'0'.repeat(62)}66`;
    for (const slot of ['0x1', '0x01', slotKey(1)]) {
      expect(await ask('eth_getStorageAt', contract, slot, 'latest')).toBe(known);
    }
    const upper = `0x${contract.slice(2).toUpperCase()}`;
    expect(await ask('eth_getStorageAt', upper, '0x1', 'latest')).toBe(known);
  });

  test('the block number and the chain id', async () => {
    expect(await ask('eth_blockNumber')).toBe(hex(newest));
    expect(await ask('eth_chainId')).toBe(await world.l2.call('eth_chainId'));
    expect(world.requests).toEqual([]);
  });

  test('what wallets ask first, of nobody', async () => {
    const known: [string, unknown][] = [
      ['net_version', await world.l2.call('net_version')],
      ['net_listening', true],
      ['eth_syncing', false],
      ['eth_accounts', []],
      ['web3_clientVersion', `l2proof/${manifest.version}`],
    ];
    let asked = 0;
    const call = async () => void (asked += 1);
    const quiet = createProvider({ ...options, l2: { call }, l1: { call } });
    for (const [method, result] of known) {
      for (const params of [undefined, []]) {
        const told = await quiet.explain({ method, params });
        expect(told, method).toEqual({ result, proven: true, anchor: undefined, assumed: [] });
      }
      for (const params of [[null], [1], {}, null]) {
        await expect(quiet.request({ method, params })).rejects.toMatchObject({ code: -32602 });
      }
      const passthrough = [method];
      expect(() => createProvider({ ...options, passthrough })).toThrow(
        `names ${method}, which needs no passing through`,
      );
    }
    quiet.close();
    await expect(quiet.request({ method: 'net_version' })).rejects.toMatchObject({ code: 4900 });
    expect(asked).toBe(0);
  });

  test('a proof, which anyone can verify, and nothing beside it', async () => {
    world.meddle((_method, _params, { result }) => {
      result.verified = true;
      result.accountProof.balance = '0x1';
      for (const { proof } of [result.accountProof, ...result.storageProofs]) {
        if (proof) proof.checked = true;
      }
      return { result };
    });
    const storageKeys = [slotKey(2), slotKey(7), slotKey(2)];
    const result = await ask('l2_getProof', contract, storageKeys, 'latest');
    const { stateRoot } = await provider.anchor();
    const state = verifyProof(result, { stateRoot, address: contract, storageKeys });
    expect(state.storage.map(({ value }) => BigInt(value))).toEqual([200n, 0n, 200n]);
    expect(Object.keys(result)).toEqual(['accountProof', 'storageProofs']);
    expect(Object.keys(result.accountProof).sort()).toEqual(['key', 'leafIndex', 'proof']);
    for (const { proof } of [result.accountProof, ...result.storageProofs]) {
      if (proof) expect(Object.keys(proof).sort()).toEqual(['proofRelatedNodes', 'value']);
    }
    expect((await ask('l2_getProof', absent, [], 'latest')).accountProof).toHaveProperty(
      'leftProof',
    );
  });

  test('and of the neighbours of what is absent no value, which nothing binds', async () => {
    world.meddle((_method, _params, { result }) => {
      for (const entry of [result.accountProof, ...result.storageProofs]) {
        for (const name of ['leftProof', 'rightProof']) {
          const forged = entry[name]?.value.replaceAll('0', 'e').replace('ex', '0x');
          if (forged) entry[name].value = forged;
        }
      }
      return { result };
    });
    const storageKeys = [slotKey(7)];
    for (const [address, keys] of [
      [absent, []],
      [contract, storageKeys],
    ] as const) {
      const { accountProof, storageProofs } = await ask('l2_getProof', address, keys, 'latest');
      const { leftProof, rightProof } = storageProofs[0] ?? accountProof;
      for (const { value } of [leftProof, rightProof]) {
        expect(value).toMatch(keys.length > 0 ? /^0x0{64}$/ : /^0x(0{64}|0{384})$/);
      }
      const { stateRoot } = await provider.anchor();
      const result = { accountProof, storageProofs };
      const state = verifyProof(result, { stateRoot, address, storageKeys: keys });
      expect(state.account === null).toBe(address === absent);
    }
  });

  test('from compact bytes, if the server has them', async () => {
    const types: (string | null)[] = [];
    const l2 = createTransport({
      url: world.proofs,
      fetch: async (...args) => {
        const response = await fetch(...args);
        types.push(response.headers.get('content-type'));
        return response;
      },
    });
    const compact = createProvider({ ...options, l2 });
    for (const [method, params] of reads) {
      if (method === 'eth_getCode') continue;
      const known = await world.l2.call(method, ...params, hex(newest));
      expect(await compact.request({ method, params })).toBe(known);
    }
    expect(new Set(types)).toEqual(new Set(['application/vnd.l2proof.compact']));
    const params = [contract, [slotKey(1)], 'latest'];
    expect(await compact.request({ method: 'l2_getProof', params })).toEqual(
      await ask('l2_getProof', ...params),
    );
    compact.close();
  });

  test('an endpoint for code of its own', async () => {
    const proofs: Transport = {
      call: (method, ...rest) =>
        method === 'eth_getCode'
          ? createTransport({ url: world.l2.url }).call(method, ...rest)
          : world.transport.call(method, ...rest),
    };
    const other = createProvider({ ...options, l2: proofs });
    const known = await world.l2.call('eth_getCode', contract, hex(newest));
    expect(await other.request({ method: 'eth_getCode', params: [contract] })).toBe(known);
    expect(world.requests.map(({ method }) => method)).toEqual(['l2_getProof']);
    other.close();
  });
});

test('a network of the older hash family', async () => {
  const { network } = world;
  const older = await openLiving({ network: defineNetwork({ ...network, hash: 'mimc' }) });
  await older.l2.mine(create2(1, slotInit));
  const block = hex(await older.finalize());
  const other = createProvider({
    l2: older.transport,
    l1: older.l1Transport,
    network: older.network,
  });
  for (const [method, params] of reads) {
    const known = await older.l2.call(method, ...params, block);
    expect(await other.request({ method, params })).toBe(known);
  }
  // A network defined with the other family gets nothing. The root is seldom canonical in that family; if it is, the
  // width of the top nodes shows it (protocol section 3.7).
  const wrong = createProvider({ l2: older.transport, l1: older.l1Transport, network });
  const params = [accounts[1], 'latest'];
  await expect(wrong.request({ method: 'eth_getBalance', params })).rejects.toMatchObject({
    code: -31001,
    data: { reason: 'WRONG_FAMILY' },
  });
  other.close();
  wrong.close();
  await older.close();
});

test('a block that is named by a hash, by more than its number, or in a misspelt way is refused', async () => {
  const { hash } = await world.l2.call('eth_getBlockByNumber', hex(newest), false);
  const number = { blockNumber: hex(newest) };
  const refused: [object, string][] = [
    [{ blockHash: hash }, 'blockHash cannot be proven'],
    [{ ...number, blockHash: hash }, 'blockHash cannot be proven'],
    [{ ...number, blockHash: `0x${'11'.repeat(32)}` }, 'blockHash cannot be proven'],
    [{ ...number, blockHash: hash, requireCanonical: true }, 'blockHash cannot be proven'],
    [{ ...number, blockhash: hash }, 'blockhash is unknown'],
    [{ ...number, block: '0x1' }, 'block is unknown'],
    [{ BlockNumber: hex(newest) }, 'BlockNumber is unknown'],
    [{}, 'expected a block number'],
    [{ requireCanonical: true }, 'expected a block number'],
    [{ blockNumber: null }, 'expected a block number'],
    [[hex(newest)], 'is unknown'],
  ];
  for (const [at, text] of refused) {
    for (const [method, params] of [...reads, ['l2_getProof', [contract, []]] as const]) {
      const error = await refusal(method, ...params, at);
      expect(error, `${method} ${JSON.stringify(at)}`).toMatchObject({ code: -32602 });
      expect(error.message).toContain(text);
    }
    const error = await refusal('eth_call', { to: contract }, at);
    expect(error.code).toBe(-32602);
    expect(error.message).toContain(text);
  }
  expect(world.requests).toEqual([]);
});

test('what a prototype holds changes nothing', async () => {
  const lent: Record<string, unknown> = {
    passthrough: ['eth_gasPrice', 'send'],
    anchor: async () => ({}),
    refresh: 'x',
    params: [absent],
    method: 'eth_chainId',
    blockNumber: '0x1',
    tag: 'pending',
  };
  for (const [name, value] of Object.entries(lent)) {
    Object.defineProperty(Object.prototype, name, { value, configurable: true, writable: true });
  }
  Object.defineProperty(Array.prototype, 1, {
    value: 'pending',
    configurable: true,
    writable: true,
  });
  try {
    const other = createProvider(options);
    const balance = await other.request({ method: 'eth_getBalance', params: [accounts[1]] });
    const gas = await other.request({ method: 'eth_gasPrice' }).catch((error) => error.code);
    const empty = await other.request({} as never).catch((error) => error.code);
    const block = await other.request({ method: 'eth_blockNumber' });
    other.close();
    for (const name of Object.keys(lent)) Reflect.deleteProperty(Object.prototype, name);
    Reflect.deleteProperty(Array.prototype, 1);
    const known = await world.l2.call('eth_getBalance', accounts[1], hex(newest));
    expect({ balance, gas, empty, block }).toEqual({
      balance: known,
      gas: 4200,
      empty: -32600,
      block: hex(newest),
    });
  } finally {
    for (const name of Object.keys(lent)) Reflect.deleteProperty(Object.prototype, name);
    Reflect.deleteProperty(Array.prototype, 1);
  }
});

describe('requests that reach the server', () => {
  test('one for a cold balance with the anchor known, none for a warm one', async () => {
    await ask('eth_getBalance', accounts[1], 'latest');
    expect(world.requests).toEqual([
      { method: 'l2_getProof', params: [accounts[1], [], hex(newest)] },
    ]);
    await ask('eth_getBalance', accounts[1], 'finalized');
    await ask('eth_getTransactionCount', accounts[1], hex(newest));
    expect(world.requests.length).toBe(1);
  });

  test('one for ten concurrent reads of one account', async () => {
    const slots = Array.from({ length: 8 }, (_, i) =>
      ask('eth_getStorageAt', contract, hex(i), 'latest'),
    );
    await Promise.all([
      ask('eth_getBalance', contract, 'latest'),
      ask('eth_getTransactionCount', contract, 'latest'),
      ...slots,
    ]);
    expect(world.requests.length).toBe(1);
    expect(world.requests[0]?.params[1].length).toBe(8);
    expect(await slots[2]).toBe(slotKey(200));
  });

  test('one for reads while an answer is on its way, one more for what that lacks', async () => {
    let release: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.meddle(async (_method, _params, answer) => {
      await held;
      return answer;
    });
    const balance = ask('eth_getBalance', contract, 'latest');
    await expect.poll(() => world.requests.length).toBe(1);
    const nonce = ask('eth_getTransactionCount', contract);
    // Longer than any turn of the event loop takes.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(world.requests.length).toBe(1);
    const others = [nonce, ask('eth_getStorageAt', contract, '0x1')];
    await expect.poll(() => world.requests.length).toBe(2);
    release();
    await Promise.all([balance, ...others]);
    expect(world.requests.length).toBe(2);
  });

  test('as many as it takes, when there are more than fit', async () => {
    const anchor = await provider.anchor();
    const client = createStateClient({ transport: world.transport });
    const lifetime = createLifetime();
    const viewOf = createViews({ client, json: client, lifetime, maxEntries: 4 });
    const view = viewOf(anchor);
    const keys = [slotKey(0), slotKey(1), slotKey(2)];
    const { values } = await view.read(contract, keys);
    expect(values.map(BigInt)).toEqual([1n, 102n, 200n]);
    expect((await view.read(contract, keys.slice(1))).values).toEqual(values.slice(1));
    expect(world.requests.length).toBe(1);
    // The contract makes way, and then the account that was read before the other.
    await view.read(accounts[0]);
    await view.read(contract, [slotKey(1)]);
    await view.read(accounts[0]);
    await view.read(accounts[1]);
    expect(world.requests.length).toBe(4);
    await view.read(absent);
    expect(world.requests.length).toBe(5);
    expect((await view.read(contract, [slotKey(1)])).values).toEqual(values.slice(1, 2));
    expect(world.requests.length).toBe(6);
    // More than fit at all are answered, and not kept.
    expect((await view.read(contract, keys.concat(slotKey(7), slotKey(8)))).values.length).toBe(5);
    await view.read(accounts[0]);
    expect(viewOf(anchor).read).toBe(view.read);
    for (let i = 1; i <= 4; i++) viewOf({ ...anchor, stateRoot: slotKey(i) });
    expect(viewOf(anchor)).not.toBe(view);
  });

  test('a list in parts is one read', async () => {
    const client = createStateClient({ transport: world.transport, maxSlots: 100 });
    const viewOf = createViews({
      client,
      json: client,
      lifetime: createLifetime(),
      maxEntries: 10_000,
    });
    const keys = Array.from({ length: 1200 }, (_, i) => slotKey(i));
    const { read } = viewOf(await provider.anchor());
    const values = await Promise.all(
      keys.map(async (key) => (await read(contract, [key])).values[0]),
    );
    expect(values.slice(0, 3)).toEqual([slotKey(1), slotKey(102), slotKey(200)]);
    expect(values.slice(3).every((value) => value === slotKey(0))).toBe(true);
    expect(world.requests.length).toBe(12);
  });

  test('one for code, under all roots', async () => {
    await ask('eth_getCode', contract, 'latest');
    await Promise.all([
      ask('eth_getCode', contract, hex(first)),
      ask('eth_getCode', contract, hex(first)),
    ]);
    const methods = world.requests.map(({ method }) => method);
    expect(methods).toEqual(['l2_getProof', 'eth_getCode', 'l2_getProof']);
  });
});

describe('passing on', () => {
  const passing = (passthrough: ProviderOptions['passthrough']) => {
    provider.close();
    provider = createProvider({ ...options, passthrough });
  };

  test('what nobody named is refused, and reaches nobody', async () => {
    const traces = ['debug_traceTransaction', 'eth_newPendingTransactionFilter'];
    for (const method of ['eth_gasPrice', 'eth_requestAccounts', ...traces]) {
      expect(await refusal(method)).toMatchObject({ code: 4200 });
    }
    expect(world.requests).toEqual([]);
  });

  test('no method is named like another with its tag', async () => {
    passing([{ method: 'eth_getBalance', tag: 'pending' }]);
    expect(await refusal('eth_getBalance pending')).toMatchObject({ code: 4200 });
    expect(world.requests).toEqual([]);
  });

  test('a method, and a method at one tag', async () => {
    passing(['eth_gasPrice', { method: 'eth_getBalance', tag: 'pending' }]);
    const told: unknown[] = [];
    const listener = (request: unknown) => void told.push(request);
    provider.on('unproven', listener);
    expect(await ask('eth_gasPrice')).toBe(await world.l2.call('eth_gasPrice'));
    const pending = await ask('eth_getBalance', accounts[1], 'pending');
    expect(pending).toBe(await world.l2.call('eth_getBalance', accounts[1], 'pending'));
    expect(await ask('eth_getBalance', accounts[1], 'latest')).not.toBe(pending);
    expect(await refusal('eth_getTransactionCount', accounts[1], 'pending')).toMatchObject({
      code: -32602,
    });
    expect(told).toEqual([
      { method: 'eth_gasPrice', params: [] },
      { method: 'eth_getBalance', params: [accounts[1], 'pending'] },
    ]);
    provider.removeListener('unproven', listener);
    await ask('eth_gasPrice');
    expect(told.length).toBe(2);
  });

  test('explain says what an answer rests on', async () => {
    passing(['eth_gasPrice']);
    const params = [accounts[1], 'latest'];
    const proven = await provider.explain({ method: 'eth_getBalance', params });
    const anchor = await provider.anchor();
    expect(proven).toEqual({
      result: await ask('eth_getBalance', ...params),
      proven: true,
      anchor,
      assumed: [],
    });
    expect(anchor).toMatchObject({ l2BlockNumber: newest, how: 'call' });
    const passed = await provider.explain({ method: 'eth_gasPrice' });
    expect(passed).toMatchObject({ proven: false, anchor: undefined, assumed: ['result'] });
  });

  test('a refusal of the server keeps its message, and is neither 3 nor -32603', async () => {
    passing(['eth_estimateGas', 'eth_gasPrice']);
    const call = { from: accounts[0], to: contract, data: '0xfe', gas: '0x1' };
    const error = await refusal('eth_estimateGas', call);
    expect(error).toMatchObject({ code: -32000, data: { reason: 'SERVER_ERROR' } });
    expect(error.message).toMatch(/gas/);
    for (const code of [3, -32603, -32005]) {
      world.meddle(() => ({ error: { code, message: 'execution reverted' } }));
      expect((await refusal('eth_gasPrice')).code).toBe(-32000);
    }
  });

  test('a wrong entry is told at once', () => {
    for (const entry of [
      'eth_getBalance',
      'eth_chainId',
      'eth_sendRawTransaction',
      '',
      'eth call',
      7,
      null,
      { method: 'eth_getBalance', tag: 'latest' },
      { method: 'eth_getBalance' },
      { method: 'eth_gasPrice', tag: 'pending' },
    ]) {
      expect(() => passing([entry as never]), JSON.stringify(entry)).toThrow(TypeError);
    }
    expect(() => passing('send' as never)).toThrow(TypeError);
  });
});

describe('sending', () => {
  // Anvil's own key of its second account.
  const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
  const account = privateKeyToAccount(key);

  async function signed(): Promise<Hex> {
    const nonce = Number(
      await world.l2.call('eth_getTransactionCount', account.address, 'pending'),
    );
    return account.signTransaction(
      {
        chainId: 31337,
        nonce,
        to: absent,
        value: 5n,
        gas: 21_000n,
        maxFeePerGas: 10n ** 10n,
        maxPriorityFeePerGas: 1n,
      },
      { serializer: serializeTransaction },
    );
  }

  test('a transaction is passed on, and its hash is the one computed here', async () => {
    const raw = await signed();
    const { result, proven, assumed } = await provider.explain({
      method: 'eth_sendRawTransaction',
      params: [raw],
    });
    expect({ result, proven, assumed }).toEqual({
      result: keccak256(raw),
      proven: false,
      assumed: ['broadcast'],
    });
    expect(await world.l2.call('eth_getTransactionByHash', result)).toMatchObject({ hash: result });
    // The node's own message.
    expect(await refusal('eth_sendRawTransaction', raw)).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/already (imported|known)/),
    });
  });

  test('a hash that differs is refused', async () => {
    const raw = await signed();
    world.meddle(() => ({ result: `0x${'12'.repeat(32)}` }));
    expect(await refusal('eth_sendRawTransaction', raw)).toMatchObject({
      code: -31001,
      data: { reason: 'HASH_MISMATCH' },
      message: expect.stringContaining(keccak256(raw)),
    });
  });

  test('what cannot be one is not sent', async () => {
    for (const raw of ['0x', '0x123', 'abc', 7, undefined, '0x03f8']) {
      expect(await refusal('eth_sendRawTransaction', raw)).toMatchObject({ code: -32602 });
    }
    expect(world.requests).toEqual([]);
  });
});

test('wrong parameters are told before anybody is asked', async () => {
  const wrong: [string, ...unknown[]][] = [
    ['eth_getBalance'],
    ['eth_getBalance', '0x1', 'latest'],
    ['eth_getBalance', accounts[0], 'pending'],
    ['eth_getBalance', accounts[0], 'safe'],
    ['eth_getBalance', accounts[0], 'earliest'],
    ['eth_getBalance', accounts[0], 'newest'],
    ['eth_getBalance', accounts[0], 8],
    ['eth_getBalance', accounts[0], { blockHash: `0x${'11'.repeat(32)}` }],
    ['eth_getBalance', accounts[0], `0x${'11'.repeat(32)}`],
    ['eth_getBalance', accounts[0], 'latest', 1],
    ['eth_getStorageAt', contract, 'latest'],
    ['eth_getStorageAt', contract, 1, 'latest'],
    ['eth_getStorageAt', contract, `0x1${'00'.repeat(32)}`, 'latest'],
    ['eth_blockNumber', 1],
    ['eth_chainId', 1],
    ['l2_getProof', contract, '0x1', 'latest'],
    ['l2_getProof', contract, ['0xzz'], 'latest'],
  ];
  for (const [method, ...params] of wrong) {
    expect(await refusal(method, ...params), JSON.stringify([method, params])).toMatchObject({
      code: -32602,
    });
  }
  const named = provider.request({ method: 'eth_getBalance', params: { address: accounts[0] } });
  await expect(named).rejects.toMatchObject({ code: -32602 });
  for (const request of [undefined, null, 'eth_chainId', {}, { method: 7 }, { method: '' }]) {
    await expect(provider.request(request as never)).rejects.toMatchObject({ code: -32600 });
  }
  expect(world.requests).toEqual([]);
});

test('a request that throws when it is read is refused as a wrong one', async () => {
  const revoked = (target: object) => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  };
  const throwing = (name: string) =>
    Object.defineProperty({}, name, {
      enumerable: true,
      get() {
        throw new Error('boo');
      },
    });
  const requests: unknown[] = [
    revoked({}),
    throwing('method'),
    { method: 'eth_getBalance', params: revoked([]) },
    { method: 'eth_getBalance', params: [accounts[0], revoked({})] },
    { method: 'eth_call', params: [throwing('to'), 'latest'] },
    { method: 'eth_call', params: [{ to: contract }, 'latest', revoked({})] },
    { method: 'eth_call', params: [{ to: contract, accessList: revoked([]) }] },
    { method: 'eth_sendRawTransaction', params: revoked([]) },
  ];
  for (const request of requests) {
    const error = await provider.request(request as ProviderRequest).catch((reason) => reason);
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('a member of') });
  }
  expect(world.requests).toEqual([]);
});

/** A proof of other words than those asked for. */
const proofOf =
  (edit: (params: Wire[]) => Wire[]): Meddle =>
  async (method, params, answer) => {
    if (method !== 'l2_getProof') return answer;
    const { tree } = world;
    const [address, keys, block] = edit(params);
    return { result: await tree.getProof(address, keys, Number(block)) };
  };

/** The answer but for one character, or one member, somewhere. */
function edited(result: Wire, random: (limit: number) => number): unknown {
  const text = JSON.stringify(result);
  for (;;) {
    const at = random(text.length);
    const to = '0123456789abcdef,{}[]"xnul'[random(26)] as string;
    try {
      const copy = text.slice(0, at) + to + text.slice(at + 1);
      if (copy !== text) return JSON.parse(copy);
    } catch {
      // No JSON any more: that is for the transport to tell.
    }
  }
}

const codeAnswer =
  (edit: (code: string) => unknown): Meddle =>
  (method, _params, answer) =>
    method === 'eth_getCode' ? { result: edit(answer.result) } : answer;

describe('a server that lies', () => {
  test.each<[string, Meddle, [string, ...unknown[]], object]>([
    [
      'an account of another block',
      proofOf(([address, keys]) => [address, keys, first]),
      ['eth_getBalance', accounts[1]],
      { reason: 'ROOT_MISMATCH' },
    ],
    [
      'another account',
      proofOf(([, keys, block]) => [accounts[0], keys, block]),
      ['eth_getBalance', accounts[1]],
      { reason: 'KEY_MISMATCH', path: 'accountProof.key' },
    ],
    [
      'a slot withheld',
      (_method, _params, { result }) => ({ result: { ...result, storageProofs: [] } }),
      ['eth_getStorageAt', contract, '0x1'],
      { reason: 'SLOT_WITHHELD', path: 'storageProofs[0]' },
    ],
    [
      'another slot',
      proofOf(([address, , block]) => [address, [slotKey(2)], block]),
      ['eth_getStorageAt', contract, '0x1'],
      { reason: 'KEY_MISMATCH', path: 'storageProofs[0].key' },
    ],
    [
      'a nonce that lies',
      (_method, _params, { result }) => {
        const { proof } = result.accountProof;
        proof.value = proof.value.replace(/^0x.{64}/, `0x${'0'.repeat(63)}9`);
        return { result };
      },
      ['eth_getTransactionCount', accounts[0]],
      { reason: 'HVALUE_MISMATCH' },
    ],
    [
      'no proof',
      () => ({ result: { balance: '0x1' } }),
      ['eth_getBalance', accounts[1]],
      { reason: 'MALFORMED' },
    ],
    [
      'a number',
      () => ({ result: '0x1' }),
      ['eth_getBalance', accounts[1]],
      { reason: 'MALFORMED' },
    ],
    [
      'an error of its own',
      () => ({ error: { code: 3, message: 'execution reverted' } }),
      ['eth_getBalance', accounts[1]],
      { reason: 'SERVER_ERROR' },
    ],
    [
      'other code',
      codeAnswer(() => '0x6001'),
      ['eth_getCode', contract],
      { reason: 'CODE_MISMATCH' },
    ],
    [
      'code of the same length',
      codeAnswer((code) => `${code.slice(0, -2)}00`),
      ['eth_getCode', contract],
      { reason: 'CODE_MISMATCH' },
    ],
    [
      'longer code',
      codeAnswer((code) => `${code}00`),
      ['eth_getCode', contract],
      { reason: 'CODE_MISMATCH' },
    ],
    ['no code', codeAnswer(() => '0x'), ['eth_getCode', contract], { reason: 'CODE_MISMATCH' }],
    [
      'null for code',
      codeAnswer(() => null),
      ['eth_getCode', contract],
      { reason: 'CODE_MISMATCH' },
    ],
  ])('%s', async (name, meddle, [method, ...params], data) => {
    world.meddle(meddle);
    const error = await refusal(method, ...params, 'latest');
    const code = name === 'an error of its own' ? -31002 : -31001;
    expect(error).toMatchObject({ code, data: { ...data, block: newest } });
    // What was refused is asked for anew.
    world.meddle();
    const known = await world.l2.call(method, ...params, hex(newest));
    expect(await ask(method, ...params, 'latest')).toBe(known);
  });

  test('one that knows no method for code is told apart from others', async () => {
    world.meddle((method, _params, answer) =>
      method === 'eth_getCode'
        ? { error: { code: -32601, message: 'no such method' } }
        : { result: answer.result },
    );
    const told = /the server answers no eth_getCode; give a transport that sends it to a node/;
    expect((await refusal('eth_getCode', contract, 'latest')).message).toMatch(told);
    world.meddle((method, _params, answer) =>
      method === 'eth_getCode'
        ? { error: { code: -32000, message: 'not now' } }
        : { result: answer.result },
    );
    const other = (await refusal('eth_getCode', contract, 'latest')).message;
    expect(other).toContain('eth_getCode: -32000');
    expect(other).not.toMatch(told);
  });

  test('code of an account without any is not asked for', async () => {
    world.meddle(codeAnswer(() => '0x6001'));
    expect(await ask('eth_getCode', accounts[0], 'latest')).toBe('0x');
    expect(await ask('eth_getCode', absent, 'latest')).toBe('0x');
  });

  test('a server that does not answer what is passed on', async () => {
    const server = await startHttp(() => {});
    const l2 = createTransport({ url: `${server.url}/${gatewayKey}`, timeout: 300 });
    provider.close();
    provider = createProvider({ ...options, passthrough: ['eth_gasPrice'], l2 });
    expect(await refusal('eth_gasPrice')).toMatchObject({
      code: -32002,
      data: { reason: 'TIMEOUT' },
    });
    await server.close();
  });

  test('bytes that are no proof', async () => {
    const proof = compactProof(await world.tree.getProof(contract, [slotKey(1)], newest), {
      ...(await provider.anchor()),
      address: contract,
      storageKeys: [slotKey(1)],
    });
    const params = [contract, slotKey(1)];
    for (const [bytes, data] of [
      [proof, undefined],
      [runInNewContext('new Uint8Array(given)', { given: [...proof] }), undefined],
      [proof.subarray(0, -1), { reason: 'MALFORMED' }],
      [proof.map((byte, i) => (i === proof.length - 1 ? byte ^ 1 : byte)), {}],
      [new Uint8Array(0), { reason: 'MALFORMED' }],
    ] as const) {
      provider.close();
      provider = createProvider({ ...options, l2: { call: async () => bytes } });
      if (data === undefined) expect(await ask('eth_getStorageAt', ...params)).toBe(slotKey(102));
      else
        expect(await refusal('eth_getStorageAt', ...params)).toMatchObject({ code: -31001, data });
    }
  });

  test(
    'no edit of a proof yields another value',
    async () => {
      const random = randomOf(15);
      const known = [
        await world.l2.call('eth_getBalance', contract, hex(newest)),
        await world.l2.call('eth_getStorageAt', contract, slotKey(1), hex(newest)),
        await world.l2.call('eth_getStorageAt', contract, slotKey(7), hex(newest)),
      ];
      let refused = 0;
      for (let i = 0; i < 150; i++) {
        world.meddle((method, _params, { result }) =>
          method === 'l2_getProof' ? { result: edited(result, random) } : { result },
        );
        const other = createProvider({
          ...options,
          l1: undefined,
          anchor: await provider.anchor(),
        });
        const outcomes = await Promise.allSettled([
          other.request({ method: 'eth_getBalance', params: [contract] }),
          other.request({ method: 'eth_getStorageAt', params: [contract, '0x1'] }),
          other.request({ method: 'eth_getStorageAt', params: [contract, '0x7'] }),
        ]);
        for (const [at, outcome] of outcomes.entries()) {
          if (outcome.status === 'fulfilled') expect(outcome.value).toBe(known[at]);
          else expect(outcome.reason).toMatchObject({ code: -31001, data: { block: newest } });
        }
        if (outcomes[0]?.status === 'rejected') refused += 1;
        other.close();
      }
      expect(refused).toBeGreaterThan(100);
    },
    patience,
  );

  test("a transport of the caller's own that throws what it likes", async () => {
    const failing: Transport = {
      call: () => Promise.reject(new Error(`fetch failed: ${world.url}`)),
    };
    provider.close();
    provider = createProvider({ ...options, l2: failing });
    expect(await refusal('eth_getBalance', accounts[1])).toMatchObject({
      code: -31002,
      data: { reason: 'FAILED', block: newest },
    });
  });
});

describe.each(['l1', 'l2'] as const)('a broken server as %s', (side) => {
  test.each(broken)('%s', async (_, listener, reason) => {
    const server = await startHttp(listener);
    const url = `${server.url}/${gatewayKey}`;
    const transport = createTransport({ url, timeout: 1000, maxBytes: 2 ** 20 });
    provider.close();
    provider = createProvider({ ...options, [side]: transport });
    const block = side === 'l1' ? undefined : newest;
    for (const [method, ...params] of [
      ['eth_getBalance', accounts[1], 'latest'],
      ['l2_getProof', accounts[1], [], 'latest'],
    ] as const) {
      expect(await refusal(method, ...params)).toMatchObject({
        code: -31002,
        data: { reason, block, legacyCode: -32001 },
      });
    }
    await server.close();
  });
});

describe('anchors', () => {
  test("of the caller's own", async () => {
    const anchor = await fetchAnchor({ network: options.network, l1: world.l1Transport });
    const given = givenAnchor({ ...anchor, network: world.network });
    const balance = await ask('eth_getBalance', accounts[1], 'latest');
    for (const one of [anchor, given, async () => anchor]) {
      const other = createProvider({ ...options, l1: undefined, anchor: one });
      expect(await other.request({ method: 'eth_getBalance', params: [accounts[1]] })).toBe(
        balance,
      );
      const params = [accounts[1], hex(first)];
      await expect(other.request({ method: 'eth_getBalance', params })).rejects.toMatchObject({
        code: -31003,
        data: { reason: 'NOT_PROVABLE', block: first },
      });
      other.close();
    }
  });

  test('of a function that fetches them by proof, for numbers, too', async () => {
    const { hash } = await world.l1.call('eth_getBlockByNumber', 'finalized', false);
    const { network, l1Transport: l1 } = world;
    const other = createProvider({
      l2: world.transport,
      network,
      anchor: (wish) => fetchAnchor({ ...wish, l1, network, trusted: { blockHash: hash } }),
    });
    expect(await other.anchor()).toMatchObject({ how: 'proof', l2BlockNumber: newest });
    const params = [accounts[1], hex(first)];
    const { result, anchor } = await other.explain({ method: 'eth_getBalance', params });
    expect(result).toBe(await world.l2.call('eth_getBalance', ...params));
    expect(anchor).toMatchObject({ how: 'proof', l2BlockNumber: first });
    other.close();
  });

  test('that are wrong prove nothing', async () => {
    const anchor = await provider.anchor();
    const anchors: [anchor: unknown, type: typeof Error, name: string][] = [
      [{ ...anchor, l2ChainId: 5 }, RangeError, '"anchor"'],
      [{ ...anchor, stateRoot: '0x12' }, RangeError, '"anchor.stateRoot"'],
      [{}, TypeError, '"anchor.l1"'],
      [null, TypeError, '"anchor"'],
    ];
    for (const [wrong, type, name] of anchors) {
      const create = () => createProvider({ ...options, l1: undefined, anchor: wrong as never });
      expect(create).toThrow(type);
      expect(create).toThrow(name);
      provider.close();
      provider = createProvider({
        ...options,
        l1: undefined,
        anchor: async () => wrong as AnchoredRoot,
      });
      expect(await refusal('eth_getBalance', accounts[1])).toMatchObject({
        code: -31001,
        data: { reason: 'BAD_ANSWER', block: undefined },
      });
    }
  });
});

test('a wrong option is told at once', () => {
  const { l1, ...rest } = options;
  expect(() => createProvider(rest)).toThrow(TypeError);
  expect(() => createProvider({ ...options, anchor: async () => Promise.reject() })).toThrow(
    TypeError,
  );
  for (const change of [
    { l2: undefined },
    { network: undefined },
    { l1: 'http://x' },
    { l1: [] },
  ]) {
    expect(() => createProvider({ ...options, ...change } as never)).toThrow(
      /"\w+(\.\w+)?" expected/,
    );
  }
  for (const refresh of [-1, Number.NaN, '5']) {
    expect(() => createProvider({ ...options, refresh: refresh as number })).toThrow(RangeError);
  }
});

test('many requests at once gather no listeners', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  const addresses = Array.from({ length: 60 }, (_, i) => `0x${String(i + 10).repeat(20)}`);
  await Promise.all(addresses.map((address) => ask('eth_getBalance', address, 'latest')));
  // Warnings come in a turn of their own.
  await new Promise((resolve) => setTimeout(resolve, 10));
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

test('close ends what is under way, and all that follows', async () => {
  world.meddle(() => new Promise((resolve) => setTimeout(resolve, 200)));
  const ended: unknown[] = [];
  provider.on('disconnect', (error) => ended.push(error));
  const asked = refusal('eth_getBalance', accounts[1], 'latest');
  await expect.poll(() => world.requests.length).toBe(1);
  provider.close();
  provider.close();
  expect(await asked).toMatchObject({ code: 4900 });
  expect(await refusal('eth_chainId')).toMatchObject({ code: 4900 });
  await expect(provider.anchor()).rejects.toMatchObject({ code: 4900 });
  expect(ended).toMatchObject([{ code: 4900 }]);
});
