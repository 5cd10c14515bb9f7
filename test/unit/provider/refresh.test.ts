/** The anchored block moves on while a chain goes on: by time, when the server drops a block, and over reorgs. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AnchoredRoot, fetchAnchor, fetchState } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { slotKey } from '../../../src/index.js';
import {
  createProvider,
  type Provider,
  type ProviderOptions,
} from '../../../src/provider/index.js';
import type { Transport } from '../../../src/rpc/index.js';
import { accounts, create2, slotInit, store } from '../../support/anvil.js';
import { delegate, slots } from '../../support/chain.js';
import { type Living, openLiving } from '../../support/living.js';
import { patience } from '../../support/runs.js';

const contract = slots(1);
const hex = (number: number): Hex => `0x${number.toString(16)}`;

let world: Living;
let l1Requests = 0;
let options: ProviderOptions;
beforeAll(async () => {
  // The server holds the newest final block, and none before.
  world = await openLiving({ keepFinal: 1 });
  await world.l2.mine(create2(1, slotInit));
  await world.finalize();
  const l1: Transport = {
    call: (...args) => {
      l1Requests += 1;
      return world.l1Transport.call(...args);
    },
  };
  options = { l2: world.transport, l1, network: world.network };
}, patience);
afterAll(() => world.close());

const open: Provider[] = [];
function opened(change: Partial<ProviderOptions> = {}): Provider {
  const provider = createProvider({ ...options, ...change });
  open.push(provider);
  return provider;
}
afterEach(() => {
  for (const provider of open.splice(0)) provider.close();
  world.meddle();
  world.requests.length = 0;
});

const slotOne = (provider: Provider) =>
  provider.explain({ method: 'eth_getStorageAt', params: [contract, slotKey(1), 'latest'] });

let value = 100;
async function grow(): Promise<{ block: number; value: string }> {
  value += 1;
  await world.l2.mine(store(contract, 1, value));
  return { block: await world.finalize(), value: slotKey(value) };
}

describe('refresh', () => {
  test('L1 is asked once within the time, by however many reads', async () => {
    const { block, value } = await grow();
    const provider = opened();
    l1Requests = 0;
    const reads = await Promise.all([slotOne(provider), slotOne(provider), slotOne(provider)]);
    for (const { result, anchor } of reads) {
      expect({ result, block: anchor?.l2BlockNumber }).toEqual({ result: value, block });
    }
    const once = l1Requests;
    await slotOne(provider);
    expect(l1Requests).toBe(once);
    expect(world.requests.length).toBe(1);
  });

  test('a read after the time sees a newer block; what it held before, it asks anew', async () => {
    const provider = opened({ refresh: 0 });
    const before = await slotOne(provider);
    const { block, value } = await grow();
    const after = await slotOne(provider);
    expect(after).toMatchObject({ result: value, anchor: { l2BlockNumber: block } });
    expect(after.result).not.toBe(before.result);
  });

  test('the same block is not read again', async () => {
    const provider = opened({ refresh: 0 });
    await slotOne(provider);
    world.requests.length = 0;
    await slotOne(provider);
    expect(world.requests).toEqual([]);
  });

  test('an L1 endpoint that lags behind does not take the block back', async () => {
    const late = await fetchAnchor({ network: options.network, l1: options.l1 as Transport });
    const { block, value } = await grow();
    const newest = await fetchAnchor({ network: options.network, l1: options.l1 as Transport });
    const anchors = [newest, late, newest];
    const provider = opened({
      l1: undefined,
      refresh: 0,
      anchor: async () => anchors.shift() as AnchoredRoot,
    });
    for (const _ of [1, 2, 3]) {
      expect(await slotOne(provider)).toMatchObject({
        result: value,
        anchor: { l2BlockNumber: block },
      });
    }
  });

  test('a look that fails fails the read, and the next read looks again', async () => {
    let fails = false;
    const provider = opened({
      refresh: 0,
      l1: {
        call: (...args) => (fails ? Promise.resolve('nonsense') : world.l1Transport.call(...args)),
      },
    });
    await slotOne(provider);
    fails = true;
    await expect(slotOne(provider)).rejects.toMatchObject({
      code: -31001,
      data: { reason: 'WRONG_NETWORK', block: undefined },
    });
    fails = false;
    await slotOne(provider);
  });
});

describe('a block that the server has dropped', () => {
  test('the read is run again at a newer anchor', async () => {
    const provider = opened();
    const before = await provider.anchor();
    const { block, value } = await grow();
    expect(await slotOne(provider)).toMatchObject({
      result: value,
      anchor: { l2BlockNumber: block },
    });
    const asked = world.requests.map(({ params }) => params[2]);
    expect(asked).toEqual([hex(before.l2BlockNumber), hex(block)]);
    // From now on the newer one is read at once.
    await provider.request({ method: 'eth_getBalance', params: [accounts[1]] });
    expect(world.requests.length).toBe(3);
  });

  test.each([
    'missing trie node 0a (path ) state 0x0a is not available',
    'World state unavailable',
    'No state available for block 5',
  ])('the same if the server says so in words: %s', async (message) => {
    world.meddle((_method, _params, answer) =>
      answer.error === undefined ? answer : { error: { code: -32000, message } },
    );
    const provider = opened();
    await provider.anchor();
    const { block, value } = await grow();
    expect(await slotOne(provider)).toMatchObject({
      result: value,
      anchor: { l2BlockNumber: block },
    });
  });

  test('code and its account are of one block', async () => {
    const provider = opened();
    await provider.anchor();
    await world.l2.mine(
      delegate(
        contract,
        Number(await world.l2.call('eth_getTransactionCount', accounts[1], 'latest')),
      ),
    );
    const block = await world.finalize();
    const code = await provider.request({ method: 'eth_getCode', params: [accounts[1]] });
    expect(code).toBe(`0xef0100${contract.slice(2)}`);
    expect(code).toBe(await world.l2.call('eth_getCode', accounts[1], hex(block)));
    // The node has taken it back since; a proof of what was there asks for the block itself.
    await world.l2.mine(
      delegate(
        `0x${'00'.repeat(20)}`,
        Number(await world.l2.call('eth_getTransactionCount', accounts[1], 'latest')),
      ),
    );
    const other = opened();
    expect(await other.request({ method: 'eth_getCode', params: [accounts[1]] })).toBe(code);
    const calls = world.requests.filter(({ method }) => method === 'eth_getCode').slice(-2);
    expect(calls.map(({ params }) => params[1])).toEqual(['latest', hex(block)]);
    // Code of another block, whatever is asked.
    world.meddle(async (method, _params, answer) =>
      method === 'eth_getCode'
        ? { result: await world.l2.call('eth_getCode', accounts[1], 'latest') }
        : answer,
    );
    const refused = opened().request({ method: 'eth_getCode', params: [accounts[1]] });
    await expect(refused).rejects.toMatchObject({
      code: -31001,
      data: { reason: 'CODE_MISMATCH', block },
    });
  });

  test('once: then it is an error, as it is if there is no newer anchor', async () => {
    const provider = opened();
    await provider.anchor();
    await grow();
    const missing = {
      error: { code: -32600, message: 'BLOCK_MISSING_IN_CHAIN - block is missing' },
    };
    world.meddle(() => missing);
    const asked = world.requests.length;
    for (const requests of [2, 3]) {
      await expect(slotOne(provider)).rejects.toMatchObject({
        code: -31002,
        data: { reason: 'BLOCK_NOT_HELD' },
      });
      expect(world.requests.length - asked).toBe(requests);
    }
  });

  test('not if the caller names the block', async () => {
    const provider = opened();
    const { l2BlockNumber } = await provider.anchor();
    await grow();
    const params = [accounts[1], hex(l2BlockNumber)];
    await expect(provider.request({ method: 'eth_getBalance', params })).rejects.toMatchObject({
      data: { reason: 'BLOCK_NOT_HELD', block: l2BlockNumber },
    });
  });
});

test('a server that is behind is read at the newest block that it holds, by a function', async () => {
  const lagging = await openLiving();
  await lagging.l2.mine({ to: accounts[1], value: 1n });
  const held = await lagging.finalize();
  await lagging.l2.mine({ to: accounts[1], value: 1n });
  const newest = await lagging.finalize();
  const missing = { error: { code: -32600, message: 'BLOCK_MISSING_IN_CHAIN - block is missing' } };
  lagging.meddle((_method, params, answer) => (params[2] === hex(newest) ? missing : answer));
  const { network, transport: l2, l1Transport: l1 } = lagging;
  const provider = opened({
    l2,
    network,
    l1: undefined,
    anchor: async () => (await fetchState({ address: accounts[1], l1, l2, network })).anchor,
  });
  const { result, anchor } = await provider.explain({
    method: 'eth_getBalance',
    params: [accounts[1], 'latest'],
  });
  expect(anchor?.l2BlockNumber).toBe(held);
  expect(result).toBe(await lagging.l2.call('eth_getBalance', accounts[1], hex(held)));
  await lagging.close();
});

test('a reorg of L2 before L1 has finalized is not seen', async () => {
  const provider = opened({ refresh: 0 });
  await grow();
  const snapshot = await world.l2.call('evm_snapshot');
  await world.l2.mine(store(contract, 1, 77));
  await world.l2.mine(store(contract, 1, 78));
  const before = await slotOne(provider);
  await world.l2.call('evm_revert', snapshot);
  await world.l2.mine(store(contract, 1, 79), { to: accounts[1], value: 3n });
  expect(await slotOne(provider)).toEqual(before);
  const { block, value } = await grow();
  expect(await slotOne(provider)).toMatchObject({
    result: value,
    anchor: { l2BlockNumber: block },
  });
  const balance = await provider.request({ method: 'eth_getBalance', params: [accounts[1]] });
  expect(balance).toBe(await world.l2.call('eth_getBalance', accounts[1], hex(block)));
});

test('a reorg of L1 that a caller sees who does not wait for finality', async () => {
  const { block } = await grow();
  const provider = opened({
    refresh: 0,
    l1: undefined,
    anchor: (wish) =>
      fetchAnchor({ ...wish, l1: world.l1Transport, network: world.network, l1Block: 'latest' }),
  });
  const snapshot = await world.l1.call('evm_snapshot');
  await slotOne(provider);
  const later = await grow();
  expect(await slotOne(provider)).toMatchObject({ result: later.value });
  // L1 loses the finalization, and has more blocks than before.
  await world.l1.call('evm_revert', snapshot);
  for (let i = 0; i < 8; i++) await world.l1.mine();
  const { anchor } = await provider.explain({ method: 'eth_blockNumber' });
  expect(anchor?.l2BlockNumber).toBe(block);
  const params = [accounts[1], hex(later.block)];
  await expect(provider.request({ method: 'eth_getBalance', params })).rejects.toMatchObject({
    data: { reason: 'NOT_PROVABLE', block: later.block },
  });
});
