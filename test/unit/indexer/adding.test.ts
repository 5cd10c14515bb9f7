/** Kinds that add: however a history is cut into ranges, blocks, reorgs and merges, the sums are the same. */
import { expect, test } from 'vitest';
import { bytesToInteger, integerToBytes } from '../../../src/bytes.js';
import { Changes } from '../../../src/indexer/layout/changes.js';
import { signedIn, totalWidth } from '../../../src/indexer/layout/combine.js';
import { allRecords, blockBytes, kinds } from '../../../src/indexer/layout/layout.js';
import { openSizedIndex } from '../../../src/indexer/openIndex.js';
import { atMoment } from '../../../src/indexer/sealed/moment.js';
import { readRecords } from '../../../src/indexer/segments/readRecords.js';
import { defaultSizes, type Sizes } from '../../../src/indexer/segments/sizes.js';
import { type Entry, memoryStore, type Store } from '../../../src/tree/index.js';
import { randomOf } from '../../support/blocks.js';
import { toHex } from '../../support/hex.js';
import { contentOf } from '../../support/indexed.js';
import { patience } from '../../support/runs.js';

const small: Sizes = { loose: 8, page: 200, fanIn: 2, step: 7 };
const contract = `0x${'c1'.repeat(20)}`;
const wallets = [1, 2, 3, 0x80, 0xff].map((byte) => new Uint8Array(20).fill(byte));

interface Change {
  readonly wallet: number;
  readonly amount: bigint;
}

type Random = (limit: number) => number;

/** Changes of each block. Some amounts go back and forth, so that sums become 0. */
function historyOf(random: Random, blocks: number): Change[][] {
  return Array.from({ length: blocks }, () =>
    Array.from({ length: random(9) }, () => ({
      wallet: random(wallets.length),
      amount: BigInt(random(5) - 2) * (random(7) === 0 ? 2n ** 255n : 1n),
    })),
  );
}

function addTo(changes: Changes, history: readonly Change[], block: number): void {
  for (const { wallet, amount } of history) {
    const size = integerToBytes(amount < 0n ? -amount : amount, 33);
    const number = changes.contract(contract);
    const key = changes
      .key('sum')
      .ofContract(number)
      .byte(1)
      .part(wallets[wallet] as Uint8Array);
    key
      .value(blockBytes(block))
      .signed(size, amount < 0n)
      .end();
    const total = integerToBytes(1n, totalWidth);
    changes
      .key('total')
      .part(wallets[wallet] as Uint8Array)
      .put(blockBytes(block), total);
  }
}

const markOf = (block: number, fork: number) => ({
  hash: `0x${block.toString(16).padStart(32, '0')}${fork.toString(16).padStart(32, '0')}` as const,
  time: block,
});

/** Sums and totals of a store, by wallet. */
async function sumsIn(store: Store): Promise<Map<string, bigint>> {
  const found = new Map<string, bigint>();
  const visit = ({ key, value }: Entry) => {
    const body = value.subarray(7);
    if (key[0] === kinds.sum) found.set(toHex(key.subarray(6)), signedIn(body));
    if (key[0] === kinds.total) found.set(toHex(key), bytesToInteger(body));
    return true;
  };
  await atMoment(store, (moment) => readRecords(moment, allRecords, visit));
  return found;
}

/** The same from the history, by addition of integers. */
function expectedOf(history: readonly Change[][]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  const add = (name: string, amount: bigint) => sums.set(name, (sums.get(name) ?? 0n) + amount);
  for (const { wallet, amount } of history.flat()) {
    const address = toHex(wallets[wallet] as Uint8Array).slice(2);
    add(`0x01${address}`, amount);
    add(`0x6f${address}`, 1n);
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n));
}

async function feedRanges(store: Store, sizes: Sizes, history: Change[][], random: Random) {
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  for (let from = 0; from < history.length; ) {
    const to = Math.min(from + random(12), history.length - 1);
    const changes = new Changes();
    for (let block = from; block <= to; block++) {
      addTo(changes, history[block] as Change[], block);
    }
    await index.apply({ to, mark: markOf(to, 0), changes, isFinal: true });
    from = to + 1;
  }
}

/** Block by block, with blocks of forks that are taken back, and some named final on the way. */
async function feedBlocks(store: Store, sizes: Sizes, history: Change[][], random: Random) {
  const index = await openSizedIndex({ store, chainId: 1 }, sizes);
  const apply = (block: number, changed: Change[], fork: number) => {
    const changes = new Changes();
    addTo(changes, changed, block);
    return index.apply({ to: block, mark: markOf(block, fork), changes, isFinal: false });
  };
  for (const [block, changed] of history.entries()) {
    if (random(3) === 0) {
      const fork = historyOf(random, 1 + random(6));
      for (const [i, other] of fork.entries()) await apply(block + i, other, 1);
      await index.revert(block - 1);
    }
    await apply(block, changed, 0);
    if (random(4) === 0) await index.finalize(Math.max(0, block - random(5)));
  }
  await index.finalize(history.length - 1);
}

test(
  'any split of a history into ranges, blocks, reorgs and merges gives the same sums',
  async () => {
    for (let seed = 1; seed <= 4; seed++) {
      const history = historyOf(randomOf(seed), 120);
      const expected = expectedOf(history);
      const contents: string[][] = [];
      for (const [i, sizes] of [defaultSizes, small, { ...small, loose: 40 }].entries()) {
        for (const feed of [feedRanges, feedBlocks]) {
          const store = memoryStore();
          await feed(store, sizes, history, randomOf(100 * seed + i));
          expect(await sumsIn(store)).toEqual(expected);
          contents.push(await contentOf(store));
        }
      }
      for (const content of contents) expect(content).toEqual(contents[0]);
    }
  },
  patience,
);

test('a sum that came to 0 still says whose it was, however often its segments are merged', async () => {
  const index = await openSizedIndex({ store: memoryStore(), chainId: 1 }, small);
  const moves = [
    { wallet: 0, amount: 5n },
    { wallet: 0, amount: -5n },
    ...Array.from({ length: 30 }, () => ({ wallet: 1, amount: 1n })),
  ];
  for (const [block, move] of moves.entries()) {
    const changes = new Changes();
    addTo(changes, [move], block);
    await index.apply({ to: block, mark: markOf(block, 0), changes, isFinal: true });
  }
  const found: unknown[] = [];
  await index.eachSum(contract as `0x${string}`, { standard: 'erc20' }, ({ wallet, sum, block }) =>
    Boolean(found.push([wallet[0], signedIn(sum), block])),
  );
  expect(found).toEqual([
    [1, 0n, 1],
    [2, 30n, 31],
  ]);
});
