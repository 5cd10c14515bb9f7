/** Sales of a collection on a real node, by days: what Seaport's events say, and nothing that others say. */
import { encodeAbiParameters, parseAbiParameters } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import type { PriceSource } from '../../../../../src/service/index.js';
import { type Anvil, startAnvil } from '../../../../support/anvil.js';
import {
  deployEmitter,
  type Emitter,
  placeEmitter,
} from '../../../../support/contracts/emitter.js';
import { deployErc20, deployWrappedNative } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker } from '../../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
let gold: Hex;
let wrapped: Hex;

/** Of Seaport 1.5, and its event `OrderFulfilled`, as its authors publish them. */
const seaport: Hex = '0x00000000000000adc04c56bf30ac9d3c0aaf14dc';
const fulfilled: Hex = '0x9d9af8e38d66c62e2c12f0225249fd9d721c54b83f48d9352c97c6cacdcb6f31';
const parameters = parseAbiParameters(
  'bytes32, address, (uint8, address, uint256, uint256)[], (uint8, address, uint256, uint256, address)[]',
);
type Item = readonly [type: number, token: Hex, id: bigint, amount: bigint];

const nft: Hex = `0x${'d0'.repeat(20)}`;
const seller: Hex = `0x${'a1'.repeat(20)}`;
const zero: Hex = `0x${'0'.repeat(40)}`;
const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;
const ether = 10n ** 18n;
/** Midnight before the first sale. */
const start = 1_767_225_600;
const day = 86_400;

const order = ({ emit }: Emitter, offer: readonly Item[], asked: readonly Item[]) =>
  emit(
    [fulfilled, word(seller), word(zero)],
    encodeAbiParameters(parameters, [
      `0x${'11'.repeat(32)}`,
      seller,
      offer,
      asked.map((item) => [...item, seller] as const),
    ]),
  );
const one = (id: bigint): Item => [2, nft, id, 1n];
const value = (amount: bigint): Item => [0, zero, 0n, amount];
const coins = (token: Hex, amount: bigint): Item => [1, token, 0n, amount];
const wrappedNative = () => ({ contracts: { wrappedNative: [wrapped] } });

