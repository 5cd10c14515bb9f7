/** What wallets held, chains and prices, by the client from a service of ours before real nodes: as the nodes say. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createDataClient, type DataClient } from '../../../../src/data/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import type { Contract } from '../../../support/contracts/contract.js';
import { deployErc20, deployWrappedNative } from '../../../support/contracts/tokens.js';
import { addPair, deployUniswap, type Pair } from '../../../support/contracts/uniswap.js';
import { type ServedChains, serveChains } from '../../../support/dataChains.js';
import { patience } from '../../../support/runs.js';

const wallet = accounts[0] as Hex;
const friend: Hex = `0x${'f1'.repeat(20)}`;

let nodes: Anvil[] = [];
let coins: Contract[] = [];
let pair: Pair;
let served: ServedChains;
let client: DataClient;

beforeAll(async () => {
  nodes = [
    await startAnvil('--chain-id', '31337'),
    await startAnvil(
      '--chain-id',
      '31338',
      '--timestamp',
      String(Math.floor(Date.now() / 1000) - 900),
    ),
  ];
  coins = [];
  for (const node of nodes) {
    const coin = await deployErc20(node);
    for (let i = 0; i < 3; i++) await node.mine(coin.call('mint', friend, BigInt(5 + i)));
    coins.push(coin);
  }
  const [node] = nodes as [Anvil];
  const uniswap = await deployUniswap(node, await deployWrappedNative(node));
  const [gold, usd] = [coins[0] as Contract, await deployErc20(node, 'Dollar', 'USD')];
  for (const token of [gold, usd]) await node.mine(token.call('mint', wallet, 10n ** 20n));
  pair = await addPair(node, uniswap, [
    { token: gold, amount: 10n ** 18n },
    { token: usd, amount: 4n * 10n ** 18n },
  ]);
  served = await serveChains(
    [
      { name: 'one', chainId: 31337, url: node.url },
      { name: 'two', chainId: 31338, url: nodes[1]?.url as string },
    ],
    { prices: async () => [{ address: gold.address, usd: 3 }] },
  );
  client = createDataClient({ url: served.url, chain: 'one' });
}, patience);
afterAll(async () => {
  await served?.close();
  for (const node of nodes) await node.close();
});

async function all<T>(
  pages: AsyncIterable<{ readonly items: readonly T[]; readonly hasMore: boolean }>,
) {
  const items: T[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

test('balances at an older block and day by day', async () => {
  const [node] = nodes as [Anvil];
  const [coin] = coins as [Contract];
  const block = 3;
  const call = { to: coin.address, data: coin.encode('balanceOf', friend) };
  const then = BigInt(await node.call('eth_call', call, `0x${block.toString(16)}`));
  for (const pageSize of [1, 100]) {
    const old = await all(client.historicalBalances({ address: friend, block, pageSize }));
    expect(old.map(({ contract_address, balance }) => [contract_address, balance])).toEqual([
      [`0x${'e'.repeat(40)}`, '0'],
      [coin.address, String(then)],
    ]);
    const days = await all(client.portfolio({ address: friend, days: 2, pageSize }));
    const now = String(await coin.read('balanceOf', friend));
    expect(days[1]?.holdings[0]?.close?.balance).toBe(now);
  }
  const today = await all(client.historicalBalances({ address: friend, day: new Date() }));
  expect(today[1]?.balance).toBe(String(await coin.read('balanceOf', friend)));
  const both = client.historicalBalances({ address: friend, block: 1, day: new Date() });
  await expect(both.next()).rejects.toThrow('not both');
});

test('several chains at once', async () => {
  const seen = await client.activity({ address: friend });
  expect(seen.map(({ name }) => name)).toEqual(['one', 'two']);
  const expected: unknown[] = [];
  for (const [i, coin] of coins.entries()) {
    const name = ['one', 'two'][i];
    expected.push([name, `0x${'e'.repeat(40)}`, '0']);
    expected.push([name, coin.address, String(await coin.read('balanceOf', friend))]);
  }
  const held = await all(client.chainsBalances({ address: friend, pageSize: 1 }));
  expect(held.map((one) => [one.chain_name, one.contract_address, one.balance])).toEqual(expected);
  const early = { address: friend, chains: ['two'], time: new Date(1000) };
  expect(await all(client.chainsBalances(early))).toEqual([]);
  const hashes: string[] = [];
  for (const node of nodes) {
    const filter = {
      fromBlock: '0x0',
      toBlock: 'latest',
      topics: [null, null, `0x${friend.slice(2).padStart(64, '0')}`],
    };
    for (const { transactionHash } of await node.call('eth_getLogs', filter))
      hashes.push(transactionHash);
  }
  const listed = { addresses: [friend], pageSize: 2, withLogs: true };
  const found = await all(client.chainsTransactions(listed));
  expect(found.map(({ tx_hash }) => tx_hash).sort()).toEqual(hashes.sort());
  expect(found[0]?.log_events?.[0]?.decoded).toMatchObject({ name: 'Transfer' });
});

test('prices', async () => {
  const [coin] = coins as [Contract];
  const [prices, ...others] = await client.tokenPrices({
    tokens: [coin.address, wallet],
    toDay: new Date(),
  });
  expect(prices?.items).toMatchObject([{ price: 3, pretty_price: '$3.00', source: null }]);
  expect(others[0]?.items[0]?.price).toBeNull();
  const pool = await client.poolPrices({ pool: pair.contract.address });
  const [golds, dollars] =
    pool.token_0_address === coin.address
      ? [pool.token_0_price, pool.token_1_price]
      : [pool.token_1_price, pool.token_0_price];
  expect([golds, dollars]).toEqual(['4', '0.25']);
});

test('a question that is wrong is refused before it is asked', async () => {
  const some = client.chainsTransactions({ addresses: [] });
  await expect(some.next()).rejects.toThrow('"addresses" expected a list of 1 to 10');
  await expect(client.tokenPrices({ tokens: 5 as never })).rejects.toThrow('a list of 1 to 50');
  const chains = client.chainsBalances({ address: friend, chains: ['a,b'] });
  await expect(chains.next()).rejects.toThrow('chains[0]');
  await expect(
    client.chainsBalances({ address: friend, chains: 'a' as never }).next(),
  ).rejects.toThrow('a list');
});
