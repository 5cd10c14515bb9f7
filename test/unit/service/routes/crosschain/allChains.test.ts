/** Routes over several chains, before real nodes: each answer is what the nodes say, over new blocks and reorgs. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import type { Contract } from '../../../../support/contracts/contract.js';
import { deployHostile } from '../../../../support/contracts/hostile.js';
import { deployErc20, deployErc721 } from '../../../../support/contracts/tokens.js';
import { type ServedChains, serveChains } from '../../../../support/dataChains.js';
import { askData, type DataAsker, timeOf } from '../../../../support/dataRoutes.js';
import { startGateway } from '../../../../support/decoder.js';
import { patience, type Wire } from '../../../../support/runs.js';

const wallet = accounts[0] as Hex;
const friend: Hex = `0x${'f1'.repeat(20)}`;
const stranger: Hex = `0x${'77'.repeat(20)}`;
const native = `0x${'e'.repeat(40)}`;

interface Served {
  readonly name: string;
  readonly chainId: number;
  readonly node: Anvil;
  readonly coins: readonly Contract[];
}

const chains: Served[] = [];
let served: ServedChains;
let ask: DataAsker;

const start = Math.floor(Date.now() / 1000) - 40_000;

/** Chains whose blocks have the same times here and there. */
async function startChain(name: string, chainId: number, interval: number): Promise<Served> {
  const node = await startAnvil('--chain-id', String(chainId), '--timestamp', String(start));
  await node.call('anvil_setBlockTimestampInterval', interval);
  const coins: Contract[] = [];
  for (const [i, symbol] of ['AA', 'BB', 'CC'].entries()) {
    const coin = await deployErc20(node, `Coin ${symbol}`, symbol);
    await node.mine(coin.call('mint', wallet, BigInt(100 + i)), coin.call('mint', friend, 5n));
    coins.push(coin);
  }
  await deployErc721(node);
  for (let i = 0; i < 8; i++) {
    await node.mine({ to: friend, value: BigInt(i) }, { to: stranger, value: 1n });
  }
  return { name, chainId, node, coins };
}

beforeAll(async () => {
  for (const [name, chainId, interval] of [
    ['one', 31337, 300],
    ['linea-sepolia-testnet', 59141, 200],
    ['three', 31338, 600],
  ] as const) {
    chains.push(await startChain(name, chainId, interval));
  }
  served = await serveChains(
    chains.map(({ name, chainId, node }) => ({ name, chainId, url: node.url })),
    {
      prices: async ({ chainName }) => [
        { address: native as Hex, usd: chainName === 'one' ? '2' : '3' },
      ],
    },
  );
  ask = await askData(served as never);
}, patience);
afterAll(async () => {
  await served?.close();
  for (const { node } of chains) await node.close();
});

const hexOf = (block: number) => `0x${block.toString(16)}`;
const newestOf = async ({ node }: Served) => Number(await node.call('eth_blockNumber'));
const blockAt = ({ node }: Served, block: number): Promise<Wire> =>
  node.call('eth_getBlockByNumber', hexOf(block), true);
const wordOf = (address: Hex) => `0x${address.slice(2).padStart(64, '0')}`;

interface Told {
  readonly chain: Served;
  readonly time: number;
  readonly block: number;
  readonly index: number;
  readonly hash: string;
}

/** Transactions in which one of the addresses has a part, as the nodes say, the newest first. */
async function partsOf(some: readonly Served[], addresses: readonly Hex[]): Promise<Told[]> {
  const found: Told[] = [];
  for (const chain of some) {
    const newest = await newestOf(chain);
    for (let number = 0; number <= newest; number++) {
      const block = await blockAt(chain, number);
      const receipts: Wire[] = await chain.node.call('eth_getBlockReceipts', hexOf(number));
      for (const [
        index,
        { from, to, contractAddress, logs, transactionHash },
      ] of receipts.entries()) {
        const isPart = addresses.some(
          (one) =>
            [from, to, contractAddress].includes(one) ||
            logs.some(
              ({ topics }: Wire) =>
                topics[0].startsWith('0xddf252ad') && topics.includes(wordOf(one)),
            ),
        );
        if (!isPart) continue;
        found.push({
          chain,
          time: Number(block.timestamp),
          block: number,
          index,
          hash: transactionHash,
        });
      }
    }
  }
  return found.sort(
    (a, b) =>
      b.time - a.time ||
      b.chain.chainId - a.chain.chainId ||
      b.block - a.block ||
      b.index - a.index,
  );
}

