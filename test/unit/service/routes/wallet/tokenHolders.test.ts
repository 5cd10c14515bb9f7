/** Holders of tokens on a real node: whom to ask by the events, how much by the contract, page by page and over reorgs. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import type { Contract } from '../../../../support/contracts/contract.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import { deployErc20 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf } from '../../../../support/dataRoutes.js';
import { patience, runsOf, type Wire } from '../../../../support/runs.js';
import { startHistory, type TokenHistory } from '../../../../support/tokenHistory.js';

let node: Anvil;
let history: TokenHistory;
let served: ServedData;
let ask: DataAsker;

/** Years ago, so that days are over. */
const start = Date.UTC(2024, 1, 27, 23) / 1000;
const secondsABlock = 600;

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate', '--timestamp', String(start));
  await node.call('anvil_setBlockTimestampInterval', secondsABlock);
  await placeMulticall(node);
  history = await startHistory(node, Number(process.env.HISTORY_SEED ?? 472));
  await history.mine(40);
  served = await serveData(node.url);
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const pathOf = (token: Hex) => `${chainName}/tokens/${token}/token_holders_v2/`;
const hexOf = (block: number) => `0x${block.toString(16)}`;

/** A number that the node's contract returns at a block. */
async function readAt(contract: Contract, block: number, name: string, ...args: unknown[]) {
  const answer = await node.call('eth_call', contract.call(name, ...args), hexOf(block));
  return answer === '0x' ? 0n : BigInt(answer);
}

const topics = {
  transfer: '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  deposit: '0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c',
  withdrawal: '0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65',
};

/** Sums of a token's transfers up to a block, by wallet; also those that are 0 by now. */
async function sumsOf({ address }: Contract, block: number): Promise<Map<Hex, bigint>> {
  const sums = new Map<Hex, bigint>();
  const add = (wallet: string, amount: bigint) => {
    const key: Hex = `0x${wallet.slice(26)}`;
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  };
  const filter = { address, fromBlock: '0x0', toBlock: hexOf(block) };
  for (const {
    topics: [first, one, other, id],
    data,
  } of await node.call('eth_getLogs', filter)) {
    const amount = id === undefined ? BigInt(data) : 1n;
    if (first === topics.transfer || first === topics.withdrawal) add(one, -amount);
    if (first === topics.transfer) add(other, amount);
    if (first === topics.deposit) add(one, amount);
  }
  sums.delete(`0x${'0'.repeat(40)}`);
  return sums;
}

const descending = (a: bigint, b: bigint) => Number(b > a) - Number(b < a);

/** Wallets and balances as the node has them, in the order of the balances and then of the addresses. */
async function holdersAt(contract: Contract, block: number, wallets: readonly Hex[]) {
  const found: (readonly [Hex, bigint])[] = [];
  for (const wallet of [...wallets].sort()) {
    const balance = await readAt(contract, block, 'balanceOf', wallet);
    if (balance > 0n) found.push([wallet, balance]);
  }
  return found.sort(([, a], [, b]) => descending(a, b));
}

const pairsOf = (items: readonly Wire[]) =>
  items.map(({ address, balance }) => [address, BigInt(balance)] as const);

const newestOf = async () => Number(await node.call('eth_blockNumber'));

/** Every page of the newest holders, against the node at the block that they name. */
async function expectHolders(contract: Contract, size: number): Promise<void> {
  const block = await newestOf();
  const sums = await sumsOf(contract, block);
  const some = [...sums].filter(([, sum]) => sum > 0n);
  const expected = await holdersAt(
    contract,
    block,
    some.map(([wallet]) => wallet),
  );
  const path = `${pathOf(contract.address)}?no-snapshot=true`;
  const whole = await ask.data(path);
  const { hash } = await node.call('eth_getBlockByNumber', hexOf(block), false);
  expect(whole).toMatchObject({
    ...{ block_height: block, block_hash: hash },
    pagination: { has_more: false, total_count: some.length, cursor: null },
  });
  expect(pairsOf(whole.items)).toEqual(expected);
  const items = await itemsOf(ask, `${path}&page-size=${size}`);
  // Across pages by the events, which a rebasing token does not follow.
  expect(items.map(({ address }) => address).sort()).toEqual(
    expected.map(([address]) => address).sort(),
  );
  const balances = new Map(expected);
  for (const { address, balance } of items) expect(BigInt(balance)).toBe(balances.get(address));
}

test(
  'holders are what the node says, of each kind of token, over reorgs',
  async () => {
    const { gold, rebasing, wrapped, deed } = history;
    for (let round = 0; round < 3; round++) {
      for (const [i, contract] of [gold, rebasing, wrapped, deed].entries()) {
        await expectHolders(contract, 1 + i);
      }
      const before = await newestOf();
      await node.call('anvil_rollback', 1);
      await history.mine(3 + round);
      expect(await newestOf()).toBe(before + 2 + round);
      await served.feed();
    }
  },
  patience,
);

