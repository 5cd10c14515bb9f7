/** What holds for all routes about chains, by their description: what is malformed is refused, and a node elsewhere is told. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createFollower, genesisLines, loadStateFile } from '../../../../src/follow/index.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { storeFinality } from '../../../../src/service/index.js';
import { openStateTree } from '../../../../src/tree/index.js';
import { startAnvil } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../support/chain.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { type DataLife, startLife } from '../../../support/dataLife.js';
import { everyAnswer, everyPath } from '../../../support/everyRoute.js';
import { issuesOf } from '../../../support/openApi.js';
import { patience, type Wire } from '../../../support/runs.js';
import { startHistory, wallets } from '../../../support/tokenHistory.js';

let life: DataLife;
let served: ServedData;
let api: Wire;
let paths: readonly string[];

beforeAll(async () => {
  life = await startLife(473);
  await life.history.mine(24);
  served = await serveData(life.node.url);
  api = (await served.get('/openapi.json')).body;
  paths = await life.paths(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await life?.node.close();
});

const routes = () => Object.keys(api.paths).filter((route) => route.startsWith('/v1/'));
const operationOf = (route: string): Wire => api.paths[route].get;
/** A path of each route, with values that are right. */
const goodPath = (route: string): string => {
  const form = new RegExp(`^${route.replace(/\{\w+\}/g, '[^/?]+')}$`);
  return paths.map((path) => path.split('?')[0] as string).find((path) => form.test(path)) ?? route;
};

