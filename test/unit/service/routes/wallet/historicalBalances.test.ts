/** Balances at older blocks: each is what the contracts of a real node say there, page by page and over reorgs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, startAnvil } from '../../../../support/anvil.js';
import { send } from '../../../../support/contracts/contract.js';
import { deployHostile } from '../../../../support/contracts/hostile.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import { deployErc20 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf, timeOf } from '../../../../support/dataRoutes.js';
import { startGateway } from '../../../../support/decoder.js';
import { patience, type Wire } from '../../../../support/runs.js';
import {
  type Held,
  startHistory,
  type TokenHistory,
  wallets,
} from '../../../../support/tokenHistory.js';

let node: Anvil;
let history: TokenHistory;
let served: ServedData;
let ask: DataAsker;

/** Years ago, so that days are over. */
const start = Date.UTC(2024, 1, 27, 23) / 1000;
const native = `0x${'e'.repeat(40)}`;

beforeAll(async () => {
  node = await startAnvil(
    '--auto-impersonate',
    '--slots-in-an-epoch',
    '4',
    '--timestamp',
    String(start),
  );
  await node.call('anvil_setBlockTimestampInterval', 600);
  history = await startHistory(node, Number(process.env.HISTORY_SEED ?? 481));
  await history.mine(30);
  // Only from here on can calls be made together.
  await placeMulticall(node);
  await history.mine(10);
  const { gold } = history;
  served = await serveData(node.url, {
    decoder: {
      // Dollars are days since 1970.
      prices: async ({ timestamp = 0 }) => [
        { address: gold.address, usd: String(timestamp / 86_400) },
      ],
    },
  });
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const pathOf = (wallet: Hex) => `${chainName}/address/${wallet}/historical_balances/`;
const hexOf = (block: number) => `0x${block.toString(16)}`;
const blockAt = (block: number): Promise<Wire> =>
  node.call('eth_getBlockByNumber', hexOf(block), false);
const newestOf = async () => Number(await node.call('eth_blockNumber'));

/** What was held, by contract: amounts and tokens. */
function rowsOf(held: readonly Held[], wallet: Hex): Record<string, unknown> {
  const rows: Record<string, { balance: bigint; ids: string[] }> = {};
  for (const one of held) {
    if (one.wallet !== wallet) continue;
    const row = rows[one.contract] ?? { balance: 0n, ids: [] };
    rows[one.contract] = row;
    row.balance += one.amount;
    if (one.id !== undefined) row.ids.push(`${one.id} ${one.amount}`);
  }
  for (const row of Object.values(rows)) row.ids.sort();
  return rows;
}

function told(items: readonly Wire[]): Record<string, unknown> {
  const tokens = items.filter((one) => !one.native_token);
  return Object.fromEntries(
    tokens.map(({ contract_address, balance, nft_data }) => [
      contract_address,
      {
        balance: BigInt(balance),
        ids: (nft_data ?? []).map((one: Wire) => `${one.token_id} ${one.token_balance}`).sort(),
      },
    ]),
  );
}

/** Blocks of the wallet's transfers of a contract, as the node's logs say. */
async function lastMove(contract: Hex, wallet: Hex, block: number): Promise<number> {
  const logs = await node.call('eth_getLogs', {
    address: contract,
    fromBlock: '0x0',
    toBlock: hexOf(block),
  });
  const named = `0x${wallet.slice(2).padStart(64, '0')}`;
  const moving = logs.filter(({ topics: [first, ...sides] }: Wire) => {
    // Approvals move nothing, and who carries out a transfer of ERC-1155 is no side of it.
    if (/^0x(8c5be1e5|17307eab)/.test(first)) return false;
    return (/^0x(c3d58168|4a39dc06)/.test(first) ? sides.slice(1) : sides).includes(named);
  });
  return Math.max(...moving.map((log: Wire) => Number(log.blockNumber)));
}

async function expectAt(wallet: Hex, block: number, query: string): Promise<void> {
  const expected = rowsOf(await history.held(block), wallet);
  const { items, ...rest } = await ask.data(`${pathOf(wallet)}?${query}`);
  expect(told(items), query).toEqual(expected);
  const { hash } = await blockAt(block);
  expect(rest).toMatchObject({ block_height: block, block_hash: hash, address: wallet });
  const balance = BigInt(await node.call('eth_getBalance', wallet, hexOf(block)));
  expect(items[0]).toMatchObject({ contract_address: native, balance: String(balance) });
  for (const item of items) expect(item.block_height).toBe(block);
  for (const item of items.slice(1)) {
    const last = await lastMove(item.contract_address, wallet, block);
    expect(item.last_transferred_block_height).toBe(last);
    expect(item.last_transferred_at).toBe(timeOf((await blockAt(last)).timestamp));
  }
  const walked = await itemsOf(ask, `${pathOf(wallet)}?${query}&page-size=2`);
  expect(walked).toEqual(items);
}

test(
  'each amount is what the node says at the block, over a reorg',
  async () => {
    for (let round = 0; round < 2; round++) {
      const newest = await newestOf();
      for (const wallet of wallets.slice(0, 3)) {
        for (const block of [newest, newest - 3, 25, 12]) {
          await expectAt(wallet, block, `block-height=${block}`);
        }
      }
      await node.call('anvil_rollback', 2);
      await history.mine(3);
      await served.feed();
    }
  },
  patience,
);

test(
  'the last block of a day counts, and its prices',
  async () => {
    const newest = await newestOf();
    const [wallet] = wallets as [Hex];
    const times: number[] = [];
    for (let block = 0; block <= newest; block++)
      times.push(Number((await blockAt(block)).timestamp));
    for (const day of ['2024-02-27', '2024-02-28']) {
      const end = Date.parse(day) / 1000 + 86_400;
      const last = times.filter((time) => time < end).length - 1;
      await expectAt(wallet, last, `date=${day}`);
      const { items } = await ask.data(`${pathOf(wallet)}?date=${day}`);
      const gold = items.find((one: Wire) => one.contract_address === history.gold.address);
      const rate = Math.floor((times[last] as number) / 86_400);
      if (gold)
        expect(gold).toMatchObject({
          quote_rate: rate,
          quote: (Number(gold.balance) * rate) / 1e18,
        });
      expect(items[0]).toMatchObject({ quote_rate: null, quote: null, pretty_quote: null });
    }
    const none = await ask.data(`${pathOf(wallet)}?date=2024-02-28&quote-currency=EUR`);
    for (const { quote } of none.items) expect(quote).toBeNull();
    expect(await ask.failure(`${pathOf(wallet)}?date=2024-02-26`)).toEqual({
      ...{ status: 404, message: 'The chain had no block yet' },
    });
  },
  patience,
);

test('a token that came later stands in no older answer, whatever it says, and an item says all', async () => {
  const wallet: Hex = `0x${'7a'.repeat(20)}`;
  const coin = await deployErc20(node, 'Coin\u202e', 'C\u0000N');
  await send(node, coin.call('mint', wallet, 70n));
  const before = await newestOf();
  // They say that the wallet always had some.
  const hostile = await deployHostile(node, wallet);
  await served.feed();
  const { items } = await ask.data(`${pathOf(wallet)}?block-height=${before}`);
  expect(items).toHaveLength(2);
  expect(items[1]).toEqual({
    contract_decimals: 18,
    contract_name: 'Coin',
    contract_ticker_symbol: 'CN',
    contract_display_name: 'Coin',
    contract_address: coin.address,
    logo_url: null,
    supports_erc: ['erc20'],
    block_height: before,
    last_transferred_block_height: before,
    last_transferred_at: timeOf((await blockAt(before)).timestamp),
    native_token: false,
    type: 'cryptocurrency',
    is_spam: false,
    balance: '70',
    quote_rate: null,
    quote: null,
    pretty_quote: null,
    protocol_metadata: null,
    nft_data: null,
  });
  const now = await ask.data(pathOf(wallet));
  const found = new Map(now.items.map((one: Wire) => [one.contract_address, one.balance]));
  expect(found.get(hostile.get('manyDecimals'))).toBe('6');
  expect(found.get(hostile.get('deceitful'))).toBe('7');
  expect(found.get(coin.address)).toBe('70');
  expect(found.has(hostile.get('burnsAll'))).toBe(false);
});

describe('an answer', () => {
  test('of a final block may be kept', async () => {
    const { gold } = history;
    for (let i = 0; i < 9; i++) await node.mine();
    await served.feed();
    const at = `/v1/${pathOf(wallets[0] as Hex)}`;
    const kept = await served.get(`${at}?block-height=20`);
    expect(kept.headers.get('cache-control')).toContain('immutable');
    const headers = { 'if-none-match': kept.headers.get('etag') ?? '' };
    expect((await served.get(`${at}?block-height=20`, headers)).status).toBe(304);
    for (const query of ['', '?block-height=latest', '?block-height=20&page-size=1']) {
      const { headers } = await served.get(at + query);
      expect([query, headers.get('cache-control')]).toEqual([query, 'no-store']);
    }
    expect(gold.address).toMatch(/^0x/);
  });

  test('that no node can give, or of nothing, is refused', async () => {
    const [wallet] = wallets as [Hex];
    const newest = await newestOf();
    const failures = [
      ['block-height=99999', 404, 'does not have this block yet'],
      ['date=2024-02-30', 400, 'date must be a day'],
      ['date=2024-02-28&block-height=3', 400, 'date must stand without block-height'],
      ['page-size=1001', 400, 'page-size must be a whole number from 1 to 1000'],
      ['page-size=1000&page-number=101', 400, 'page-number leads too far'],
      ['cursor=00', 400, 'cursor must be one that an answer of this very list gave'],
    ] as const;
    for (const [query, status, message] of failures) {
      expect(await ask.failure(`${pathOf(wallet)}?${query}`), query).toEqual({
        ...{ status, message: expect.stringContaining(message) },
      });
    }
    const gateway = await startGateway(node.url);
    gateway.changes.set('eth_getBalance', (answer, [, block]) =>
      Number(block) > newest - 8
        ? answer
        : {
            ...answer,
            result: undefined,
            error: { code: -32000, message: 'missing trie node 0a' },
          },
    );
    const pruned = await serveData(gateway.url, { fed: served.store });
    try {
      const { status, body } = await pruned.get(`/v1/${pathOf(wallet)}?block-height=5`);
      expect([status, body.error_message]).toEqual([501, expect.stringContaining('archive node')]);
      expect((await pruned.get(`/v1/${pathOf(wallet)}`)).status).toBe(200);
    } finally {
      await pruned.server.stop();
      await gateway.close();
    }
  });

  test('of an index of tokens alone is by number, and not by day', async () => {
    const [wallet] = wallets as [Hex];
    const tokens = await serveData(node.url, { only: 'tokens' });
    try {
      const own = await askData(tokens);
      const { items } = await own.data(`${pathOf(wallet)}?block-height=25`);
      expect(told(items)).toEqual(rowsOf(await history.held(25), wallet));
      const failed = await own.failure(`${pathOf(wallet)}?date=2024-02-28`);
      expect(failed).toEqual({ status: 501, message: expect.stringContaining('receipts') });
    } finally {
      await tokens.close();
    }
  });
});

test('a cursor leads on while blocks come, and not once its block was taken back', async () => {
  const [wallet] = wallets as [Hex];
  const path = `${pathOf(wallet)}?page-size=2`;
  const first = await ask.data(path);
  const whole = (await ask.data(pathOf(wallet))).items;
  await node.mine();
  await served.feed();
  const rest = await ask.data(`${pathOf(wallet)}?cursor=${first.pagination.cursor}`);
  expect(rest.block_height).toBe(first.block_height + 1);
  expect(rest.pagination).toMatchObject({ page_number: 1, has_more: false });
  const addresses = (items: readonly Wire[]) => items.map((one) => one.contract_address);
  expect(addresses([...first.items, ...rest.items])).toEqual(addresses(whole));
  await node.call('anvil_rollback', 2);
  await node.mine();
  await served.feed();
  expect(await ask.failure(`${pathOf(wallet)}?cursor=${first.pagination.cursor}`)).toEqual({
    ...{ status: 400, message: 'the chain has changed; begin again' },
  });
});
