/** An index of a real node's events: all that a wallet holds is found, over reorgs, refusals and restarts. */

import { readFileSync } from 'node:fs';
import { toEventSelector } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import { createIndexer, type IndexerOptions } from '../../../src/indexer/indexer.js';
import { topics } from '../../../src/indexer/logs/events.js';
import { type Index, openIndex, openSizedIndex } from '../../../src/indexer/openIndex.js';
import { sealed } from '../../../src/indexer/sealed/sealedStore.js';
import { defaultSizes, type Sizes } from '../../../src/indexer/segments/sizes.js';
import { createTransport, RpcError, type Transport } from '../../../src/rpc/index.js';
import { memoryStore, openStateTree, type Store } from '../../../src/tree/index.js';
import type { NodeLog } from '../../support/answers.js';
import { type Anvil, startAnvil } from '../../support/anvil.js';
import { deployEmitter } from '../../support/contracts/emitter.js';
import { fromHex } from '../../support/hex.js';
import { contentOf } from '../../support/indexed.js';
import { patience } from '../../support/runs.js';
import { entriesOf } from '../../support/stores.js';
import { type Held, startHistory, type TokenHistory, wallets } from '../../support/tokenHistory.js';

const nodes: Anvil[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

const chainId = 31337;

async function start(...args: string[]): Promise<Anvil> {
  const node = await startAnvil('--auto-impersonate', ...args);
  nodes.push(node);
  return node;
}

const transportOf = ({ url }: Anvil): Transport => createTransport({ url });

interface Fed {
  readonly store: Store;
  readonly index: Index;
  /** Feeds it to the node's newest block. */
  feed(more?: Partial<IndexerOptions>): Promise<void>;
}

/** What an index is fed with that is of tokens alone. */
const tokens = { only: 'tokens' } as const;

async function begin(
  node: Anvil,
  sizes = defaultSizes,
  feed: { only?: 'tokens' } = {},
): Promise<Fed> {
  const store = memoryStore();
  const index = await openSizedIndex({ store, chainId, ...feed }, sizes);
  const options = { index, l2: transportOf(node), patience: { tries: 3, delay: 1 } };
  return {
    store,
    index,
    feed: (more) => createIndexer({ ...options, ...more }).run({ once: true }),
  };
}

/** What an index holds that begins now. */
async function freshContent(node: Anvil, of: { only?: 'tokens' } = {}) {
  const { store, feed } = await begin(node, defaultSizes, of);
  await feed();
  return contentOf(store);
}

/** Segments of a few records: a short history makes many of them, and merges them over several levels. */
const small: Sizes = { loose: 8, page: 200, fanIn: 2, step: 7 };

const nameOf = ({ wallet, standard, contract, id }: Omit<Held, 'amount'>) =>
  [wallet, standard, contract, id].join(' ');

/** All that the index takes for possible. */
async function possible(index: Index, block: number): Promise<Set<string>> {
  const names = new Set<string>();
  for (const wallet of wallets) {
    for (const { standard, contract } of await index.holdings(wallet, { offset: 0, limit: 1000 })) {
      const options = { standard, contract, block, limit: 1000 };
      const ids = standard === 'erc20' ? [undefined] : await index.tokens(wallet, options);
      for (const id of ids) names.add(nameOf({ wallet, standard, contract, id }));
    }
  }
  return names;
}

async function expectFound(index: Index, history: TokenHistory, block: number): Promise<number> {
  const found = await possible(index, block);
  const held = await history.held(block);
  for (const one of held) expect(found, `${nameOf(one)} at block ${block}`).toContain(nameOf(one));
  return held.length;
}

test('the topics are those of the events', () => {
  const signatures: Record<keyof typeof topics, string> = {
    transfer: 'Transfer(address,address,uint256)',
    approval: 'Approval(address,address,uint256)',
    approvalForAll: 'ApprovalForAll(address,address,bool)',
    transferSingle: 'TransferSingle(address,address,address,uint256,uint256)',
    transferBatch: 'TransferBatch(address,address,address,uint256[],uint256[])',
    consecutiveTransfer: 'ConsecutiveTransfer(uint256,uint256,address,address)',
    deposit: 'Deposit(address,uint256)',
    withdrawal: 'Withdrawal(address,uint256)',
  };
  for (const [name, signature] of Object.entries(signatures)) {
    expect(topics[name as keyof typeof topics]).toBe(toEventSelector(signature));
  }
});

describe('after a random history', () => {
  test.each([
    ['', defaultSizes],
    [', in segments of a few records', small],
  ])(
    'whatever the node says is held is found, at every block, and little else%s',
    async (_, sizes) => {
      const node = await start();
      const history = await startHistory(node, Number(process.env.HISTORY_SEED ?? 7));
      const { index, feed } = await begin(node, sizes);
      let held = 0;
      for (let round = 0; round < 3; round++) {
        await history.mine(25);
        await feed();
        const newest = Number(await node.call('eth_blockNumber'));
        expect(await index.newestBlock()).toBe(newest);
        expect(await index.finalBlock()).toBe(newest - 2);
        for (const block of [newest, newest - 1, newest - 9]) {
          held += await expectFound(index, history, block);
        }
        // An ERC-721 token that is not there is not asked for.
        const found = [...(await possible(index, newest))].filter((name) =>
          name.includes('erc721'),
        );
        const real = (await history.held(newest)).filter(({ standard }) => standard === 'erc721');
        expect(found.sort()).toEqual(real.map(nameOf).sort());
      }
      expect(held).toBeGreaterThan(100);
      // The block of the last transfer is there with its time.
      const [first] = await index.holdings(wallets[0] as Hex, { offset: 0, limit: 1 });
      const block = `0x${first?.lastBlock.toString(16)}`;
      const { timestamp } = await node.call('eth_getBlockByNumber', block, false);
      expect(await index.blockTime(first?.lastBlock as number)).toBe(Number(timestamp));
    },
    patience,
  );

  test(
    'holdings come in pages, each once and in one order',
    async () => {
      const node = await start();
      const history = await startHistory(node, 8);
      const { index, feed } = await begin(node, small);
      await history.mine(30);
      await feed();
      for (const wallet of wallets) {
        const all = await index.holdings(wallet, { offset: 0, limit: 1000 });
        expect(await index.countHoldings(wallet, 1000)).toBe(all.length);
        const paged = [];
        for (let offset = 0; offset < all.length; offset++) {
          paged.push(...(await index.holdings(wallet, { offset, limit: 1 })));
        }
        expect(paged).toEqual(all);
        expect(await index.holdings(wallet, { offset: all.length, limit: 5 })).toEqual([]);
      }
      const nobody: Hex = `0x${'00'.repeat(20)}`;
      expect(await index.holdings(nobody, { offset: 0, limit: 5 })).toEqual([]);
    },
    patience,
  );

  test(
    'it holds the same entries, however it was fed: in ranges, block by block, or over reorgs',
    async () => {
      const node = await start();
      const history = await startHistory(node, 9);
      const stepwise = await begin(node);
      const reorged = await begin(node, small);
      for (let round = 0; round < 12; round++) {
        await history.mine(2 + (round % 3));
        await stepwise.feed();
        await reorged.feed();
        if (round % 4 !== 3) continue;
        const newest = Number(await node.call('eth_blockNumber'));
        await node.call('anvil_reorg', 1, []);
        await history.mine(1);
        await reorged.feed();
        await stepwise.feed();
        await expectFound(reorged.index, history, newest);
      }
      const expected = await freshContent(node);
      expect(expected.length).toBeGreaterThan(50);
      expect(await contentOf(reorged.store)).toEqual(expected);
      expect(await contentOf(stepwise.store)).toEqual(expected);
    },
    patience,
  );

  test(
    'a run that is stopped anywhere goes on from there',
    async () => {
      const node = await start();
      const history = await startHistory(node, 10);
      await history.mine(120);
      const { store, index } = await begin(node, small, tokens);
      const l2 = narrow(transportOf(node), { blocks: 1 });
      let stops = 0;
      for (;;) {
        const controller = new AbortController();
        let steps = 0;
        const onProgress = () => {
          if (++steps > 1) controller.abort(new Error('enough'));
        };
        const run = createIndexer({ index, l2, onProgress, patience: { tries: 2, delay: 1 } });
        const error = await run.run({ once: true, signal: controller.signal }).then(
          () => undefined,
          (reason: unknown) => reason as Error,
        );
        if (error === undefined) break;
        expect(error.message).toBe('enough');
        stops++;
      }
      expect(stops).toBeGreaterThan(5);
      expect(await contentOf(store)).toEqual(await freshContent(node, tokens));
    },
    patience,
  );
});

/** A node that refuses ranges of more blocks, or answers of more logs. */
function narrow(l2: Transport, { blocks = 1e9, logs = 1e9 }: { blocks?: number; logs?: number }) {
  const refuse = (method: string) => {
    const message = 'query returned too many results';
    throw new RpcError('SERVER_ERROR', method, message, { serverCode: -32005 });
  };
  const asked: string[] = [];
  const transport: Transport & { asked: string[] } = {
    ...l2,
    asked,
    async call(method, params, options) {
      asked.push(method);
      const [filter] = params as [{ fromBlock?: string; toBlock?: string }];
      if (method !== 'eth_getLogs') return l2.call(method, params, options);
      const width = Number(filter.toBlock) - Number(filter.fromBlock) + 1;
      if (filter.fromBlock !== undefined && width > blocks) refuse(method);
      const answer = (await l2.call(method, params, options)) as unknown[];
      return answer.length > logs ? refuse(method) : answer;
    },
  };
  return transport;
}

describe('a node', () => {
  test(
    'that refuses long ranges and long answers is asked for shorter ones, and for receipts',
    async () => {
      const node = await start();
      const history = await startHistory(node, 11);
      await history.mine(40);
      const expected = await freshContent(node, tokens);
      for (const limits of [{ blocks: 1 }, { blocks: 7 }, { logs: 3 }, { logs: 0 }]) {
        const { store, feed } = await begin(node, defaultSizes, tokens);
        const l2 = narrow(transportOf(node), limits);
        await feed({ l2 });
        expect(await contentOf(store)).toEqual(expected);
        expect(l2.asked.includes('eth_getBlockReceipts')).toBe('logs' in limits);
      }
    },
    patience,
  );

  test(
    'whose logs do not say their time is asked for the blocks',
    async () => {
      const node = await start();
      const history = await startHistory(node, 12);
      await history.mine(10);
      const { store, feed } = await begin(node, defaultSizes, tokens);
      const l2 = transportOf(node);
      const timeless: Transport = {
        ...l2,
        async call(method, params, options) {
          const answer = await l2.call(method, params, options);
          if (method !== 'eth_getLogs') return answer;
          return (answer as object[]).map((log) => ({ ...log, blockTimestamp: undefined }));
        },
      };
      await feed({ l2: timeless });
      expect(await contentOf(store)).toEqual(await freshContent(node, tokens));
    },
    patience,
  );

  const edits: [string, (logs: [NodeLog, ...NodeLog[]]) => unknown][] = [
    ['is no list', () => ({ length: 1 })],
    ['is in the wrong order', (logs) => [...logs].reverse()],
    ['has a log twice', (logs) => [logs[0], ...logs]],
    ['is of another block', ([log]) => [{ ...log, blockNumber: '0x7fffffff' }]],
    ['has a topic too short', ([log]) => [{ ...log, topics: ['0x12'] }]],
    ['has five topics', ([log]) => [{ ...log, topics: Array(5).fill(log.topics[0]) }]],
    ['has half a byte of data', ([log]) => [{ ...log, data: '0x123' }]],
    ['has no address', ([{ address: _, ...log }]) => [log]],
    ['has a number of no block', ([log]) => [{ ...log, blockNumber: null }]],
  ];
  test(
    'whose answer is no list of logs ends the run, with nothing changed',
    async () => {
      const node = await start();
      const history = await startHistory(node, 13);
      await history.mine(20);
      for (const [name, edit] of edits) {
        const { index, feed } = await begin(node, defaultSizes, tokens);
        const l2 = transportOf(node);
        const bad: Transport = {
          ...l2,
          async call(method, params, options) {
            const answer = await l2.call(method, params, options);
            return method === 'eth_getLogs' ? edit(answer as [NodeLog]) : answer;
          },
        };
        const run = feed({ l2: bad });
        const error = await run.catch((reason) => reason);
        expect(error, name).toMatchObject({ name: 'FollowError', code: 'BAD_ANSWER' });
        expect(await index.newestBlock(), name).toBeUndefined();
      }
    },
    patience,
  );

  test('of another chain is refused', async () => {
    const node = await start('--chain-id', '7');
    await node.mine();
    const { feed } = await begin(node);
    const refused = { name: 'IndexError', code: 'WRONG_CHAIN' };
    await expect(feed()).rejects.toMatchObject(refused);
    const index = await openIndex({ store: memoryStore(), chainId });
    const indexer = createIndexer({ index, l2: transportOf(node) });
    expect(indexer.failure).toBeUndefined();
    await expect(indexer.run()).rejects.toMatchObject(refused);
    expect(indexer.failure).toMatchObject(refused);
  });
});

describe('a store', () => {
  test.each([1, 2, 3])(
    'of version %d is refused, with the command that feeds a new one',
    async (version) => {
      const file = new URL(`../../fixtures/index-v${version}.json`, import.meta.url);
      const entries: [Hex, Hex][] = JSON.parse(readFileSync(file, 'utf8'));
      const store = memoryStore();
      const puts = entries.map(([key, value]) => ({ key: fromHex(key), value: fromHex(value) }));
      await store.write({ puts, deletes: [] });
      const text =
        `the store holds "l2proof index, version ${version}, chain 31337", not "l2proof index, version 4, chain 31337"; ` +
        'open it with what wrote it, or feed a new one: createIndexer';
      const refusal = { code: 'WRONG_INDEX', message: expect.stringContaining(text) };
      await expect(openIndex({ store, chainId })).rejects.toMatchObject(refusal);
      await expect(openIndex({ store })).rejects.toMatchObject({ code: 'WRONG_INDEX' });
      expect(await entriesOf(store)).toHaveLength(puts.length);
    },
  );

  test('of another chain, version or kind is refused, and an empty one has to be fed first', async () => {
    const wrong = { name: 'IndexError', code: 'WRONG_INDEX' };
    const store = memoryStore();
    await expect(openIndex({ store })).rejects.toMatchObject(wrong);
    await openIndex({ store, chainId: 5 });
    await expect(openIndex({ store, chainId: 6 })).rejects.toMatchObject(wrong);
    expect((await openIndex({ store })).chainId).toBe(5);
    const [mark] = await entriesOf(sealed(store));
    const text = new TextDecoder().decode(mark?.value).replace('version 4', 'version 5');
    const value = new TextEncoder().encode(text);
    const key = mark?.key as Uint8Array;
    await sealed(store).write({ puts: [{ key, value }], deletes: [] });
    await expect(openIndex({ store })).rejects.toMatchObject(wrong);
    // A later version may seal it otherwise, or not at all; a mark of this one must be whole.
    await store.write({ puts: [{ key, value }], deletes: [] });
    await expect(openIndex({ store })).rejects.toMatchObject({ name: 'IndexError' });
    const tree = memoryStore();
    await openStateTree({ store: tree });
    await expect(openIndex({ store: tree, chainId: 5 })).rejects.toMatchObject(wrong);
    await expect(openStateTree({ store })).rejects.toMatchObject({ code: 'WRONG_STORE' });
  });
});

const word = (value: bigint): string => value.toString(16).padStart(64, '0');
const padded = (address: Hex): Hex => `0x${'0'.repeat(24)}${address.slice(2)}`;

describe('what contracts emit', () => {
  test(
    'is understood by its layout alone; what fits none is left out',
    async () => {
      const node = await start();
      const emitter = await deployEmitter(node);
      const [a, b] = [wallets[2], wallets[3]] as [Hex, Hex];
      const [from, to] = [padded(a), padded(b)];
      const id: Hex = `0x${word(9n)}`;
      const dirty: Hex = `0x01${'0'.repeat(22)}${b.slice(2)}`;
      const topic = (name: keyof typeof topics): Hex => topics[name];
      const { transfer, transferSingle, transferBatch } = {
        transfer: topic('transfer'),
        transferSingle: topic('transferSingle'),
        transferBatch: topic('transferBatch'),
      };
      const batch = (...words: (number | bigint)[]): Hex =>
        `0x${words.map((value) => word(BigInt(value))).join('')}`;
      const bad: [Hex[], Hex][] = [
        [[transfer, from, dirty], `0x${word(1n)}`],
        [[transfer, from, to], '0x'],
        [[transfer, from, to], `0x${word(1n)}00`],
        [[transfer, from, to, id], `0x${word(1n)}`],
        [[transfer, from], `0x${word(1n)}`],
        [[transferSingle, from, from, to], `0x${word(1n)}`],
        // Lists that overlap, differ in length, point outside, or have something behind them.
        [[transferBatch, from, from, to], batch(0x40, 0x40, 1, 9)],
        [[transferBatch, from, from, to], batch(0x40, 0x80, 1, 9, 2, 1)],
        [[transferBatch, from, from, to], batch(0x40, 0x80, 2n ** 255n, 9, 1, 1)],
        [[transferBatch, from, from, to], batch(0x40, 0x80, 1, 9, 1, 1, 0)],
        [[transferBatch, from, from, to], '0x'],
        [[topic('consecutiveTransfer'), id, from, to], `0x${word(8n)}`],
        [[], '0x'],
      ];
      await node.mine(...bad.map(([list, data]) => emitter.emit(list, data)));
      const { index, feed } = await begin(node);
      await feed();
      expect(await index.countHoldings(b, 10)).toBe(0);

      const kinds = { erc20: await deployEmitter(node, 1), erc721: await deployEmitter(node, 2) };
      const runs = await deployEmitter(node, 3);
      const many = await deployEmitter(node, 4);
      await node.mine(
        // An old token that indexes nothing.
        kinds.erc20.emit([transfer], `0x${from.slice(2)}${to.slice(2)}${word(5n)}`),
        kinds.erc721.emit([transfer, from, to, id], '0x'),
        runs.emit([topic('consecutiveTransfer'), id, padded(a), to], `0x${word(2n ** 200n)}`),
        many.emit([transferBatch, from, from, to], batch(0x40, 0xa0, 2, 3, 4, 2, 1, 1)),
        many.emit([transferSingle, from, from, to], batch(4, 7)),
      );
      await feed();
      const held = await index.holdings(b, { offset: 0, limit: 10 });
      expect(held.map(({ standard, contract }) => [standard, contract])).toEqual([
        ['erc20', kinds.erc20.address],
        ['erc721', kinds.erc721.address],
        ['erc721', runs.address],
        ['erc1155', many.address],
      ]);
      const block = (await index.newestBlock()) as number;
      const tokens = (standard: 'erc721' | 'erc1155', contract: Hex, limit = 5) =>
        index.tokens(b, { standard, contract, block, limit });
      expect(await tokens('erc721', kinds.erc721.address)).toEqual([9n]);
      // Of a run that no list could hold, the first ones.
      expect(await tokens('erc721', runs.address)).toEqual([9n, 10n, 11n, 12n, 13n]);
      expect(await tokens('erc1155', many.address)).toEqual([3n, 4n]);
      expect(await tokens('erc1155', `0x${'77'.repeat(20)}`)).toEqual([]);
    },
    patience,
  );
});