const pairs = (items: readonly Wire[]) => items.map((one) => [one.chain_name, one.tx_hash]);
const pairsOf = (told: readonly Told[]) => told.map(({ chain, hash }) => [chain.name, hash]);

/** All pages by `cursor_before`. @param between is done behind each page */
async function walk(
  path: string,
  between = async () => {},
): Promise<{ items: Wire[]; pages: Wire[] }> {
  const pages: Wire[] = [];
  for (let query = path; ; ) {
    const page = await ask.data(query);
    pages.push(page);
    if (page.cursor_before === null) break;
    query = `${path}&before=${page.cursor_before}`;
    await between();
  }
  return { items: pages.flatMap(({ items }) => items), pages };
}

describe('transactions', () => {
  test(
    'are those of all chains, each once, the newest first',
    async () => {
      for (const addresses of [[wallet], [friend], [friend, wallet], [stranger, friend]]) {
        const told = await partsOf(chains, addresses);
        for (const limit of [7, 100]) {
          const path = `allchains/transactions/?addresses=${addresses}&limit=${limit}`;
          const { items, pages } = await walk(path);
          expect(pairs(items)).toEqual(pairsOf(told));
          expect(pages.length).toBe(Math.ceil(told.length / limit));
          for (const page of pages) {
            for (const one of page.chains) {
              const chain = chains.find(({ name }) => name === one.chain_name) as Served;
              const block = await blockAt(chain, one.block_height);
              expect(one).toMatchObject({ chain_id: chain.chainId, block_hash: block.hash });
              expect(one.block_height).toBe(await newestOf(chain));
            }
          }
        }
      }
    },
    patience,
  );

  test(
    'stay where they are while blocks come, and newer ones are found behind the other cursor',
    async () => {
      const told = await partsOf(chains, [friend]);
      const path = `allchains/transactions/?addresses=${friend}&limit=4`;
      let count = 0;
      const { items, pages } = await walk(path, async () => {
        const chain = chains[count++ % chains.length] as Served;
        await chain.node.mine({ to: friend, value: 9n });
        await served.feed(chain.name);
      });
      expect(pairs(items)).toEqual(pairsOf(told));
      const now = await partsOf(chains, [friend]);
      const newer: Wire[] = [];
      for (let cursor = (pages[0] as Wire).cursor_after; ; ) {
        const page = await ask.data(`${path}&after=${cursor}`);
        if (page.items.length === 0) break;
        newer.unshift(...page.items);
        // Back again to the page before it.
        const back = await ask.data(`${path}&before=${page.cursor_before}`);
        const older = pairs([...newer.slice(page.items.length), ...items]).map(String);
        const all = pairsOf(now).filter((one) => older.includes(String(one)));
        expect(pairs(back.items)).toEqual(all.slice(0, 4));
        cursor = page.cursor_after;
      }
      expect(now.length).toBe(told.length + count);
      // What came since is newer in its chain, though its time may be older than those of other chains.
      expect(new Set(pairs(newer).map(String))).toEqual(
        new Set(
          pairsOf(now)
            .map(String)
            .filter((one) => !pairsOf(told).map(String).includes(one)),
        ),
      );
    },
    patience,
  );

  test('say what those of one chain say, with logs if they are asked for', async () => {
    const [one] = chains as [Served];
    const hosted = await ask.data(`one/address/${friend}/transactions_v3/`);
    const query = `allchains/transactions/?addresses=${friend}&chains=31337&limit=100`;
    const whole = await ask.data(`${query}&with-decoded-logs=true`);
    const without = ({ chain_id, chain_name, ...rest }: Wire) => rest;
    expect(whole.items.map(without)).toEqual(hosted.items);
    expect(whole.items[0]).toMatchObject({ chain_id: one.chainId, chain_name: 'one' });
    const raw = await ask.data(`${query}&with-logs=true`);
    const [log] = raw.items.flatMap(({ log_events }: Wire) => log_events);
    expect(log.decoded).toBeNull();
    expect(hosted.items.flatMap(({ log_events }: Wire) => log_events)[0].decoded.name).toBe(
      'Transfer',
    );
    const none = await ask.data(query);
    for (const { log_events } of none.items) expect(log_events).toBeNull();
    expect(none.items[0].gas_quote_rate).toBe(2);
  });

  test('of a block that was taken back end the walk', async () => {
    const [one] = chains as [Served];
    const path = `allchains/transactions/?addresses=${friend}&limit=2`;
    const page = await ask.data(path);
    await one.node.call('anvil_rollback', 1);
    await one.node.mine();
    await one.node.mine();
    await served.feed('one');
    for (const way of ['before', 'after']) {
      expect(await ask.failure(`${path}&${way}=${page[`cursor_${way}`]}`)).toEqual({
        ...{ status: 400, message: 'the chain has changed; begin again' },
      });
    }
    const told = await partsOf(chains, [friend]);
    expect(pairs((await walk(path)).items)).toEqual(pairsOf(told));
  });

  test('are refused if the question is wrong', async () => {
    const page = await ask.data(`allchains/transactions/?addresses=${friend}&limit=1`);
    const many = Array.from({ length: 11 }, (_, i) => `0x${(16 + i).toString(16).repeat(20)}`);
    for (const [query, message] of [
      ['', 'addresses must be 1 to 10'],
      [`addresses=${many}`, 'addresses must be 1 to 10'],
      [`addresses=${friend},x`, 'addresses must be 1 to 10'],
      [`addresses=${friend}&chains=none`, 'chains must be up to 10'],
      [`addresses=${friend}&limit=101`, 'limit must be a whole number from 1 to 100'],
      [`addresses=${wallet}&before=${page.cursor_before}`, 'of this very list'],
      [`addresses=${friend}&chains=one&before=${page.cursor_before}`, 'of this very list'],
      [
        `addresses=${friend}&before=${page.cursor_before}&after=${page.cursor_after}`,
        'after must stand without',
      ],
    ] as const) {
      expect(await ask.failure(`allchains/transactions/?${query}`), query).toEqual({
        ...{ status: 400, message: expect.stringContaining(message) },
      });
    }
  });
});

