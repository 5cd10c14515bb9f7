/** Which block is current: the newest, or one of which everything is proven, the header's values for calls among them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AnchoredRoot, defineNetwork, fetchAnchor } from '../../../../src/anchor/index.js';
import {
  createProvider,
  type Provider,
  type ProviderOptions,
} from '../../../../src/provider/index.js';
import { emit, putEmitter } from '../../../support/allTypes.js';
import { accounts, word } from '../../../support/anvil.js';
import { type Living, openLiving } from '../../../support/living.js';
import { blockOf } from '../../../support/normalised.js';
import { patience, type Wire } from '../../../support/runs.js';
import { rollup } from '../../../support/worlds.js';

const hex = (number: number) => `0x${number.toString(16)}`;
const ids = { l1ChainId: 900, l2ChainId: 31337, rollup };
/** Fork times that no server can say anything about. */
const network = defineNetwork({ ...ids, name: 'whole', forks: { london: 0, prague: 1 } });

let world: Living;
let options: ProviderOptions;
/** Ends of the last two finalizations. */
let before: number;
let newest: number;
beforeAll(async () => {
  world = await openLiving({
    network,
    keepFinal: 64,
    prepare: async (l2) => {
      await l2.call('anvil_setCoinbase', accounts[1]);
      return putEmitter(l2);
    },
  });
  await world.l2.mine(emit([1], 'aa'));
  await world.finalize();
  await world.l2.mine({ to: accounts[1], value: 1n });
  await world.l2.mine(emit([1], 'bb'), { to: accounts[1], value: 2n });
  before = await world.finalize();
  await world.l2.mine({ to: accounts[1], value: 3n });
  await world.l2.mine(emit([1], 'cc'));
  newest = await world.finalize();
  options = { l2: world.transport, l1: world.l1Transport, network, current: 'whole' };
}, patience);
afterAll(() => world.close());

let provider: Provider;
const open = (more: Partial<ProviderOptions> = {}) => {
  provider?.close();
  provider = createProvider({ ...options, ...more } as ProviderOptions);
};
beforeEach(() => open());
afterEach(() => {
  provider.close();
  world.meddle();
});

const ask = (method: string, ...params: unknown[]): Promise<Wire> =>
  provider.request({ method, params });

/** Init code that returns what an opcode puts onto the stack. */
const returning = (code: string) => ({ data: `0x${code}5f5260205ff3` });
const opcodes = {
  TIMESTAMP: '42',
  NUMBER: '43',
  PREVRANDAO: '44',
  GASLIMIT: '45',
  COINBASE: '41',
  BASEFEE: '48',
  BLOBBASEFEE: '4a',
  // BLOCKHASH of the block before.
  BLOCKHASH: '6001430340',
};

test('the current block is the end of the finalization before', async () => {
  expect(await ask('eth_blockNumber')).toBe(hex(before));
  expect((await provider.anchor()).l2BlockNumber).toBe(before);
  const balance = { method: 'eth_getBalance', params: [accounts[1], 'latest'] };
  const { result, anchor, proven, restsOn } = await provider.explain(balance);
  expect(result).toBe(await world.l2.call('eth_getBalance', accounts[1], hex(before)));
  // The state itself hangs on L1 alone.
  expect({ block: anchor?.l2BlockNumber, proven, restsOn }).toEqual({
    ...{ block: before, proven: true, restsOn: undefined },
  });
  const known = blockOf(await world.l2.call('eth_getBlockByNumber', hex(before), true));
  for (const block of ['latest', 'safe', 'finalized', hex(before)]) {
    expect(await ask('eth_getBlockByNumber', block, true)).toEqual(known);
  }
  const receipts = await provider.explain({ method: 'eth_getBlockReceipts', params: ['latest'] });
  expect(receipts).toMatchObject({
    ...{ proven: true, assumed: [], restsOn: 'operator', anchor: { l2BlockNumber: newest } },
  });
  expect(receipts.result).toHaveLength(2);
  const range = { fromBlock: '0x0', toBlock: hex(before) };
  const logs = await world.l2.call('eth_getLogs', range);
  expect(logs).toHaveLength(2);
  expect(await ask('eth_getLogs', { fromBlock: '0x0' })).toEqual(logs);
  expect(await ask('eth_getLogs', range)).toEqual(logs);
});

