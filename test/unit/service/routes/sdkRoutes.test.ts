/** The public SDK of the hosted interface, unchanged, reads each answer, and its iterators come to their end. */
import { GoldRushClient } from '@covalenthq/client-sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import type { Contract } from '../../../support/contracts/contract.js';
import { deployErc20, deployErc721, deployErc1155 } from '../../../support/contracts/tokens.js';
import { type ServedData, serveData } from '../../../support/data.js';
import { patience, type Wire } from '../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let gold: Contract;
let client: GoldRushClient;
const platform = globalThis.fetch;
/** Of the form that the SDK insists on. */
const key = 'cqt_rQy3cM7bdKt4hXfWgP6vRkJ8QxHD';
/** The only one whose links the SDK follows. */
const host = 'https://api.covalenthq.com';
const chain = 'linea-mainnet';
const wallet = accounts[0] as Hex;
const transfers = 230;

beforeAll(async () => {
  node = await startAnvil('--chain-id', '59144');
  gold = await deployErc20(node);
  for (let block = 0; block < 5; block++) {
    const mints = Array.from({ length: transfers / 5 }, (_, i) => ({
      ...gold.call('mint', wallet, BigInt(i + 1)),
      gas: '0x30000',
    }));
    await node.mine(...mints);
  }
  const options = { chainId: 59144, name: chain, service: { keys: [key] } };
  served = await serveData(node.url, { ...options, data: { publicUrl: host } });
  globalThis.fetch = (input, init) =>
    platform(String(input instanceof Request ? input.url : input).replace(host, served.url), init);
  client = new GoldRushClient(key);
}, patience);
afterAll(async () => {
  globalThis.fetch = platform;
  await served?.close();
  await node?.close();
});

/** The data of an answer, which must be a success. */
async function dataOf(asked: Promise<Wire>): Promise<Wire> {
  const { data, error, error_message } = await asked;
  expect({ error, error_message }).toEqual({ error: false, error_message: null });
  return data;
}

/** The items of all pages. */
async function itemsOf(pages: AsyncIterable<Wire>): Promise<Wire[]> {
  const items: Wire[] = [];
  for await (const page of pages) items.push(...(await dataOf(Promise.resolve(page))).items);
  return items;
}

describe('blockchain', () => {
  test('blocks, chains and prices of gas', async () => {
    const newest = Number(await node.call('eth_blockNumber'));
    const { BaseService } = client;
    const { items } = await dataOf(BaseService.getBlock(chain, 'latest'));
    expect(items[0]).toMatchObject({ height: newest, signed_at: expect.any(Date) });
    const blocks = await itemsOf(
      BaseService.getBlockHeights(chain, '1970-01-01', '2200-01-01', { pageSize: 2 }),
    );
    expect(blocks.map(({ height }) => height)).toEqual(
      Array.from({ length: newest + 1 }, (_, height) => height),
    );
    const chains = await dataOf(BaseService.getAllChains());
    expect(chains.items).toMatchObject([{ name: chain, chain_id: 59144, is_testnet: false }]);
    const status = await dataOf(BaseService.getAllChainStatus());
    expect(status.items).toMatchObject([{ synced_block_height: newest, has_data: true }]);
    const gas = await dataOf(BaseService.getGasPrices(chain, 'erc20'));
    expect(gas.items).toHaveLength(3);
    const name = await dataOf(BaseService.getResolvedAddress(chain, wallet));
    expect(name.items).toEqual([{ address: wallet, name: null }]);
  });

  test('logs of a range, of a contract and of a topic', async () => {
    const { BaseService } = client;
    const filter = { fromBlock: '0x0', toBlock: 'latest' };
    const logs = await node.call('eth_getLogs', filter);
    const rows = logs.map(({ logIndex, transactionHash }: Wire) => [
      ...[transactionHash, Number(logIndex)],
    ]);
    const rowsOf = (items: Wire[]) => items.map(({ tx_hash, log_offset }) => [tx_hash, log_offset]);
    const all = await dataOf(BaseService.getLogs(chain, { startingBlock: 0 }));
    expect(rowsOf(all.items)).toEqual(rows);
    const pages = { pageSize: 50, startingBlock: 'earliest', endingBlock: 'latest' };
    const own = await itemsOf(BaseService.getLogEventsByAddress(chain, gold.address, pages));
    expect(rowsOf(own)).toEqual(rows);
    const topic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
    const found = await itemsOf(
      BaseService.getLogEventsByTopicHash(chain, topic, { ...pages, secondaryTopics: wallet }),
    );
    expect(found).toHaveLength(transfers);
    expect(found[0]).toMatchObject({ sender_name: 'Gold', decoded: { name: 'Transfer' } });
  });
});

