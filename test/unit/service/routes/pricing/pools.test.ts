/** Prices by real pools of Uniswap v2 and v3, and by days: each is what the node's contracts say at the block. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { poolPrices } from '../../../../../src/service/index.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { assemble, initOf } from '../../../../support/contracts/assemble.js';
import {
  artifact,
  type Contract,
  contractAt,
  deploy,
  deployAnywhere,
  send,
} from '../../../../support/contracts/contract.js';
import { deployErc20, deployWrappedNative } from '../../../../support/contracts/tokens.js';
import { addPair, deployUniswap, type Pair } from '../../../../support/contracts/uniswap.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker } from '../../../../support/dataRoutes.js';
import { startGateway } from '../../../../support/decoder.js';
import { patience, type Wire } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
let usd: Contract;
let gold: Contract;
let wrapped: Contract;
let rare: Contract;
let goldUsd: Pair;
let rareGold: Pair;
let nativeUsd: Pair;
let v3: Contract;
let v3Tokens: readonly [Contract, Contract];

const secondsADay = 86_400;
const minter = accounts[0] as Hex;
const native: Hex = `0x${'e'.repeat(40)}`;
const stranger: Hex = `0x${'77'.repeat(20)}`;
const whole = 10n ** 18n;

const v3Artifact = (name: string) =>
  artifact(`@uniswap/v3-core/artifacts/contracts/${name}.sol/${name}.json`);

/** The file of the operator. */
const fileOf = () => ({
  [chainName]: {
    dollars: [usd.address],
    pools: [
      {
        token: gold.address,
        pool: goldUsd.contract.address,
        quote: usd.address,
        leastLiquidity: 1000,
      },
      {
        token: rare.address,
        pool: rareGold.contract.address,
        quote: gold.address,
        leastLiquidity: '10.5',
      },
      { token: native, pool: nativeUsd.contract.address, quote: usd.address, leastLiquidity: 0 },
      // Not enough in it.
      {
        token: wrapped.address,
        pool: nativeUsd.contract.address,
        quote: usd.address,
        leastLiquidity: 10 ** 9,
      },
    ],
  },
});

