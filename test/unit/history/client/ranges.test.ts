/** The client beside our own server, which answers ranges of headers, and beside nodes that lack methods. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AnchoredRoot } from '../../../../src/anchor/index.js';
import { type HistoryView, openViews } from '../../../../src/history/client/view.js';
import { whileAsked } from '../../../../src/history/client/work.js';
import { checkFilter } from '../../../../src/history/verify/filter.js';
import { createTransport, type Transport } from '../../../../src/rpc/index.js';
import { emit, putEmitter } from '../../../support/allTypes.js';
import { type Anvil, accounts, startAnvil, word } from '../../../support/anvil.js';
import { receiptOf } from '../../../support/normalised.js';
import { patience, type Wire } from '../../../support/runs.js';
import { type Served, serveWorld } from '../../../support/service.js';

let node: Anvil;
let served: Served;
let last: number;
/** The block of 500 transactions. */
let large: number;
const quantity = (number: number) => `0x${number.toString(16)}`;

/** What was asked, in order. */
const asked: { method: string; params: Wire[]; bytes: number }[] = [];
/** What becomes of an answer; undefined: it stays. */
type Meddle = (method: string, params: Wire[], answer: Wire) => object | undefined;

beforeAll(async () => {
  node = await startAnvil('--hardfork', 'prague', '--gas-limit', '100000000');
  await putEmitter(node);
  for (let i = 0; i < 12; i++) {
    await node.mine(emit([i % 2], 'aa'.repeat(32)), emit([1 + (i % 2), 7]));
    await node.call('anvil_mine', quantity(24));
  }
  const plain = { to: accounts[1], value: 1n };
  large = await node.mine(
    ...Array.from({ length: 500 }, (_, i) => (i % 3 === 0 ? plain : emit([i % 7, 3], 'bb'))),
  );
  await node.call('anvil_mine', '0x3');
  last = Number(await node.call('eth_blockNumber'));
  served = await serveWorld({ node: createTransport({ url: node.url }) });
}, patience);
afterAll(async () => {
  await served.close();
  await node.close();
});
beforeEach(() => {
  asked.length = 0;
});

/** Asks the server or the node alone, and counts. */
const transportTo = (url: string, meddle: Meddle = () => undefined): Transport =>
  createTransport({
    url,
    fetch: async (to, init) => {
      const { id, method, params } = JSON.parse(String(init?.body));
      const response = await fetch(to, init);
      const text = await response.text();
      asked.push({ method, params, bytes: text.length });
      const edited = meddle(method, params, JSON.parse(text));
      return edited ? Response.json({ jsonrpc: '2.0', id, ...edited }) : new Response(text);
    },
  });

const viewOf = (l2: Transport): HistoryView =>
  openViews({
    l2,
    readSlots: ({ l2BlockNumber }, { address, storageKeys }) =>
      Promise.all(
        storageKeys.map((key) =>
          node.call('eth_getStorageAt', address, key, quantity(l2BlockNumber)),
        ),
      ),
    maxBlocks: 1000,
    maxRange: 1000,
  })({ l2BlockNumber: last, stateRoot: `0x${word(last)}`, hash: 'poseidon2' } as AnchoredRoot);

const toServer = (meddle?: Meddle) => viewOf(transportTo(`${served.url}/v3/any`, meddle));
const toNode = (meddle?: Meddle) => viewOf(transportTo(node.url, meddle));

const logsOf = (view: HistoryView, topic: number, from = 0) =>
  whileAsked(undefined, (work) =>
    view.logs(
      { filter: checkFilter({ topics: [`0x${word(topic)}`] }), range: { from, to: last - 1 } },
      work,
    ),
  );
const allLogs = (view: HistoryView, number: number) =>
  whileAsked(undefined, (work) =>
    view.logs({ filter: checkFilter({}), range: { from: number, to: number } }, work),
  );
const receiptsOf = (view: HistoryView, number: number) =>
  whileAsked(undefined, (work) => view.receipts({ number }, work));
const headerOf = (view: HistoryView, number: number) =>
  whileAsked(undefined, (work) => view.header({ number }, work));

const nodeLogs = (topic: number) =>
  node.call('eth_getLogs', {
    ...{ fromBlock: '0x0', toBlock: quantity(last - 1) },
    topics: [`0x${word(topic)}`],
  });
const count = (method: string) => asked.filter((one) => one.method === method).length;

