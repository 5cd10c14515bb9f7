/** Pages of transfers by their numbers and their keys, and how much a request reads over. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import type { Index } from '../../../../../src/indexer/index.js';
import { Changes } from '../../../../../src/indexer/layout/changes.js';
import { openIndex } from '../../../../../src/indexer/openIndex.js';
import { ReceiptReader } from '../../../../../src/indexer/receipts/receipts.js';
import {
  readTransferPage,
  type TransferKey,
} from '../../../../../src/service/routes/wallet/transferPages.js';
import { memoryStore } from '../../../../../src/tree/index.js';
import { patience } from '../../../../support/runs.js';
import { events } from '../../../../support/transferModel.js';

const wallet: Hex = `0x${'a1'.repeat(20)}`;
const other: Hex = `0x${'b0'.repeat(20)}`;
const token: Hex = `0x${'c0'.repeat(20)}`;
const wordOf = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`;
const numbered = (number: number): Hex => `0x${number.toString(16).padStart(64, '0')}`;

/** Transactions of the first and of the last block: of each, how many tokens it moves, and whether they have ids. */
const moving = [
  [3, true],
  [2, false],
  [1, false],
  [4, false],
] as const;
/** Between them: transactions to the wallet that move nothing. */
const plain = 100_100;

let index: Index;

function logOf(hasIds: boolean, number: number) {
  const topics = [events.transfer, wordOf(other), wordOf(wallet)];
  return hasIds
    ? { address: token, topics: [...topics, numbered(number)], data: '0x' }
    : { address: token, topics, data: numbered(number) };
}

beforeAll(async () => {
  index = await openIndex({ store: memoryStore(), chainId: 1 });
  const blocks = [moving, Array.from({ length: plain }, () => [0, false] as const), moving];
  for (const [number, block] of blocks.entries()) {
    const hash = numbered(1000 + number);
    const transactions = block.map((_, i) => numbered(number * 2 ** 24 + i));
    let logIndex = 0;
    const receipts = block.map(([count, hasIds], i) => ({
      ...{
        blockHash: hash,
        transactionHash: transactions[i],
        transactionIndex: `0x${i.toString(16)}`,
      },
      ...{ from: other, to: wallet, contractAddress: null, logsBloom: '0x00' },
      ...{ gasUsed: '0x5208', effectiveGasPrice: '0x7' },
      logs: Array.from({ length: count }, (_, at) => ({
        ...{ ...logOf(hasIds, at), logIndex: `0x${(logIndex++).toString(16)}` },
      })),
    }));
    const changes = new Changes();
    const header = { number, hash, time: 100 + number, transactions, logsBloom: undefined };
    new ReceiptReader(changes).read(receipts, header, 'result');
    await index.apply({ to: number, mark: { hash, time: 100 + number }, changes, isFinal: true });
  }
}, patience);

async function read(
  page: { size: number; skip?: number; after?: TransferKey | undefined },
  list: { contract?: Hex; order?: 'newest' | 'oldest'; from?: number; to?: number } = {},
) {
  let units = 0;
  const { contract, order = 'newest', from = 0, to = 2 } = list;
  const found = await readTransferPage(
    { index } as never,
    { wallet, contract, order, span: { from, to } },
    { skip: 0, after: undefined, ...page },
    {
      pause: async () => {},
      charge: (more) => {
        units += more;
      },
    },
  );
  const places = found.places.map(({ block, transaction }) => `${block} ${transaction}`);
  return { ...found, places, units };
}

describe('of a contract', () => {
  const of = { contract: token };
  const newest = ['2 3', '2 2', '2 1', '0 3', '0 2', '0 1'];

  test.each([1, 2, 4, 5, 6, 7])('pages of %i, by numbers and by keys', async (size) => {
    for (const order of ['newest', 'oldest'] as const) {
      const all = order === 'newest' ? newest : [...newest].reverse();
      let after: TransferKey | undefined;
      for (let number = 0; size * number < all.length; number++) {
        const expected = all.slice(size * number, size * (number + 1));
        const byNumber = await read({ size, skip: number }, { ...of, order });
        expect(byNumber).toMatchObject({ places: expected, total: 6 });
        const byKey = await read({ size, after }, { ...of, order });
        expect(byKey.places).toEqual(expected);
        expect(byKey.end).toEqual(byNumber.end);
        expect(byKey.end === undefined).toBe(size * (number + 1) >= all.length);
        // A list that is read from a key on is not counted.
        expect(byKey.total).toBe(number === 0 ? 6 : undefined);
        after = byKey.end;
      }
      const beyond = await read({ size, skip: 9 }, { ...of, order });
      expect(beyond).toMatchObject({ places: [], end: undefined, total: 6 });
    }
  });

  test('in a range of blocks', async () => {
    expect((await read({ size: 9 }, { ...of, to: 1 })).places).toEqual(newest.slice(3));
    expect((await read({ size: 9 }, { ...of, from: 1 })).places).toEqual(newest.slice(0, 3));
  });
});

describe('of all contracts', () => {
  test(
    'a page ends behind 100,000 records, and the next one goes on there',
    async () => {
      const first = await read({ size: 10 });
      expect(first.places).toEqual(['2 3', '2 2', '2 1', '2 0']);
      expect(first.end).toEqual([1, plain + 4 - 100_000, 0]);
      // One for each thousand of a piece.
      expect(first.units).toBeGreaterThanOrEqual(100);
      const second = await read({ size: 10, after: first.end });
      expect(second).toMatchObject({ places: ['0 3', '0 2', '0 1', '0 0'], end: undefined });
      expect(second.units).toBeLessThan(10);
    },
    patience,
  );

  test(
    'a number does not lead over more than that',
    async () => {
      await expect(read({ size: 10, skip: 1 })).rejects.toMatchObject({
        status: 400,
        message: 'page-number leads too far; name a range of blocks, or go on by cursor',
      });
      const near = await read({ size: 2, skip: 1 });
      expect(near.places).toEqual(['2 1', '2 0']);
    },
    patience,
  );
});
