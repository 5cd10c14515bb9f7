/** Who has which NFTs, on a real node: as its contracts say it at the block of the answer, whatever their events said. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { deployBoth } from '../../../../support/contracts/approving.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { deployEmitter } from '../../../../support/contracts/emitter.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import { deployRuns } from '../../../../support/contracts/runs.js';
import { deployErc721, deployErc1155 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf, timeOf } from '../../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
let deed: Contract;
let goods: Contract;
let runs: Contract;
let both: Hex;

const [owner, buyer] = accounts as unknown as [Hex, Hex];
const stranger: Hex = `0x${'5e'.repeat(20)}`;
const zero: Hex = `0x${'0'.repeat(40)}`;
const most = 2n ** 256n - 1n;
const many = 300;
const by = (from: Hex, call: { to: Hex; data: Hex }) => send(node, { from, ...call });
const on = (path: string) => `${chainName}/${path}`;
const lower = (text: string) => text.toLowerCase();

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  await placeMulticall(node);
  deed = await deployErc721(node);
  goods = await deployErc1155(node);
  for (let id = 0; id < 6; id++) await by(owner, deed.call('mint', owner));
  await by(owner, deed.call('transferFrom', owner, buyer, 2n));
  await by(owner, deed.call('burn', 3n));
  await by(owner, goods.call('mint', owner, 7n, 30n, '0x'));
  await by(owner, goods.call('mintBatch', buyer, [most, 7n, 1n], [1n, 2n, 3n], '0x'));
  await by(owner, goods.call('safeTransferFrom', owner, buyer, 7n, 5n, '0x'));
  await by(buyer, goods.call('burn', buyer, 1n, 3n));
  runs = await deployRuns(node, owner, many);
  await by(owner, runs.call('transferFrom', owner, buyer, 5n));
  await by(owner, runs.call('transferFrom', owner, zero, 6n));
  both = await deployBoth(node, { wallet: owner, spender: buyer });
  served = await serveData(node.url);
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

/** The block and time of the last log of a contract that moved something. */
async function lastTime({ address }: Contract): Promise<string> {
  const logs = await node.call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address });
  const block = await node.call('eth_getBlockByNumber', logs.at(-1).blockNumber, false);
  return timeOf(block.timestamp);
}

const idsOf = ({ nft_data }: Wire): string[] => nft_data.map((one: Wire) => one.token_id);

