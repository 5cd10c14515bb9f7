/** Each method of the client, from a service of ours before a real node: the answers are what the node says. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createDataClient, type DataClient, type ListPage } from '../../../../src/data/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import type { Contract } from '../../../support/contracts/contract.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { timeOf } from '../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let gold: Contract;
let client: DataClient;
/** All blocks, with their transactions. */
let blocks: Wire[];
let mined: Wire[];

/** Transactions of a block. */
const minted = 25;
const [wallet, busy] = accounts as unknown as [Hex, Hex];
const stranger: Hex = `0x${'5e'.repeat(20)}`;
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

beforeAll(async () => {
  const start = Math.floor(Date.now() / 1000) - 86_400;
  node = await startAnvil('--timestamp', String(start));
  await node.call('anvil_setBlockTimestampInterval', 400);
  gold = await deployErc20(node);
  const mint = { ...gold.call('mint', wallet, 1n), gas: '0x30000' };
  for (let block = 0; block < 3; block++) await node.mine(...Array(minted).fill(mint));
  // More than a page of one block.
  await node.mine(...Array(105).fill({ to: busy, value: 5n, gas: '0x5208' }));
  await node.mine({ ...gold.call('mint', busy, 1n), gas: '0x30000' });
  served = await serveData(node.url, { data: { trace: true } });
  client = createDataClient({ url: served.url, chain: chainName });
  const count = Number(await node.call('eth_blockNumber')) + 1;
  blocks = await node.callEach(
    'eth_getBlockByNumber',
    Array.from({ length: count }, (_, i) => [`0x${i.toString(16)}`, true]),
  );
  mined = blocks.flatMap(({ transactions }) => transactions);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

async function all<T>(pages: AsyncIterable<ListPage<T>>) {
  const found: ListPage<T>[] = [];
  for await (const page of pages) found.push(page);
  expect(found.map(({ hasMore }) => hasMore)).toEqual(found.map((_, i) => i < found.length - 1));
  return { pages: found, items: found.flatMap(({ items }) => items) };
}

const hashesOf = (list: readonly { tx_hash: string }[]) => list.map(({ tx_hash }) => tx_hash);
const own = (list: readonly Wire[]): string[] => list.map(({ hash }) => hash);

test('transactions of a wallet, from the newest page to the oldest, and a page by its number', async () => {
  const { pages, items } = await all(client.transactions({ address: wallet, withoutLogs: true }));
  expect(hashesOf(items)).toEqual(own(mined).reverse());
  expect(items[0]?.log_events).toBeNull();
  const newest = Math.ceil(mined.length / 100) - 1;
  expect(pages.map((page) => (page as unknown as { page: number }).page)).toEqual(
    Array.from({ length: newest + 1 }, (_, i) => newest - i),
  );
  expect(pages[0]).toMatchObject({
    blockNumber: blocks.length - 1,
    blockHash: blocks.at(-1).hash,
    more: { chain_name: chainName, quote_currency: 'USD' },
  });
  const oldest = await client.transactionsPage({ address: wallet, page: 0 });
  expect(hashesOf(oldest.items).reverse()).toEqual(own(mined.slice(0, 100)));
  expect(oldest).toMatchObject({ page: 0, hasMore: false });
  expect((await client.transactionsPage({ address: wallet })).page).toBe(newest);
  expect((await all(client.transactions({ address: stranger }))).items).toEqual([]);
});

test('how many there are, the first and the last, and what they paid', async () => {
  const receipts = (await node.callEach(
    'eth_getBlockReceipts',
    blocks.map((_, i) => [`0x${i.toString(16)}`]),
  )) as Wire[][];
  const fees = receipts
    .flat()
    .reduce((sum, one) => sum + BigInt(one.gasUsed) * BigInt(one.effectiveGasPrice), 0n);
  const asked = { address: wallet, gas: true, transferCount: true };
  const summary = await client.transactionsSummary(asked);
  expect(summary).toMatchObject({
    total_count: mined.length,
    earliest_transaction: { tx_hash: mined[0].hash },
    latest_transaction: { tx_hash: mined.at(-1).hash },
    gas_summary: { total_sent_count: mined.length, total_fees_paid: String(fees) },
    transfer_count: 3 * minted,
  });
  expect(await client.transactionsSummary({ address: stranger })).toMatchObject({
    ...{ total_count: 0, earliest_transaction: null, gas_summary: null, transfer_count: null },
  });
});

test('transactions by quarters of an hour, from the first or from one that is named', async () => {
  const bucketOf = ({ blockNumber }: Wire) =>
    Math.floor(Number(blocks[Number(blockNumber)].timestamp) / 900);
  const wanted = new Map<number, string[]>();
  for (const one of mined) {
    wanted.set(bucketOf(one), [...(wanted.get(bucketOf(one)) ?? []), one.hash]);
  }
  const found: [number, string[]][] = [];
  for await (const { bucket, items } of client.transactionBuckets({ address: wallet })) {
    found.push([bucket, hashesOf(items)]);
  }
  expect(found).toEqual([...wanted]);
  expect(found.length).toBeGreaterThan(1);
  const last = found.at(-1) as [number, string[]];
  const from = client.transactionBuckets({ address: wallet, bucket: last[0] });
  expect((await all(from)).items).toHaveLength(last[1].length);
});

test('transactions of a block, by its number, its hash, or the newest', async () => {
  const block = blocks.length - 2;
  const { hash: blockHash, transactions } = blocks[block];
  for (const [request, count] of [
    [{ block }, 2],
    [{ blockHash }, 1],
  ] as const) {
    const { pages, items } = await all(client.blockTransactions(request));
    expect(hashesOf(items)).toEqual(own(transactions));
    expect(pages).toHaveLength(count);
  }
  const newest = await all(client.blockTransactions());
  expect(hashesOf(newest.items)).toEqual(own(blocks.at(-1).transactions));
});

test('one transaction, with its logs, and with what it did inside if that is asked for', async () => {
  const [first] = blocks[2].transactions;
  const one = await client.transaction({ txHash: first.hash });
  expect(one).toMatchObject({
    from_address: wallet,
    to_address: gold.address,
    log_events: [{ sender_name: 'Gold', decoded: { name: 'Transfer' } }],
    internal_transfers: null,
    input_data: null,
  });
  const parts = { internalTransfers: true, stateChanges: true, inputData: true };
  const whole = await client.transaction({ txHash: first.hash, ...parts, quoteCurrency: 'EUR' });
  expect(whole.input_data).toEqual({ method_id: first.input.slice(0, 10) });
  expect(whole.internal_transfers).toEqual([]);
  expect(whole.state_changes?.map(({ address }) => address)).toContain(wallet);
});

test('a block, and the blocks of a time', async () => {
  const newest = await client.block();
  expect(newest).toMatchObject({ height: blocks.length - 1, block_hash: blocks.at(-1).hash });
  expect((await client.block({ block: 1 })).block_hash).toBe(blocks[1].hash);
  const timed = blocks.map((block) => new Date(timeOf(block.timestamp)));
  const [, from, , to] = timed as [Date, Date, Date, Date];
  const { items } = await all(client.blocks({ fromTime: from, toTime: to, pageSize: 1 }));
  expect(items.map(({ block_hash }) => block_hash)).toEqual([blocks[1].hash, blocks[2].hash]);
  const { items: later, pages } = await all(client.blocks({ fromTime: from }));
  expect(later).toHaveLength(blocks.length - 1);
  expect(pages[0]?.total).toBe(blocks.length - 1);
});

test('logs of a contract and of an event, a page at a time, and those of a range', async () => {
  const logs: Wire[] = await node.call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
  const places = logs.map((log) => [log.transactionHash, Number(log.logIndex)]);
  const contract = await all(client.listedLogs({ address: gold.address, pageSize: 20 }));
  const placesOf = (list: readonly { tx_hash: string; log_offset: number }[]) =>
    list.map(({ tx_hash, log_offset }) => [tx_hash, log_offset]);
  expect(placesOf(contract.items)).toEqual(places);
  expect(contract.pages.length).toBeGreaterThan(3);
  const some = { topic: transfer, fromBlock: 2, toBlock: 3, pageSize: 7 } as const;
  expect((await all(client.listedLogs(some))).items).toHaveLength(2 * minted);
  const to = (address: Hex) => [`0x${address.slice(2).padStart(64, '0')}` as Hex];
  for (const [whose, count] of [
    [wallet, 2 * minted],
    [stranger, 0],
  ] as const) {
    const further = client.listedLogs({ ...some, furtherTopics: to(whose) });
    expect((await all(further)).items).toHaveLength(count);
  }
  const range = await client.rangeLogs({ fromBlock: 0, address: gold.address });
  expect(placesOf(range.items)).toEqual(places);
  const bare = { blockHash: blocks[2].hash, topics: [transfer], withoutDecoded: true } as const;
  const ofBlock = await client.rangeLogs(bare);
  expect(ofBlock.items).toHaveLength(minted);
  expect(ofBlock.items[0]).toMatchObject({ decoded: null, block_hash: blocks[2].hash });
  expect((await client.rangeLogs()).items).toHaveLength(1);
});

test('gas prices, chains and names', async () => {
  const prices = await client.gasPrices({ kind: 'nativetokens' });
  expect(prices).toMatchObject({
    event_type: 'nativetokens',
    base_fee: String(BigInt(blocks.at(-1).baseFeePerGas)),
  });
  expect(prices.items.map(({ interval, gas_spent: gas }) => [interval, gas])).toEqual([
    ['Last 1 minute', null],
    ['Last 3 minutes', null],
    ['Last 10 minutes', '21000'],
  ]);
  expect(await client.chains()).toMatchObject([{ name: chainName, chain_id: 31_337 }]);
  expect(await client.chainsStatus()).toMatchObject([
    { name: chainName, synced_block_height: blocks.length - 1, has_data: true },
  ]);
  expect(await client.resolveAddress({ address: wallet })).toEqual({ address: wallet, name: null });
});

test('the native balance, now and at an older block', async () => {
  const balance = async (tag: string) =>
    String(BigInt(await node.call('eth_getBalance', wallet, tag)));
  const newest = await client.nativeBalance({ address: wallet });
  expect(newest).toMatchObject({
    balance: await balance('latest'),
    block_height: blocks.length - 1,
  });
  const old = await client.nativeBalance({ address: wallet, block: 1 });
  expect(old).toMatchObject({ balance: await balance('0x1'), block_height: 1 });
  expect(old.balance).not.toBe(newest.balance);
});

test('transfers of a wallet: of one token or of all, the newest or the oldest first', async () => {
  const { items, pages } = await all(
    client.transfers({ address: wallet, token: gold.address, pageSize: 30 }),
  );
  const minting = mined.filter(({ blockNumber }) => ['0x2', '0x3', '0x4'].includes(blockNumber));
  expect(hashesOf(items)).toEqual(own(minting).reverse());
  expect(pages.length).toBe(Math.ceil(minting.length / 30));
  expect(items[0]?.transfers).toMatchObject([
    ...[
      {
        transfer_type: 'transfer-in',
        delta: '1',
        contract_ticker_symbol: 'GLD',
        to_address: wallet,
      },
    ],
  ]);
  const range = { address: wallet, fromBlock: 3, toBlock: 3, oldestFirst: true };
  const some = await all(client.transfers(range));
  expect(hashesOf(some.items)).toEqual(own(blocks[3].transactions));
  expect((await all(client.transfers({ address: stranger }))).items).toEqual([]);
});

test('holders of a token, the largest first, now and at an older block', async () => {
  const askToken = async (data: string, tag = 'latest') =>
    String(BigInt(await node.call('eth_call', { to: gold.address, data }, tag)));
  const balanceOf = (address: Hex, tag?: string) =>
    askToken(`0x70a08231${address.slice(2).padStart(64, '0')}`, tag);
  const { items, pages } = await all(client.holders({ token: gold.address, pageSize: 1 }));
  expect(items.map(({ address, balance }) => [address, balance])).toEqual([
    [wallet, await balanceOf(wallet)],
    [busy, await balanceOf(busy)],
  ]);
  expect(pages[0]).toMatchObject({ total: 2, blockNumber: blocks.length - 1 });
  expect(items[0]).toMatchObject({
    ...{ total_supply: await askToken('0x18160ddd'), contract_decimals: 18 },
  });
  const old = await all(client.holders({ token: gold.address, block: 2, anew: true }));
  expect(old.items.map(({ balance }) => balance)).toEqual([await balanceOf(wallet, '0x2')]);
  const day = new Date(timeOf(blocks.at(-1).timestamp));
  expect((await all(client.holders({ token: gold.address, day }))).items).toHaveLength(2);
});

test('what the server does not have, or has no means for, is told by its code', async () => {
  const txHash: Hex = `0x${'12'.repeat(32)}`;
  await expect(client.transaction({ txHash })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(client.block({ block: 999 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(client.rangeLogs({ toBlock: 999 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
