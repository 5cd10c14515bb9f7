/** What wallets had day by day: each balance is what a real node says at the block that it is of. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, startAnvil } from '../../../../support/anvil.js';
import { deployHostile, spam, token, word } from '../../../../support/contracts/hostile.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import { deployErc20 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf, timeOf } from '../../../../support/dataRoutes.js';
import { startGateway } from '../../../../support/decoder.js';
import { patience, type Wire } from '../../../../support/runs.js';
import { startHistory, type TokenHistory, wallets } from '../../../../support/tokenHistory.js';

let node: Anvil;
let history: TokenHistory;
let served: ServedData;
let ask: DataAsker;

const native = `0x${'e'.repeat(40)}`;
const secondsADay = 86_400;
const [wallet] = wallets as [Hex];
const busy: Hex = `0x${'b5'.repeat(20)}`;

beforeAll(async () => {
  const start = Math.floor(Date.now() / 1000) - 5 * secondsADay;
  node = await startAnvil('--auto-impersonate', '--timestamp', String(start));
  await node.call('anvil_setBlockTimestampInterval', 7000);
  history = await startHistory(node, Number(process.env.HISTORY_SEED ?? 482));
  await history.mine(20);
  await placeMulticall(node);
  await history.mine(20);
  const { gold } = history;
  served = await serveData(node.url, {
    decoder: {
      // Dollars are days since 1970.
      prices: async ({ timestamp = 0 }) => [
        { address: gold.address, usd: String(timestamp / secondsADay) },
      ],
    },
  });
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const pathOf = (address: Hex) => `${chainName}/address/${address}/portfolio_v2/`;
const hexOf = (block: number) => `0x${block.toString(16)}`;
const blockAt = (block: number): Promise<Wire> =>
  node.call('eth_getBlockByNumber', hexOf(block), false);
const newestOf = async () => Number(await node.call('eth_blockNumber'));

/** `balanceOf(address)`; what was not there yet has nothing. */
async function balanceOf(contract: string, owner: Hex, block: number): Promise<bigint> {
  if (contract === native) return BigInt(await node.call('eth_getBalance', owner, hexOf(block)));
  const data = `0x70a08231${owner.slice(2).padStart(64, '0')}`;
  const answer = await node.call('eth_call', { to: contract, data }, hexOf(block));
  return answer === '0x' ? 0n : BigInt(answer);
}

/** Blocks in which a wallet moved a token; of the native token, those with a transaction of its own or to it, or a move. */
async function movesOf(contract: string, owner: Hex, newest: number): Promise<number[]> {
  const topic = `0x${owner.slice(2).padStart(64, '0')}`;
  const moves = /^0x(ddf252ad|e1fffcc4|7fcf532c|c3d58168|4a39dc06)/;
  const blocks = new Set<number>();
  for (let block = 0; block <= newest; block++) {
    for (const receipt of await node.call('eth_getBlockReceipts', hexOf(block))) {
      const { from, to, logs } = receipt;
      if (contract === native && [from, to].includes(owner)) blocks.add(block);
      for (const { address, topics } of logs as Wire[]) {
        if (!topics.includes(topic)) continue;
        if (contract === native) blocks.add(block);
        else if (address === contract && moves.test(topics[0])) blocks.add(block);
      }
    }
  }
  return [...blocks];
}

async function expectPortfolio(owner: Hex, days: number, items: readonly Wire[]): Promise<void> {
  const newest = await newestOf();
  const times: number[] = [];
  for (let block = 0; block <= newest; block++) {
    times.push(Number((await blockAt(block)).timestamp));
  }
  const today = Math.floor(Date.now() / 1000 / secondsADay) * secondsADay;
  const before = (time: number) => times.filter((one) => one < time).length - 1;
  for (const { contract_address: contract, holdings } of items) {
    const moves = await movesOf(contract, owner, newest);
    expect(holdings).toHaveLength(days);
    for (const [i, holding] of (holdings as Wire[]).entries()) {
      const begin = today - i * secondsADay;
      expect(holding.timestamp).toBe(timeOf(String(begin)));
      const [open, close] = [before(begin), i === 0 ? newest : before(begin + secondsADay)];
      const at = async (block: number) => (block < 0 ? 0n : balanceOf(contract, owner, block));
      const between = moves.filter((block) => block > open && block <= close);
      const all: bigint[] = [];
      for (const block of [open, close, ...between]) all.push(await at(block));
      const sorted = [...all].sort((a, b) => Number(a > b) - Number(a < b));
      expect([
        contract,
        i,
        ...['open', 'close', 'low', 'high'].map((name) => holding[name].balance),
      ]).toEqual([contract, i, ...[all[0], all[1], sorted[0], sorted.at(-1)].map(String)]);
    }
  }
}

