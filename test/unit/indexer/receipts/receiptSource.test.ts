/** An index fed with receipts in batches, from nodes that take no hashes or no batches, or leave logs out of an answer. */
import { afterEach, describe, expect, test } from 'vitest';
import { checkIndex } from '../../../../src/indexer/index.js';
import { createIndexer } from '../../../../src/indexer/indexer.js';
import type { FetchedRange } from '../../../../src/indexer/logs/blockSource.js';
import { topics } from '../../../../src/indexer/logs/events.js';
import { openIndex } from '../../../../src/indexer/openIndex.js';
import { createReceiptSource } from '../../../../src/indexer/receipts/receiptSource.js';
import { createTransport, RpcError, type Transport } from '../../../../src/rpc/index.js';
import { memoryStore } from '../../../../src/tree/index.js';
import type { NodeLog, NodeReceipt } from '../../../support/answers.js';
import { type Anvil, startAnvil } from '../../../support/anvil.js';
import { contentOf } from '../../../support/indexed.js';
import { patience } from '../../../support/runs.js';
import { startHistory, wallets } from '../../../support/tokenHistory.js';

const nodes: Anvil[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

async function startedHistory(seed: number): Promise<Anvil> {
  const node = await startAnvil('--auto-impersonate');
  nodes.push(node);
  const history = await startHistory(node, seed);
  await history.mine(40);
  return node;
}

const refusal = (serverCode: number) =>
  new RpcError('SERVER_ERROR', 'batch', 'no', { serverCode, serverMessage: 'no' });

/** What a node answers about receipts, in place of its answer. It may throw. */
type Edit = (receipts: NodeReceipt[], block: string) => unknown;

/** A node that answers batches in another way. */
function edited(node: Anvil, edit: Edit): Transport & { blocks: string[]; alone: string[] } {
  const l2 = createTransport({ url: node.url });
  const blocks: string[] = [];
  const alone: string[] = [];
  return {
    ...l2,
    blocks,
    alone,
    async call(method, params, options) {
      if (method === 'eth_getBlockReceipts') alone.push(params[0] as string);
      return l2.call(method, params, options);
    },
    async batch(questions, options) {
      const answers = (await l2.batch?.(questions, options)) ?? [];
      return answers.map((answer, i) => {
        const { method, params } = questions[i] as (typeof questions)[number];
        if (method !== 'eth_getBlockReceipts' || 'error' in answer) return answer;
        const block = params[0] as string;
        blocks.push(block);
        try {
          return { result: edit(answer.result as NodeReceipt[], block) };
        } catch (error) {
          return { error: error as RpcError };
        }
      });
    },
  };
}

/** What an index holds that was fed from a node. */
async function fedFrom(l2: Transport): Promise<string[]> {
  const store = memoryStore();
  const index = await openIndex({ store, chainId: 31337 });
  await createIndexer({ index, l2, patience: { tries: 2, delay: 1 } }).run({ once: true });
  return contentOf(store);
}

const isHash = (block: string) => block.length === 66;
const same: Edit = (receipts) => receipts;

test(
  'a node that takes no hashes is asked by number; one that takes them, never',
  async () => {
    const node = await startedHistory(61);
    const plain = edited(node, same);
    const expected = await fedFrom(plain);
    expect(expected.length).toBeGreaterThan(200);
    expect(plain.blocks.length).toBeGreaterThan(20);
    expect(plain.blocks.filter((block) => !isHash(block))).toEqual([]);

    const numbersOnly = edited(node, (receipts, block) => {
      if (isHash(block)) throw refusal(-32602);
      return receipts;
    });
    expect(await fedFrom(numbersOnly)).toEqual(expected);
    expect(numbersOnly.blocks.filter(isHash).length).toBeGreaterThan(0);
    const numbers = numbersOnly.blocks.filter((block) => !isHash(block));
    expect(numbers).toHaveLength(plain.blocks.length);
  },
  patience,
);

test(
  'another refusal is none of hashes: the node is asked for fewer blocks, each by its hash',
  async () => {
    const node = await startedHistory(62);
    const expected = await fedFrom(createTransport({ url: node.url }));
    let refusals = 3;
    const busy = edited(node, (receipts) => {
      if (refusals-- > 0) throw refusal(-32005);
      return receipts;
    });
    expect(await fedFrom(busy)).toEqual(expected);
    expect(busy.blocks.filter((block) => !isHash(block))).toEqual([]);
    const noBatches = edited(node, same);
    noBatches.batch = async () => {
      throw refusal(-32600);
    };
    expect(await fedFrom(noBatches)).toEqual(expected);
    // A transport of one's own may lack it.
    const { call } = createTransport({ url: node.url });
    expect(await fedFrom({ call })).toEqual(expected);
  },
  patience,
);

const emptyBloom = `0x${'00'.repeat(256)}`;
/** Receipts without the logs at the end of the block, from the first one of the last one's topic on, if it is of tokens. */
const withoutLastTopic: Edit = (receipts) => {
  const logs = receipts.flatMap((receipt) => receipt.logs);
  const tokenTopics: readonly string[] = Object.values(topics);
  if (!tokenTopics.includes(logs.at(-1)?.topics[0] ?? '')) return receipts;
  const first = logs.find((log) => log.topics[0] === logs.at(-1)?.topics[0]);
  return receipts.map((receipt) => ({
    ...receipt,
    logs: receipt.logs.filter(({ logIndex }) => Number(logIndex) < Number(first?.logIndex)),
    logsBloom: emptyBloom,
  }));
};

test.each<[string, Edit]>([
  ['without the last logs, of one topic', withoutLastTopic],
  [
    'without any log, nor a sign of one in the receipts',
    (receipts) => receipts.map((one) => ({ ...one, logs: [], logsBloom: emptyBloom })),
  ],
  [
    'of another block',
    (receipts) =>
      receipts.map((one) => ({
        ...one,
        blockHash: emptyBloom.slice(0, 66),
        logs: one.logs.map((log: NodeLog) => ({ ...log, blockHash: emptyBloom.slice(0, 66) })),
      })),
  ],
  ['that are null', () => null],
  ['that are fewer', (receipts) => receipts.slice(1)],
])(
  'a block whose receipts come %s is asked for alone',
  async (_, edit) => {
    const node = await startedHistory(63);
    const expected = await fedFrom(createTransport({ url: node.url }));
    const lacking = edited(node, edit);
    expect(await fedFrom(lacking)).toEqual(expected);
    expect(lacking.alone.length).toBeGreaterThan(20);
  },
  patience,
);

/** What a range of blocks leaves, as text. */
function textOf(range: FetchedRange | undefined): string[] {
  if (range === undefined) return [];
  const { changes } = range;
  const numbers = (names: readonly string[]) => names.map((_, i) => i);
  changes.number({ contracts: numbers(changes.contracts), topics: numbers(changes.topics) });
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return changes.entries().map(({ key, value }) => `${hex(key)} ${hex(value)}`);
}

const sourceOf = (l2: Transport) => createReceiptSource(l2, { tries: 2, delay: 1 }, undefined);

/** A node whose answers to a question asked alone are edited. */
const editedAlone = (
  l2: Transport,
  method: string,
  edit: (answer: Record<string, unknown>) => unknown,
): Transport => ({
  ...l2,
  async call(asked, params, options) {
    const answer = await l2.call(asked, params, options);
    return asked === method ? edit(answer as Record<string, unknown>) : answer;
  },
});

/** A node, and how many headers it was asked for in each batch. */
function countingHeaders(l2: Transport): Transport & { asked: number[] } {
  const asked: number[] = [];
  return {
    ...l2,
    asked,
    async batch(questions, options) {
      if (questions[0]?.method === 'eth_getBlockByNumber') asked.push(questions.length);
      return (await l2.batch?.(questions, options)) ?? [];
    },
  };
}

describe('a range of blocks', () => {
  test(
    'ends where the node ends, in whole or in halves; nothing is behind it',
    async () => {
      const node = await startedHistory(64);
      const head = Number(await node.call('eth_blockNumber'));
      const plain = createTransport({ url: node.url });
      const expected = await sourceOf(plain).range(head - 1, head);
      expect(expected?.to).toBe(head);
      const counted = countingHeaders(plain);
      const beyond = await sourceOf(counted).range(head - 1, head + 6);
      expect(counted.asked).toEqual([8]);
      expect(beyond?.to).toBe(head);
      expect(textOf(beyond)).toEqual(textOf(expected));
      let refusals = 1;
      const busy = edited(node, (receipts) => {
        if (refusals-- > 0) throw refusal(-32005);
        return receipts;
      });
      const countedHalves = countingHeaders(busy);
      const halves = await sourceOf(countedHalves).range(head - 1, head + 6);
      // The second half is not asked for, as the first one lacks blocks.
      expect(countedHalves.asked).toEqual([8, 4]);
      expect(halves?.to).toBe(head);
      expect(textOf(halves)).toEqual(textOf(expected));
      expect(await sourceOf(plain).range(head + 1, head + 1)).toBeUndefined();
      expect(await sourceOf(plain).range(head + 1, head + 4)).toBeUndefined();
      expect(await sourceOf(plain).block(head + 1)).toBeUndefined();
    },
    patience,
  );

  test(
    'of empty blocks asks for no receipts, and leaves the time of each',
    async () => {
      const node = await startAnvil();
      nodes.push(node);
      await node.call('anvil_mine', '0x96');
      const plain = edited(node, same);
      const range = await sourceOf(plain).range(1, 150);
      expect(range?.to).toBe(150);
      expect(textOf(range)).toHaveLength(150);
      expect(plain.blocks).toEqual([]);
      expect(plain.alone).toEqual([]);
    },
    patience,
  );

  test(
    'comes by numbers in halves, and past a network that fails once',
    async () => {
      const node = await startedHistory(65);
      const head = Number(await node.call('eth_blockNumber'));
      const plain = createTransport({ url: node.url });
      const expected = textOf(await sourceOf(plain).range(1, head));
      let refusals = 1;
      const numbersOnly = edited(node, (receipts, block) => {
        if (isHash(block)) throw refusal(-32602);
        if (refusals-- > 0) throw refusal(-32005);
        return receipts;
      });
      expect(textOf(await sourceOf(numbersOnly).range(1, head))).toEqual(expected);
      let failures = 1;
      const shaky = edited(node, (receipts) => {
        if (failures-- > 0) throw new RpcError('NETWORK', 'batch', 'no');
        return receipts;
      });
      const source = sourceOf(shaky);
      expect(textOf(await source.range(1, head))).toEqual(expected);
      expect(shaky.blocks.filter((block) => !isHash(block))).toEqual([]);
    },
    patience,
  );

  test(
    'fails with what a transport throws, and with what a node lacks or says',
    async () => {
      const node = await startedHistory(66);
      const head = Number(await node.call('eth_blockNumber'));
      const broken = edited(node, () => {
        throw new RangeError('a fault of its own');
      });
      await expect(sourceOf(broken).range(1, head)).rejects.toThrow('a fault of its own');

      const fault = () => {
        throw new RangeError('a fault of an accessor');
      };
      const withAccessors = (receipts: NodeReceipt[]) =>
        receipts.map((one) => Object.defineProperty({ ...one }, 'from', { get: fault }));
      const inBatches = sourceOf(edited(node, withAccessors));
      await expect(inBatches.range(head - 1, head)).rejects.toThrow(RangeError);
      const alone = editedAlone(
        createTransport({ url: node.url }),
        'eth_getBlockReceipts',
        (receipts) => withAccessors(receipts as unknown as NodeReceipt[]),
      );
      await expect(sourceOf(alone).block(head)).rejects.toThrow(RangeError);

      const gone = editedAlone(
        edited(node, () => null),
        'eth_getBlockByNumber',
        () => null,
      );
      await expect(sourceOf(gone).range(head - 1, head)).rejects.toMatchObject({
        ...{ code: 'NODE_FAILED', message: expect.stringContaining('does not have the block') },
      });

      let asked = 0;
      const another = editedAlone(
        editedAlone(createTransport({ url: node.url }), 'eth_getBlockReceipts', () => []),
        'eth_getBlockByNumber',
        (block) => ({ ...block, hash: `0x${(++asked).toString(16).padStart(64, '0')}` }),
      );
      await expect(sourceOf(another).range(head, head)).rejects.toMatchObject({
        ...{ code: 'NODE_FAILED', message: expect.stringContaining('another block each time') },
      });
      expect(await sourceOf(another).block(head)).toBeUndefined();

      const senderless = editedAlone(
        createTransport({ url: node.url }),
        'eth_getBlockReceipts',
        (receipts) => (receipts as unknown as NodeReceipt[]).map((one) => ({ ...one, from: null })),
      );
      await expect(sourceOf(senderless).block(head)).rejects.toMatchObject({
        ...{ code: 'BAD_ANSWER', message: expect.stringContaining('result[0].from') },
      });
    },
    patience,
  );
});

test(
  'a chain that is taken back while its newest block is asked for leaves what a new index holds',
  async () => {
    const node = await startAnvil('--auto-impersonate');
    nodes.push(node);
    const history = await startHistory(node, 63);
    await history.mine(12);
    const inner = createTransport({ url: node.url });
    const store = memoryStore();
    const index = await openIndex({ store, chainId: 31337 });
    const feed = (l2: Transport) =>
      createIndexer({ index, l2, patience: { tries: 3, delay: 1 } }).run({ once: true });
    await feed(inner);
    const next = await node.mine(history.gold.call('mint', wallets[3], 5n));
    // Once the follower has seen that its newest block is still there, that one is taken back, too.
    let taken = 0;
    async function before(questions: readonly { method: string; params: readonly unknown[] }[]) {
      const isNext = questions.some(({ params }) => Number(params[0]) === next);
      if (taken > 0 || !isNext) return;
      taken++;
      await node.call('anvil_rollback', 2);
      await history.mine(2);
    }
    await feed({
      ...inner,
      async call(method, params, options) {
        await before([{ method, params }]);
        return inner.call(method, params, options);
      },
      async batch(questions, options) {
        await before(questions);
        return (await inner.batch?.(questions, options)) ?? [];
      },
    });
    expect(taken).toBe(1);
    expect(await index.newestBlock()).toBe(next);
    const { hash } = await node.call('eth_getBlockByNumber', 'latest', false);
    expect(await index.blockHash(next)).toBe(hash);
    expect((await checkIndex({ store, l2: inner })).tokens?.different).toEqual([]);
    await index.close();
  },
  patience,
);
