/** Lists of an index by receipts: all that a real node says, transaction by transaction, over reorgs and restarts. */
import { afterEach, describe, expect, test } from 'vitest';
import { encodeHex, type Hex } from '../../../src/bytes.js';
import { createIndexer } from '../../../src/indexer/indexer.js';
import { signedIn } from '../../../src/indexer/layout/combine.js';
import type { LogPlace } from '../../../src/indexer/lists/itemMoves.js';
import type { ListPart } from '../../../src/indexer/lists/list.js';
import type { TransactionPosition } from '../../../src/indexer/lists/transactions.js';
import { topics } from '../../../src/indexer/logs/events.js';
import { type Index, openSizedIndex } from '../../../src/indexer/openIndex.js';
import { defaultSizes, type Sizes } from '../../../src/indexer/segments/sizes.js';
import { createTransport } from '../../../src/rpc/index.js';
import { memoryStore } from '../../../src/tree/index.js';
import { type Anvil, startAnvil } from '../../support/anvil.js';
import { type ChainModel, type ModelMove, modelOf } from '../../support/chainModel.js';
import { deployEmitter } from '../../support/contracts/emitter.js';
import { patience } from '../../support/runs.js';
import { startHistory, wallets } from '../../support/tokenHistory.js';

const nodes: Anvil[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

const small: Sizes = { loose: 8, page: 200, fanIn: 2, step: 7 };
const nobody: Hex = `0x${'99'.repeat(20)}`;
const all = { limit: 100_000 } as const;
const zero: Hex = `0x${'0'.repeat(40)}`;

/** A list in pages of some, from both ends. */
async function paged<T, Key>(
  read: (part: ListPart<Key>) => Promise<T[]>,
  keyOf: (item: T) => Key,
  size: number,
): Promise<T[]> {
  const found: T[] = [];
  for (;;) {
    const last = found.at(-1);
    const page = await read({ limit: size, after: last && keyOf(last) });
    found.push(...page);
    if (page.length < size) return found;
  }
}

async function expectTransactions(index: Index, model: ChainModel): Promise<void> {
  for (const wallet of [...model.touched.keys(), nobody] as Hex[]) {
    const expected = [...(model.touched.get(wallet) ?? [])].map(([place, touches]) => {
      const [block, transaction] = place.split(' ').map(Number) as [number, number];
      return { block, transaction, touches };
    });
    const newest = [...expected].reverse();
    expect(await index.touched(wallet, all)).toEqual(newest);
    expect(await index.touched(wallet, { ...all, order: 'oldest' })).toEqual(expected);
    expect(
      await paged(
        (part: ListPart<TransactionPosition>) => index.touched(wallet, part),
        (one) => one,
        7,
      ),
    ).toEqual(newest);
    expect(await index.touched(wallet, { offset: 2, limit: 3 })).toEqual(newest.slice(2, 5));
    const [fromBlock, toBlock] = [8, 14];
    const within = expected.filter(({ block }) => block >= fromBlock && block <= toBlock);
    const part = { ...all, order: 'oldest', fromBlock, toBlock } as const;
    expect(await index.touched(wallet, part)).toEqual(within);
    expect(await index.touched(wallet, { limit: 0 })).toEqual([]);
    expect(await index.touched(wallet, { ...all, fromBlock: 14, toBlock: 8 })).toEqual([]);
    expect(await index.total(wallet)).toEqual({
      transactions: expected.length,
      sent: model.sent.get(wallet) ?? 0,
      fees: model.fees.get(wallet) ?? 0n,
    });
  }
}

async function expectLogs(index: Index, model: ChainModel): Promise<void> {
  for (const [names, read] of [
    [model.emitted, index.emitted],
    [model.topics, index.topic],
  ] as const) {
    for (const [name, blocks] of names) {
      const expected = [...blocks].map(([block, logs]) => ({ block, logs }));
      expect(await read(name as Hex, { ...all, order: 'oldest' })).toEqual(expected);
      const pages = await paged(
        (part: ListPart<number>) => read(name as Hex, part),
        (one) => one.block,
        3,
      );
      expect(pages).toEqual(expected.reverse());
    }
  }
  expect(await index.emitted(nobody, all)).toEqual([]);
}

function seenBy(wallet: string, move: ModelMove) {
  const { from, to, contract: _, ...rest } = move;
  if (from !== wallet && to !== wallet) return undefined;
  const direction = from === to ? 'both' : from === wallet ? 'out' : 'in';
  return { ...rest, direction, other: from === wallet ? to : from };
}

async function expectMoves(index: Index, { moves }: ChainModel): Promise<void> {
  const contracts = new Set(moves.map(({ contract }) => contract));
  for (const wallet of wallets) {
    let count = 0;
    for (const contract of contracts) {
      const expected = moves
        .filter((move) => move.contract === contract)
        .map((move) => seenBy(wallet, move))
        .filter((move) => move !== undefined)
        .sort((a, b) => b.block - a.block || b.log - a.log || a.part - b.part);
      count += expected.length;
      expect(await index.moved(wallet, { ...all, contract })).toEqual(expected);
      const read = (part: ListPart<ModelMove>) => index.moved(wallet, { ...part, contract });
      expect(await paged(read as never, (one) => one, 4)).toEqual(expected);
      const oldest = await index.moved(wallet, { ...all, contract, order: 'oldest', toBlock: 20 });
      expect(oldest.reverse()).toEqual(expected.filter(({ block }) => block <= 20));
    }
    expect(await index.countMoved(wallet, 100_000)).toBe(count);
    expect(await index.countMoved(wallet, 2)).toBe(Math.min(count, 2));
    expect(await index.countMoved(wallet, 0)).toBe(0);
    expect(await index.moved(wallet, { ...all, contract: nobody })).toEqual([]);
  }
  expect(moves.length).toBeGreaterThan(30);
}

async function expectSums(index: Index, { moves }: ChainModel): Promise<void> {
  const sums = new Map<string, Map<string, bigint>>();
  const add = (list: string, wallet: string, amount: bigint) => {
    const ofList = sums.get(list) ?? new Map<string, bigint>();
    sums.set(list, ofList);
    if (wallet !== zero) ofList.set(wallet, (ofList.get(wallet) ?? 0n) + amount);
  };
  /** The last block that changed a sum, by list and wallet. */
  const last = new Map<string, number>();
  for (const { contract, standard, id, from, to, amount, block } of moves) {
    const list = `${contract} ${standard}${standard === 'erc1155' ? ` ${id}` : ''}`;
    add(list, from, -amount);
    add(list, to, amount);
    if (amount > 0n) for (const wallet of [from, to]) last.set(`${list} ${wallet}`, block);
  }
  for (const [list, expected] of sums) {
    const [contract, standard, id] = list.split(' ') as [Hex, 'erc20', string | undefined];
    const of = id === undefined ? { standard } : { standard: 'erc1155', id: BigInt(id) };
    const read = async (after: Hex | undefined, limit: number) =>
      index.sums(contract, { ...(of as { standard: 'erc20' }), after, limit });
    const sorted = [...expected]
      .filter(([, sum]) => sum !== 0n)
      .map(([wallet, sum]) => ({ wallet, sum }))
      .sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
    expect(await read(undefined, 1000), list).toEqual(sorted);
    const pages = [];
    for (let page = await read(undefined, 2); page.length > 0; ) {
      pages.push(...page);
      page = await read(page.at(-1)?.wallet, 2);
    }
    expect(pages).toEqual(sorted);
    expect(await read(undefined, 0)).toEqual([]);
    // Those that have nothing left too, however often their records were merged.
    const everyone: unknown[] = [];
    await index.eachSum(
      contract,
      of as { standard: 'erc20' },
      async ({ wallet, sum, block, id: one }) => {
        expect(one && BigInt(encodeHex(one))).toBe(id === undefined ? undefined : BigInt(id));
        const record = { wallet: encodeHex(wallet), sum: signedIn(sum), block };
        await Promise.resolve();
        return everyone.push(record) > 0;
      },
    );
    const had = [...expected]
      .map(([wallet, sum]) => ({ wallet, sum, block: last.get(`${list} ${wallet}`) }))
      .filter(({ block }) => block !== undefined)
      .sort((a, b) => (a.wallet < b.wallet ? -1 : 1));
    expect(everyone).toEqual(had);
  }
  expect(await index.sums(nobody, { standard: 'erc20', limit: 5 })).toEqual([]);
  const goods = moves.find(({ standard }) => standard === 'erc1155')?.contract as Hex;
  const held = [...sums]
    .filter(
      ([list, wallets]) =>
        list.startsWith(`${goods} erc1155`) && [...wallets.values()].some(Boolean),
    )
    .map(([list]) => BigInt(list.split(' ')[2] as string))
    .sort((a, b) => (a < b ? -1 : 1));
  expect(await index.heldIds(goods, { from: 0n, to: 2n ** 256n - 1n })).toEqual(held);
  const [, second] = held as [bigint, bigint];
  expect(await index.heldIds(goods, { from: second, to: second })).toEqual([second]);
  expect(await index.heldIds(nobody, { from: 0n, to: 5n })).toEqual([]);
}

/** Tokens with ids: contracts, their ids, and all moves of each. */
async function expectItems(index: Index, { moves, emitted }: ChainModel): Promise<void> {
  const own = moves.filter(({ id }) => id !== undefined);
  const contracts = [...emitted.keys()].filter((one) =>
    own.some(({ contract }) => contract === one),
  ) as Hex[];
  expect(await index.collections({ limit: 100 })).toEqual(contracts);
  expect(await index.collections({ limit: 1 })).toEqual(contracts.slice(0, 1));
  const [first, ...others] = contracts;
  expect(await index.collections({ limit: 100, after: first })).toEqual(others);
  expect(await index.collections({ limit: 100, after: nobody })).toEqual([]);
  for (const contract of contracts) {
    const ofContract = own.filter((move) => move.contract === contract);
    const ids = [...new Set(ofContract.map(({ id }) => id as bigint))].sort((a, b) =>
      a < b ? -1 : 1,
    );
    expect(await index.ids(contract, { limit: 1000 })).toEqual(ids);
    const walked: bigint[] = [];
    for (let page = await index.ids(contract, { limit: 3 }); page.length > 0; ) {
      walked.push(...page);
      page = await index.ids(contract, { limit: 3, after: page.at(-1) });
    }
    expect(walked).toEqual(ids);
    for (const toBlock of [9, 1000]) {
      const ends = new Map<bigint, object>();
      for (const id of ids) {
        const until = ofContract
          .filter((move) => move.id === id && move.block <= toBlock)
          .map(({ block, log, transaction, from, to }) => ({ block, log, transaction, from, to }));
        if (until.length > 0) ends.set(id, { oldest: until[0], newest: until.at(-1) });
      }
      const asked = [...ids, 2n ** 256n - 1n];
      expect(await index.itemEnds(contract, asked, toBlock)).toEqual(ends);
    }
    for (const id of ids) {
      const places = new Map<string, object>();
      for (const { block, log, transaction, from, to } of ofContract.filter(
        (move) => move.id === id,
      )) {
        places.set(`${block} ${log}`, { block, log, transaction, from, to });
      }
      const newest = [...places.values()].reverse();
      expect(await index.itemMoves(contract, id, all)).toEqual(newest);
      const read = (part: ListPart<LogPlace>) => index.itemMoves(contract, id, part);
      expect(await paged(read, (one) => one, 2)).toEqual(newest);
      expect(await index.itemRuns(contract, id)).toEqual([]);
    }
  }
  expect(contracts.length).toBeGreaterThan(1);
  expect((await index.itemEnds(nobody, [1n], 5)).size).toBe(0);
  expect(await index.ids(nobody, { limit: 3 })).toEqual([]);
  expect(await index.itemMoves(nobody, 0n, all)).toEqual([]);
  expect(await index.itemRuns(nobody, 0n)).toEqual([]);
  expect(await index.sales(nobody, all)).toEqual([]);
}

/** What wallets may hold of these, behind any of them. */
async function expectHeldTokens(index: Index, block: number): Promise<void> {
  for (const wallet of wallets) {
    const held = (await index.holdings(wallet, { offset: 0, limit: 1000 })).filter(
      ({ standard }) => standard !== 'erc20',
    );
    expect(await index.nftHoldings(wallet, { limit: 1000 })).toEqual(held);
    expect(await index.countNftHoldings(wallet, 1000)).toBe(held.length);
    expect(await index.countNftHoldings(wallet, 1)).toBe(Math.min(1, held.length));
    for (const [i, after] of held.entries()) {
      expect(await index.nftHoldings(wallet, { after, limit: 1000 })).toEqual(held.slice(i + 1));
      const of = { ...after, block, limit: 1000 };
      const ids = (await index.tokens(wallet, of)).sort((a, b) => (a < b ? -1 : 1));
      expect(await index.tokensBehind(wallet, { ...of, after: undefined })).toEqual(ids);
      for (const [at, id] of ids.entries()) {
        expect(await index.tokensBehind(wallet, { ...of, after: id, limit: 2 })).toEqual(
          ids.slice(at + 1, at + 3),
        );
      }
    }
    const strange = { standard: 'erc721', contract: nobody } as const;
    expect(await index.nftHoldings(wallet, { after: strange, limit: 9 })).toEqual([]);
    const none = { ...strange, block, limit: 9, after: undefined };
    expect(await index.tokensBehind(wallet, none)).toEqual([]);
  }
}

async function expectAll(index: Index, node: Anvil): Promise<void> {
  const newest = Number(await node.call('eth_blockNumber'));
  expect(await index.newestBlock()).toBe(newest);
  const model = await modelOf(node, newest);
  await expectTransactions(index, model);
  await expectLogs(index, model);
  await expectMoves(index, model);
  await expectSums(index, model);
  await expectItems(index, model);
  await expectHeldTokens(index, newest);
  await expectHeldTokens(index, 8);
  for (const block of [0, 1, newest - 1, newest]) {
    const { timestamp } = await node.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false);
    expect(await index.blockTime(block)).toBe(Number(timestamp));
    const found = (await index.blockAt(Number(timestamp))) as number;
    // Blocks may share a time.
    expect(found).toBeGreaterThanOrEqual(block);
    expect(await index.blockTime(found)).toBe(Number(timestamp));
    expect(await index.blockTime(found + 1)).not.toBe(Number(timestamp));
  }
  expect(await index.blockAt(1)).toBeUndefined();
}

