/** A rollup on two forks: what is proven of its blocks is what its node says. */
import { createBlockFromRPC } from '@ethereumjs/block';
import { createCustomCommon, Hardfork, Mainnet } from '@ethereumjs/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fetchAnchor } from '../../../../src/anchor/index.js';
import { createHistory, type History, type LogQuestion } from '../../../../src/history/index.js';
import { emit, emitter, mineAllTypes, putEmitter } from '../../../support/allTypes.js';
import { accounts, word } from '../../../support/anvil.js';
import { type Living, openLiving } from '../../../support/living.js';
import { blockOf, receiptOf, transactionOf } from '../../../support/normalised.js';
import { patience, type Wire } from '../../../support/runs.js';

const quantity = (number: number) => `0x${number.toString(16)}` as const;

describe.each(['prague', 'osaka'] as const)('on %s', (fork) => {
  let world: Living;
  let history: History;
  /** The newest block whose header is proven. */
  let newest: number;
  const blocks: Wire[] = [];

  beforeAll(async () => {
    world = await openLiving({
      fork,
      keepFinal: 64,
      prepare: putEmitter,
    });
    await mineAllTypes(world.l2, fork);
    // More transactions than one byte of RLP counts.
    await world.l2.mine(...Array.from({ length: 150 }, (_, i) => emit([i % 5, 9], '00ff')));
    await world.l2.mine();
    newest = (await world.finalize()) - 1;
    for (let n = 0; n <= newest; n++) {
      blocks.push(await world.l2.call('eth_getBlockByNumber', quantity(n), true));
    }
    const { transport: l2, l1Transport: l1, network } = world;
    history = createHistory({ l2, l1, network });
  }, patience);
  afterAll(() => world.close());

  test('blocks are those of the node, by number, hash and tag', async () => {
    for (const block of blocks.slice(1)) {
      const whole = blockOf(block);
      const hashes = { ...whole, transactions: whole.transactions.map(({ hash }: Wire) => hash) };
      expect(await history.block(block.number, { transactions: 'whole' })).toEqual(whole);
      expect(await history.block(BigInt(block.number))).toEqual(hashes);
      expect(await history.block(block.hash)).toEqual(hashes);
      const { transactions: _, uncles: _uncles, withdrawals: _all, size: _size, ...header } = whole;
      expect(await history.header(Number(block.number))).toEqual(header);
      expect(await history.header(block.hash)).toEqual(header);
    }
    for (const tag of ['latest', 'safe', 'finalized'] as const) {
      expect((await history.header(tag)).number).toBe(quantity(newest));
    }
    expect((await history.header('earliest')).hash).toBe(blocks[0].hash);
  });

  test('the size is that of the encoding by ethereumjs', async () => {
    const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: Hardfork.Prague });
    // Without the blobs that Anvil keeps.
    const plain = blocks.slice(1).filter((block) => block.blobGasUsed === '0x0');
    expect(plain.length).toBeGreaterThan(3);
    for (const block of plain) {
      const { size } = await history.block(block.number);
      const other = createBlockFromRPC(block, [], { common, setHardfork: false });
      expect(Number(size)).toBe(other.serialize().length);
    }
  });

  test(
    'transactions and receipts are those of the node',
    async () => {
      for (const block of blocks) {
        const receipts = await world.l2.call('eth_getBlockReceipts', block.number);
        expect(await history.receipts(block.hash)).toEqual(receipts.map(receiptOf));
        // Each fifth of many: their senders take time.
        for (const [i, transaction] of block.transactions.entries()) {
          if (i > 10 && i % 50 !== 0) continue;
          expect(await history.transaction(transaction.hash)).toEqual(transactionOf(transaction));
          expect(await history.receipt(transaction.hash)).toEqual(receiptOf(receipts[i]));
        }
      }
    },
    patience,
  );

  test(
    'logs are those of the node, whatever is asked for',
    async () => {
      const all: LogQuestion = { fromBlock: 0, toBlock: newest };
      const topic = (n: number) => `0x${word(n)}` as const;
      const questions: LogQuestion[] = [
        all,
        { ...all, address: emitter as `0x${string}` },
        { ...all, address: [accounts[0], emitter as `0x${string}`] },
        { ...all, address: accounts[0] },
        { ...all, topics: [topic(1)] },
        { ...all, topics: [null, topic(2)] },
        { ...all, topics: [[topic(4), topic(1)], topic(2)] },
        { ...all, topics: [topic(4), topic(3), topic(2), topic(1)] },
        { ...all, topics: [topic(77)] },
        { ...all, topics: [] },
        { fromBlock: 3, toBlock: 3 },
        { fromBlock: 'earliest', toBlock: 'finalized', topics: [topic(2)] },
        { blockHash: blocks[5].hash },
        {},
      ];
      let found = 0;
      for (const question of questions) {
        const { fromBlock, toBlock, blockHash, ...filter } = question;
        const named = (block: unknown, usual: number) =>
          quantity(typeof block === 'number' ? block : block === 'earliest' ? 0 : usual);
        const range = blockHash
          ? { blockHash }
          : { fromBlock: named(fromBlock, newest), toBlock: named(toBlock, newest) };
        const expected = await world.l2.call('eth_getLogs', { ...filter, ...range });
        const logs = await history.logs(question);
        expect(logs, JSON.stringify(question)).toEqual(expected);
        found += logs.length;
      }
      expect(found).toBeGreaterThan(500);
    },
    patience,
  );

  test('a search tells how far it is, and ends with its signal', async () => {
    const seen: number[] = [];
    const onProgress = ({ checked, total }: { checked: number; total: number }) => {
      seen.push(checked);
      expect(total).toBe(newest + 1);
    };
    await history.logs({ fromBlock: 0 }, { onProgress });
    expect(seen.at(-1)).toBe(newest + 1);
    const reason = new Error('enough');
    const controller = new AbortController();
    controller.abort(reason);
    const { signal } = controller;
    const asked = world.requests.length;
    await expect(history.logs({ fromBlock: 0 }, { signal })).rejects.toBe(reason);
    await expect(history.header(1, { signal })).rejects.toBe(reason);
    expect(world.requests.length).toBe(asked);
  });

  test('what is not proven is refused', async () => {
    const unknown = `0x${'ab'.repeat(32)}` as const;
    const refused: [() => Promise<unknown>, string][] = [
      [() => history.transaction(unknown), 'NOT_PROVEN'],
      [() => history.receipt(unknown), 'NOT_PROVEN'],
      [() => history.header(unknown), 'NOT_PROVEN'],
      [() => history.header(newest + 1), 'TOO_NEW'],
      [() => history.receipts(10 ** 9), 'TOO_NEW'],
      [() => history.header(2n ** 53n - 1n), 'TOO_NEW'],
      [() => history.logs({ fromBlock: 0, toBlock: newest + 1 }), 'TOO_NEW'],
    ];
    for (const [question, code] of refused) {
      await expect(question()).rejects.toMatchObject({ name: 'HistoryError', code });
    }
    const { transport: l2, l1Transport: l1, network } = world;
    const narrow = createHistory({ l2, l1, network, maxRange: newest });
    await expect(narrow.logs({ fromBlock: 0 })).rejects.toMatchObject({ code: 'RANGE_TOO_WIDE' });
    const wide = createHistory({ l2, l1, network, maxRange: Infinity, maxBlocks: Infinity });
    expect((await wide.logs({ fromBlock: 0 })).length).toBeGreaterThan(100);
    const wrong = [
      () => history.header(-1),
      () => history.header(-1n),
      () => history.header(2n ** 53n),
      () => history.header('pending' as never),
      () => history.header('0x' as never),
      () => history.header({} as never),
      () => history.transaction('0x12' as never),
      () => history.logs({ blockHash: unknown, fromBlock: 1 }),
      () => history.logs({ fromBlock: unknown }),
      () => history.logs({ fromBlock: 3, toBlock: 2 }),
      () => history.logs({ topics: [unknown, null, null, null, null] }),
      () => history.logs({ address: unknown as never }),
      () => history.block(1, { transactions: 'all' as never }),
      () => history.block(1, { whole: true } as never),
    ];
    for (const call of wrong) {
      const error = await call().catch((error) => error);
      expect(error instanceof RangeError || error instanceof TypeError).toBe(true);
    }
  });

  test('an anchor may be given, or a function that gives one', async () => {
    const { transport: l2, l1Transport: l1, network } = world;
    const anchor = await fetchAnchor({ l1, network });
    const given = createHistory({ l2, network, anchor });
    expect(await given.anchor()).toEqual(anchor);
    expect((await given.header('latest')).hash).toBe(blocks[newest].hash);
    let calls = 0;
    const asked = createHistory({
      l2,
      network,
      anchor: async () => {
        calls++;
        return anchor;
      },
    });
    await asked.header(1);
    await asked.header(2);
    expect(calls).toBe(2);
    for (const options of [
      { l2, network, anchor, l1 },
      { l2, network },
      { l2, network, anchor, refresh: 1 },
      { l2, network, anchor: undefined },
      { l2: {}, network, anchor },
      { l2, network, anchor, maxBlocks: -1 },
      { l2, network, anchor, maxBlocks: '9' },
      { l2, network, anchor, maxBlocks: -Infinity },
      { l2, network, anchor, maxRange: 0 },
      { l2, network, anchor, maxRange: 1.5 },
      { l2, network, anchor, maxRange: Number.NaN },
      { l2, network, l1, refresh: -1 },
    ]) {
      expect(() => createHistory(options as never)).toThrow(/^"/);
    }
  });

  test('a newer block is anchored when it is time, or when the server has dropped the state', async () => {
    const { transport: l2, l1Transport: l1, network } = world;
    const always = createHistory({ l2, l1, network, refresh: 0 });
    const once = createHistory({ l2, l1, network, refresh: Infinity });
    const [before] = await Promise.all([always.anchor(), once.anchor()]);
    await world.l2.mine(emit([5]));
    const end = await world.finalize();
    expect((await always.anchor()).l2BlockNumber).toBe(end);
    expect((await once.anchor()).l2BlockNumber).toBe(before.l2BlockNumber);
    world.meddle((method, [, , block], answer) =>
      method === 'l2_getProof' && block === quantity(before.l2BlockNumber)
        ? { error: { code: -32600, message: 'BLOCK_MISSING_IN_CHAIN - block is missing' } }
        : answer,
    );
    expect((await once.header('latest')).number).toBe(quantity(end - 1));
    world.meddle();
  });
});
