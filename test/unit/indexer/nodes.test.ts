/** An index of tokens on nodes as there are: without finality, and behind load balancers that leave logs out. */

import { bytesToHex, hexToBytes, keccak256 } from 'viem';
import { afterEach, describe, expect, test } from 'vitest';
import { keptBlocks } from '../../../src/follow/loop/finality.js';
import { createIndexer, type IndexerOptions } from '../../../src/indexer/indexer.js';
import { Changes } from '../../../src/indexer/layout/changes.js';
import { blockBytes } from '../../../src/indexer/layout/layout.js';
import { topics } from '../../../src/indexer/logs/events.js';
import { findLack } from '../../../src/indexer/logs/wholeReceipts.js';
import { type Index, openIndex } from '../../../src/indexer/openIndex.js';
import { addToBloom, bitsOf, covers, mayHave } from '../../../src/mpt/bloom.js';
import { createTransport, RpcError, type Transport } from '../../../src/rpc/index.js';
import { memoryStore, type Store } from '../../../src/tree/index.js';
import type { NodeLog, NodeReceipt } from '../../support/answers.js';
import { type Anvil, startAnvil } from '../../support/anvil.js';
import { deployEmitter } from '../../support/contracts/emitter.js';
import { failures, refusal, status } from '../../support/finality.js';
import { contentOf } from '../../support/indexed.js';
import type { Wire } from '../../support/runs.js';
import { patience } from '../../support/runs.js';
import { startHistory } from '../../support/tokenHistory.js';