describe('transactions', () => {
  test('of a wallet, by all the ways there are', async () => {
    const { TransactionService } = client;
    const all = await itemsOf(TransactionService.getAllTransactionsForAddress(chain, wallet));
    // The deployment too.
    expect(all).toHaveLength(transfers + 1);
    const block = await node.call('eth_getBlockByNumber', 'latest', false);
    const newest = [...block.transactions].reverse();
    expect(all.slice(0, newest.length).map(({ tx_hash }) => tx_hash)).toEqual(newest);
    expect(all[0]).toMatchObject({ value: 0n, fees_paid: expect.any(BigInt) });
    const recent = await dataOf(
      TransactionService.getAllTransactionsForAddressByPage(chain, wallet),
    );
    expect([recent.current_page, recent.items.length]).toEqual([2, 31]);
    const older = await dataOf(recent.prev());
    expect([older.current_page, older.items.length]).toEqual([1, 100]);
    expect((await dataOf(older.next())).items).toHaveLength(31);
    const first = await dataOf(
      TransactionService.getPaginatedTransactionsForAddress(chain, wallet, 0),
    );
    expect(first.items.map(({ tx_hash }: Wire) => tx_hash)).toEqual(
      all.slice(-100).map(({ tx_hash }) => tx_hash),
    );
    const summary = await dataOf(
      TransactionService.getTransactionSummary(chain, wallet, { withGas: true }),
    );
    expect(summary.items[0]).toMatchObject({
      total_count: transfers + 1,
      latest_transaction: { tx_hash: newest[0] },
      gas_summary: { total_sent_count: transfers + 1 },
    });
    const bulk = await dataOf(TransactionService.getEarliestTransactionsForAddress(chain, wallet));
    const bucket = await dataOf(
      TransactionService.getTimeBucketTransactionsForAddress(chain, wallet, bulk.current_bucket),
    );
    expect(bucket.items).toEqual(bulk.items);
    expect(bulk.items.length).toBeGreaterThan(0);
    const none = await dataOf(
      TransactionService.getTransactionSummary(chain, `0x${'5e'.repeat(20)}`),
    );
    expect(none.items[0]).toMatchObject({ total_count: 0 });
  });

  test('by their hash and of a block', async () => {
    const { TransactionService } = client;
    const block = await node.call('eth_getBlockByNumber', '0x3', false);
    const [hash] = block.transactions;
    const one = await dataOf(
      TransactionService.getTransaction(chain, hash, { withInputData: true, withState: true }),
    );
    expect(one.items[0]).toMatchObject({
      tx_hash: hash,
      input_data: { method_id: '0x40c10f19' },
      log_events: [{ sender_contract_ticker_symbol: 'GLD' }],
    });
    const page = await dataOf(TransactionService.getTransactionsForBlockByPage(chain, 3, 0));
    const whole = await dataOf(TransactionService.getTransactionsForBlock(chain, block.hash));
    for (const { items } of [page, whole]) {
      expect(items.map(({ tx_hash }: Wire) => tx_hash)).toEqual(block.transactions);
    }
  });

  test('transfers of a wallet, to the last page', async () => {
    const { BalanceService } = client;
    const asked = { contractAddress: gold.address, pageSize: 60 };
    const all = await itemsOf(
      BalanceService.getErc20TransfersForWalletAddress(chain, wallet, asked),
    );
    const logs = await node.call('eth_getLogs', {
      ...{ fromBlock: '0x0', toBlock: 'latest', address: gold.address },
      topics: ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'],
    });
    expect(logs).toHaveLength(transfers);
    expect(all.map(({ tx_hash, transfers: [one] }) => [tx_hash, one.delta])).toEqual(
      logs.map(({ transactionHash, data }: Wire) => [transactionHash, BigInt(data)]).reverse(),
    );
    expect(all[0].transfers).toMatchObject([
      { contract_ticker_symbol: 'GLD', transfer_type: 'transfer-in', balance: null },
    ]);
    const page = await dataOf(
      BalanceService.getErc20TransfersForWalletAddressByPage(chain, wallet, {
        ...{ ...asked, pageNumber: 3, quoteCurrency: 'USD' },
        ...{ startingBlock: 0, endingBlock: Number(await node.call('eth_blockNumber')) },
      }),
    );
    expect(page.items).toEqual(all.slice(180));
    expect(page.pagination).toMatchObject({
      ...{ has_more: false, page_number: 3, page_size: 60, total_count: transfers },
    });
  });

  test('and the native balance', async () => {
    const { items } = await dataOf(client.BalanceService.getNativeTokenBalance(chain, wallet));
    const balance = BigInt(await node.call('eth_getBalance', wallet, 'latest'));
    expect(items).toMatchObject([{ balance, contract_ticker_symbol: 'ETH' }]);
  });
});

