/** Blocks, transactions, receipts and logs over the provider: those of the node, and refused if nothing proves them. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createProvider,
  type Provider,
  ProviderError,
  type ProviderOptions,
} from '../../../../src/provider/index.js';
import { emit, emitter, mineAllTypes, putEmitter } from '../../../support/allTypes.js';
import { accounts, word } from '../../../support/anvil.js';
import { type Living, openLiving } from '../../../support/living.js';
import { blockOf, receiptOf, transactionOf } from '../../../support/normalised.js';
import { patience, type Wire } from '../../../support/runs.js';
import { rejectionOf } from '../../../support/thrown.js';

const hex = (number: number) => `0x${number.toString(16)}`;
const topic = (n: number) => `0x${word(n)}`;
const unknown = `0x${'ab'.repeat(32)}`;

let world: Living;
let options: ProviderOptions;
/** The anchored block. */
let anchored: number;
/** As the node says them, up to the anchored one and two beyond. */
const blocks: Wire[] = [];
beforeAll(async () => {
  world = await openLiving({ keepFinal: 64, prepare: putEmitter });
  await mineAllTypes(world.l2, 'prague');
  await world.l2.mine(emit([1, 9], 'aa'), emit([2, 9]));
  anchored = await world.finalize();
  // The node is ahead of L1.
  await world.l2.mine(emit([1, 8]), { to: accounts[1], value: 1n });
  await world.l2.mine();
  for (let n = 0; n <= anchored + 2; n++) {
    blocks.push(await world.l2.call('eth_getBlockByNumber', hex(n), true));
  }
  options = { l2: world.transport, l1: world.l1Transport, network: world.network };
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
const refusal = (method: string, ...params: unknown[]): Promise<ProviderError> =>
  rejectionOf(ProviderError, ask(method, ...params));

/** A transaction of the newest block, which the node alone knows. */
const late = () => blocks[anchored + 1].transactions[0].hash;

const headerOf = (block: Wire) => {
  const { transactions: _, uncles: _all, withdrawals: _none, size: _size, ...header } = block;
  return header;
};

describe('what is proven', () => {
  test('blocks and headers', async () => {
    for (const block of blocks.slice(1, anchored)) {
      const whole = blockOf(block);
      const hashes = { ...whole, transactions: whole.transactions.map(({ hash }: Wire) => hash) };
      for (const [method, name] of [
        ['eth_getBlockByNumber', block.number],
        ['eth_getBlockByHash', block.hash],
      ]) {
        expect(await ask(method, name, true)).toEqual(whole);
        expect(await ask(method, name, false)).toEqual(hashes);
        expect(await ask(method, name)).toEqual(hashes);
      }
      expect(await ask('eth_getHeaderByNumber', block.number)).toEqual(headerOf(whole));
      expect(await ask('eth_getHeaderByHash', block.hash)).toEqual(headerOf(whole));
      const count = hex(block.transactions.length);
      expect(await ask('eth_getBlockTransactionCountByNumber', block.number)).toBe(count);
      expect(await ask('eth_getBlockTransactionCountByHash', block.hash)).toBe(count);
    }
    for (const tag of ['latest', 'safe', 'finalized']) {
      expect((await ask('eth_getBlockByNumber', tag, false)).number).toBe(hex(anchored - 1));
    }
    expect((await ask('eth_getBlockByNumber', 'earliest', false)).hash).toBe(blocks[0].hash);
    expect(await ask('eth_blockNumber')).toBe(hex(anchored));
  });

  test(
    'transactions and receipts',
    async () => {
      for (const { number, hash, transactions } of blocks.slice(1, anchored)) {
        const receipts = await world.l2.call('eth_getBlockReceipts', number);
        for (const named of [number, hash, { blockHash: hash }, { blockNumber: number }]) {
          expect(await ask('eth_getBlockReceipts', named)).toEqual(receipts.map(receiptOf));
        }
        for (const [i, transaction] of transactions.entries()) {
          const known = transactionOf(transaction);
          expect(await ask('eth_getTransactionByHash', transaction.hash)).toEqual(known);
          const places = [
            ['eth_getTransactionByBlockNumberAndIndex', number],
            ['eth_getTransactionByBlockHashAndIndex', hash],
          ];
          for (const [method, name] of places) {
            expect(await ask(method as string, name, hex(i))).toEqual(known);
          }
          const receipt = await ask('eth_getTransactionReceipt', transaction.hash);
          expect(receipt).toEqual(receiptOf(receipts[i]));
        }
        // Proven, for the block is.
        const beyond = hex(transactions.length);
        const params = [number, beyond];
        const method = 'eth_getTransactionByBlockNumberAndIndex';
        expect(await provider.explain({ method, params })).toMatchObject({
          ...{ result: null, proven: true, assumed: [], restsOn: 'operator' },
        });
      }
    },
    patience,
  );

  test('logs', async () => {
    const all = { fromBlock: '0x0', toBlock: hex(anchored - 1) };
    const filters = [
      {},
      { address: emitter },
      { address: [emitter, accounts[0]], topics: null },
      { address: accounts[0] },
      { topics: [topic(1)] },
      { topics: [null, [topic(2), topic(9)]] },
      { topics: [] },
    ];
    for (const filter of filters) {
      const known = await world.l2.call('eth_getLogs', { ...filter, ...all });
      for (const range of [all, { ...all, toBlock: 'latest' }, { fromBlock: 'earliest' }]) {
        expect(await ask('eth_getLogs', { ...filter, ...range })).toEqual(known);
      }
    }
    const [one] = await ask('eth_getLogs', { ...all, topics: [topic(4)] });
    const named = { blockHash: one.blockHash, address: null };
    expect(await ask('eth_getLogs', named)).toEqual(await world.l2.call('eth_getLogs', named));
    expect(one.transactionHash).toMatch(/^0x[\da-f]{64}$/);
  });

  test('base fees and gas ratios', async () => {
    for (const [count, newest] of [
      ['0x4', hex(anchored - 2)],
      [3, hex(anchored - 4)],
      ['0x400', hex(anchored - 2)],
    ]) {
      const known = await world.l2.call('eth_feeHistory', hex(Number(count)), newest, []);
      const { oldestBlock, gasUsedRatio } = known;
      // The last one of Anvil is that of its next block, whatever the newest block that was asked for.
      const next = blocks[Number(newest) + 1].baseFeePerGas;
      const baseFeePerGas = [...known.baseFeePerGas.slice(0, -1), next];
      const fees = await ask('eth_feeHistory', count, newest, []);
      expect(fees).toEqual({ oldestBlock, baseFeePerGas, gasUsedRatio });
    }
    // The base fee after the newest proven block is that of the anchored one, which nothing proves.
    const { oldestBlock } = await ask('eth_feeHistory', '0x1', 'latest', []);
    expect(oldestBlock).toBe(hex(anchored - 2));
    expect(await refusal('eth_feeHistory', '0x1', hex(anchored - 1), [])).toMatchObject({
      code: -31002,
      data: { reason: 'TOO_NEW' },
    });
    expect(await refusal('eth_feeHistory', '0x1', 'latest', [10, 20])).toMatchObject({
      code: -31003,
      data: { reason: 'NOT_PROVEN' },
    });
  });

  test('explain names the anchor, and the operator, on whom headers rest', async () => {
    const requests: [string, unknown[]][] = [
      ['eth_getBlockByNumber', ['latest', false]],
      ['eth_getLogs', [{}]],
      ['eth_getTransactionReceipt', [blocks[1].transactions[0].hash]],
      ['eth_newBlockFilter', []],
    ];
    for (const [method, params] of requests) {
      const { anchor, proven, assumed, restsOn } = await provider.explain({ method, params });
      expect(anchor?.l2BlockNumber).toBe(anchored);
      expect({ proven, assumed, restsOn }).toEqual({
        ...{ proven: true, assumed: [], restsOn: 'operator' },
      });
    }
    const balance = { method: 'eth_getBalance', params: [accounts[0], 'latest'] };
    expect(await provider.explain(balance)).not.toHaveProperty('restsOn');
  });
});

describe('what is not proven', () => {
  test('is refused: what the server says not to have, and what is not final', async () => {
    const refused: [string, unknown[], string, number][] = [
      ['eth_getTransactionByHash', [unknown], 'NOT_PROVEN', -31003],
      ['eth_getTransactionReceipt', [unknown], 'NOT_PROVEN', -31003],
      ['eth_getBlockByHash', [unknown, false], 'NOT_PROVEN', -31003],
      ['eth_getTransactionByHash', [late()], 'TOO_NEW', -31002],
      ['eth_getTransactionReceipt', [late()], 'TOO_NEW', -31002],
      ['eth_getBlockByNumber', [hex(anchored), false], 'TOO_NEW', -31002],
      ['eth_getBlockByHash', [blocks[anchored].hash, false], 'TOO_NEW', -31002],
      ['eth_getLogs', [{ toBlock: hex(anchored) }], 'TOO_NEW', -31002],
      ['eth_getLogs', [{ blockHash: unknown }], 'NOT_PROVEN', -31003],
    ];
    for (const absence of [undefined, 'server'] as const) {
      open({ absence });
      for (const [method, params, reason, code] of refused) {
        // An empty list would say more than null does: logs are refused all the same.
        if (absence && method !== 'eth_getLogs') continue;
        expect(await refusal(method, ...params), `${method} ${params}`).toMatchObject({
          code,
          data: { reason, block: anchored },
        });
      }
    }
  });

  test('and a request that no node would take, before anybody is asked', async () => {
    const wrong: [string, ...unknown[]][] = [
      ['eth_getBlockByNumber', 'pending', false],
      ['eth_getBlockByNumber', unknown, false],
      ['eth_getBlockByNumber', 'newest', false],
      ['eth_getBlockByNumber', '0x1', 'yes'],
      ['eth_getBlockByHash', '0x1', false],
      ['eth_getBlockReceipts', { blockhash: unknown }],
      ['eth_getTransactionByHash', '0xab'],
      ['eth_getTransactionByBlockNumberAndIndex', '0x1', 1],
      ['eth_getLogs'],
      ['eth_getLogs', { adress: emitter }],
      ['eth_getLogs', { address: '0x1' }],
      ['eth_getLogs', { topics: [[[topic(1)]]] }],
      ['eth_getLogs', { toBlock: 'pending' }],
      ['eth_getLogs', { blockHash: unknown, fromBlock: '0x1' }],
      ['eth_feeHistory', '0x0', 'latest', []],
      ['eth_feeHistory', '0x1', 'latest', 10],
      ['eth_newFilter', { blockHash: unknown }],
      ['eth_getFilterChanges', 7],
    ];
    world.requests.length = 0;
    for (const [method, ...params] of wrong) {
      expect(await refusal(method, ...params), method).toMatchObject({ code: -32602 });
    }
    expect(world.requests).toEqual([]);
    const backwards = { fromBlock: '0x3', toBlock: '0x2' };
    expect(await refusal('eth_getLogs', backwards)).toMatchObject({ code: -32602 });
  });

  test('a range that is too wide, and a way that is too long', async () => {
    open({ maxRange: 2 });
    expect(await refusal('eth_getLogs', { fromBlock: '0x1' })).toMatchObject({
      ...{ code: -31003, data: { reason: 'RANGE_TOO_WIDE' } },
    });
    const narrow = { fromBlock: '0x1', toBlock: '0x2' };
    expect(await ask('eth_getLogs', narrow)).toEqual(await world.l2.call('eth_getLogs', narrow));
    expect(() => open({ maxRange: 0 })).toThrow(RangeError);
    expect(() => open({ maxBlocks: -1 })).toThrow(RangeError);
    expect(() => open({ absence: 'anyone' as never })).toThrow(
      '"absence" expected server, got "anyone"',
    );
  });

  test('is null on the word of the server, if that is allowed, and both ways say so', async () => {
    open({ absence: 'server' });
    const told: unknown[] = [];
    provider.on('unproven', (request) => told.push(request));
    const absent: [string, unknown[]][] = [
      ['eth_getTransactionByHash', [unknown]],
      ['eth_getTransactionReceipt', [unknown]],
      ['eth_getBlockByHash', [unknown, false]],
      ['eth_getHeaderByHash', [unknown]],
      ['eth_getBlockReceipts', [unknown]],
      ['eth_getBlockTransactionCountByHash', [unknown]],
      ['eth_getTransactionByBlockHashAndIndex', [unknown, '0x0']],
      ['eth_getTransactionByHash', [late()]],
      ['eth_getTransactionReceipt', [late()]],
      ['eth_getBlockByNumber', [hex(anchored), true]],
      ['eth_getBlockByHash', [blocks[anchored].hash, false]],
      ['eth_getBlockReceipts', [hex(anchored)]],
    ];
    for (const [method, params] of absent) {
      expect(await provider.explain({ method, params }), method).toEqual({
        ...{ result: null, proven: false, anchor: undefined, assumed: ['absence'] },
      });
    }
    expect(told).toEqual(
      absent.map(([method, params]) => ({ method, params, assumed: ['absence'] })),
    );
    told.length = 0;
    await ask('eth_getTransactionReceipt', blocks[1].transactions[0].hash);
    expect(told).toEqual([]);
  });
});

describe('what is passed on', () => {
  test('is no more than what cannot be proven, and is marked', async () => {
    open({ passthrough: ['send', 'eth_getBlockByHash'], absence: 'server' });
    const [early] = blocks[1].transactions;
    const proven: [string, unknown[]][] = [
      ['eth_getTransactionByHash', [early.hash]],
      ['eth_getTransactionReceipt', [early.hash]],
      ['eth_getBlockByNumber', [hex(anchored - 1), false]],
      ['eth_getBlockByNumber', ['finalized', false]],
      ['eth_getBlockByHash', [blocks[2].hash, false]],
    ];
    for (const [method, params] of proven) {
      const { proven, assumed } = await provider.explain({ method, params });
      expect({ method, proven, assumed }).toEqual({ method, proven: true, assumed: [] });
    }
    const beyond: [string, unknown[]][] = [
      ['eth_getTransactionByHash', [late()]],
      ['eth_getTransactionReceipt', [late()]],
      ['eth_getTransactionReceipt', [unknown]],
      ['eth_getBlockByNumber', ['latest', false]],
      ['eth_getBlockByNumber', ['pending', true]],
      ['eth_getBlockByNumber', [hex(anchored), true]],
      ['eth_getBlockByHash', [blocks[anchored].hash, false]],
      ['eth_feeHistory', ['0x2', 'latest', [10]]],
    ];
    for (const [method, params] of beyond) {
      const { result, proven, assumed } = await provider.explain({ method, params });
      expect({ method, proven, assumed }).toEqual({ method, proven: false, assumed: ['result'] });
      if (params[0] !== 'pending') {
        expect(result).toEqual(await world.l2.call(method, ...params));
      }
    }
  });

  test('a lie about what is proven is refused, and not passed on', async () => {
    open({ passthrough: ['eth_getTransactionReceipt', 'eth_getLogs'], absence: 'server' });
    world.meddle((method, _params, answer) => {
      if (method !== 'eth_getBlockReceipts') return answer;
      const { result } = structuredClone(answer) as Wire;
      for (const one of result) one.logs = [];
      return { result };
    });
    const { number, transactions } = blocks[5];
    expect(transactions.length).toBeGreaterThan(2);
    for (const [method, param] of [
      ['eth_getTransactionReceipt', transactions[0].hash],
      ['eth_getLogs', { fromBlock: number, toBlock: number }],
    ] as const) {
      expect(await refusal(method, param)).toMatchObject({
        ...{ code: -31001, data: { reason: 'WRONG_RECEIPTS' } },
      });
    }
    world.meddle();
    // The newest logs are those of the server: whoever names the method asks for them.
    const { proven } = await provider.explain({ method: 'eth_getLogs', params: [{}] });
    expect(proven).toBe(false);
    expect(await ask('eth_getLogs', {})).toEqual(await world.l2.call('eth_getLogs', {}));
  });
});
