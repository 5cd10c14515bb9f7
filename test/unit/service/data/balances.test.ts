/** What the running service says that wallets hold, against what a real node says. */

import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { fixedPrices } from '../../../../src/service/index.js';
import type { HeldItem } from '../../../support/answers.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { send } from '../../../support/contracts/contract.js';
import { placeMulticall } from '../../../support/contracts/multicall.js';
import { deployErc20, deployErc721 } from '../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import type { Wire } from '../../../support/runs.js';
import { patience } from '../../../support/runs.js';
import { type Held, startHistory, wallets } from '../../../support/tokenHistory.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(options: { multicall?: boolean } = {}): Promise<Anvil> {
  const node = await startAnvil('--auto-impersonate');
  cleanups.push(() => node.close());
  if (options.multicall ?? true) await placeMulticall(node);
  return node;
}

async function serve(...args: Parameters<typeof serveData>): Promise<ServedData> {
  const served = await serveData(...args);
  cleanups.push(() => served.close());
  return served;
}

const native = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee';
const first = accounts[0] as Hex;
const stranger: Hex = `0x${'5e'.repeat(20)}`;

/** Data of an answer that must be a success. */
async function dataOf(served: ServedData, address: string, query = ''): Promise<Wire> {
  const { status, body } = await served.balances(address, query);
  expect({ status, error: body.error }, JSON.stringify(body)).toEqual({
    status: 200,
    error: false,
  });
  expect(Object.keys(body)).toEqual(['data', 'error', 'error_message', 'error_code']);
  return body.data;
}

/** Items as the node's answers are told in the support. */
function heldOf(wallet: Hex, items: HeldItem[]): Held[] {
  return items
    .filter((item) => !item.native_token)
    .flatMap(
      ({ supports_erc: [standard], contract_address: contract, balance, nft_data }): Held[] =>
        nft_data === null
          ? [{ wallet, standard, contract, id: undefined, amount: BigInt(balance) }]
          : nft_data.map((nft) => ({
              ...{ wallet, standard, contract },
              id: BigInt(nft.token_id),
              amount: BigInt(nft.token_balance),
            })),
    );
}

const sorted = (held: readonly Held[]) =>
  held
    .map(({ wallet, standard, contract, id, amount }) =>
      [wallet, standard, contract, id, amount].join(' '),
    )
    .sort();

describe('after a random history', () => {
  test.each([
    ['together', true],
    ['one by one', false],
  ])(
    'every balance is what the node says at that block, asked %s',
    async (_, multicall) => {
      const node = await start({ multicall });
      const history = await startHistory(node, Number(process.env.HISTORY_SEED ?? 21));
      const served = await serve(node.url);
      for (let round = 0; round < 3; round++) {
        await history.mine(20);
        if (round === 1) {
          await node.call('anvil_reorg', 2, []);
          await history.mine(1);
        }
        await served.feed();
        const block = Number(await node.call('eth_blockNumber'));
        const expected = await history.held(block);
        const found: Held[] = [];
        for (const wallet of wallets) {
          const data = await dataOf(served, wallet);
          const number = `0x${block.toString(16)}`;
          const { hash } = await node.call('eth_getBlockByNumber', number, false);
          expect(data).toMatchObject({
            address: wallet,
            chain_id: 31337,
            chain_name: chainName,
            quote_currency: 'USD',
            block_height: block,
            block_hash: hash,
          });
          const [own] = data.items;
          const balance = await node.call('eth_getBalance', wallet, number);
          expect(own).toMatchObject({
            native_token: true,
            contract_address: native,
            balance: String(BigInt(balance)),
          });
          found.push(...heldOf(wallet, data.items));
        }
        expect(sorted(found)).toEqual(sorted(expected));
        expect(found.length).toBeGreaterThan(10);
      }
    },
    patience,
  );

  test(
    'pages hold every item once, and say how many there are',
    async () => {
      const node = await start();
      const history = await startHistory(node, 22);
      await history.mine(40);
      const served = await serve(node.url);
      for (const wallet of wallets.slice(0, 3)) {
        const whole = await dataOf(served, wallet);
        expect(whole.pagination).toMatchObject({
          has_more: false,
          page_number: 0,
          page_size: 1000,
        });
        for (const size of [1, 2, 3]) {
          const items: HeldItem[] = [];
          for (let number = 0; ; number++) {
            const page = await dataOf(served, wallet, `?page-size=${size}&page-number=${number}`);
            items.push(...page.items);
            expect(page.items.length).toBeLessThanOrEqual(size);
            const { total_count } = whole.pagination;
            expect(page.pagination).toEqual({
              has_more: (number + 1) * size < total_count,
              page_number: number,
              page_size: size,
              total_count,
            });
            if (!page.pagination.has_more) break;
          }
          expect(items).toEqual(whole.items);
        }
      }
    },
    patience,
  );
});

