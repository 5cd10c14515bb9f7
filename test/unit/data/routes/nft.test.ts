/** Tokens with ids from a service of ours before a real node, as the node says them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createDataClient, type DataClient, type ListPage } from '../../../../src/data/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { type Contract, send } from '../../../support/contracts/contract.js';
import { deployErc721, deployErc1155 } from '../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { patience } from '../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let client: DataClient;
let deed: Contract;
let goods: Contract;
const owner = accounts[0] as Hex;
const buyer: Hex = `0x${'b0'.repeat(20)}`;
const most = 2n ** 256n - 1n;

beforeAll(async () => {
  node = await startAnvil();
  deed = await deployErc721(node);
  goods = await deployErc1155(node);
  for (let id = 0; id < 5; id++) await send(node, deed.call('mint', owner));
  await send(node, deed.call('transferFrom', owner, buyer, 3n));
  await send(node, goods.call('mint', owner, most, 9n, '0x'));
  await send(node, goods.call('safeTransferFrom', owner, buyer, most, 2n, '0x'));
  served = await serveData(node.url);
  client = createDataClient({ url: served.url, chain: chainName });
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

/** The items of all pages. */
async function itemsOf<T>(pages: AsyncIterable<ListPage<T>>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

test('the tokens of a wallet, by contracts and by ids', async () => {
  const held = await itemsOf(client.nfts({ address: owner, pageSize: 1 }));
  expect(held.map((one) => [one.contract_address, one.balance])).toEqual([
    [deed.address, String(await deed.read('balanceOf', owner))],
    [goods.address, String(await goods.read('balanceOf', owner, most))],
  ]);
  expect(held[0]?.nft_data?.[1]?.token_url).toBe(await deed.read('tokenURI', 1n));
  const [plain] = await itemsOf(client.nfts({ address: owner, withoutUrls: true }));
  expect(plain?.nft_data?.[1]?.token_url).toBeNull();
  const of = { address: owner, contract: deed.address };
  const tokens = await itemsOf(client.walletTokens({ ...of, pageSize: 2 }));
  expect(tokens.map((one) => one.token_id)).toEqual(['0', '1', '2', '4']);
  const one = { address: buyer, contract: goods.address, tokenId: most };
  expect(await client.walletToken(one)).toMatchObject([{ token_id: String(most), balance: '2' }]);
  expect(await client.walletToken({ ...one, contract: deed.address, tokenId: 4n })).toEqual([]);
});

test('collections, their tokens, and what became of one', async () => {
  const contracts = await itemsOf(client.collections({ pageSize: 1 }));
  expect(contracts).toMatchObject([
    { contract_address: deed.address, token_total_supply: 5 },
    { contract_address: goods.address, token_total_supply: 1 },
  ]);
  expect(await itemsOf(client.collections())).toEqual(contracts);
  const tokens = await itemsOf(client.nftTokens({ contract: deed.address, pageSize: 2 }));
  expect(tokens.map(({ nft_data }) => [nft_data.token_id, nft_data.current_owner])).toEqual(
    ['0', '1', '2', '3', '4'].map((id) => [id, id === '3' ? buyer : owner]),
  );
  const third = { contract: deed.address, tokenId: 3n };
  expect(await client.nftToken(third)).toEqual(tokens[3]);
  expect(await client.nftToken({ ...third, tokenId: most })).toBeUndefined();
  const moved = await itemsOf(client.nftTransactions({ ...third, pageSize: 1, withoutLogs: true }));
  const logs = await node.call('eth_getLogs', {
    ...{ fromBlock: '0x0', toBlock: 'latest', address: deed.address },
    topics: [null, null, null, `0x${'3'.padStart(64, '0')}`],
  });
  const hashes = new Set(logs.map((log: { transactionHash: Hex }) => log.transactionHash));
  expect(moved.flatMap((one) => one.nft_transactions.map((two) => two.tx_hash))).toEqual(
    [...hashes].reverse(),
  );
  const owners = await itemsOf(client.nftOwners({ contract: goods.address, tokenId: most }));
  expect(owners.map(({ address, balance }) => [address, balance])).toEqual([
    [owner, String(await goods.read('balanceOf', owner, most))],
    [buyer, String(await goods.read('balanceOf', buyer, most))],
  ]);
});

test('sales, of which there are none', async () => {
  const of = { contract: deed.address, days: 3, quoteCurrency: 'USD' };
  for (const name of ['floorPrices', 'volumes', 'saleCounts'] as const) {
    expect(await client[name](of)).toEqual([]);
  }
});

test('the id of a token is a bigint below 2^256', async () => {
  const of = { contract: deed.address };
  for (const tokenId of [-1n, 2n ** 256n]) {
    await expect(client.nftToken({ ...of, tokenId })).rejects.toThrow(RangeError);
  }
  await expect(client.nftToken({ ...of, tokenId: 3 as never })).rejects.toThrow(TypeError);
});
