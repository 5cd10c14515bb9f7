/** Balances by the client and by the document: before the running service, and before servers that lie or differ. */
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Hex } from '../../../src/bytes.js';
import { type BalancePage, createDataClient } from '../../../src/data/index.js';
import { startAnvil } from '../../support/anvil.js';
import { send } from '../../support/contracts/contract.js';
import { hostileTokens, spam, spamToken } from '../../support/contracts/hostile.js';
import { placeMulticall } from '../../support/contracts/multicall.js';
import { deployErc20, deployErc721, deployErc1155 } from '../../support/contracts/tokens.js';
import { chainName, serveData } from '../../support/data.js';
import { startHttp } from '../../support/http.js';
import { issuesOf } from '../../support/openApi.js';
import { patience } from '../../support/runs.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const wallet: Hex = `0x${'5e'.repeat(20)}`;
const key = 'a-very-secret-key';

async function start() {
  const node = await startAnvil();
  cleanups.push(() => node.close());
  await placeMulticall(node);
  return node;
}

async function all(pages: AsyncIterable<BalancePage>) {
  const found: BalancePage[] = [];
  for await (const page of pages) found.push(page);
  return { pages: found, items: found.flatMap(({ items }) => items) };
}

test(
  'the client goes through all pages of the running service',
  async () => {
    const node = await start();
    await spam(node, { wallet, count: 30, code: spamToken });
    await spam(node, { wallet, count: 10, code: hostileTokens.reverts });
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', wallet, 10n ** 30n));
    const served = await serveData(node.url, { service: { keys: [key] } });
    cleanups.push(() => served.close());
    for (const auth of ['basic', 'bearer'] as const) {
      const client = createDataClient({ url: served.url, key, auth, chain: chainName });
      const whole = await all(client.balances({ address: wallet }));
      expect(whole.pages.length).toBe(1);
      expect(whole.items.length).toBe(32);
      expect(whole.items.at(-1)).toMatchObject({
        contract_address: gold.address,
        balance: String(10n ** 30n),
      });
      const paged = await all(client.balances({ address: wallet, pageSize: 7 }));
      expect(paged.pages.length).toBe(6);
      expect(paged.items).toEqual(whole.items);
    }
    const wrong = createDataClient({ url: served.url, key: 'another-key-here', chain: chainName });
    await expect(all(wrong.balances({ address: wallet }))).rejects.toMatchObject({
      name: 'DataError',
      code: 'UNAUTHORIZED',
      serverCode: 401,
    });
    const elsewhere = createDataClient({ url: served.url, key, chain: 'elsewhere' });
    await expect(all(elsewhere.balances({ address: wallet }))).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  },
  patience,
);

/** Serves what a function of the query gives. */
async function serve(answer: (query: URLSearchParams, response: ServerResponse) => unknown) {
  const asked: string[] = [];
  const server = await startHttp(async (request, response) => {
    asked.push(request.url ?? '');
    const body = answer(new URL(request.url ?? '', 'http://x').searchParams, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(body));
  });
  cleanups.push(() => server.close());
  return { asked, client: createDataClient({ url: server.url, chain: 'l2-mainnet' }) };
}

const envelope = (data: object) => ({
  data: { address: wallet, chain_id: 1, chain_name: 'l2-mainnet', items: [], ...data },
  error: false,
  error_message: null,
  error_code: null,
});
const item = { contract_address: `0x${'ab'.repeat(20)}`, balance: '5' };