test(
  'holders of a token, to the last page',
  async () => {
    const others = Array.from({ length: 4 }, (_, i): Hex => `0x${`${i + 1}0`.repeat(20)}`);
    await node.mine(...others.map((to, i) => gold.call('mint', to, BigInt(i + 1))));
    await served.feed();
    const { BalanceService } = client;
    const pages = { pageSize: 2, noSnapshot: true };
    const items = await itemsOf(
      BalanceService.getTokenHoldersV2ForTokenAddress(chain, gold.address, pages),
    );
    const supply = await gold.read('totalSupply');
    const holders = [wallet, ...others.reverse()];
    expect(items.map(({ address }) => address)).toEqual(holders);
    for (const { address, balance, total_supply } of items) {
      // The SDK reads amounts as integers of any size.
      expect(balance).toBe(await gold.read('balanceOf', address));
      expect(total_supply).toBe(supply);
    }
    const { pagination, items: last } = await dataOf(
      BalanceService.getTokenHoldersV2ForTokenAddressByPage(chain, gold.address, {
        ...{ pageSize: 2, pageNumber: 2, blockHeight: 'latest' },
      }),
    );
    expect(pagination).toMatchObject({ has_more: false, page_number: 2, total_count: 5 });
    expect(last).toMatchObject([{ address: others[3], balance: 1n, contract_name: 'Gold' }]);
  },
  patience,
);

test('approvals', async () => {
  const spender: Hex = `0x${'a1'.repeat(20)}`;
  const block = await node.mine(gold.call('approve', spender, 2n ** 256n - 1n));
  await served.feed();
  const { items, address } = await dataOf(client.SecurityService.getApprovals(chain, wallet));
  expect(address).toBe(wallet);
  const balance = await gold.read('balanceOf', wallet);
  expect(items).toMatchObject([
    {
      ...{ token_address: gold.address, ticker_symbol: 'GLD', balance },
      value_at_risk: String(balance),
      spenders: [
        {
          ...{ spender_address: spender, allowance: 'UNLIMITED', block_height: block },
          ...{ block_signed_at: expect.any(Date), risk_factor: 'CONSIDER REVOKING' },
        },
      ],
    },
  ]);
});

