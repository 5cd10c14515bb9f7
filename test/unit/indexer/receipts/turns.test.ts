/** Long answers of a node are read in turns, so that what else the process does is not kept waiting. */
import { expect, test } from 'vitest';
import { createReceiptSource } from '../../../../src/indexer/receipts/receiptSource.js';
import type { Question, Transport } from '../../../../src/rpc/index.js';
import { turnsDuring } from '../../../support/turnsDuring.js';

const perBlock = 512;
const blocks = 40;

const wordOf = (kind: number, number: number) =>
  `0x${kind.toString(16)}${number.toString(16).padStart(63, '0')}`;
const addressOf = (number: number) => `0x${number.toString(16).padStart(40, '0')}`;
const hex = (number: number) => `0x${number.toString(16)}`;

/** Blocks of transactions without logs. */
const answers: Record<string, (block: number) => unknown> = {
  eth_getBlockByNumber: (block) => ({
    ...{ number: hex(block), hash: wordOf(1, block), parentHash: wordOf(1, block - 1) },
    timestamp: hex(1_700_000_000 + block),
    transactions: Array.from({ length: perBlock }, (_, i) => wordOf(2, block * perBlock + i)),
  }),
  eth_getBlockReceipts: (block) =>
    Array.from({ length: perBlock }, (_, i) => ({
      ...{ transactionIndex: hex(i), blockHash: wordOf(1, block) },
      ...{ transactionHash: wordOf(2, block * perBlock + i), gasUsed: '0x1' },
      ...{ effectiveGasPrice: '0x1', logs: [], contractAddress: null },
      ...{ from: addressOf(i + 1), to: addressOf(i + 2) },
    })),
};

const answerTo = ({ method, params }: Question): unknown => {
  const named = params[0] as string;
  const number = named.length === 66 ? Number(`0x${named.slice(3)}`) : Number(named);
  return answers[method]?.(number);
};

const node: Transport = {
  call: async (method, params) => answerTo({ method, params }),
  batch: async (questions) => questions.map((question) => ({ result: answerTo(question) })),
};

test('at most some thousand receipts are read before others have their turn', async () => {
  const source = createReceiptSource(node, { tries: 1, delay: 0 }, undefined);
  let range: Awaited<ReturnType<typeof source.range>>;
  const turns = await turnsDuring(async () => {
    range = await source.range(1, blocks);
  });
  expect(range?.to).toBe(blocks);
  // A sender and a receiver a transaction, each with a record of its own and one in the totals, and a block's time.
  expect(range?.changes.size).toBe(blocks * (4 * perBlock + 1));
  expect(turns).toBeGreaterThanOrEqual((blocks * perBlock) / 1024 - 1);
});