test('an item says all that there is to say of the token', async () => {
  const { gold, deed } = history;
  await node.mine(deed.call('mint', accounts[0]));
  await served.feed();
  const block = await newestOf();
  const [coin] = (await ask.data(`${pathOf(gold.address)}?no-snapshot=true`)).items;
  expect(coin).toEqual({
    contract_decimals: 18,
    contract_name: 'Gold',
    contract_ticker_symbol: 'GLD',
    contract_address: gold.address,
    supports_erc: ['erc20'],
    logo_url: null,
    address: coin.address,
    balance: String(await gold.read('balanceOf', coin.address)),
    total_supply: String(await gold.read('totalSupply')),
    block_height: block,
  });
  const [collector] = (await ask.data(`${pathOf(deed.address)}?no-snapshot=true`)).items;
  expect(collector).toMatchObject({
    ...{ contract_decimals: null, supports_erc: ['erc721'] },
    balance: String(await deed.read('balanceOf', collector.address)),
    total_supply: String(await deed.read('totalSupply')),
  });
});

describe('an older block', () => {
  test(
    'has the holders that it had, also those that sold all since',
    async () => {
      const { gold, deed } = history;
      const newest = await newestOf();
      for (const contract of [gold, deed]) {
        const everyone = [...(await sumsOf(contract, newest)).keys()];
        for (const block of [newest, newest - 1, newest - 9, newest - 20, 1]) {
          const expected = await holdersAt(contract, block, everyone);
          const path = `${pathOf(contract.address)}?block-height=${block}`;
          const { items, ...rest } = await ask.data(path);
          expect(pairsOf(items), path).toEqual(expected);
          const { hash } = await node.call('eth_getBlockByNumber', hexOf(block), false);
          expect(rest).toMatchObject({
            ...{ block_height: block, block_hash: hash },
            pagination: { total_count: expected.length },
          });
          expect(pairsOf(await itemsOf(ask, `${path}&page-size=2`))).toEqual(expected);
        }
      }
    },
    patience,
  );

  test(
    'is the last one of a day',
    async () => {
      const { gold } = history;
      const newest = await newestOf();
      const times = (await node.callEach(
        'eth_getBlockByNumber',
        Array.from({ length: newest + 1 }, (_, block) => [hexOf(block), false]),
      )) as Wire[];
      const dayOf = ({ timestamp }: Wire) =>
        new Date(1000 * Number(timestamp)).toISOString().slice(0, 10);
      for (const day of ['2024-02-27', '2024-02-28', '2026-01-01']) {
        const last = times.filter((block) => dayOf(block) <= day).length - 1;
        const data = await ask.data(`${pathOf(gold.address)}?date=${day}`);
        expect(data.block_height, day).toBe(last);
        const everyone = [...(await sumsOf(gold, newest)).keys()];
        expect(pairsOf(data.items)).toEqual(await holdersAt(gold, last, everyone));
      }
      expect(await ask.failure(`${pathOf(gold.address)}?date=2024-02-26`)).toEqual({
        ...{ status: 404, message: 'The chain had no block yet' },
      });
    },
    patience,
  );

  test('that is not there, or no day, is refused', async () => {
    const { gold, goods } = history;
    const path = pathOf(gold.address);
    const failures = [
      ['block-height=99999', 404, 'does not have this block yet'],
      ['block-height=x', 400, 'block-height must be the number of a block'],
      ['date=2024-02-30', 400, 'date must be a day'],
      ['date=yesterday', 400, 'date must be a day'],
      ['date=2024-02-28&block-height=3', 400, 'date must stand without block-height'],
      ['page-size=1001', 400, 'page-size must be a whole number from 1 to 1000'],
      ['cursor=00&page-number=1', 400, 'cursor must stand without page-number'],
      ['cursor=00', 400, 'cursor must be one that an answer of this very list gave'],
    ] as const;
    for (const [query, status, message] of failures) {
      expect(await ask.failure(`${path}?${query}`), query).toEqual({
        ...{ status, message: expect.stringContaining(message) },
      });
    }
    // A block that the node has, and the index not yet.
    await node.mine();
    const early = await ask.failure(`${path}?block-height=${await newestOf()}`);
    expect(early).toEqual({ status: 404, message: 'The index has not come to this block yet' });
    await served.feed();
    for (const query of ['', '?block-height=5']) {
      expect(await ask.failure(pathOf(goods.address) + query)).toEqual({
        ...{ status: 400, message: expect.stringContaining('owners') },
      });
    }
  });
});