describe('the description', () => {
  test(
    'has every member and error of each route, and each answer is as it says',
    async () => {
      expect(routes().length).toBeGreaterThan(15);
      for (const route of routes()) {
        const operation = operationOf(route);
        const statuses = [200, 400, 401, 404, 405, 429, 500, 501, 502, 503, 504].map(String);
        expect([route, Object.keys(operation.responses).sort()]).toEqual([route, statuses]);
        const inPath = (operation.parameters ?? []).filter((one: Wire) => one.in === 'path');
        const named = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(inPath.map(({ name }: Wire) => name).sort()).toEqual(named.sort());
        const { status, body } = await served.get(goodPath(route));
        expect([route, issuesOf(api, operation, { status, body })]).toEqual([route, []]);
      }
      for (const path of paths) {
        const { status, body } = await served.get(path);
        const route = routes()
          .filter((one) => goodPath(one).split('/').length > 0)
          .find((one) => new RegExp(`^${one.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(path));
        expect(issuesOf(api, operationOf(route as string), { status, body }), path).toEqual([]);
      }
    },
    patience,
  );
});

describe('what is malformed', () => {
  const wrong = ['x', '-1', '1.5', '0x', '%00', '9'.repeat(30), '%F0%9F%8D%80', "'--"];
  /** The ids of tokens go up to 2^256 - 1. */
  const wrongIds = wrong.map((text) => (text.startsWith('9') ? '9'.repeat(78) : text));
  const wrongOf = (member: string): readonly string[] => {
    if (member === '{token_id}') return wrongIds;
    // A trait may have any name, but no endless one.
    return member === '{trait}' ? ['x'.repeat(1025)] : wrong;
  };

  test(
    'in a path is refused, in every member of every route',
    async () => {
      let tried = 0;
      for (const route of routes()) {
        const segments = route.split('/');
        const good = goodPath(route).split('/');
        for (const [i, segment] of segments.entries()) {
          if (!segment.startsWith('{')) continue;
          for (const text of wrongOf(segment)) {
            const path = good.map((part, k) => (k === i ? text : part)).join('/');
            const { status, body } = await served.get(path);
            const isChain = segment === '{chain_name}';
            expect([path, status]).toEqual([path, isChain ? 404 : 400]);
            expect(issuesOf(api, operationOf(route), { status, body })).toEqual([]);
            tried++;
          }
        }
      }
      expect(tried).toBeGreaterThan(200);
    },
    patience,
  );

  test(
    'in a query is refused, and so is a name that comes twice; unknown names count for nothing',
    async () => {
      let tried = 0;
      for (const route of routes()) {
        const good = goodPath(route);
        const names = (operationOf(route).parameters ?? [])
          .filter((one: Wire) => one.in === 'query')
          .map(({ name }: Wire) => name);
        for (const name of names) {
          for (const query of [...wrong.map((text) => `${name}=${text}`), `${name}=1&${name}=1`]) {
            const path = `${good}?${query}`;
            const { status, body } = await served.get(path);
            expect([path, status, body.data]).toEqual([path, 400, null]);
            expect(body.error_message).toContain(name);
            tried++;
          }
        }
        const plain = await served.get(good);
        expect((await served.get(`${good}?unknown=1&unknown=2`)).status).toBe(plain.status);
        const post = await fetch(served.url + good, { method: 'POST', body: '{}' });
        expect([route, post.status]).toEqual([route, 405]);
      }
      expect(tried).toBeGreaterThan(200);
    },
    patience,
  );

  test('a page or a range beyond the bounds is refused', async () => {
    const at = `/v1/${chainName}/`;
    const wallet = wallets[1];
    for (const path of [
      `address/${wallet}/transactions_v3/page/1000000000/`,
      'block/1/transactions_v3/page/1000001/',
      `bulk/transactions/${wallet}/1000000000/`,
      `events/address/${wallet}/?page-number=1000000000`,
      `events/address/${wallet}/?page-size=1001`,
      `events/address/${wallet}/?page-size=0`,
      `events/address/${wallet}/?starting-block=5&ending-block=4`,
      `address/${wallet}/balances_native/?block-height=${2 ** 48}`,
      'block_v2/2026-02-02/2026-02-01/',
      `events/?topics=${Array(101)
        .fill(`0x${'1'.repeat(64)}`)
        .join(',')}`,
    ]) {
      expect([path, (await served.get(at + path)).status]).toEqual([path, 400]);
    }
  });
});

test(
  'a node on another block than the index is told by lists; others are of the newest final block',
  async () => {
    const at = `/v1/${chainName}/`;
    const lists = [
      `address/${wallets[1]}/transactions_v3/`,
      `address/${wallets[1]}/transactions_summary/`,
      `bulk/transactions/${wallets[1]}/`,
      `events/address/${life.history.gold.address}/`,
      `events/topics/0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef/`,
    ];
    for (const path of lists)
      expect([path, (await served.get(at + path)).status]).toEqual([path, 200]);
    await life.reorg(3, 0);
    const newest = await life.newest();
    for (const path of lists) {
      const { status, headers, body } = await served.get(at + path);
      expect([path, status, body.error_message]).toEqual([
        ...[path, 503, expect.stringContaining('not on the chain of the L2 node')],
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const { data } = (await served.get(`${at}block_v2/latest/`)).body;
    expect(data.block_height).toBe(newest - 8);
    await served.feed();
    for (const path of lists) {
      const { status, body } = await served.get(at + path);
      expect([path, status, body.data?.block_height]).toEqual([path, 200, newest]);
    }
  },
  patience,
);

test(
  'beside a state of its own, lists are of the newest block of the index, and amounts of the state',
  async () => {
    const node = await startAnvil('--auto-impersonate', '--hardfork', 'prague');
    const tree = await openStateTree({ keepFinal: 8 });
    for (const wallet of wallets)
      await node.call('anvil_setBalance', wallet, '0x56bc75e2d63100000');
    const genesis = await genesisOf(node, [...genesisAddresses, ...wallets]);
    await loadStateFile(tree, genesisLines(genesis));
    const history = await startHistory(node, 474);
    await history.mine(12);
    const l2 = createTransport({ url: node.url });
    await createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
    const state = { tree, finality: storeFinality(tree), fork: 'prague' } as const;
    const own = await serveData(node.url, { state });
    const plain = await serveData(node.url);
    try {
      const newest = Number(await node.call('eth_blockNumber'));
      const contracts: Hex[] = [history.gold.address, history.deed.address];
      const values = { chain: chainName, wallets: wallets.slice(1, 2), contracts, blocks: [1, 9] };
      const topics: Hex[] = ['0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'];
      const described = (await own.get('/openapi.json')).body;
      const every = await everyPath(described, node, { ...values, topics });
      const lists = every.filter((path) =>
        /transactions_v3|summary|bulk|events\/(address|topics)/.test(path),
      );
      const some = lists.filter((path) => !path.includes('latest'));
      expect(some.length).toBeGreaterThan(15);
      const withoutLinks = (texts: string[]) =>
        texts.map((text) => text.replace(/127\.0\.0\.1:\d+/g, ''));
      expect(withoutLinks(await everyAnswer(own, some))).toEqual(
        withoutLinks(await everyAnswer(plain, some)),
      );
      const { data } = (await own.get(`/v1/${chainName}/address/${wallets[1]}/transactions_v3/`))
        .body;
      expect(data.block_height).toBe(newest);
      const native = await own.get(`/v1/${chainName}/address/${wallets[1]}/balances_native/`);
      expect(native.body.data.block_height).toBe(newest - 2);
    } finally {
      await own.close();
      await plain.close();
      await node.close();
      await tree.close();
    }
  },
  patience,
);