test(
  'every balance of every day is what the node says, also after a reorg',
  async () => {
    for (let round = 0; round < 2; round++) {
      for (const owner of wallets.slice(0, 2)) {
        const { items, ...rest } = await ask.data(`${pathOf(owner)}?days=7`);
        const newest = await newestOf();
        expect(rest).toMatchObject({
          ...{ address: owner, block_height: newest, block_hash: (await blockAt(newest)).hash },
          pagination: { has_more: false },
        });
        await expectPortfolio(owner, 7, items);
        // Each fungible token of which it ever had some.
        const { gold, rebasing, wrapped } = history;
        const listed = items.map(({ contract_address }: Wire) => contract_address);
        expect(listed[0]).toBe(native);
        for (const { address } of [gold, rebasing, wrapped]) {
          const has = (await movesOf(address, owner, newest)).length > 0;
          const some: bigint[] = [];
          for (let block = 0; block <= newest; block++)
            some.push(await balanceOf(address, owner, block));
          if (has && some.every((one) => one > 0n)) expect(listed).toContain(address);
          if (some.every((one) => one === 0n)) expect(listed).not.toContain(address);
        }
        expect(listed).not.toContain(history.deed.address);
        expect(await itemsOf(ask, `${pathOf(owner)}?days=7&page-size=1`)).toEqual(items);
      }
      await node.call('anvil_rollback', 2);
      await history.mine(3);
      await served.feed();
    }
  },
  patience,
);

test('an item says all that there is to say, with quotes of each day', async () => {
  const { gold } = history;
  await node.mine(gold.call('mint', wallet, 12n));
  await served.feed();
  const { items } = await ask.data(`${pathOf(wallet)}?days=3`);
  const { holdings, ...token } = items.find((one: Wire) => one.contract_address === gold.address);
  expect(token).toEqual({
    contract_address: gold.address,
    contract_decimals: 18,
    contract_name: 'Gold',
    contract_ticker_symbol: 'GLD',
    logo_url: null,
  });
  const today = Math.floor(Date.now() / 1000 / secondsADay);
  for (const [i, { quote_rate, close }] of (holdings as Wire[]).entries()) {
    expect(quote_rate).toBe(today - i);
    expect(close.quote).toBeCloseTo((Number(close.balance) * quote_rate) / 1e18, 12);
    expect(close.pretty_quote).toBe('$0.00');
  }
  for (const { quote_rate, high } of items[0].holdings) {
    expect([quote_rate, high.quote, high.pretty_quote]).toEqual([null, null, null]);
  }
  expect((await ask.data(pathOf(wallet))).items[0].holdings).toHaveLength(30);
  const stranger = await ask.data(pathOf(`0x${'77'.repeat(20)}`));
  expect(stranger.items).toHaveLength(1);
  expect(stranger.items[0].holdings[0].close).toEqual({
    balance: '0',
    quote: null,
    pretty_quote: null,
  });
});

test(
  'hostile tokens change nothing about the others',
  async () => {
    await node.call('anvil_setBlockTimestampInterval', 1);
    const owner: Hex = `0x${'ba'.repeat(20)}`;
    const coin = await deployErc20(node, 'Coin', 'CN');
    await node.mine(coin.call('mint', owner, 70n));
    const hostile = await deployHostile(node, owner);
    await served.feed();
    const { items } = await ask.data(`${pathOf(owner)}?days=2`);
    const found = new Map(items.map((one: Wire) => [one.contract_address, one]));
    const closeOf = (address: Hex | undefined) =>
      (found.get(address) as Wire)?.holdings[0].close.balance;
    expect(closeOf(coin.address)).toBe('70');
    expect(closeOf(hostile.get('deceitful'))).toBe('7');
    expect((found.get(hostile.get('deceitful')) as Wire).contract_name).not.toContain('\u202e');
    expect((found.get(hostile.get('manyDecimals')) as Wire).contract_decimals).toBeNull();
    for (const name of [
      'reverts',
      'longBalance',
      'burnsGas',
      'burnsAll',
      'halfWord',
      'nothing',
    ] as const) {
      expect([name, found.has(hostile.get(name))]).toEqual([name, false]);
    }
  },
  patience,
);