test('a token that nobody has, or that is none, has no holders', async () => {
  const token = await deployErc20(node, 'Nobody');
  await served.feed();
  for (const address of [token.address, `0x${'5e'.repeat(20)}`] as Hex[]) {
    for (const query of ['no-snapshot=true', 'block-height=3']) {
      const { items, pagination } = await ask.data(`${pathOf(address)}?${query}`);
      expect({ items, pagination }).toEqual({
        items: [],
        pagination: {
          ...{ has_more: false, page_number: 0, page_size: 100 },
          ...{ total_count: 0, cursor: null },
        },
      });
    }
  }
});

test('of a token that nobody had, the first holder is listed at once', async () => {
  const token = await deployErc20(node, 'Late');
  await served.feed();
  expect((await ask.data(pathOf(token.address))).items).toEqual([]);
  const first: Hex = `0x${'5f'.repeat(20)}`;
  await node.mine(token.call('mint', first, 5n));
  await served.feed();
  const { items } = await ask.data(pathOf(token.address));
  expect(items).toMatchObject([{ address: first, balance: '5' }]);
});

test(
  'a ranking is kept while the chain goes on, and a cursor leads on in the next one',
  async () => {
    const token = await deployErc20(node, 'Kept');
    const wallets = Array.from(
      { length: 9 },
      (_, i): Hex => `0x${(0xb0 + i).toString(16).repeat(20)}`,
    );
    await node.mine(
      ...wallets.map((wallet, i) => token.call('mint', wallet, BigInt(10 * (i + 1)))),
    );
    await served.feed();
    await node.call('anvil_setBalance', wallets[3], '0x56bc75e2d63100000');
    const path = `${pathOf(token.address)}?page-size=3`;
    const first = await ask.data(path);
    const ranked = [...wallets].reverse();
    expect(pairsOf(first.items).map(([wallet]) => wallet)).toEqual(ranked.slice(0, 3));
    const last = wallets[0] as Hex;
    // The last becomes the first, and one of those in between has nothing left.
    await node.mine(token.call('mint', last, 1000n), {
      ...token.call('burn', 40n),
      from: wallets[3] as Hex,
    });
    await served.feed();
    const after = `${path}&cursor=${first.pagination.cursor}`;
    const second = await ask.data(after);
    expect(second.block_height).toBe(first.block_height);
    expect(second.pagination).toMatchObject({ page_number: 1, total_count: 9 });
    expect(pairsOf(second.items).map(([wallet]) => wallet)).toEqual(ranked.slice(3, 6));
    expect(pairsOf(second.items).at(-1)).toEqual([wallets[3], 40n]);
    const anew = await ask.data(`${after}&no-snapshot=true`);
    expect(anew.block_height).toBe(await newestOf());
    expect(anew.pagination).toMatchObject({ page_number: 1, total_count: 8 });
    // Behind the one that the cursor names.
    expect(pairsOf(anew.items)).toEqual([
      ...[wallets[5], wallets[4], wallets[2]].map((wallet, i) => [wallet, [60n, 50n, 30n][i]]),
    ]);
    // The new one is kept from now on.
    expect((await ask.data(path)).items[0]).toMatchObject({ address: last, balance: '1010' });

    await node.call('anvil_rollback', 1);
    await node.mine();
    await served.feed();
    const gone = await ask.failure(`${path}&cursor=${anew.pagination.cursor}`);
    expect(gone).toEqual({ status: 400, message: 'the chain has changed; begin again' });
    const back = await ask.data(path);
    expect(back).toMatchObject({ block_height: await newestOf(), pagination: { total_count: 9 } });
    expect(pairsOf(back.items).map(([wallet]) => wallet)).toEqual(ranked.slice(0, 3));
  },
  patience,
);

test(
  'any life of a token gives the holders that the node has',
  async () => {
    const wallets = [...accounts, `0x${'00'.repeat(19)}01`, `0x${'ff'.repeat(20)}`];
    for (const address of wallets)
      await node.call('anvil_setBalance', address, '0x56bc75e2d63100000');
    const wallet = fc.nat({ max: wallets.length - 1 });
    // Ties, and amounts of all widths.
    const amount = fc.oneof(
      fc.constantFrom(0n, 1n, 255n, 256n),
      fc.bigInt({ min: 1n, max: 2n ** 96n }),
    );
    const step = fc.record({ from: wallet, to: wallet, amount, isMint: fc.boolean() });
    const life = fc.array(step, { minLength: 1, maxLength: 25 });
    const { numRuns } = runsOf();
    await fc.assert(
      fc.asyncProperty(life, fc.integer({ min: 1, max: 4 }), async (steps, size) => {
        const token = await deployErc20(node, 'Life');
        await node.mine(
          ...steps.map(({ from, to, amount: some, isMint }) => ({
            ...token.call(isMint ? 'mint' : 'transfer', wallets[to] as Hex, some),
            from: isMint ? accounts[0] : (wallets[from] as Hex),
          })),
        );
        await served.feed();
        await expectHolders(token, size);
      }),
      { numRuns: Math.ceil(numRuns / 12) },
    );
  },
  patience,
);
