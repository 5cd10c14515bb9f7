/** Collections and their tokens on a real node: which there are, who has each, and which transactions moved it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { deployBoth } from '../../../../support/contracts/approving.js';
import { initOf } from '../../../../support/contracts/assemble.js';
import { type Contract, deployAnywhere, send } from '../../../../support/contracts/contract.js';
import { deployEmitter } from '../../../../support/contracts/emitter.js';
import { hostileTokens } from '../../../../support/contracts/hostile.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import { deployRuns } from '../../../../support/contracts/runs.js';
import { deployStorm } from '../../../../support/contracts/storm.js';
import { deployErc20, deployErc721, deployErc1155 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf } from '../../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
let deed: Contract;
let goods: Contract;
let runs: Contract;
let batch: Hex;
let both: Hex;

const [owner, buyer] = accounts as unknown as [Hex, Hex];
const zero: Hex = `0x${'0'.repeat(40)}`;
const most = 2n ** 256n - 1n;
const many = 300;
const ids = 10_000;
const by = (from: Hex, call: { to: Hex; data: Hex }) => send(node, { from, ...call });
const on = (path: string) => `${chainName}/${path}`;
const wordOf = (value: bigint | Hex): Hex => `0x${BigInt(value).toString(16).padStart(64, '0')}`;
const transfer = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const single = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate', '--gas-limit', '4000000000');
  await placeMulticall(node);
  const gold = await deployErc20(node);
  await by(owner, gold.call('mint', owner, 5n));
  deed = await deployErc721(node);
  goods = await deployErc1155(node);
  for (let id = 0; id < 4; id++) await by(owner, deed.call('mint', owner));
  await by(owner, deed.call('transferFrom', owner, buyer, 2n));
  await by(buyer, deed.call('transferFrom', buyer, owner, 2n));
  await by(owner, deed.call('burn', 3n));
  await by(owner, goods.call('mint', owner, 7n, 30n, '0x'));
  await by(owner, goods.call('mintBatch', buyer, [most, 7n, 1n], [1n, 2n, 3n], '0x'));
  await by(buyer, goods.call('burn', buyer, 1n, 3n));
  runs = await deployRuns(node, owner, many);
  await by(owner, runs.call('transferFrom', owner, buyer, 5n));
  await by(owner, runs.call('transferFrom', owner, zero, 6n));
  const storm = await deployStorm(node, 'batch');
  batch = storm.address;
  await node.mine(storm.of(BigInt(ids), buyer, 0n));
  both = await deployBoth(node, { wallet: owner, spender: buyer });
  served = await serveData(node.url);
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

describe('collections', () => {
  test('come in the order of their first event, with as many tokens as somebody has', async () => {
    const { items, pagination, block_height } = await ask.data(on('nft/collections/'));
    expect(block_height).toBe(Number(await node.call('eth_blockNumber')));
    expect(pagination).toMatchObject({ total_count: 5, has_more: false });
    const rest = { is_spam: false, cached_metadata_count: null, cached_asset_count: null };
    expect(items).toEqual(
      (
        [
          [deed.address, 'Deed', 3],
          [goods.address, null, 2],
          [runs.address, null, many - 1],
          [batch, null, ids],
          [both, null, 1],
        ] as const
      ).map(([contract_address, contract_name, token_total_supply]) => ({
        ...{ contract_address, contract_name, token_total_supply, ...rest, last_scraped_at: null },
      })),
    );
    expect(await itemsOf(ask, on('nft/collections/?page-size=2'))).toEqual(items);
    for (const page of [2, 0, 1, 3]) {
      const read = await ask.data(on(`nft/collections/?page-size=2&page-number=${page}`));
      expect(read.items).toEqual(items.slice(2 * page, 2 * page + 2));
    }
    const far = await ask.failure(on('nft/collections/?page-number=100000'));
    expect(far).toMatchObject({ status: 400, message: expect.stringContaining('cursor') });
  });
});

describe('the tokens of a contract', () => {
  const pathOf = (contract: Hex) => on(`nft/${contract}/metadata/`);
  const own = (items: Wire[]) =>
    items.map((one) => [one.nft_data.token_id, one.nft_data.current_owner]);

  test('of ERC-721 have their owners, and those that were burnt are none', async () => {
    const { items, pagination } = await ask.data(pathOf(deed.address));
    expect(pagination).toMatchObject({ total_count: 4, has_more: false });
    expect(own(items)).toEqual(['0', '1', '2'].map((id) => [id, owner]));
    expect(items[2]).toEqual({
      ...{ contract_name: 'Deed', contract_ticker_symbol: 'DEED', contract_address: deed.address },
      ...{ is_spam: false, type: 'nft' },
      nft_data: {
        ...{ token_id: '2', token_url: await deed.read('tokenURI', 2n), original_owner: owner },
        ...{ current_owner: owner, external_data: null, asset_cached: null, image_cached: null },
      },
    });
    const plain = await ask.data(`${pathOf(deed.address)}?no-metadata=true&with-uncached=true`);
    expect(plain.items[0].nft_data.token_url).toBeNull();
  });

  test('of a run are all there, in pages of any size', async () => {
    const all = await itemsOf(ask, `${pathOf(runs.address)}?page-size=70`);
    expect(own(all)).toEqual(
      Array.from({ length: many }, (_, id) => id)
        .filter((id) => id !== 6)
        .map((id) => [String(id), id === 5 ? buyer : owner]),
    );
    const page = await ask.data(`${pathOf(runs.address)}?page-size=70&page-number=3`);
    expect(own(page.items)).toEqual(own(all).slice(209, 279));
    expect(all[5].nft_data.original_owner).toBe(owner);
  });

  test('of ERC-1155 are those that somebody has, 10,000 of a batch and 2^256 - 1 among them', async () => {
    const { items } = await ask.data(pathOf(goods.address));
    expect(own(items)).toEqual([
      ['7', null],
      [String(most), null],
    ]);
    expect(items.map((one: Wire) => one.nft_data.original_owner)).toEqual([owner, buyer]);
    const first = await ask.data(`${pathOf(batch)}?page-size=1000&no-metadata=true`);
    const from = 2n ** 256n - BigInt(ids);
    const idsFrom = (id: bigint, count: number) =>
      Array.from({ length: count }, (_, i) => [String(id + BigInt(i)), null]);
    expect(own(first.items)).toEqual(idsFrom(from, 1000));
    expect(first.pagination).toMatchObject({ has_more: true, total_count: null });
    const big = await ask.data(`${pathOf(batch)}?page-size=10&page-number=999`);
    expect(own(big.items)).toEqual(idsFrom(most - 9n, 10));
    expect(big.pagination).toMatchObject({ has_more: false, total_count: null });
  });

  test('of both standards stand once', async () => {
    expect(own((await ask.data(pathOf(both))).items)).toEqual([['9', owner]]);
  });

  test('one by itself', async () => {
    const one = async (contract: Hex, id: bigint) =>
      (await ask.data(`${pathOf(contract)}${id}/`)).items;
    const { items } = await ask.data(pathOf(deed.address));
    expect(await one(deed.address, 2n)).toEqual([items[2]]);
    for (const id of [3n, 4n, most]) expect(await one(deed.address, id)).toEqual([]);
    expect(own(await one(goods.address, most))).toEqual([[String(most), null]]);
    expect(await one(goods.address, 1n)).toEqual([]);
    expect(await one(`0x${'5e'.repeat(20)}`, 1n)).toEqual([]);
  });

  test('filters need documents', async () => {
    const path = `${pathOf(deed.address)}?traits-filter=hat&values-filter=red`;
    expect((await ask.failure(path)).status).toBe(501);
  });
});

describe('the transactions of a token', () => {
  const pathOf = (contract: Hex, id: bigint) => on(`tokens/${contract}/nft_transactions/${id}/`);

  /** Transactions whose logs name an id in a topic or in their data, as the node has them, the newest first. */
  async function named(contract: Hex, id: bigint): Promise<string[]> {
    const logs: Wire[] = await node.call('eth_getLogs', {
      ...{ fromBlock: '0x0', toBlock: 'latest', address: contract },
    });
    const own = logs.filter(({ topics, data }) =>
      [...topics.slice(1), data].some((text: string) => text.includes(wordOf(id).slice(2))),
    );
    return [...new Set(own.map(({ transactionHash }) => transactionHash))].reverse();
  }

  test('are those that its events say, the newest first', async () => {
    const { items } = await ask.data(pathOf(deed.address, 2n));
    const hashes = await named(deed.address, 2n);
    expect(hashes).toHaveLength(3);
    expect(items).toMatchObject([
      {
        ...{ contract_address: deed.address, contract_name: 'Deed', contract_decimals: null },
        ...{ contract_ticker_symbol: 'DEED', supports_erc: ['erc721'], is_spam: false },
        nft_transactions: hashes.map((tx_hash) => ({
          ...{ tx_hash, successful: true },
          log_events: expect.arrayContaining([
            expect.objectContaining({ sender_address: deed.address }),
          ]),
        })),
      },
    ]);
    for (const page of [0, 1, 2]) {
      const path = `${pathOf(deed.address, 2n)}?page-size=1&page-number=${page}&no-logs=true`;
      const read = await ask.data(path);
      expect(read.items[0].nft_transactions).toMatchObject([
        { tx_hash: hashes[page], log_events: null },
      ]);
      expect(read.pagination).toMatchObject({ total_count: 3, has_more: page < 2 });
    }
  });

  test('of a run begin with the one that made it', async () => {
    const made = await named(runs.address, BigInt(many - 1));
    const hashesOf = async (id: bigint) => {
      const items = await itemsOf(ask, `${pathOf(runs.address, id)}?page-size=1`);
      return items.flatMap((one) => one.nft_transactions.map((two: Wire) => two.tx_hash));
    };
    expect(await hashesOf(0n)).toEqual(made);
    expect(await hashesOf(5n)).toEqual([...(await named(runs.address, 5n)), ...made]);
    expect(await hashesOf(BigInt(many))).toEqual([]);
  });

  test('of an id of a batch, and of one that moves often, each stand once', async () => {
    const { items } = await ask.data(pathOf(batch, most));
    expect(items[0].nft_transactions).toHaveLength(1);
    const emitter = await deployEmitter(node, 9);
    const move = () => emitter.emit([transfer, wordOf(owner), wordOf(buyer), wordOf(most)], '0x');
    for (let block = 0; block < 3; block++) await node.mine(move(), move(), move());
    await served.feed();
    const all = await itemsOf(ask, `${pathOf(emitter.address, most)}?page-size=2`);
    const hashes = all.flatMap((one) => one.nft_transactions.map((two: Wire) => two.tx_hash));
    expect(hashes).toEqual(await named(emitter.address, most));
    expect(hashes).toHaveLength(9);
  });
});