describe('the NFTs of a wallet', () => {
  test('are those that the contracts say, with their first owners', async () => {
    const { items, address, block_height, pagination } = await ask.data(
      on(`address/${owner}/balances_nft/`),
    );
    expect([address, block_height]).toEqual([owner, Number(await node.call('eth_blockNumber'))]);
    expect(pagination).toMatchObject({ has_more: false, total_count: 4, page_size: 1000 });
    const [first, second, third, fourth] = items;
    expect(items).toHaveLength(4);
    const unknown = { external_data: null, asset_cached: null, image_cached: null };
    const own = [0n, 1n, 4n, 5n];
    for (const id of own) expect(lower(await deed.read('ownerOf', id))).toBe(owner);
    expect(first).toEqual({
      ...{ contract_address: deed.address, contract_name: 'Deed', contract_ticker_symbol: 'DEED' },
      ...{ supports_erc: ['erc721'], is_spam: false, type: 'nft', balance_24h: null },
      ...{ floor_price_quote: null, pretty_floor_price_quote: null },
      ...{ floor_price_native_quote: null, last_transfered_at: await lastTime(deed) },
      balance: String(await deed.read('balanceOf', owner)),
      nft_data: await Promise.all(
        own.map(async (id) => ({
          ...{ token_id: String(id), original_owner: owner, current_owner: owner, ...unknown },
          token_url: await deed.read('tokenURI', id),
        })),
      ),
    });
    // Of a run, as many as an answer lists.
    expect(second).toMatchObject({ contract_address: runs.address, balance: String(many - 2) });
    expect(String(await runs.read('balanceOf', owner))).toBe(second.balance);
    expect(idsOf(second)).toEqual(
      Array.from({ length: 100 }, (_, i) => String(i)).filter((id) => id !== '5' && id !== '6'),
    );
    expect(second.nft_data[0]).toMatchObject({
      ...{ original_owner: owner, token_url: 'https://runs.example/a' },
    });
    expect(third).toMatchObject({ contract_address: both, balance: '1', supports_erc: ['erc721'] });
    expect(idsOf(third)).toEqual(['9']);
    expect(fourth).toMatchObject({
      ...{ contract_address: goods.address, supports_erc: ['erc1155'], balance: '25' },
      nft_data: [{ token_id: '7', original_owner: owner, current_owner: null }],
    });
    const seventh = '7'.padStart(64, '0');
    expect(fourth.nft_data[0].token_url).toBe(`https://goods.example/${seventh}`);
  });

  test('those that were bought had another owner, and ids go up to 2^256 - 1', async () => {
    const { items } = await ask.data(on(`address/${buyer}/balances_nft/`));
    expect(items.map((one: Wire) => [one.contract_address, idsOf(one), one.balance])).toEqual([
      [deed.address, ['2'], '1'],
      [runs.address, ['5'], '1'],
      [goods.address, ['7', String(most)], '8'],
    ]);
    expect(items[0].nft_data[0]).toMatchObject({ original_owner: owner, current_owner: buyer });
    expect(items[1].nft_data[0]).toMatchObject({ original_owner: owner, current_owner: buyer });
    expect(items[2].nft_data.map((one: Wire) => one.original_owner)).toEqual([owner, buyer]);
    expect(items[2].nft_data[1].token_url).toBe(`https://goods.example/${'f'.repeat(64)}`);
    const plain = await ask.data(on(`address/${buyer}/balances_nft/?no-nft-asset-metadata=true`));
    expect(plain.items[0].nft_data[0]).toMatchObject({ token_url: null, original_owner: owner });
  });

  test('come in pages of any size, by cursor and by number; a stranger has none', async () => {
    const path = on(`address/${owner}/balances_nft/?no-nft-asset-metadata=true&page-size=1`);
    const { items } = await ask.data(on(`address/${owner}/balances_nft/`));
    const names = (some: Wire[]) => some.map((one) => one.contract_address);
    expect(names(await itemsOf(ask, path))).toEqual(names(items));
    for (let page = 5; page >= 0; page--) {
      const read = await ask.data(`${path}&page-number=${page}`);
      expect(names(read.items)).toEqual(names(items).slice(page, page + 1));
      expect(read.pagination.has_more).toBe(page < 3);
    }
    const none = await ask.data(on(`address/${stranger}/balances_nft/`));
    expect([none.items, none.pagination.total_count]).toEqual([[], 0]);
    expect((await ask.failure(`${path}&page-number=100001`)).status).toBe(400);
  });
});

describe('the tokens of a contract that a wallet has', () => {
  const of = (wallet: Hex, contract: Contract) =>
    on(`address/${wallet}/collection/${contract.address}/`);

  test('are all listed, in the order of their ids', async () => {
    const all = await itemsOf(ask, `${of(owner, runs)}?page-size=90`);
    const ids = Array.from({ length: many }, (_, i) => String(i));
    expect(all.map((one) => one.token_id)).toEqual(ids.filter((id) => id !== '5' && id !== '6'));
    const whole = await ask.data(of(owner, runs));
    expect(whole.pagination).toMatchObject({ has_more: false, total_count: many });
    expect(whole).toMatchObject({ address: owner, collection: runs.address, is_spam: false });
    expect(whole.items).toEqual(all);
    const [bought] = (await ask.data(of(buyer, runs))).items;
    const block = await node.call('eth_getLogs', {
      ...{ fromBlock: '0x0', toBlock: 'latest', address: runs.address },
    });
    const moved = await node.call('eth_getBlockByNumber', block[1].blockNumber, false);
    expect(bought).toEqual({
      ...{ contract_address: runs.address, contract_name: null, contract_ticker_symbol: null },
      ...{ token_id: '5', supports_erc: ['erc721'], balance: '1', balance_24h: null, type: 'nft' },
      last_transfered_at: timeOf(moved.timestamp),
      nft_data: {
        ...{ token_id: '5', token_url: 'https://runs.example/a' },
        ...{ original_owner: owner, current_owner: buyer },
        ...{ external_data: null, asset_cached: null, image_cached: null },
      },
    });
  });

  test('of ERC-1155 with what the contract says', async () => {
    const { items, pagination } = await ask.data(of(buyer, goods));
    for (const { token_id, balance } of items) {
      expect(balance).toBe(String(await goods.read('balanceOf', buyer, BigInt(token_id))));
    }
    // The one that was burnt was the wallet's once.
    expect(pagination.total_count).toBe(3);
    expect(items.map((one: Wire) => one.token_id)).toEqual(['7', String(most)]);
    expect(await itemsOf(ask, `${of(buyer, goods)}?page-size=1`)).toEqual(items);
  });

  test('one is said to be there or not', async () => {
    const token = async (wallet: Hex, contract: Contract, id: bigint | string) =>
      (await ask.data(`${of(wallet, contract)}token/${id}/`)).items.map((one: Wire) => [
        ...[one.token_id, one.balance, one.supports_erc[0], one.nft_data.current_owner],
      ]);
    expect(await token(owner, deed, 0n)).toEqual([['0', '1', 'erc721', owner]]);
    expect(await token(owner, deed, '0x00')).toEqual([['0', '1', 'erc721', owner]]);
    for (const id of [2n, 3n, 99n, most]) expect(await token(owner, deed, id)).toEqual([]);
    expect(await token(owner, goods, 7n)).toEqual([['7', '25', 'erc1155', null]]);
    expect(await token(buyer, goods, most)).toEqual([[String(most), '1', 'erc1155', null]]);
    expect(await token(owner, goods, most)).toEqual([]);
    expect((await ask.failure(`${of(owner, deed)}token/${most + 1n}/`)).status).toBe(400);
  });

  test('filters by traits stand together, and need documents', async () => {
    const one = await ask.failure(`${of(owner, deed)}?traits-filter=hat`);
    expect(one).toMatchObject({ status: 400, message: expect.stringContaining('values-filter') });
    expect((await ask.failure(`${of(owner, deed)}?values-filter=red`)).status).toBe(400);
    const two = await ask.failure(`${of(owner, deed)}?traits-filter=hat&values-filter=red`);
    expect(two).toMatchObject({ status: 501, message: expect.stringContaining('documents') });
  });
});

