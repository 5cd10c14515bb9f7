/** Long ranges of a real node: its own contract of block hashes, the cost in requests and bytes, and the turns of the loop. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../../src/anchor/index.js';
import type { ReadSlots } from '../../../../src/history/client/chain.js';
import { type HistoryView, openViews } from '../../../../src/history/client/view.js';
import { whileAsked } from '../../../../src/history/client/work.js';
import { checkFilter } from '../../../../src/history/verify/filter.js';
import { createTransport, type Transport } from '../../../../src/rpc/index.js';
import { emit, putEmitter } from '../../../support/allTypes.js';
import { type Anvil, startAnvil, word } from '../../../support/anvil.js';
import { patience } from '../../../support/runs.js';

const quantity = (number: number) => `0x${number.toString(16)}`;

let node: Anvil;
/** What was asked, and the bytes of the answers. */
const asked: { method: string; bytes: number }[] = [];
let transport: Transport;
/** The last block. */
let last: number;

const hashOf = async (number: number) =>
  (await node.call('eth_getBlockByNumber', quantity(number), false))?.hash;

/** The contract of EIP-2935 of the node itself. */
const readOwnSlots: ReadSlots = ({ l2BlockNumber }, { address, storageKeys }) =>
  Promise.all(
    storageKeys.map((key) => node.call('eth_getStorageAt', address, key, quantity(l2BlockNumber))),
  );

/**
 * What the contract would hold if as many blocks had been mined as the anchor says: a node takes minutes for so many. Blocks
 * that there are not have zeros.
 */
const readRing: ReadSlots = async ({ l2BlockNumber }, { storageKeys }) => {
  const [key] = storageKeys;
  let number = l2BlockNumber - 1;
  while (number % 8191 !== Number(key)) number--;
  return [(await hashOf(number)) ?? `0x${word(0)}`];
};

/** What is proven under a block of the node. */
const under = (
  l2BlockNumber: number,
  { maxBlocks = 50_000, maxRange = 10_000, readSlots = readOwnSlots } = {},
): HistoryView =>
  openViews({ l2: transport, readSlots, maxBlocks, maxRange })({
    l2BlockNumber,
    stateRoot: `0x${word(l2BlockNumber)}`,
    hash: 'poseidon2',
  } as AnchoredRoot);

const logsOf = (view: HistoryView, from: number, to: number, topic: number) =>
  whileAsked(undefined, (work) =>
    view.logs({ filter: checkFilter({ topics: [`0x${word(topic)}`] }), range: { from, to } }, work),
  );
const headerOf = (view: HistoryView, number: number) =>
  whileAsked(undefined, (work) => view.header({ number }, work));

beforeAll(async () => {
  node = await startAnvil('--hardfork', 'prague');
  await putEmitter(node);
  // Each twentieth has logs, of two kinds.
  for (let i = 0; i < 15; i++) {
    await node.mine(emit([i % 2], 'aa'.repeat(32)), emit([1 + (i % 2), 7]));
    await node.call('anvil_mine', quantity(19));
  }
  last = Number(await node.call('eth_blockNumber'));
  transport = createTransport({
    url: node.url,
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      const bytes = await response.arrayBuffer();
      const { method } = JSON.parse(String(init?.body));
      asked.push({ method, bytes: bytes.byteLength });
      return new Response(bytes, response);
    },
  });
}, patience);
afterAll(() => node.close());

test('the contract of the node names all blocks before', async () => {
  const view = under(last);
  for (const number of [last - 1, last - 150, 5, 0]) {
    expect((await headerOf(view, number)).hash).toBe(await hashOf(number));
  }
  // The state of a block before has other blocks before it.
  expect((await headerOf(under(100), 6)).hash).toBe(await hashOf(6));
  await expect(headerOf(under(100), 100)).rejects.toMatchObject({ code: 'TOO_NEW' });
});