describe('the owners of a token', () => {
  const pathOf = (contract: Hex, id: bigint) => on(`nft/${contract}/owners/${id}/`);

  test('of ERC-1155 come by what the contract says', async () => {
    const others = Array.from({ length: 4 }, (_, i): Hex => `0x${`${i + 1}0`.repeat(20)}`);
    for (const [i, to] of others.entries()) {
      await by(owner, goods.call('mint', to, 7n, BigInt(10 * i + 5), '0x'));
    }
    await served.feed();
    const all = await itemsOf(ask, `${pathOf(goods.address, 7n)}?page-size=2&no-snapshot=true`);
    const balances = await Promise.all(
      [owner, buyer, ...others].map(async (wallet) => ({
        address: wallet,
        balance: String(await goods.read('balanceOf', wallet, 7n)),
      })),
    );
    const ranked = balances.sort((a, b) => Number(b.balance) - Number(a.balance));
    expect(all.map(({ address, balance }) => ({ address, balance }))).toEqual(ranked);
    expect(all[0]).toMatchObject({
      ...{ contract_address: goods.address, supports_erc: ['erc1155'], token_id: '7' },
    });
    const page = await ask.data(`${pathOf(goods.address, 7n)}?page-size=2&page-number=2`);
    expect(page.items.map((one: Wire) => one.address)).toEqual(
      ranked.slice(4).map(({ address }) => address),
    );
    expect(page.pagination).toMatchObject({ total_count: 6, has_more: false });
    const holders = await ask.failure(on(`tokens/${goods.address}/token_holders_v2/`));
    expect(holders.message).toContain('nft/{contract}/owners/{id}/');
  });

  test('of ERC-721 are one, or none', async () => {
    const { items, pagination } = await ask.data(pathOf(runs.address, 5n));
    expect(items).toMatchObject([{ address: buyer, balance: '1', supports_erc: ['erc721'] }]);
    expect(pagination.total_count).toBe(1);
    expect((await ask.data(`${pathOf(runs.address, 5n)}?page-number=1`)).items).toEqual([]);
    for (const [contract, id] of [
      [deed.address, 3n],
      [deed.address, most],
      [goods.address, 1n],
      [`0x${'5e'.repeat(20)}`, 1n],
    ] as const) {
      expect((await ask.data(pathOf(contract, id))).items).toEqual([]);
    }
    expect((await ask.data(pathOf(batch, most))).items).toEqual([]);
  });
});