describe('beside a server that answers ranges', () => {
  test('logs are those of the node, for a request a range and two a block that matches', async () => {
    const view = toServer();
    const expected = await nodeLogs(2);
    expect(expected.length).toBeGreaterThan(5);
    expect(await logsOf(view, 2)).toEqual(expected);
    const blocks = new Set(expected.map(({ blockNumber }: Wire) => blockNumber)).size;
    expect(count('l2_getHeaders')).toBe(Math.ceil(last / 256));
    expect(count('eth_getBlockByHash')).toBe(blocks);
    expect(asked).toHaveLength(count('l2_getHeaders') + count('eth_getBlockReceipts') + blocks);
    // Under the hash of the block: that is what the server keeps.
    expect(asked.every(({ params }) => params[0].length === 66)).toBe(true);
    asked.length = 0;
    expect(await logsOf(view, 2)).toEqual(expected);
    expect(asked).toEqual([]);
  });

  test('a range that is short, long, of other blocks or none at all is refused', async () => {
    const lies: [(headers: Wire[]) => unknown, string][] = [
      [(headers) => headers.slice(1), 'BAD_ANSWER'],
      [(headers) => headers.slice(0, -1), 'BAD_ANSWER'],
      [(headers) => [...headers, headers[0]], 'BAD_ANSWER'],
      [(headers) => [headers[0], ...headers.slice(0, -1)], 'WRONG_HEADER'],
      [(headers) => [...headers].reverse(), 'WRONG_HEADER'],
      [(headers) => headers.map((one) => `${one.slice(0, -2)}00`), 'WRONG_HEADER'],
      [(headers) => headers.map(() => 7), 'BAD_ANSWER'],
      [(headers) => headers.map(() => null), 'BLOCK_HELD_BACK'],
      [() => null, 'BLOCK_HELD_BACK'],
      [() => 'text', 'BAD_ANSWER'],
      [() => ({ length: 1 }), 'BAD_ANSWER'],
    ];
    for (const [lie, code] of lies) {
      const view = toServer((method, _params, { result }) =>
        method === 'l2_getHeaders' ? { result: lie(result) } : undefined,
      );
      await expect(logsOf(view, 2), String(lie)).rejects.toMatchObject({ code });
    }
  });

  test('a server that fails once is asked as a plain node for that piece, and then as before', async () => {
    let ranges = 0;
    const view = toServer((method) =>
      method === 'l2_getHeaders' && ++ranges === 2
        ? { error: { code: -32603, message: 'the L2 node does not answer right now' } }
        : undefined,
    );
    expect(await logsOf(view, 2, 1)).toEqual(await nodeLogs(2));
    expect(ranges).toBe(2);
    expect(count('eth_getBlockByNumber')).toBe(last - 1 - 256);
    await headerOf(view, 0);
    expect(ranges).toBe(3);
  });
});