test(
  'an item has the members of the interface; what nobody knows is null, and a price gives quotes',
  async () => {
    const node = await start();
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', stranger, 30046773n * 10n ** 14n));
    const { number, timestamp } = await node.call('eth_getBlockByNumber', 'latest', false);
    const deed = await deployErc721(node);
    await send(node, deed.call('mint', stranger));
    const unpriced = await serve(node.url);
    const { items } = await dataOf(unpriced, stranger);
    const unquoted = {
      quote_rate: null,
      quote_rate_24h: null,
      quote: null,
      quote_24h: null,
      pretty_quote: null,
      pretty_quote_24h: null,
    };
    const logos = { token_logo_url: null, protocol_logo_url: null, chain_logo_url: null };
    expect(number).toBeDefined();
    expect(items[1]).toEqual({
      contract_decimals: 18,
      contract_name: 'Gold',
      contract_ticker_symbol: 'GLD',
      contract_display_name: 'Gold',
      contract_address: gold.address,
      logo_url: null,
      logo_urls: logos,
      supports_erc: ['erc20'],
      last_transferred_at: new Date(1000 * Number(timestamp)).toISOString().replace('.000', ''),
      native_token: false,
      type: 'cryptocurrency',
      is_spam: false,
      balance: '3004677300000000000000',
      balance_24h: null,
      ...unquoted,
      protocol_metadata: null,
      nft_data: null,
    });
    expect(items[2]).toMatchObject({
      contract_address: deed.address,
      contract_name: 'Deed',
      type: 'nft',
      balance: '1',
      nft_data: [{ token_id: '0', token_balance: '1', supports_erc: ['erc721'], token_url: null }],
    });

    const prices = fixedPrices({ [chainName]: [{ address: gold.address, usd: '1.00001' }] });
    const priced = await serve(node.url, { decoder: { prices } });
    const dollars = await dataOf(priced, stranger);
    expect(dollars.items[1]).toMatchObject({
      quote_rate: 1.00001,
      quote: 3004.707346773,
      pretty_quote: '$3,004.71',
    });
    // Nothing is made up: neither what has no price, nor a currency that no price is known in.
    expect(dollars.items[0]).toMatchObject(unquoted);
    const euros = await dataOf(priced, stranger, '?quote-currency=eur');
    expect(euros.quote_currency).toBe('EUR');
    expect(euros.items[1]).toMatchObject(unquoted);
  },
  patience,
);

describe('a request', () => {
  test(
    'that is wrong is told so in the envelope',
    async () => {
      const node = await start();
      await node.mine();
      const served = await serve(node.url);
      const path = (chain: string, address: string) =>
        `/v1/${chain}/address/${address}/balances_v2/`;
      const cases: [string, number, RegExp][] = [
        [path(chainName, '0x12'), 400, /address must be/],
        [path(chainName, `0x${'zz'.repeat(20)}`), 400, /address must be/],
        [`${path(chainName, first)}?quote-currency=XYZ`, 400, /quote-currency must be one of USD/],
        [`${path(chainName, first)}?page-size=0`, 400, /page-size must be/],
        [`${path(chainName, first)}?page-size=1001`, 400, /page-size must be/],
        [`${path(chainName, first)}?page-number=-1`, 400, /page-number must be/],
        [`${path(chainName, first)}?page-number=1001`, 400, /page-number must be/],
        [`${path(chainName, first)}?page-size=1&page-size=2`, 400, /more than once/],
        [`${path(chainName, first)}?no-spam=yes`, 400, /no-spam must be true or false/],
        [path('elsewhere', first), 404, /not served/],
        [`/v1/${chainName}/block_v1/latest/`, 404, /No such route/],
      ];
      for (const [at, status, message] of cases) {
        const reply = await served.get(at);
        expect({ at, status: reply.status, body: reply.body }).toEqual({
          at,
          status,
          body: {
            data: null,
            error: true,
            error_message: expect.stringMatching(message),
            error_code: status,
          },
        });
      }
      // The chain by its number, an address in any case, and a path without the slash at its end.
      for (const at of [
        path('31337', first),
        path(chainName, first.toUpperCase().replace('X', 'x')),
        path(chainName, first).slice(0, -1),
      ]) {
        expect((await served.get(at)).status, at).toBe(200);
      }
      const post = await fetch(served.url + path(chainName, first), { method: 'POST' });
      expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    },
    patience,
  );

  test(
    'needs a key if there are keys, by Basic or Bearer, and pays for its calls',
    async () => {
      const node = await start();
      const gold = await deployErc20(node);
      await send(node, gold.call('mint', first, 1n));
      const keys = ['key-number-one', 'key-number-two'];
      const limits = { requestsPerSecond: 4 };
      const served = await serve(node.url, { service: { keys, limits } });
      const path = `/v1/${chainName}/address/${first}/balances_v2/`;
      const ask = (authorization?: string) =>
        served.get(path, authorization === undefined ? {} : { authorization });
      const basic = (key: string) => `Basic ${btoa(`${key}:`)}`;
      for (const wrong of [undefined, basic('key-number-six'), 'Bearer ', 'Basic %%%']) {
        const { status, headers, body } = await ask(wrong);
        expect([status, body.error, body.error_code]).toEqual([401, true, 401]);
        expect(headers.get('www-authenticate')).toContain('Basic');
        expect(JSON.stringify(body)).not.toContain('key-number');
      }
      expect((await ask(basic(keys[0] as string))).status).toBe(200);
      expect((await ask(`Bearer ${keys[0]}`)).status).toBe(200);
      const statuses: number[] = [];
      for (let i = 0; i < 8; i++) statuses.push((await ask(`Bearer ${keys[0]}`)).status);
      expect(statuses).toContain(429);
      const refused = await ask(`Bearer ${keys[0]}`);
      if (refused.status === 429)
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      // The other key is not slowed down.
      expect((await ask(basic(keys[1] as string))).status).toBe(200);
    },
    patience,
  );

  test(
    'is told if the node is away, or is not on the chain of the index',
    async () => {
      const node = await start();
      await deployErc20(node);
      const served = await serve(node.url);
      expect((await served.balances(first)).status).toBe(200);
      await node.call('anvil_reorg', 1, []);
      // Its newest block is gone; the final one before it is not.
      expect((await served.balances(first)).status).toBe(200);
      await node.close();
      const { status, body } = await served.balances(first);
      expect([status, body.error]).toEqual([502, true]);
      expect(body.error_message).not.toContain('127.0.0.1');
    },
    patience,
  );
});