beforeAll(async () => {
  const start = Math.floor(Date.now() / 1000) - 3 * secondsADay;
  node = await startAnvil('--timestamp', String(start));
  wrapped = await deployWrappedNative(node);
  const uniswap = await deployUniswap(node, wrapped);
  usd = await deployErc20(node, 'Dollar', 'USD');
  gold = await deployErc20(node, 'Gold\u202e', 'GLD');
  rare = await deployErc20(node, 'Rare', 'RARE');
  for (const token of [usd, gold, rare]) await send(node, token.call('mint', minter, 10n ** 30n));
  await send(node, { ...wrapped.call('deposit'), value: 100n * whole });
  goldUsd = await addPair(node, uniswap, [
    { token: gold, amount: 300n * whole },
    { token: usd, amount: 700n * whole },
  ]);
  await send(node, usd.call('transfer', goldUsd.contract.address, 500n * whole));
  await send(node, goldUsd.contract.call('sync'));
  rareGold = await addPair(
    node,
    uniswap,
    [
      { token: rare, amount: 7n },
      { token: gold, amount: 11n * whole },
    ].map(({ token, amount }) => ({ token, amount: token === rare ? amount * whole : amount })),
  );
  nativeUsd = await addPair(node, uniswap, [
    { token: wrapped, amount: 2n * whole },
    { token: usd, amount: 7001n * whole },
  ]);
  const factory = await deploy(node, v3Artifact('UniswapV3Factory'));
  await send(node, factory.call('createPool', gold.address, usd.address, 3000));
  v3 = contractAt(
    node,
    v3Artifact('UniswapV3Pool').abi,
    await factory.read('getPool', gold.address, usd.address, 3000),
  );
  v3Tokens = BigInt(gold.address) < BigInt(usd.address) ? [gold, usd] : [usd, gold];
  await send(node, v3.call('initialize', 123456789n * 2n ** 70n));
  // A day and more later, prices are others.
  await node.call('evm_setNextBlockTimestamp', start + secondsADay + 1000);
  await send(node, usd.call('transfer', goldUsd.contract.address, 333n * whole));
  await send(node, goldUsd.contract.call('sync'));
  served = await serveData(node.url, {
    decoder: {
      prices: poolPrices({ file: fileOf(), chains: [{ name: chainName, url: node.url }] }),
    },
  });
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const newestOf = async () => Number(await node.call('eth_blockNumber'));
const blockAt = (block: number): Promise<Wire> =>
  node.call('eth_getBlockByNumber', `0x${block.toString(16)}`, false);

/** Both reserves, as the pair says them at a block. */
async function reservesAt({ contract }: Pair, block: number): Promise<[bigint, bigint]> {
  const request = { to: contract.address, data: contract.encode('getReserves') };
  const answer: string = await node.call('eth_call', request, `0x${block.toString(16)}`);
  return [BigInt(answer.slice(0, 66)), BigInt(`0x${answer.slice(66, 130)}`)];
}

/** The last block that is no younger than a time. */
async function lastBlock(time: number): Promise<number> {
  let block = await newestOf();
  while (block > 0 && Number((await blockAt(block)).timestamp) > time) block--;
  return block;
}

/** Exact to 18 digits: the text times the fraction's lower part is the upper one, but for less than one in 10^17 of it. */
function expectDigits(text: string, above: bigint, below: bigint): void {
  expect(text).toMatch(/^\d+(\.\d*[1-9])?$/);
  const [integer = '', behind = ''] = text.split('.');
  expect(`${integer}${behind}`.replace(/^0+/, '').length).toBeLessThanOrEqual(18);
  const left = BigInt(integer + behind) * below;
  const right = above * 10n ** BigInt(behind.length);
  expect(left <= right).toBe(true);
  expect((right - left) * 10n ** 17n <= right).toBe(true);
}

const pathOf = (pool: Hex) => `pricing/spot_prices/${chainName}/pools/${pool}/`;

describe('spot prices', () => {
  test('of a pool of v2 are what its reserves say, now and a day before', async () => {
    const block = await newestOf();
    const { timestamp, hash } = await blockAt(block);
    const old = await lastBlock(Number(timestamp) - secondsADay);
    const [item, ...others] = await ask.data(pathOf(goldUsd.contract.address));
    expect(others).toEqual([]);
    const [first, second] = goldUsd.tokens;
    expect(item).toMatchObject({
      pool_address: goldUsd.contract.address,
      ...{ token_0_address: first.address, token_1_address: second.address },
      ...{
        token_0_ticker: await first.read('symbol'),
        token_1_ticker: await second.read('symbol'),
      },
      ...{ quote_currency: 'USD', block_height: block, block_hash: hash },
    });
    expect([item.token_0_name, item.token_1_name].sort()).toEqual(['Dollar', 'Gold']);
    const [now, then] = [await reservesAt(goldUsd, block), await reservesAt(goldUsd, old)];
    expect(now).not.toEqual(then);
    expectDigits(item.token_0_price, now[1], now[0]);
    expectDigits(item.token_1_price, now[0], now[1]);
    expectDigits(item.token_0_price_24h, then[1], then[0]);
    expectDigits(item.token_1_price_24h, then[0], then[1]);
    // The dollar is worth one, so the quote of gold is its price in dollars, and that of the dollar one.
    const isGoldFirst = first.address === gold.address;
    const [golds, dollars] = isGoldFirst ? ['token_0', 'token_1'] : ['token_1', 'token_0'];
    expect(item[`${golds}_price_quote`]).toBe(item[`${golds}_price`]);
    expect(Number(item[`${dollars}_price_quote`])).toBeCloseTo(1, 12);
    // When that day began, the chain did not yet exist.
    expect(item[`${golds}_price_24h_quote`]).toBeNull();
    const [euro] = await ask.data(`${pathOf(goldUsd.contract.address)}?quote-currency=eur`);
    expect([euro.quote_currency, euro.token_0_price_quote]).toEqual(['EUR', null]);
  });

  test('of a pool of v3 are the square of its root', async () => {
    const [root]: [bigint] = await v3.read('slot0');
    const [item] = await ask.data(pathOf(v3.address));
    expect(item.token_0_address).toBe(v3Tokens[0].address);
    expectDigits(item.token_0_price, root * root, 2n ** 192n);
    expectDigits(item.token_1_price, 2n ** 192n, root * root);
  });

  test('of what is no pool are refused; of an empty or strange one they are null', async () => {
    for (const address of [gold.address, stranger]) {
      expect(await ask.failure(pathOf(address))).toEqual({
        ...{ status: 400, message: expect.stringContaining('no pool') },
      });
    }
    const pool = (reserves: string) =>
      deployAnywhere(node, {
        abi: [],
        bytecode: initOf(
          assemble(`
            PUSH0 CALLDATALOAD 0xe0 SHR
            DUP1 0x0dfe1681 EQ @one JUMPI DUP1 0xd21220a7 EQ @two JUMPI
            DUP1 0x0902f1ac EQ @reserves JUMPI PUSH0 PUSH0 REVERT
            one: ${gold.address} PUSH0 MSTORE 0x20 PUSH0 RETURN
            two: ${usd.address} PUSH0 MSTORE 0x20 PUSH0 RETURN
            reserves: ${reserves}`),
        ),
      });
    const empty = await pool('0x60 PUSH0 RETURN');
    const huge = await pool('PUSH0 NOT PUSH0 MSTORE PUSH0 NOT 0x20 MSTORE 0x60 PUSH0 RETURN');
    const burning = await pool('again: @again JUMP');
    await served.feed();
    const [item] = await ask.data(pathOf(empty.address));
    expect(item).toMatchObject({ token_0_price: null, token_1_price_quote: null });
    for (const { address } of [huge, burning])
      expect((await ask.failure(pathOf(address))).status).toBe(400);
  });

  test('of a day before are null if nobody holds that state', async () => {
    const gateway = await startGateway(node.url);
    const newest = await newestOf();
    gateway.changes.set('eth_getBalance', (answer, [, block]) =>
      Number(block) >= newest
        ? answer
        : {
            ...answer,
            result: undefined,
            error: { code: -32000, message: 'missing trie node 0a' },
          },
    );
    const pruned = await serveData(gateway.url, { fed: served.store });
    try {
      const { status, body } = await pruned.get(`/v1/${pathOf(goldUsd.contract.address)}`);
      expect(status).toBe(200);
      expect(body.data[0]).toMatchObject({ token_0_price_24h: null, token_0_price_quote: null });
      expect(Number(body.data[0].token_0_price)).toBeGreaterThan(0);
    } finally {
      await pruned.server.stop();
      await gateway.close();
    }
  });
});

const listPath = (addresses: readonly Hex[], currency = 'USD') =>
  `pricing/historical_by_addresses_v2/${chainName}/${currency}/${addresses.join(',')}/`;
const dateOf = (seconds: number) => new Date(1000 * seconds).toISOString().slice(0, 10);

/** Dollars for a gold by the reserves at a block. */
async function goldAt(block: number): Promise<number> {
  const [first, second] = await reservesAt(goldUsd, block);
  const [golds, dollars] =
    goldUsd.tokens[0].address === gold.address ? [first, second] : [second, first];
  return Number(dollars) / Number(golds);
}

describe('prices by days', () => {
  test(
    'are those of the pools at the time that a day begins, over two pools at most',
    async () => {
      const today = Math.floor(Date.now() / 1000 / secondsADay) * secondsADay;
      const [from, to] = [today - 4 * secondsADay, today];
      const range = `?from=${dateOf(from)}&to=${dateOf(to)}`;
      const asked = [gold.address, rare.address, native, usd.address, wrapped.address, stranger];
      const data = await ask.data(listPath(asked) + range);
      expect(data.map((one: Wire) => one.contract_address)).toEqual(asked);
      const [golds, rares, natives, dollars, ...unknown] = data as Wire[];
      const days = Array.from({ length: 5 }, (_, i) => today - i * secondsADay);
      for (const [i, day] of days.entries()) {
        for (const one of data) expect(one.items[i].date).toBe(dateOf(day));
        const started = Number((await blockAt(0)).timestamp) <= day;
        const block = await lastBlock(day);
        const price = started && block > 20 ? await goldAt(block) : null;
        if (price === null) expect(golds?.items[i].price).toBeNull();
        else {
          expect(golds?.items[i].price).toBeCloseTo(price, 12);
          expect(rares?.items[i].price).toBeCloseTo((price * 11) / 7, 12);
          expect(natives?.items[i].price).toBe(3500.5);
          expect(natives?.items[i].pretty_price).toBe('$3,500.50');
          expect(golds?.items[i].source).toBe('pools');
        }
        if (started) expect(dollars?.items[i].price).toBe(1);
        for (const one of unknown)
          expect(one.items[i]).toMatchObject({ price: null, source: null });
      }
      expect(new Set(golds?.items.map(({ price }: Wire) => price)).size).toBeGreaterThan(2);
      const turned = await ask.data(`${listPath([gold.address])}${range}&prices-at-asc=true`);
      expect(turned[0].items).toEqual([...golds?.items].reverse());
      const now = await ask.data(listPath([native]));
      expect(now[0]).toMatchObject({
        ...{
          contract_name: 'Ether',
          contract_decimals: 18,
          supports_erc: null,
          quote_currency: 'USD',
        },
        items: [
          { date: dateOf(today), price: 3500.5, contract_metadata: { contract_address: native } },
        ],
      });
      const [euro] = await ask.data(listPath([native], 'eur'));
      expect(euro).toMatchObject({ quote_currency: 'EUR', items: [{ price: null }] });
      const [later] = await ask.data(`${listPath([native])}?from=2199-01-01&to=2199-01-01`);
      expect(later.items).toMatchObject([{ date: '2199-01-01', price: null }]);
    },
    patience,
  );

  test('are refused if the question is wrong', async () => {
    const many = Array.from({ length: 51 }, (_, i): Hex => `0x${(16 + i).toString(16).repeat(20)}`);
    for (const [path, message] of [
      [listPath(many), 'contract_addresses must be 1 to 50'],
      [listPath([gold.address], 'XYZ'), 'quote_currency must be one of'],
      [`${listPath([gold.address])}?from=2024-01-02&to=2024-01-01`, 'to must not be before from'],
      [`${listPath([gold.address])}?from=2199-01-01`, 'from must not be after today'],
      [`${listPath([gold.address])}?from=2020-01-01&to=2024-01-01`, 'at most 366 days'],
      [`${listPath([gold.address])}?from=2024-02-30`, 'from must be a day'],
    ] as const) {
      expect(await ask.failure(path), path).toEqual({
        ...{ status: 400, message: expect.stringContaining(message) },
      });
    }
  });

  test('quote balances, and without a source all are null', async () => {
    const { items } = await ask.data(`${chainName}/address/${minter}/balances_v2/`);
    const own = items.find((one: Wire) => one.contract_address === gold.address);
    expect(own.quote_rate).toBeCloseTo(await goldAt(await newestOf()), 12);
    const plain = await serveData(node.url, { fed: served.store });
    try {
      const { body } = await plain.get(`/v1/${listPath([gold.address])}`);
      expect(body.data[0].items[0]).toMatchObject({
        price: null,
        pretty_price: null,
        source: null,
      });
    } finally {
      await plain.server.stop();
    }
  });
});

describe('a file of pools', () => {
  const chains = [{ name: 'x', url: 'http://127.0.0.1:1' }];
  const address = `0x${'12'.repeat(20)}`;
  const pool = { token: address, pool: address, quote: address, leastLiquidity: 5 };

  test.each([
    ['no object', 'x', 'prices'],
    ['another chain', { y: { dollars: [], pools: [] } }, '"y" is no chain here'],
    ['without dollars', { x: { pools: [] } }, 'dollars'],
    ['a wrong dollar', { x: { dollars: ['0x12'], pools: [] } }, 'dollars[0]'],
    ['a wrong pool', { x: { dollars: [], pools: [{ ...pool, pool: 5 }] } }, 'pools[0].pool'],
    [
      'a wrong bound',
      { x: { dollars: [], pools: [{ ...pool, leastLiquidity: -1 }] } },
      'leastLiquidity',
    ],
    [
      'no bound',
      { x: { dollars: [], pools: [{ ...pool, leastLiquidity: undefined }] } },
      'leastLiquidity',
    ],
  ])('with %s is refused', (_, file, message) => {
    expect(() => poolPrices({ file, chains })).toThrow(TypeError);
    expect(() => poolPrices({ file, chains })).toThrow(message);
  });

  test('is asked for what it names alone, and for as long as someone waits', async () => {
    const source = poolPrices({ file: { x: { dollars: [], pools: [] } }, chains });
    const { signal } = new AbortController();
    const question = { chainName: 'x', chainId: 1, addresses: [native], timestamp: 5, signal };
    expect(await source(question)).toEqual([]);
    expect(await source({ ...question, chainName: 'z' })).toEqual([]);
    const gone = AbortSignal.abort(new Error('gone'));
    const own = poolPrices({ file: fileOf(), chains: [{ name: chainName, url: node.url }] });
    const asked = { ...question, chainName, addresses: [gold.address], signal: gone };
    await expect(own(asked)).rejects.toThrow('gone');
  });
});
