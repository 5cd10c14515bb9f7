/** Filters by polling: all that is new is told once, and a filter that nobody asks is forgotten. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createProvider, type Provider } from '../../../../src/provider/index.js';
import { emit, emitter, putEmitter } from '../../../support/allTypes.js';
import { accounts, word } from '../../../support/anvil.js';
import { type Living, openLiving } from '../../../support/living.js';
import { patience, type Wire } from '../../../support/runs.js';

const hex = (number: number) => `0x${number.toString(16)}`;
const topics = [`0x${word(1)}`];

let world: Living;
let anchored: number;
beforeAll(async () => {
  world = await openLiving({ keepFinal: 64, prepare: putEmitter });
  await world.l2.mine(emit([1], 'aa'));
  anchored = await world.finalize();
}, patience);
afterAll(() => world.close());

let provider: Provider;
beforeEach(() => {
  const { transport: l2, l1Transport: l1, network } = world;
  provider = createProvider({ l2, l1, network, refresh: 0, maxRange: 3 });
});
afterEach(() => {
  vi.restoreAllMocks();
  world.meddle();
  provider.close();
});

const ask = (method: string, ...params: unknown[]): Promise<Wire> =>
  provider.request({ method, params });
const changes = (id: string) => ask('eth_getFilterChanges', id);

/** Mines blocks of which each second has a log, and finalizes them. */
async function goOn(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    await world.l2.mine(...(i % 2 ? [] : [emit([1], 'bb'), emit([2])]));
  }
  anchored = await world.finalize();
}

test('what is new is told once, in order, in pieces of a bounded number of blocks', async () => {
  const first = anchored;
  const logs = await ask('eth_newFilter', { topics, address: emitter });
  const all = await ask('eth_newFilter', {});
  const hashes = await ask('eth_newBlockFilter');
  expect(new Set([logs, all, hashes]).size).toBe(3);
  for (const id of [logs, all, hashes]) expect(await changes(id)).toEqual([]);
  await goOn(8);
  const range = { fromBlock: hex(first), toBlock: hex(anchored - 1) };
  // Each asks twice at once: nothing is told twice.
  const poll = async (id: string) => {
    const told: Wire[] = [];
    for (;;) {
      const pieces = await Promise.all([changes(id), changes(id)]);
      told.push(...pieces.flat());
      if (pieces.every((piece) => piece.length === 0)) return told;
    }
  };
  const known = await world.l2.call('eth_getLogs', { topics, address: emitter, ...range });
  expect(known.length).toBe(5);
  expect(await poll(logs)).toEqual(known);
  expect(await poll(all)).toEqual(await world.l2.call('eth_getLogs', range));
  const mined = [];
  for (let n = first; n < anchored; n++) {
    mined.push((await world.l2.call('eth_getBlockByNumber', hex(n), false)).hash);
  }
  expect(await poll(hashes)).toEqual(mined);
  await goOn(1);
  expect(await changes(hashes)).toHaveLength(1);
});

test('a filter may begin and end at a block, and is asked for all its logs', async () => {
  const last = anchored - 1;
  const old = { fromBlock: hex(last - 2), toBlock: hex(last), topics };
  const id = await ask('eth_newFilter', old);
  expect(await ask('eth_getFilterLogs', id)).toEqual(await world.l2.call('eth_getLogs', old));
  const later = await ask('eth_newFilter', {
    ...{ fromBlock: hex(anchored + 3), toBlock: hex(anchored + 3) },
  });
  const start = anchored;
  await goOn(5);
  // What a filter is asked for first is new since it was made.
  expect(await changes(id)).toEqual([]);
  const [one] = await changes(later);
  expect(one.blockNumber).toBe(hex(start + 3));
  expect(await changes(later)).toEqual([]);
});

test('what fails, and what was a lie, is told by the next question', async () => {
  const id = await ask('eth_newFilter', { topics });
  const first = anchored;
  await goOn(2);
  world.meddle((method, _params, answer) =>
    method === 'eth_getBlockReceipts' ? { result: [] } : answer,
  );
  await expect(changes(id)).rejects.toMatchObject({ code: -31001 });
  world.meddle();
  const range = { fromBlock: hex(first), toBlock: hex(anchored - 1) };
  const known = await world.l2.call('eth_getLogs', { topics, ...range });
  expect(known.length).toBeGreaterThan(0);
  expect(await changes(id)).toEqual(known);
});

test('a filter that is not there any more is refused', async () => {
  const unknown = { code: -32000, message: 'filter not found (-32000)' };
  const id = await ask('eth_newFilter', {});
  expect(await ask('eth_uninstallFilter', id)).toBe(true);
  expect(await ask('eth_uninstallFilter', id)).toBe(false);
  const hashes = await ask('eth_newBlockFilter');
  for (const [method, of] of [
    ['eth_getFilterChanges', id],
    ['eth_getFilterLogs', id],
    ['eth_getFilterLogs', hashes],
    ['eth_getFilterChanges', '0x1'],
  ]) {
    await expect(ask(method as string, of)).rejects.toMatchObject(unknown);
  }
  for (const method of ['eth_getFilterChanges', 'eth_getFilterLogs', 'eth_uninstallFilter']) {
    for (const id of [5, null, ['0x1']]) {
      await expect(ask(method, id)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('params[0] expected a filter'),
      });
    }
  }
});

test(
  'filters are bounded in number and idle time',
  async () => {
    // The clock begins some time ago and never runs ahead: what else reads it in this process is not misled afterwards.
    const now = performance.now.bind(performance);
    let ago = 400_000;
    vi.spyOn(performance, 'now').mockImplementation(() => now() - ago);
    const first = await ask('eth_newFilter', { address: accounts[0] });
    for (let i = 0; i < 255; i++) await ask('eth_newBlockFilter');
    expect(await changes(first)).toEqual([]);
    const last = await ask('eth_newBlockFilter');
    // The one that was asked longest ago has made way, and not the first.
    expect(await changes(first)).toEqual([]);
    ago = 200_000;
    expect(await changes(first)).toEqual([]);
    ago = 0;
    expect(await changes(first)).toEqual([]);
    await expect(changes(last)).rejects.toMatchObject({ code: -32000 });
  },
  patience,
);