describe('a server', () => {
  test('that knows no pages, and leaves members null, is understood; what it adds is kept', async () => {
    const { asked, client } = await serve(() =>
      envelope({
        pagination: null,
        next_update_at: 'soon',
        items: [
          { ...item, contract_decimals: null, nft_data: null, supports_erc: null, extra: [1] },
          { contract_address: `0x${'EE'.repeat(20)}`, native_token: true },
        ],
      }),
    );
    const { pages, items } = await all(client.balances({ address: wallet, quoteCurrency: 'EUR' }));
    expect(asked).toEqual([`/v1/l2-mainnet/address/${wallet}/balances_v2/?quote-currency=EUR`]);
    expect(items[0]).toMatchObject({ balance: '5', extra: [1] });
    expect(pages[0]).toMatchObject({ hasMore: false, more: { next_update_at: 'soon' } });
  });

  test('that says that it has verified something is not believed', async () => {
    const { client } = await serve(() => envelope({ items: [{ ...item, verified: true }] }));
    const { items } = await all(client.balances({ address: wallet }));
    expect(items[0]).toEqual(item);
  });

  test('whose pages have a size of their own is asked for the others in that size', async () => {
    const { asked, client } = await serve((query) => {
      const page_number = Number(query.get('page-number') ?? 0);
      return envelope({
        items: [item],
        pagination: { has_more: page_number < 2, page_number, page_size: 25, total_count: 60 },
      });
    });
    expect((await all(client.balances({ address: wallet }))).items.length).toBe(3);
    expect(asked.map((url) => url.split('?')[1])).toEqual([
      undefined,
      'page-size=25&page-number=1',
      'page-size=25&page-number=2',
    ]);
  });

  test.each([
    ['is about another wallet', { address: `0x${'12'.repeat(20)}` }],
    ['has no list', { items: null }],
    ['has an item without a contract', { items: [{ balance: '1' }] }],
    ['has an invalid amount', { items: [{ ...item, balance: '-1' }] }],
    ['has an amount as a number', { items: [{ ...item, balance: 5 }] }],
    ['has an amount of many digits', { items: [{ ...item, balance: '9'.repeat(79) }] }],
  ])('whose answer %s is refused', async (_, data) => {
    const { client } = await serve(() => envelope(data));
    await expect(all(client.balances({ address: wallet }))).rejects.toMatchObject({
      name: 'DataError',
      code: 'BAD_ANSWER',
    });
  });

  test('that is busy is asked again as late as it says; one that fails is told by its code', async () => {
    let asks = 0;
    const { client } = await serve((_, response) => {
      if (asks++ === 0) {
        response.statusCode = 429;
        response.setHeader('retry-after', '0');
        return { data: null, error: true, error_message: 'slow down', error_code: '429' };
      }
      return envelope({ items: [item] });
    });
    expect((await all(client.balances({ address: wallet }))).items).toEqual([item]);
    expect(asks).toBe(2);
    const { client: failing } = await serve(() => ({
      data: null,
      error: true,
      error_message: 'no such address',
      error_code: 400,
    }));
    await expect(all(failing.balances({ address: wallet }))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      serverCode: 400,
      serverMessage: 'no such address',
    });
  });

  test('is not asked a wrong question', async () => {
    const { asked, client } = await serve(() => envelope({}));
    const wrong: [
      request: Parameters<typeof client.balances>[0],
      type: typeof Error,
      name: string,
    ][] = [
      [{ address: '0x12' as Hex }, RangeError, '"address"'],
      [{ address: wallet, pageSize: 0 }, RangeError, '"pageSize"'],
      [{ address: wallet, chainName: '' }, TypeError, '"chainName"'],
      // A name, but one that leads the path of the request elsewhere.
      [{ address: wallet, chainName: '..' }, TypeError, '"path"'],
    ];
    for (const [request, type, name] of wrong) {
      await expect(all(client.balances(request))).rejects.toThrow(type);
      await expect(all(client.balances(request))).rejects.toThrow(name);
    }
    expect(asked).toEqual([]);
  });
});

test(
  'the document says what is answered, for every status',
  async () => {
    const node = await start();
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', wallet, 5n));
    const deed = await deployErc721(node);
    await send(node, deed.call('mint', wallet));
    const goods = await deployErc1155(node);
    await send(node, goods.call('mintBatch', wallet, [3n, 4n], [30n, 40n], '0x'));
    const served = await serveData(node.url, {
      service: { keys: [key], limits: { requestsPerSecond: 20 } },
    });
    cleanups.push(() => served.close());
    const { body: api } = await served.get('/openapi.json');
    const route = '/v1/{chain_name}/address/{address}/balances_v2/';
    const { get } = api.paths[route];
    expect(get.security.flatMap(Object.keys)).toContain('basic');
    expect(get.parameters.map(({ name }: { name: string }) => name).sort()).toEqual(
      [
        'address',
        'block-height',
        'chain_name',
        'no-spam',
        'page-number',
        'page-size',
        'proof-kind',
        'proofs',
        'quote-currency',
      ].sort(),
    );
    const authorization = `Bearer ${key}`;
    const path = `/v1/${chainName}/address/${wallet}/balances_v2/`;
    const replies = [
      await served.get(path, { authorization }),
      await served.get(`${path}?page-size=2`, { authorization }),
      await served.get(`${path}?page-size=0`, { authorization }),
      await served.get(path),
      await served.get(path.replace(chainName, 'elsewhere'), { authorization }),
    ];
    // The rate's clock stands still: however slow the machine is, 30 are more than 20 a second.
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockReturnValue(now);
    try {
      for (let i = 0; i < 30; i++) replies.push(await served.get(path, { authorization }));
      await node.close();
      clock.mockReturnValue(now + 60_000);
      replies.push(await served.get(path, { authorization }));
    } finally {
      clock.mockRestore();
    }
    const seen = new Set(replies.map(({ status }) => status));
    expect([...seen].sort()).toEqual([200, 400, 401, 404, 429, 502]);
    for (const reply of replies) {
      expect(issuesOf(api, get, reply), String(reply.status)).toEqual([]);
    }
  },
  patience,
);