describe('calls need nothing assumed', () => {
  test.each(Object.entries(opcodes))('%s is that of the node', async (_name, code) => {
    for (const block of ['latest', hex(before)]) {
      const params = [returning(code), block];
      const told = await provider.explain({ method: 'eth_call', params });
      expect(told).toMatchObject({ proven: true, assumed: [], restsOn: 'operator' });
      expect(told.anchor?.l2BlockNumber).toBe(before);
      expect(told.result).toBe(await world.l2.call('eth_call', returning(code), hex(before)));
    }
  });

  test('also if L1 proves no time, and under a trusted hash of L1', async () => {
    const { hash } = await world.l1.call('eth_getBlockByNumber', 'latest', false);
    open({ trusted: { blockHash: hash } });
    const params = [returning(opcodes.TIMESTAMP), 'latest'];
    const told = await provider.explain({ method: 'eth_call', params });
    expect(told).toMatchObject({ proven: true, assumed: [], anchor: { how: 'proof' } });
    open({ trusted: { blockHash: hash }, current: 'newest', header: { baseFee: 7 } });
    const newer = await provider.explain({
      ...{ method: 'eth_call', params: [returning(opcodes.BASEFEE), 'latest'] },
    });
    expect(newer).toMatchObject({ proven: false, assumed: ['baseFee'] });
    expect(newer).not.toHaveProperty('restsOn');
  });

  test('and what the caller supplies for all calls does not take their place, but for one it does', async () => {
    open({ header: { baseFee: 7, coinbase: accounts[0], timestamp: 5 } });
    const own = returning(opcodes.BASEFEE);
    const known = await world.l2.call('eth_call', own, hex(before));
    const asked = { method: 'eth_call', params: [own, 'latest'] };
    expect(await provider.explain(asked)).toMatchObject({ result: known, assumed: [] });
    const params = [own, 'latest', {}, { baseFeePerGas: '0x7' }];
    expect(await provider.explain({ method: 'eth_call', params })).toMatchObject({
      ...{ result: `0x${word(7)}`, proven: false, assumed: ['baseFee'] },
    });
    // GASPRICE follows from the proven base fee.
    const priced = {
      ...returning('3a'),
      ...{ from: accounts[0], maxFeePerGas: '0x3b9aca00', maxPriorityFeePerGas: '0x1' },
    };
    const price = await world.l2.call('eth_call', priced, hex(before));
    expect(await ask('eth_call', priced, 'latest')).toBe(price);
  });

  test('in the newest block they do, for nothing proves its header', async () => {
    const params = [returning(opcodes.BASEFEE), hex(newest)];
    await expect(provider.request({ method: 'eth_call', params })).rejects.toMatchObject({
      data: { reason: 'HEADER_VALUE', block: newest },
    });
  });
});

describe('the server must hold both states', () => {
  const lacking = (block: number) =>
    world.meddle((method, params, answer) =>
      method === 'l2_getProof' && params[2] === hex(block)
        ? { error: { code: -32600, message: 'BLOCK_MISSING_IN_CHAIN - block is missing' } }
        : answer,
    );
  const message = (block: number) =>
    new RegExp(
      `the server does not hold the state of block ${block}\\. "current" whole needs those of ${before} and ${newest}: ask a server that keeps as many blocks, or take newest`,
    );

  test('the error says which one is missing', async () => {
    lacking(before);
    await expect(ask('eth_getBalance', accounts[0], 'latest')).rejects.toMatchObject({
      ...{ code: -31002, data: { reason: 'BLOCK_NOT_HELD', block: before } },
      message: expect.stringMatching(message(before)),
    });
    // Blocks need the newer one alone.
    expect((await ask('eth_getBlockByNumber', 'latest', false)).number).toBe(hex(before));
    open();
    lacking(newest);
    for (const [method, ...params] of [
      ['eth_getBlockByNumber', 'latest', false],
      ['eth_call', returning(opcodes.BASEFEE), 'latest'],
    ] as const) {
      await expect(ask(method, ...params)).rejects.toMatchObject({
        ...{ code: -31002, message: expect.stringMatching(message(newest)) },
      });
    }
    expect(await ask('eth_getBalance', accounts[0], 'latest')).toMatch(/^0x/);
  });
});

describe('the finalization before', () => {
  test('comes from a function, if it takes "before" into account', async () => {
    const { l1Transport: l1 } = world;
    const wishes: unknown[] = [];
    open({
      l1: undefined,
      anchor: (wish) => {
        wishes.push(wish.before);
        return fetchAnchor({ ...wish, l1, network });
      },
    });
    expect(await ask('eth_blockNumber')).toBe(hex(before));
    expect(await ask('eth_blockNumber')).toBe(hex(before));
    expect(wishes).toEqual([undefined, newest]);
    const fixed: AnchoredRoot = await fetchAnchor({ l1, network });
    open({ l1: undefined, anchor: async () => fixed });
    await expect(ask('eth_blockNumber')).rejects.toMatchObject({
      ...{ code: -31003, data: { reason: 'NOT_PROVABLE' } },
    });
    const text = '"current" whole needs two finalizations: pass "l1", or a function as "anchor"';
    expect(() => open({ l1: undefined, anchor: fixed })).toThrow(text);
    expect(() => open({ current: 'all' as never })).toThrow(
      '"current" expected newest or whole, got "all"',
    );
  });

  test('is by events, of which each is proven; without one there is none', async () => {
    const l1 = {
      call: async (method: string, ...rest: [readonly unknown[]]) =>
        method === 'eth_getLogs' ? [] : world.l1Transport.call(method, ...rest),
    };
    await expect(fetchAnchor({ l1, network, before: newest })).rejects.toMatchObject({
      code: 'NOT_PROVABLE',
    });
    const anchor = await fetchAnchor({ l1: world.l1Transport, network, before: newest });
    expect(anchor.l2BlockNumber).toBe(before);
    expect(anchor.stateRoot).toBe(await world.tree.stateRoot(before));
    const both = { l1, network, before: newest, l2BlockNumber: before };
    await expect(fetchAnchor(both)).rejects.toThrow('"before" or "l2BlockNumber" expected');
  });
});