describe('hostile contracts', () => {
  test('that answer nothing, without end, or burn all gas change nothing about the others', async () => {
    const wallet: Hex = `0x${'5e'.repeat(20)}`;
    const made: Hex[] = [];
    for (const name of ['longBalance', 'burnsAll', 'reverts', 'nothing', 'deceitful'] as const) {
      const prelude = `0x01 ${wallet} PUSH0 ${transfer} PUSH0 PUSH0 LOG4
        0x02 PUSH0 MSTORE 0x01 0x20 MSTORE ${wallet} PUSH0 CALLER ${single} 0x40 PUSH0 LOG4`;
      const bytecode = initOf(hostileTokens[name], prelude);
      made.push((await deployAnywhere(node, { abi: [], bytecode })).address);
    }
    await by(owner, deed.call('mint', wallet));
    await served.feed();
    const { items } = await ask.data(on(`address/${wallet}/balances_nft/`));
    expect(items[0].contract_address).toBe(deed.address);
    for (const { contract_name: name } of items) expect(name ?? '').not.toMatch(/[\u0007\u202e]/);
    for (const contract of made) {
      for (const path of [
        `nft/${contract}/metadata/`,
        `nft/${contract}/metadata/1/`,
        `address/${wallet}/collection/${contract}/`,
        `address/${wallet}/collection/${contract}/token/2/`,
        `nft/${contract}/owners/2/`,
        `tokens/${contract}/nft_transactions/1/`,
      ]) {
        await ask.data(on(path));
      }
    }
    const all = await ask.data(on('nft/collections/'));
    for (const contract of made) {
      expect(all.items).toContainEqual(
        expect.objectContaining({ contract_address: contract, token_total_supply: 2 }),
      );
    }
  });
});