test('a contract that claims tokens, and knows none, has nothing', async () => {
  const emitter = await deployEmitter(node);
  const word = (value: bigint | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
  const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const consecutive = '0xdeaa91b6123d068f5821d0fb0678463d1a8a6079fe8af5de3ce5e896dcf9133d';
  await node.mine(
    emitter.emit([transfer, word(zero), word(stranger), word(most)], '0x'),
    emitter.emit([consecutive, word(0n), word(zero), word(stranger)], word(most - 1n)),
  );
  await served.feed();
  const { items } = await ask.data(on(`address/${stranger}/balances_nft/`));
  expect(items).toEqual([]);
  const path = on(`address/${stranger}/collection/${emitter.address}/`);
  const page = await ask.data(path);
  expect([page.items, page.pagination.has_more]).toEqual([[], true]);
  expect(
    (
      await ask.data(
        `${path}?page-size=2&cursor=${(await ask.data(`${path}?page-size=2`)).pagination.cursor}`,
      )
    ).items,
  ).toEqual([]);
});

test('a reorg gives a token back', async () => {
  const has = async (wallet: Hex) => {
    await served.feed();
    const { items } = await ask.data(on(`address/${wallet}/collection/${deed.address}/`));
    return items.map((one: Wire) => one.token_id);
  };
  await by(owner, deed.call('transferFrom', owner, buyer, 0n));
  expect([await has(owner), await has(buyer)]).toEqual([
    ['1', '4', '5'],
    ['0', '2'],
  ]);
  await node.call('anvil_rollback', 1);
  await node.mine();
  expect([await has(owner), await has(buyer)]).toEqual([['0', '1', '4', '5'], ['2']]);
});

test('an index of tokens alone says the same, but for what it does not know of the past', async () => {
  const tokens = await serveData(node.url, { only: 'tokens' });
  try {
    for (const path of ['balances_nft/', `collection/${goods.address}/`]) {
      const { status, body } = await tokens.get(`/v1/${on(`address/${buyer}/${path}`)}`);
      expect([status, body.error_message]).toEqual([200, null]);
      const text = JSON.stringify((await ask.data(on(`address/${buyer}/${path}`))).items);
      const known = text.replace(/"original_owner":"[^"]*"/g, '"original_owner":null');
      const isList = path !== 'balances_nft/';
      expect(JSON.stringify(body.data.items)).toBe(
        isList
          ? known.replace(/"last_transfered_at":"[^"]*"/g, '"last_transfered_at":null')
          : known,
      );
    }
  } finally {
    await tokens.close();
  }
});