test(
  'the state names 8,191 blocks, and parents lead to older ones, as far as is allowed',
  async () => {
    const readSlots = readRing;
    const anchored = 8191 + 100;
    const view = under(anchored, { readSlots });
    for (const number of [100, 101, last, 99, 40, 0]) {
      asked.length = 0;
      expect((await headerOf(view, number)).hash).toBe(await hashOf(number));
      expect(asked.length).toBeLessThanOrEqual(Math.max(1, 101 - number));
    }
    const far = under(anchored, { readSlots, maxBlocks: 99 });
    expect((await headerOf(far, 1)).number).toBe('0x1');
    await expect(headerOf(under(anchored, { readSlots, maxBlocks: 99 }), 0)).rejects.toMatchObject({
      code: 'TOO_OLD',
      reason: expect.stringContaining('is 100 blocks before block 100'),
    });
    // A chain that came to the fork after block 50 has zeros for those before, and parents all the same.
    const young: ReadSlots = async (anchor, question, signal) => {
      const [value] = await readOwnSlots(anchor, question, signal);
      return [Number(question.storageKeys[0]) < 50 ? `0x${word(0)}` : (value as `0x${string}`)];
    };
    expect((await headerOf(under(100, { readSlots: young }), 7)).hash).toBe(await hashOf(7));
  },
  patience,
);

test('a state without hashes of blocks is refused', async () => {
  const options = {
    l2: transport,
    readSlots: async () => [`0x${word(0)}`] as const,
    maxBlocks: 9,
    maxRange: 9,
  };
  const view = openViews(options)({
    l2BlockNumber: 9,
    stateRoot: `0x${word(9)}`,
    hash: 'poseidon2',
  } as AnchoredRoot);
  for (const number of [3, 8]) {
    await expect(headerOf(view, number)).rejects.toMatchObject({ code: 'NO_BLOCK_HASHES' });
  }
});

test(
  'logs of many blocks cost what their headers, receipts and transactions cost',
  async () => {
    const [from, to] = [last - 200, last - 1];
    const view = under(last);
    asked.length = 0;
    const logs = await logsOf(view, from, to, 2);
    const cost = {
      requests: asked.length,
      bytes: asked.reduce((sum, { bytes }) => sum + bytes, 0),
    };
    const range = { fromBlock: quantity(from), toBlock: quantity(to) };
    expect(logs).toEqual(await node.call('eth_getLogs', { ...range, topics: [`0x${word(2)}`] }));
    expect(logs.length).toBe(5);
    // What must be asked for, in the same form, by another way.
    asked.length = 0;
    for (let number = from; number <= to; number++) {
      await transport.call('eth_getBlockByNumber', [quantity(number), false]);
    }
    for (const { blockNumber } of logs) {
      await transport.call('eth_getBlockReceipts', [blockNumber]);
      await transport.call('eth_getBlockByNumber', [blockNumber, true]);
    }
    const least = {
      requests: asked.length,
      bytes: asked.reduce((sum, { bytes }) => sum + bytes, 0),
    };
    expect(least.requests).toBe(210);
    expect(cost.requests / least.requests).toBeLessThanOrEqual(1.3);
    expect(cost.bytes / least.bytes).toBeLessThanOrEqual(1.3);
    // Once more, all of it is known.
    asked.length = 0;
    expect(await logsOf(view, from, to, 2)).toEqual(logs);
    expect(asked).toEqual([]);
  },
  patience,
);

test('a search that is ended midway asks no further', async () => {
  const controller = new AbortController();
  const reason = new Error('enough');
  let sent = 0;
  const l2 = createTransport({
    url: node.url,
    fetch: (url, init) => {
      sent++;
      if (sent === 10) controller.abort(reason);
      return fetch(url, init);
    },
  });
  const view = openViews({ l2, readSlots: readOwnSlots, maxBlocks: 0, maxRange: 1000 })({
    l2BlockNumber: last,
    stateRoot: `0x${word(last)}`,
    hash: 'poseidon2',
  } as AnchoredRoot);
  const search = { filter: checkFilter({}), range: { from: 0, to: last - 1 } };
  const ended = whileAsked(controller.signal, (work) => view.logs(search, work));
  await expect(ended).rejects.toBe(reason);
  // Eight are asked for at once.
  expect(sent).toBeLessThan(10 + 8);
  expect(last).toBeGreaterThan(200);
  expect((await whileAsked(undefined, (work) => view.logs(search, work))).length).toBe(30);
});