test(
  'NFTs of a wallet',
  async () => {
    const deed = await deployErc721(node);
    const goods = await deployErc1155(node);
    const most = 2n ** 256n - 1n;
    for (let id = 0; id < 3; id++) await node.mine(deed.call('mint', wallet));
    await node.mine(goods.call('mint', wallet, most, 7n, '0x'));
    await served.feed();
    const { NftService } = client;
    const { items } = await dataOf(NftService.getNftsForAddress(chain, wallet, { noSpam: true }));
    expect(items).toMatchObject([
      {
        ...{ contract_name: 'Deed', contract_address: deed.address, type: 'nft', balance: 3n },
        nft_data: [0n, 1n, 2n].map((token_id) => ({ token_id, current_owner: wallet })),
      },
      { contract_address: goods.address, balance: 7n, nft_data: [{ token_id: most }] },
    ]);
    const owned = await dataOf(NftService.checkOwnershipInNft(chain, wallet, deed.address));
    expect(owned).toMatchObject({ address: wallet, collection: deed.address });
    expect(owned.items.map(({ token_id, balance }: Wire) => [token_id, balance])).toEqual(
      [0n, 1n, 2n].map((id) => [id, 1n]),
    );
    for (const [contract, id, count] of [
      [goods.address, most, 1],
      [deed.address, 2n, 1],
      [deed.address, most, 0],
    ] as const) {
      const one = await dataOf(
        NftService.checkOwnershipInNftForSpecificTokenId(chain, wallet, contract, String(id)),
      );
      expect(one.items.map(({ token_id }: Wire) => token_id)).toEqual(Array(count).fill(id));
    }
  },
  patience,
);
test('older balances, day by day, on all chains, and prices', async () => {
  const { BalanceService, AllChainsService, PricingService } = client;
  const block = Number(await node.call('eth_blockNumber')) - 1;
  const call = { to: gold.address, data: gold.encode('balanceOf', wallet) };
  const balance = BigInt(await node.call('eth_call', call, `0x${block.toString(16)}`));
  const old = await dataOf(
    BalanceService.getHistoricalTokenBalancesForWalletAddress(chain, wallet, {
      blockHeight: block,
    }),
  );
  expect(old.items[1]).toMatchObject({
    ...{ contract_address: gold.address, balance, block_height: block },
    last_transferred_at: expect.any(Date),
  });
  const days = await dataOf(
    BalanceService.getHistoricalPortfolioForWalletAddress(chain, wallet, { days: 2 }),
  );
  const now = await gold.read('balanceOf', wallet);
  expect(days.items[1].holdings).toMatchObject([
    { timestamp: expect.any(Date), close: { balance: now }, high: { balance: now } },
    {},
  ]);
  const activity = await dataOf(AllChainsService.getAddressActivity(wallet, { testnets: true }));
  expect(activity.items).toMatchObject([{ name: chain, last_seen_at: expect.any(Date) }]);
  const held = await dataOf(AllChainsService.getMultiChainBalances(wallet, { limit: 2 }));
  expect(held.items[1]).toMatchObject({ chain_name: chain, balance: now, is_native_token: false });
  const seen: string[] = [];
  for (let before: string | undefined; ; ) {
    const page = await dataOf(
      AllChainsService.getMultiChainMultiAddressTransactions({
        ...{ addresses: [wallet], limit: 100, withDecodedLogs: true },
        ...(before && { before }),
      }),
    );
    seen.push(...page.items.map(({ tx_hash }: Wire) => tx_hash));
    expect(page.items[0]).toMatchObject({ block_signed_at: expect.any(Date), chain_name: chain });
    if (page.cursor_before === null) break;
    before = page.cursor_before;
  }
  const { TransactionService } = client;
  const all = await itemsOf(TransactionService.getAllTransactionsForAddress(chain, wallet));
  expect(seen).toEqual(all.map(({ tx_hash }) => tx_hash));
  const prices = await dataOf(PricingService.getTokenPrices(chain, 'USD', gold.address));
  expect(prices).toMatchObject([
    { contract_address: gold.address, items: [{ date: expect.any(Date), price: null }] },
  ]);
  const noPool = await PricingService.getPoolSpotPrices(chain, gold.address);
  expect(noPool).toMatchObject({ error: true, error_code: 400 });
});