describe.each([
  ['with segments as ever', defaultSizes],
  ['with segments of a few records', small],
])('an index %s', (_, sizes) => {
  test(
    'lists what the node says of transactions, logs and transfers, over reorgs',
    async () => {
      const node = await startAnvil('--auto-impersonate');
      nodes.push(node);
      const history = await startHistory(node, 31);
      const index = await openSizedIndex({ store: memoryStore(), chainId: 31337 }, sizes);
      const l2 = createTransport({ url: node.url });
      const indexer = createIndexer({ index, l2, patience: { tries: 3, delay: 1 } });
      await history.mine(30);
      await indexer.run({ once: true });
      await expectAll(index, node);
      for (let round = 0; round < 2; round++) {
        await history.mine(2);
        await indexer.run({ once: true });
        await node.call('anvil_reorg', 2, []);
        await history.mine(1);
        await indexer.run({ once: true });
      }
      await expectAll(index, node);
    },
    patience,
  );
});

test(
  'tokens that came in runs, and one that moves all the time',
  async () => {
    const node = await startAnvil();
    nodes.push(node);
    const emitter = await deployEmitter(node);
    const word = (value: bigint | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
    const [a, b] = wallets as [Hex, Hex];
    const run = (first: bigint, last: bigint, to: Hex) =>
      emitter.emit([topics.consecutiveTransfer, word(first), word(zero), word(to)], word(last));
    const move = (from: Hex, to: Hex, id: bigint) =>
      emitter.emit([topics.transfer, word(from), word(to), word(id)], '0x');
    const greatest = 2n ** 256n - 1n;
    const at = await node.mine(run(5n, 9n, a), run(8n, 11n, b), run(7n, 7n, a));
    await node.mine(move(a, b, 6n), ...Array.from({ length: 1100 }, () => move(b, b, 6n)));
    await node.mine(move(zero, a, 40n), run(greatest - 1n, greatest, b));
    const index = await openSizedIndex({ store: memoryStore(), chainId: 31337 }, small);
    const l2 = createTransport({ url: node.url });
    await createIndexer({ index, l2 }).run({ once: true });
    const { address } = emitter;
    const ids = [5n, 6n, 7n, 8n, 9n, 10n, 11n, 40n, greatest - 1n, greatest];
    expect(await index.ids(address, { limit: 100 })).toEqual(ids);
    for (const [i, after] of ids.entries()) {
      expect(await index.ids(address, { limit: 2, after })).toEqual(ids.slice(i + 1, i + 3));
    }
    expect(await index.ids(address, { limit: 0 })).toEqual([]);
    expect(await index.collections({ limit: 5 })).toEqual([address]);
    expect(await index.itemRuns(address, 8n)).toEqual([
      { first: 8n, last: 11n, to: b, block: at, transaction: 1 },
      { first: 7n, last: 7n, to: a, block: at, transaction: 2 },
      { first: 5n, last: 9n, to: a, block: at, transaction: 0 },
    ]);
    expect(await index.itemRuns(address, 4n)).toEqual([]);
    expect(await index.itemMoves(address, 6n, { limit: 5000 })).toHaveLength(1101);
    const ends = await index.itemEnds(address, [5n, 6n, 7n, 40n, greatest], 100);
    expect([...ends.keys()].sort()).toEqual([40n, 6n]);
    expect(ends.get(6n)).toMatchObject({ oldest: { from: a, to: b }, newest: { from: b, to: b } });
    expect(ends.get(40n)).toMatchObject({ oldest: { from: zero, to: a } });
    const of = { standard: 'erc721', contract: address, block: at, limit: 3 } as const;
    expect(await index.tokensBehind(a, { ...of, after: undefined })).toEqual([5n, 6n, 7n]);
    expect(await index.tokensBehind(a, { ...of, after: 6n })).toEqual([7n, 8n, 9n]);
    expect(await index.tokensBehind(b, { ...of, after: 11n })).toEqual([greatest - 1n, greatest]);
    expect(await index.tokensBehind(b, { ...of, after: greatest })).toEqual([]);
  },
  patience,
);