/** What a wallet has on a chain, as its node says. */
async function heldOn(chain: Served, owner: Hex, block: number): Promise<unknown[]> {
  const balance = BigInt(await chain.node.call('eth_getBalance', owner, hexOf(block)));
  const held: unknown[] = [[chain.name, native, String(balance)]];
  for (const { address, encode } of chain.coins) {
    const call = { to: address, data: encode('balanceOf', owner) };
    const answer = await chain.node.call('eth_call', call, hexOf(block));
    const amount = answer === '0x' ? 0n : BigInt(answer);
    if (amount > 0n) held.push([chain.name, address, String(amount)]);
  }
  return held;
}

const rows = (items: readonly Wire[]) =>
  items.map((one) => [one.chain_name, one.contract_address, one.balance]);

describe('balances', () => {
  const pathOf = (owner: Hex) => `allchains/address/${owner}/balances/`;

  test(
    'are what the nodes say, chain after chain',
    async () => {
      for (const owner of [wallet, friend, stranger]) {
        const expected: unknown[] = [];
        for (const chain of chains)
          expected.push(...(await heldOn(chain, owner, await newestOf(chain))));
        const whole = await ask.data(pathOf(owner));
        expect(rows(whole.items)).toEqual(expected);
        expect(whole.cursor_before).toBeNull();
        for (const [i, one] of whole.chains.entries()) {
          const block = await blockAt(chains[i] as Served, one.block_height);
          expect(one.block_hash).toBe(block.hash);
        }
        for (const limit of [1, 2, 3, 4, 5]) {
          const walked = await walk(`${pathOf(owner)}?limit=${limit}`);
          expect(rows(walked.items)).toEqual(expected);
        }
      }
      const some = await ask.data(`${pathOf(wallet)}?chains=three,31337`);
      expect(new Set(some.items.map((one: Wire) => one.chain_name))).toEqual(
        new Set(['one', 'three']),
      );
    },
    patience,
  );

  test('of an older time are of the last block then', async () => {
    const time = start + 2000;
    const expected: unknown[] = [];
    for (const chain of chains) {
      let last = -1;
      for (let block = 0; block <= (await newestOf(chain)); block++) {
        if (Number((await blockAt(chain, block)).timestamp) <= time) last = block;
      }
      expected.push(...(await heldOn(chain, friend, last)));
    }
    expect(rows((await ask.data(`${pathOf(friend)}?cutoff-timestamp=${time}`)).items)).toEqual(
      expected,
    );
    const walked = await walk(`${pathOf(friend)}?cutoff-timestamp=${time}&limit=2`);
    expect(rows(walked.items)).toEqual(expected);
    expect((await ask.data(`${pathOf(friend)}?cutoff-timestamp=9`)).items).toEqual([]);
  });

  test('go on while blocks come, say all that there is to say, and end with a reorg', async () => {
    const [one] = chains as [Served];
    const hosted = (await ask.data(`one/address/${wallet}/balances_v2/`)).items;
    const path = `${pathOf(wallet)}?chains=one`;
    const { items } = await ask.data(path);
    expect(items).toEqual(
      hosted.map(({ native_token, protocol_metadata, nft_data, ...rest }: Wire) => ({
        ...{ ...rest, is_native_token: native_token, chain_id: one.chainId, chain_name: 'one' },
      })),
    );
    expect(items[0]).toMatchObject({ quote_rate: 2, is_native_token: true });
    const first = await ask.data(`${path}&limit=2`);
    const hostile = await deployHostile(one.node, wallet);
    await served.feed('one');
    const rest = await ask.data(`${path}&before=${first.cursor_before}`);
    const addresses = [...first.items, ...rest.items].map((one) => one.contract_address);
    expect(addresses.slice(0, 4)).toEqual(items.map((one: Wire) => one.contract_address));
    expect(addresses).toContain(hostile.get('deceitful'));
    expect(addresses).not.toContain(hostile.get('reverts'));
    const wrong = await ask.failure(`${pathOf(friend)}?chains=one&before=${first.cursor_before}`);
    expect(wrong).toMatchObject({ status: 400, message: expect.stringContaining('very list') });
    const last = await ask.data(`${path}&limit=2`);
    await one.node.call('anvil_rollback', 1);
    await one.node.mine();
    await one.node.mine();
    await served.feed('one');
    expect(await ask.failure(`${path}&before=${last.cursor_before}`)).toEqual({
      ...{ status: 400, message: 'the chain has changed; begin again' },
    });
  });
});