const nodes: Anvil[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

async function start(...args: string[]): Promise<Anvil> {
  const node = await startAnvil('--auto-impersonate', ...args);
  nodes.push(node);
  return node;
}

type Edit = (answer: Wire, params: readonly Wire[]) => unknown;

/** A node whose answers are changed; an edit may throw in place of an answer. */
function edited(node: Anvil, edits: Record<string, Edit>): Transport & { asked: string[] } {
  const l2 = createTransport({ url: node.url });
  const asked: string[] = [];
  return {
    ...l2,
    asked,
    async call(method, params, options) {
      asked.push(method);
      const answer = await l2.call(method, params, options);
      return edits[method]?.(answer, params) ?? answer;
    },
  };
}

const finality = (edit: () => unknown): Record<string, Edit> => ({
  eth_getBlockByNumber: (answer, [tag]) => {
    if (tag !== 'finalized') return answer;
    const said = edit();
    // A node's null must not be taken for no edit.
    return said === null ? nothing : said;
  },
});
const nothing = Symbol('null');
const withNull = (l2: Transport): Transport => ({
  ...l2,
  call: async (...args) => {
    const answer = await l2.call(...args);
    return answer === nothing ? null : answer;
  },
});

interface Fed {
  readonly store: Store;
  readonly index: Index;
  readonly warnings: string[];
  feed(more?: Partial<IndexerOptions>): Promise<void>;
}

async function begin(l2: Transport): Promise<Fed> {
  const store = memoryStore();
  const index = await openIndex({ store, chainId: 31337, only: 'tokens' });
  const warnings: string[] = [];
  const onWarning = (text: string) => warnings.push(text);
  const options = { index, l2, onWarning, patience: { tries: 2, delay: 1 } };
  const feed = (more = {}) => createIndexer({ ...options, ...more }).run({ once: true });
  return { store, index, warnings, feed };
}

/** The records, without which blocks are final. */
async function recordsOf(store: Store) {
  const content = await contentOf(store);
  return content.filter((line) => !/^(0x42|head)/.test(line));
}

async function freshRecords(node: Anvil) {
  const { store, feed } = await begin(createTransport({ url: node.url }));
  await feed();
  return recordsOf(store);
}

describe('a node that knows no finality', () => {
  test.each<[string, () => unknown]>([
    ['null', () => null],
    ['-39001', refusal(-39001)],
    ['-32000', refusal(-32000)],
    ['-32602', refusal(-32602)],
    ['status 400', status(400)],
  ])(
    'but answers %s is followed over reorgs of any kind, and the log says so once',
    async (_, edit) => {
      const node = await start();
      const history = await startHistory(node, 21);
      const l2 = withNull(edited(node, finality(edit)));
      const { store, index, warnings, feed } = await begin(l2);
      await history.mine(8);
      await feed();
      const snapshot = await node.call('evm_snapshot');
      await history.mine(4);
      await feed();
      expect(await index.finalBlock()).toBeUndefined();
      for (const reorg of [1, 3, 2]) {
        await node.call('anvil_reorg', reorg, []);
        await history.mine(1);
        await feed();
        expect(await recordsOf(store)).toEqual(await freshRecords(node));
      }
      await node.call('evm_revert', snapshot);
      await history.mine(2);
      // The node is behind the index; then it has other blocks, up to one below the index's newest, and beyond.
      await feed();
      await history.mine(9);
      await feed();
      expect(await recordsOf(store)).toEqual(await freshRecords(node));
      expect(await index.newestBlock()).toBe(Number(await node.call('eth_blockNumber')));
      expect(new Set(warnings).size).toBe(1);
      expect(warnings[0]).toContain(
        `the L2 node knows no finality: blocks count as final 256 below`,
      );
      // An index has one node, over all its sessions.
      const told = warnings.length;
      const indexer = createIndexer({ index, l2, onWarning: (text) => warnings.push(text) });
      await indexer.run({ once: true });
      await indexer.run({ once: true });
      expect(warnings).toHaveLength(told + 1);
    },
    patience,
  );

  test(
    'keeps undo down to a bound, below which blocks are final',
    async () => {
      const node = await start();
      const history = await startHistory(node, 22);
      const { store, index, feed } = await begin(
        withNull(
          edited(
            node,
            finality(() => null),
          ),
        ),
      );
      await history.mine(6);
      const early = await node.call('evm_snapshot');
      await node.call('anvil_mine', `0x${(keptBlocks + 40).toString(16)}`);
      const head = Number(await node.call('eth_blockNumber'));
      await feed();
      expect(await index.finalBlock()).toBe(head - keptBlocks);
      await history.mine(3);
      await feed();
      expect(await index.finalBlock()).toBe(head + 3 - keptBlocks);
      await node.call('anvil_reorg', 200, []);
      await history.mine(2);
      await feed();
      expect(await recordsOf(store)).toEqual(await freshRecords(node));
      // Another chain, as far as the index knows.
      await node.call('evm_revert', early);
      await history.mine(1);
      await node.call('anvil_mine', `0x${(keptBlocks + 60).toString(16)}`);
      await expect(feed()).rejects.toMatchObject({ code: 'REORG_TOO_DEEP' });
    },
    patience,
  );

  test.each(failures)('is not one that %s', async (_, edit) => {
    const node = await start();
    await node.call('anvil_mine', '0x5');
    const { index, warnings, feed } = await begin(edited(node, finality(edit)));
    await expect(feed()).rejects.toMatchObject({ code: 'NODE_FAILED' });
    expect(await index.newestBlock()).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  test('is not one that has named a final block before', async () => {
    const node = await start();
    await node.call('anvil_mine', `0x${(keptBlocks + 10).toString(16)}`);
    let edit: () => unknown = () => undefined;
    const l2 = withNull(
      edited(
        node,
        finality(() => edit()),
      ),
    );
    const { index, warnings } = await begin(l2);
    const options = { index, l2, onWarning: (text: string) => warnings.push(text) };
    const indexer = createIndexer({ ...options, patience: { tries: 2, delay: 1 } });
    await indexer.run({ once: true });
    const final = await index.finalBlock();
    expect(final).toBe(keptBlocks + 8);
    await node.call('anvil_mine', `0x${(2 * keptBlocks).toString(16)}`);
    edit = () => null;
    await indexer.run({ once: true });
    expect(await index.finalBlock()).toBe(final);
    edit = refusal(-39001);
    await expect(indexer.run({ once: true })).rejects.toMatchObject({ code: 'NODE_FAILED' });
    edit = () => undefined;
    await indexer.run({ once: true });
    expect(await index.finalBlock()).toBe(3 * keptBlocks + 8);
    expect(warnings).toEqual([]);
  });
});

describe('a node that leaves logs out', () => {
  /** Of an answer with logs, those that a backend behind the others does not have. */
  const without =
    (isLost: (log: NodeLog) => boolean): Edit =>
    (logs: NodeLog[]) =>
      logs.filter((log) => !isLost(log));
  const everyThird = (log: NodeLog) => Number(log.blockNumber) % 3 === 0;
  const noErc1155 = (log: NodeLog) => log.topics[0] === topics.transferSingle;
  const noMethod: Edit = () => {
    const text = 'the method does not exist';
    throw new RpcError('SERVER_ERROR', 'eth_getBlockReceipts', text, { serverCode: -32601 });
  };

  test.each<[string, Record<string, Edit>]>([
    ['of some blocks', { eth_getLogs: without(everyThird) }],
    ['of all', { eth_getLogs: () => [] }],
    [
      'of all, and gives receipts one by one',
      { eth_getLogs: () => [], eth_getBlockReceipts: noMethod },
    ],
  ])(
    'is found out by the bloom, in final blocks and others: %s',
    async (_, edits) => {
      const node = await start();
      const history = await startHistory(node, 23);
      await history.mine(30);
      const expected = await freshRecords(node);
      const { store, index, feed } = await begin(edited(node, edits));
      await feed();
      expect(await index.finalBlock()).toBeGreaterThan(5);
      expect(await recordsOf(store)).toEqual(expected);
    },
    patience,
  );

  test(
    'of one topic of a block is found out above the final block',
    async () => {
      const node = await start();
      const history = await startHistory(node, 24);
      await history.mine(40);
      const expected = await freshRecords(node);
      // No block is final: all are taken one by one.
      const edits = { ...finality(() => null), eth_getLogs: without(noErc1155) };
      const { store, feed } = await begin(withNull(edited(node, edits)));
      await feed();
      expect(await recordsOf(store)).toEqual(expected);
    },
    patience,
  );

  test.each<[string, (receipts: NodeReceipt[]) => unknown]>([
    ['no list', () => 'receipts'],
    ['of no hash', (receipts) => receipts.map((one) => ({ ...one, transactionHash: 5 }))],
    [
      'with logs of no data',
      (receipts) =>
        receipts.map((one) => ({ ...one, logs: one.logs.map((log) => ({ ...log, data: 5 })) })),
    ],
  ])('and whose receipts are %s is named, with the method', async (_, cut) => {
    const node = await start();
    const history = await startHistory(node, 26);
    await history.mine(12);
    const l2 = edited(node, { eth_getLogs: () => [], eth_getBlockReceipts: cut });
    const { feed } = await begin(l2);
    await expect(feed()).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('eth_getBlockReceipts'),
    });
  });

  /** Receipts that are not all of a block. */
  const cuts: [string, Edit][] = [
    ['lack one', (receipts) => receipts.slice(1)],
    ['lack logs', (receipts) => receipts.map((receipt: NodeReceipt) => ({ ...receipt, logs: [] }))],
    [
      'lack one log of many',
      (receipts) =>
        receipts.map((receipt: NodeReceipt) => ({ ...receipt, logs: receipt.logs.slice(1) })),
    ],
    ['are not there', () => nothing],
    [
      'are of another block',
      (receipts) =>
        receipts.map((receipt: NodeReceipt) => ({ ...receipt, blockHash: `0x${'77'.repeat(32)}` })),
    ],
    [
      'are one of another transaction',
      (receipts) =>
        receipts.map((receipt: NodeReceipt) => ({
          ...receipt,
          transactionHash: `0x${'77'.repeat(32)}`,
        })),
    ],
  ];
  test.each(cuts)(
    'and whose receipts %s is asked again, and nothing is taken for complete',
    async (_, cut) => {
      const node = await start();
      const history = await startHistory(node, 25);
      await history.mine(12);
      const expected = await freshRecords(node);
      let isBehind = true;
      const lost: Edit = (answer) => (isBehind ? [] : answer);
      const part: Edit = (answer) => (isBehind && answer.length > 0 ? cut(answer, []) : answer);
      const edits = { eth_getLogs: lost, eth_getBlockReceipts: part };
      const { store, index, feed } = await begin(withNull(edited(node, edits)));
      const error = await feed().catch((reason) => reason);
      expect(error).toMatchObject({ name: 'FollowError', code: 'NODE_FAILED' });
      expect(error.message).toMatch(/^the L2 node leaves logs out of block \d+: /);
      expect((await index.newestBlock()) ?? -1).toBeLessThan(12);
      isBehind = false;
      await feed();
      expect(await recordsOf(store)).toEqual(expected);
    },
    patience,
  );

  test('is asked again as long as it runs, and another backend has them', async () => {
    const node = await start();
    const history = await startHistory(node, 26);
    await history.mine(12);
    let behind = 12;
    const lost: Edit = (answer) => (behind-- > 0 ? [] : answer);
    const l2 = edited(node, { eth_getLogs: () => [], eth_getBlockReceipts: lost });
    const { store, index, warnings } = await begin(l2);
    const end = new AbortController();
    const newest = Number(await node.call('eth_blockNumber'));
    const run = createIndexer({
      ...{ index, l2, interval: 1, patience: { tries: 2, delay: 1 } },
      onWarning: (text) => warnings.push(text),
      onProgress: ({ block }) => {
        if (block === newest) end.abort(new Error('enough'));
      },
    }).run({ signal: end.signal });
    await expect(run).rejects.toThrow('enough');
    expect(warnings[0]).toMatch(
      /leaves logs out of block \d+: 0 receipts of \d+ transactions .*asking again/,
    );
    expect(await recordsOf(store)).toEqual(await freshRecords(node));
  });

  test('is not one that does not have the block', async () => {
    const node = await start();
    await node.call('anvil_mine', '0x10');
    const gone: Edit = (answer, [tag]) => (tag === '0x5' ? nothing : answer);
    const { feed } = await begin(withNull(edited(node, { eth_getBlockByNumber: gone })));
    await expect(feed()).rejects.toMatchObject({
      code: 'NODE_FAILED',
      message: expect.stringContaining('block 5: it does not have the block'),
    });
  });

  test(
    'is not one whose bloom holds a topic by chance, nor one without blooms',
    async () => {
      const node = await start();
      const history = await startHistory(node, 27);
      const emitter = await deployEmitter(node);
      await history.mine(20);
      // Other topics, which together set the bits of one that the index asks for.
      const other = (bit: number) => {
        for (let i = 0; ; i++) {
          const topic = keccak256(blockBytes(i));
          if (bitsOf(hexToBytes(topic)).includes(bit)) return topic;
        }
      };
      const wanted = bitsOf(hexToBytes(topics.transfer));
      const others = wanted.map(other);
      await node.mine(emitter.emit(others, '0x'));
      const { logsBloom } = await node.call('eth_getBlockByNumber', 'latest', false);
      expect(mayHave(hexToBytes(logsBloom), wanted)).toBe(true);
      await node.mine();
      await node.mine();
      await node.mine(emitter.emit(others, '0x'));
      const l2 = edited(node, {});
      const { store, index, feed } = await begin(l2);
      await feed();
      expect(await index.newestBlock()).toBe(Number(await node.call('eth_blockNumber')));
      expect(l2.asked).toContain('eth_getBlockReceipts');
      const expected = await recordsOf(store);
      for (const none of [undefined, null, '0x', `0x${'00'.repeat(256)}`]) {
        const noBloom: Edit = (block) => ({ ...block, logsBloom: none });
        const bare = edited(node, { eth_getBlockByNumber: noBloom });
        const other = await begin(bare);
        await other.feed();
        expect(await recordsOf(other.store)).toEqual(expected);
        expect(bare.asked).not.toContain('eth_getBlockReceipts');
      }
    },
    patience,
  );
});

test('a bloom is that of Ethereum', async () => {
  const node = await start();
  const emitter = await deployEmitter(node);
  const list = [1, 2, 3].map((byte) => keccak256(bytesToHex(Uint8Array.of(byte))));
  await node.mine(emitter.emit(list, '0x'));
  const { logsBloom } = await node.call('eth_getBlockByNumber', 'latest', false);
  const bloom = new Uint8Array(256);
  for (const item of [emitter.address, ...list]) addToBloom(bloom, hexToBytes(item));
  expect(bytesToHex(bloom)).toBe(logsBloom);
  expect(covers(bloom, hexToBytes(logsBloom))).toBe(true);
  const part = new Uint8Array(256);
  for (const item of [emitter.address, ...list.slice(1)]) addToBloom(part, hexToBytes(item));
  expect(covers(part, bloom)).toBe(false);
  expect(covers(bloom, part)).toBe(true);
});

test('receipts are read strictly', () => {
  const header = {
    number: 1,
    hash: `0x${'01'.repeat(32)}`,
    transactions: [`0x${'02'.repeat(32)}`],
  };
  const receipt = (logs: unknown) => [
    { blockHash: header.hash, transactionHash: header.transactions[0], logs },
  ];
  const lack = (receipts: unknown[]) => findLack(receipts, header as never);
  expect(lack(receipt([]))).toBeUndefined();
  expect(lack([null])).toBe('no receipt of one of its transactions');
  expect(lack([])).toBe('0 receipts of 1 transactions');
  for (const bad of [
    receipt(undefined),
    receipt([5]),
    receipt([{ address: '0x12', topics: [] }]),
    receipt([{ address: `0x${'12'.repeat(20)}`, topics: ['0x12'] }]),
    receipt([{ address: `0x${'12'.repeat(20)}`, topics: 5 }]),
    [{}],
    [5],
  ]) {
    expect(() => lack(bad)).toThrow(/^"result\[0\]/);
  }
});

test('changes are taken back to a mark, with the contracts that came after it', () => {
  const changes = new Changes();
  const add = (contract: string, id: number) => {
    const key = changes.key('token').part(new Uint8Array(20)).byte(2);
    key.ofContract(changes.contract(contract)).part(new Uint8Array(32).fill(id));
    changes.put(blockBytes(id));
  };
  add('0xaa', 1);
  const mark = changes.mark();
  add('0xbb', 2);
  add('0xaa', 3);
  changes.backTo(mark);
  expect(changes.contracts).toEqual(['0xaa']);
  add('0xcc', 4);
  expect(changes.contracts).toEqual(['0xaa', '0xcc']);
  changes.number({ contracts: [7, 9], topics: [] });
  const held = changes.entries().map(({ key }) => [key[26], key.at(-1)]);
  expect(held).toEqual([
    [7, 1],
    [9, 4],
  ]);
});