describe('beside a plain node', () => {
  test('it is asked for a range once, and for single headers never', async () => {
    const view = toNode();
    await headerOf(view, last - 1);
    expect(count('l2_getHeaders')).toBe(0);
    expect(await logsOf(view, 2)).toEqual(await nodeLogs(2));
    expect(count('l2_getHeaders')).toBe(1);
    expect(count('eth_getBlockByNumber')).toBeGreaterThan(last - 1);
  });

  test('a server that is out of reach is not taken for a plain node', async () => {
    let failures = 3;
    const l2 = transportTo(`${served.url}/v3/any`);
    const view = viewOf({
      call: (method, ...rest) => {
        if (method !== 'l2_getHeaders' || failures-- <= 0) return l2.call(method, ...rest);
        throw Object.assign(new TypeError('of a transport of their own'), { code: -32000 });
      },
    });
    // An error of another kind says that it is one; those of the network are tried again.
    expect(await logsOf(view, 2, 1)).toEqual(await nodeLogs(2));
    expect(count('l2_getHeaders')).toBe(0);
    const busy = createTransport({
      url: 'http://127.0.0.1',
      fetch: async (_url, init) => {
        const { method } = JSON.parse(String(init?.body));
        asked.push({ method, params: [], bytes: 0 });
        return new Response('', { status: 500 });
      },
    });
    await expect(logsOf(viewOf(busy), 2)).rejects.toMatchObject({ code: 'HTTP_STATUS' });
    expect(new Set(asked.map(({ method }) => method)).has('eth_getBlockByHash')).toBe(false);
    expect(asked.at(-1)?.method).toBe('l2_getHeaders');
  });

  test(
    'the receipts of 500 transactions are those of the node, also if it gives them one by one',
    async () => {
      const expected = (await node.call('eth_getBlockReceipts', quantity(large))).map(receiptOf);
      expect(expected).toHaveLength(500);
      const view = toServer();
      expect(await receiptsOf(view, large)).toEqual(expected);
      // To recover 500 senders takes longer than all else, and is not done twice.
      expect(await receiptsOf(view, large)).toEqual(expected);
      const logs = await node.call('eth_getLogs', { blockHash: expected[0].blockHash });
      expect(logs).toHaveLength(333);
      const few = (await node.call('eth_getBlockReceipts', '0x1')).map(receiptOf);
      for (const message of ['Method not found', 'the method x does not exist/is not available']) {
        asked.length = 0;
        const code = message.startsWith('M') ? -32601 : -32600;
        const view = toNode((method) =>
          method === 'eth_getBlockReceipts' ? { error: { code, message } } : undefined,
        );
        expect(await allLogs(view, large)).toEqual(logs);
        expect(count('eth_getTransactionReceipt')).toBe(500);
        expect(await receiptsOf(view, 1)).toEqual(few);
        expect(count('eth_getBlockReceipts')).toBe(1);
      }
    },
    patience,
  );

  test('receipts one by one are held against the root, and are no more than the gas pays for', async () => {
    const hides = (lie: (receipt: Wire) => unknown) =>
      toNode((method, _params, { result }) => {
        if (method === 'eth_getBlockReceipts') return { error: { code: -32601, message: '' } };
        if (method === 'eth_getTransactionReceipt') return { result: lie(result) };
        return undefined;
      });
    const lies: [(receipt: Wire) => unknown, string][] = [
      [(receipt) => ({ ...receipt, logs: [] }), 'WRONG_RECEIPTS'],
      [(receipt) => ({ ...receipt, type: '0x7e' }), 'UNKNOWN_TYPE'],
      [() => null, 'BLOCK_HELD_BACK'],
      [() => ({}), 'BAD_ANSWER'],
    ];
    for (const [lie, code] of lies) {
      await expect(receiptsOf(hides(lie), 1), String(lie)).rejects.toMatchObject({ code });
    }
    // Each within the bound of a block's, and all together not.
    const data = `0x${'00'.repeat(400_000)}`;
    const long = hides((receipt) => {
      const [log = { address: accounts[0], topics: [] }] = receipt.logs;
      return { ...receipt, logs: [{ ...log, data }] };
    });
    asked.length = 0;
    await expect(allLogs(long, large)).rejects.toMatchObject({ code: 'WRONG_RECEIPTS' });
    expect(count('eth_getTransactionReceipt')).toBeLessThan(150);
  });

  test('who asks for the same at once shares the requests', async () => {
    const view = toNode();
    const before = await Promise.all([
      ...Array.from({ length: 5 }, () => allLogs(view, large)),
      ...Array.from({ length: 5 }, () => headerOf(view, large)),
      ...Array.from({ length: 5 }, () =>
        whileAsked(undefined, (work) => view.block({ number: large }, false, work)),
      ),
    ]);
    expect(before[4]).toEqual(before[0]);
    expect(asked.map(({ method }) => method).sort()).toEqual([
      'eth_getBlockByNumber',
      'eth_getBlockByNumber',
      'eth_getBlockReceipts',
    ]);
    asked.length = 0;
    const [logs, same] = await Promise.all([logsOf(view, 1), logsOf(view, 1)]);
    expect(same).toEqual(logs);
    const questions = asked.map(({ method, params }) => JSON.stringify([method, params]));
    expect(new Set(questions).size).toBe(questions.length);
  });

  test('who asks while the answers to another are read asks for nothing twice', async () => {
    const view = toNode();
    // The way to the range is known, so that the second one is at it at once.
    await headerOf(view, last - 1);
    asked.length = 0;
    const ask = () =>
      whileAsked(undefined, (work) => view.headers({ from: last - 200, to: last - 1 }, work));
    const answers = [ask()];
    // Time stands still, so that work gives way to other work once: amid the answers to the first requests, when another asks.
    const time = performance.now();
    let looks = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      if (asked.length < 64) return time;
      looks += 1;
      if (looks !== 20) return time;
      answers.push(ask());
      return Number.POSITIVE_INFINITY;
    });
    try {
      const first = await answers[0];
      expect(first).toHaveLength(200);
      expect(answers).toHaveLength(2);
      expect(await answers[1]).toEqual(first);
      expect(count('eth_getBlockByNumber')).toBe(199);
    } finally {
      clock.mockRestore();
    }
  });

  test('one of several who gives up ends only its own question', async () => {
    const view = toNode();
    const controller = new AbortController();
    const reason = new Error('enough');
    const ended = whileAsked(controller.signal, (work) => view.header({ number: 9 }, work));
    const other = headerOf(view, 9);
    controller.abort(reason);
    await expect(ended).rejects.toBe(reason);
    expect((await other).number).toBe('0x9');
    expect(asked).toHaveLength(1);
  });
});