test(
  'a day of many transfers has the balances of its ends, and too many balances are refused',
  async () => {
    const coin = await deployErc20(node, 'Busy', 'BSY');
    await node.call('anvil_setBalance', busy, '0x56bc75e2d63100000');
    const { timestamp } = await blockAt(await newestOf());
    const tomorrow = (Math.floor(Number(timestamp) / secondsADay) + 1) * secondsADay;
    await node.call('evm_setNextBlockTimestamp', tomorrow);
    await node.mine(coin.call('mint', busy, 1000n));
    await node.mine({ ...coin.call('burn', 900n), from: busy });
    const dayOf = async () => {
      await served.feed();
      const { items } = await ask.data(`${pathOf(busy)}?days=7`);
      const { holdings } = items.find((one: Wire) => one.contract_address === coin.address);
      const day = holdings.find((one: Wire) => one.timestamp === timeOf(String(tomorrow)));
      return [day.open, day.high, day.low, day.close].map(({ balance }) => Number(balance));
    };
    for (let i = 0; i < 48; i++) await node.mine(coin.call('mint', busy, 1n));
    expect(await dayOf()).toEqual([0, 1000, 0, 148]);
    await node.mine(coin.call('mint', busy, 1n));
    expect(await dayOf()).toEqual([0, 149, 0, 149]);

    const rich: Hex = `0x${'c1'.repeat(20)}`;
    await spam(node, { wallet: rich, count: 1200, code: token({ balanceOf: word('0x05') }) });
    await served.feed();
    const all = await ask.failure(`${pathOf(rich)}?days=7&page-size=1000`);
    expect(all).toEqual({ status: 400, message: expect.stringContaining('a smaller days') });
    const { items, pagination } = await ask.data(`${pathOf(rich)}?days=1&page-size=20`);
    expect(items).toHaveLength(20);
    expect(pagination).toMatchObject({ has_more: true, page_size: 20 });
    for (const { holdings } of items.slice(1)) expect(holdings[0].close.balance).toBe('5');
    const next = await ask.data(`${pathOf(rich)}?days=1&page-size=20&page-number=1`);
    expect(
      await ask.data(`${pathOf(rich)}?days=1&page-size=20&cursor=${pagination.cursor}`),
    ).toMatchObject({
      items: next.items,
    });
  },
  patience,
);

test('what is refused', async () => {
  const failures = [
    ['days=0', 400, 'days must be a whole number from 1 to 366'],
    ['days=367', 400, 'days must be a whole number from 1 to 366'],
    ['page-size=1001', 400, 'page-size must be a whole number from 1 to 1000'],
  ] as const;
  for (const [query, status, message] of failures) {
    expect(await ask.failure(`${pathOf(wallet)}?${query}`), query).toEqual({
      ...{ status, message: expect.stringContaining(message) },
    });
  }
  const gateway = await startGateway(node.url);
  const newest = await newestOf();
  gateway.changes.set('eth_getBalance', (answer, [, block]) =>
    Number(block) > newest - 2
      ? answer
      : { ...answer, result: undefined, error: { code: -32000, message: 'missing trie node 0a' } },
  );
  const pruned = await serveData(gateway.url, { fed: served.store });
  const tokens = await serveData(node.url, { only: 'tokens' });
  try {
    const old = await pruned.get(`/v1/${pathOf(wallet)}`);
    expect([old.status, old.body.error_message]).toEqual([501, expect.stringContaining('archive')]);
    const { status, body } = await tokens.get(`/v1/${pathOf(wallet)}`);
    expect([status, body.error_message]).toEqual([501, expect.stringContaining('receipts')]);
  } finally {
    await pruned.server.stop();
    await gateway.close();
    await tokens.close();
  }
});