describe('activity', () => {
  const seenOn = async (chain: Served, owner: Hex) => (await partsOf([chain], [owner]))[0]?.time;

  test('lists the chains with a transaction, testnets if they are asked for', async () => {
    for (const [query, asked] of [
      ['?testnets=true', chains],
      ['', chains.filter(({ chainId }) => chainId !== 59141)],
    ] as const) {
      const { items, unavailable, address } = await ask.data(`address/${friend}/activity/${query}`);
      expect([address, unavailable]).toEqual([friend, []]);
      expect(items.map((one: Wire) => one.name)).toEqual(asked.map(({ name }) => name));
      for (const [i, one] of items.entries()) {
        const chain = asked[i] as Served;
        const height = await newestOf(chain);
        expect(one).toEqual({
          ...{ name: chain.name, chain_id: chain.chainId, label: chain.name },
          is_testnet: chain.chainId === 59141 ? true : null,
          ...{ db_schema_name: null, category_label: null, color_theme: null, appchain_of: null },
          ...{ priority_label: null, logo_url: null, black_logo_url: null, white_logo_url: null },
          is_appchain: null,
          last_seen_at: timeOf(String(await seenOn(chain, friend))),
          ...{ block_height: height, block_hash: (await blockAt(chain, height)).hash },
        });
      }
    }
    const nobody = await ask.data(`address/0x${'99'.repeat(20)}/activity/`);
    expect(nobody).toMatchObject({ items: [], unavailable: [] });
  });

  test(
    'names the chains that cannot be asked; of one that cannot be left out, nothing is said',
    async () => {
      const [one, , three] = chains as [Served, Served, Served];
      const gateway = await startGateway(three.node.url);
      const some = await serveChains([
        { name: 'one', chainId: one.chainId, url: one.node.url },
        { name: 'three', chainId: three.chainId, url: gateway.url },
        { name: 'tokens', chainId: 59141, url: chains[1]?.node.url as string, only: 'tokens' },
      ]);
      const own = await askData(some as never);
      try {
        const path = `address/${friend}/activity/?testnets=true`;
        const { items, unavailable } = await own.data(path);
        expect(items.map(({ name }: Wire) => name)).toEqual(['one', 'three']);
        expect(unavailable).toEqual(['tokens']);
        await gateway.close();
        expect(await own.data(path)).toMatchObject({
          items: [{ name: 'one' }],
          unavailable: ['three', 'tokens'],
        });
        const all = await own.failure(`allchains/transactions/?addresses=${friend}`);
        expect(all.status).toBe(502);
        const tokens = `allchains/transactions/?addresses=${friend}&chains=tokens`;
        expect((await own.failure(tokens)).status).toBe(501);
        const good = await own.data(`allchains/transactions/?addresses=${friend}&chains=one`);
        expect(good.items.length).toBeGreaterThan(0);
        expect((await own.failure(`allchains/address/${friend}/balances/`)).status).toBe(502);
        const old = `allchains/address/${friend}/balances/?chains=tokens`;
        expect((await own.data(old)).items.length).toBeGreaterThan(1);
        expect((await own.failure(`${old}&cutoff-timestamp=${start + 5000}`)).status).toBe(501);
      } finally {
        await some.close();
      }
    },
    patience,
  );

  test('is a failure if no chain can be asked', async () => {
    const [one] = chains as [Served];
    const tokens = {
      name: 'one',
      chainId: one.chainId,
      url: one.node.url,
      only: 'tokens',
    } as const;
    const some = await serveChains([tokens]);
    try {
      const { status, body } = await some.get(`/v1/address/${friend}/activity/`);
      expect([status, body.error_message]).toEqual([501, expect.stringContaining('receipts')]);
    } finally {
      await some.close();
    }
  });
});

test(
  'more than ten chains are not asked at once unless they are named',
  async () => {
    const [{ node, chainId }] = chains as [Served];
    const names = Array.from({ length: 11 }, (_, i) => `chain-${i}`);
    const many = await serveChains(names.map((name) => ({ name, chainId, url: node.url })));
    try {
      const own = await askData(many as never);
      for (const path of [
        `allchains/address/${friend}/balances/?`,
        `allchains/transactions/?addresses=${friend}&`,
      ]) {
        expect(await own.failure(path)).toEqual({
          status: 400,
          message: 'there are more than 10 chains here; name some by chains',
        });
        const ten = await own.data(`${path}chains=${names.slice(1)}`);
        expect(new Set(ten.items.map((one: Wire) => one.chain_name)).size).toBe(10);
      }
    } finally {
      await many.close();
    }
  },
  patience,
);