test('an index of tokens alone has none of these lists', async () => {
  const tokens = await serveData(node.url, { only: 'tokens' });
  try {
    for (const path of [
      'nft/collections/',
      `nft/${deed.address}/metadata/`,
      `nft/${deed.address}/metadata/0/`,
      `tokens/${deed.address}/nft_transactions/0/`,
      `nft/${goods.address}/owners/7/`,
    ]) {
      const { status, body } = await tokens.get(`/v1/${on(path)}`);
      expect([path, status, body.error_message]).toEqual([
        ...[path, 501, expect.stringContaining('receipts')],
      ]);
    }
    const { body } = await tokens.get(`/v1/${on(`nft/${deed.address}/owners/0/`)}`);
    expect(body.data.items).toMatchObject([{ address: owner }]);
  } finally {
    await tokens.close();
  }
});

test('a reorg takes a collection and its tokens back', async () => {
  const other = await deployErc721(node);
  await by(owner, other.call('mint', buyer));
  const seen = async () => {
    await served.feed();
    const { items } = await ask.data(on('nft/collections/?page-size=1000'));
    const tokens = await ask.data(on(`nft/${other.address}/metadata/`));
    const history = await ask.data(on(`tokens/${other.address}/nft_transactions/0/`));
    const has = items.some((one: Wire) => one.contract_address === other.address);
    return [has, tokens.items.length, history.items.length];
  };
  expect(await seen()).toEqual([true, 1, 1]);
  await node.call('anvil_rollback', 2);
  await node.mine();
  expect(await seen()).toEqual([false, 0, 0]);
});