beforeAll(async () => {
  node = await startAnvil('--timestamp', String(start - 5 * day));
  gold = (await deployErc20(node)).address;
  wrapped = (await deployWrappedNative(node)).address;
  const market = await placeEmitter(node, seaport);
  const fake = await deployEmitter(node);
  const at = (time: number) => node.call('anvil_setTime', time);
  const sold = (price: bigint, id = 1n) => order(market, [one(id)], [value(price)]);
  await at(start + 10);
  // Fees stand beside the price; the same price as a wrapped token; as much from someone who is not Seaport.
  await node.mine(
    order(market, [one(1n)], [value(2n * ether), value(ether / 10n)]),
    sold(ether),
    order(fake, [one(1n)], [value(1n)]),
  );
  await at(start + day - 20);
  await node.mine(order(market, [coins(wrapped, 3n * ether)], [one(2n), coins(wrapped, 1n)]));
  // A day with bundles alone, and one with gold alone; of 2^256 - 1 wei.
  await at(start + 2 * day);
  await node.mine(
    order(market, [one(5n), one(6n)], [value(ether / 1000n)]),
    order(market, [one(5n)], [value(1n), coins(gold, 1n)]),
  );
  await at(start + 3 * day + 50_000);
  await node.mine(order(market, [one(2n ** 256n - 1n)], [coins(gold, 10n * ether)]));
  await at(start + 5 * day);
  await node.mine(sold(2n ** 256n - 1n));
  await at(start + 6 * day);
  await node.mine();
  served = await serveData(node.url, {
    decoder: { chains: [{ name: chainName, url: node.url, ...wrappedNative() }] },
  });
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const path = (of: string, contract: Hex = nft) => `${chainName}/nft_market/${contract}/${of}`;
const dates = ['2026-01-06', '2026-01-04', '2026-01-03', '2026-01-01'];
const native = { native_ticker_symbol: 'ETH', native_name: 'Ether' };

test('are counted, bundles once each', async () => {
  const { items, address, block_height } = await ask.data(path('sale_count/'));
  expect([address, block_height]).toEqual([nft, Number(await node.call('eth_blockNumber'))]);
  expect(items).toEqual(
    ['1', '1', '2', '3'].map((sales_count, i) => ({ date: dates[i], sales_count })),
  );
});

test('have a floor and a volume in native tokens, and none for what has no such price', async () => {
  const floor = await ask.data(path('floor_price/'));
  const all = 1.157920892373162e59;
  const unpriced = { floor_price_quote: null, pretty_floor_price_quote: null };
  expect(floor.items).toEqual(
    [all, null, null, 1].map((floor_price_native_quote, i) => ({
      ...{ date: dates[i], ...native, floor_price_native_quote, ...unpriced },
    })),
  );
  const volume = await ask.data(path('volume/'));
  expect(volume.items.map((one: Wire) => one.volume_native_quote)).toEqual([
    ...[all, null, null],
    // 2.1, 1 and 3: what is asked for beside the token is paid from what was bid.
    6.1,
  ]);
  expect(volume.items[0]).toMatchObject({ volume_quote: null, pretty_volume_quote: null });
});

test('of the last days alone, and of another contract none', async () => {
  const count = async (query: string) =>
    (await ask.data(path(`sale_count/${query}`))).items.map((one: Wire) => one.date);
  expect(await count('?days=1')).toEqual([]);
  expect(await count('?days=2')).toEqual(dates.slice(0, 1));
  expect(await count('?days=4')).toEqual(dates.slice(0, 2));
  expect(await count('?days=7')).toEqual(dates);
  expect(await count('?days=366')).toEqual(dates);
  for (const days of ['0', '367', 'x']) {
    expect((await ask.failure(path(`volume/?days=${days}`))).status).toBe(400);
  }
  expect((await ask.data(path('floor_price/', seller))).items).toEqual([]);
});

test('in other tokens have a price if a source knows both, by the day', async () => {
  const asked = new Set<number | undefined>();
  const prices: PriceSource = async ({ addresses, timestamp }) => {
    asked.add(timestamp);
    const usd = (address: Hex) => (address === gold ? '5' : '2000');
    const known = addresses.filter((one) => one === gold || one === `0x${'e'.repeat(40)}`);
    return known.map((address) => ({ address, usd: usd(address) }));
  };
  const chains = [{ name: chainName, url: node.url, ...wrappedNative() }];
  const priced = await serveData(node.url, { decoder: { chains, prices } });
  try {
    const own = await askData(priced);
    const { items } = await own.data(path('volume/?quote-currency=USD'));
    expect(items.slice(1)).toEqual([
      {
        ...{ date: dates[1], ...native, volume_native_quote: 0.025 },
        ...{ volume_quote: 50, pretty_volume_quote: '$50.00' },
      },
      {
        ...{ date: dates[2], ...native, volume_native_quote: null },
        ...{ volume_quote: null, pretty_volume_quote: null },
      },
      {
        ...{ date: dates[3], ...native, volume_native_quote: 6.1 },
        ...{ volume_quote: 12_200, pretty_volume_quote: '$12,200.00' },
      },
    ]);
    expect([...asked].sort()).toEqual([0, 2, 3, 5].map((days) => start + days * day));
    const floor = await own.data(path('floor_price/'));
    expect(floor.items[3]).toMatchObject({
      ...{ floor_price_native_quote: 1, floor_price_quote: 2000 },
      pretty_floor_price_quote: '$2,000.00',
    });
    const euro = await own.data(path('floor_price/?quote-currency=EUR'));
    expect(euro).toMatchObject({ quote_currency: 'EUR' });
    expect(euro.items[1]).toMatchObject({
      floor_price_native_quote: null,
      floor_price_quote: null,
    });
  } finally {
    await priced.close();
  }
});

test('need an index of all receipts', async () => {
  const tokens = await serveData(node.url, { only: 'tokens' });
  try {
    for (const of of ['floor_price/', 'volume/', 'sale_count/']) {
      const { status, body } = await tokens.get(`/v1/${path(of)}`);
      expect([status, body.error_message]).toEqual([501, expect.stringContaining('receipts')]);
    }
  } finally {
    await tokens.close();
  }
});

test('a reorg takes a sale back', async () => {
  const market = await placeEmitter(node, seaport);
  const sales = async () => {
    await served.feed();
    return (await ask.data(path('sale_count/'))).items[0];
  };
  const before = await sales();
  await node.mine(order(market, [one(1n)], [value(ether)]));
  expect(await sales()).toEqual({ date: '2026-01-07', sales_count: '1' });
  await node.call('anvil_rollback', 1);
  await node.mine();
  expect(await sales()).toEqual(before);
});
