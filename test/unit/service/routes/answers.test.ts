/** What all routes of the data interface share: links, how long answers may be kept, and nodes that lie or have no means. */
import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { Place } from '../../../../src/service/rest/answer.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { send } from '../../../support/contracts/contract.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { type Gateway, startGateway } from '../../../support/decoder.js';
import { patience, type Wire } from '../../../support/runs.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(): Promise<Anvil> {
  const node = await startAnvil();
  cleanups.push(() => node.close());
  const gold = await deployErc20(node);
  await send(node, gold.call('mint', accounts[0], 5n));
  await node.mine();
  await node.mine();
  await node.mine();
  return node;
}

async function serve(...args: Parameters<typeof serveData>): Promise<ServedData> {
  const served = await serveData(...args);
  cleanups.push(() => served.close());
  return served;
}

const at = (path: string) => `/v1/${chainName}/${path}`;
const lasting = 'private, max-age=31536000, immutable';

describe('an answer', () => {
  test(
    'of final blocks alone may be kept for good, and any other not at all',
    async () => {
      const node = await start();
      const { url, get } = await serve(node.url);
      const [sent] = (await node.call('eth_getBlockByNumber', '0x2', false)).transactions;
      const { hash } = await node.call('eth_getBlockByNumber', '0x2', false);
      const final = [
        'block_v2/2/',
        `transaction_v2/${sent}/`,
        'block/2/transactions_v3/page/0/',
        `block_hash/${hash}/transactions_v3/`,
        'events/?starting-block=1&ending-block=2',
        `events/?block-hash=${hash}`,
        `address/${accounts[0]}/balances_native/?block-height=2`,
      ];
      const tags = new Set<string>();
      for (const path of final) {
        const { headers, body } = await get(at(path));
        const tag = headers.get('etag') ?? '';
        expect([path, headers.get('cache-control')]).toEqual([path, lasting]);
        expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/);
        tags.add(tag);
        const known = await fetch(url + at(path), { headers: { 'if-none-match': `"x", ${tag}` } });
        expect([known.status, await known.text()]).toEqual([304, '']);
        expect(known.headers.get('etag')).toBe(tag);
        const other = await fetch(url + at(path), { headers: { 'if-none-match': 'W/"0"' } });
        expect(other.status).toBe(200);
        expect((await other.json()).data.items).toEqual(body.data.items);
      }
      expect(tags.size).toBe(final.length);
      const newest = Number(await node.call('eth_blockNumber'));
      const passing = [
        'block_v2/latest/',
        `block_v2/${newest}/`,
        `block/${newest}/transactions_v3/page/0/`,
        'block/latest/transactions_v3/page/0/',
        'events/?starting-block=1',
        `address/${accounts[0]}/balances_native/`,
        `address/${accounts[0]}/balances_v2/`,
        'event/erc20/gas_prices/',
        'block_v2/2020-01-01/latest/',
      ];
      for (const path of passing) {
        const { status, headers } = await get(at(path));
        expect([path, status, headers.get('cache-control'), headers.get('etag')]).toEqual([
          ...[path, 200, 'no-store', null],
        ]);
      }
      expect((await get(at('block_v2/99/'))).headers.get('cache-control')).toBeNull();
      const head = await fetch(url + at('block_v2/2/'), { method: 'HEAD' });
      expect([head.status, head.headers.get('cache-control')]).toEqual([200, lasting]);
    },
    patience,
  );

  test(
    'links to the host that was asked, if that can stand in a link, or to the public URL',
    async () => {
      const node = await start();
      const linkOf = (served: ServedData, host = new URL(served.url).host, more = {}) => {
        const { port } = new URL(served.url);
        const headers = { host, ...more };
        return new Promise<[number | undefined, string]>((resolve, reject) => {
          const asked = request({ port, path: at('block_v2/1/'), headers }, (response) => {
            let text = '';
            response.setEncoding('utf8');
            response.on('data', (chunk) => {
              text += chunk;
            });
            response.on('end', () => {
              const link = /"transactions_link":"([^"]*)"/.exec(text)?.[1];
              resolve([response.statusCode, link ?? text]);
            });
          });
          asked.once('error', reject);
          asked.end();
        });
      };
      const behind = `/v1/${chainName}/block/1/transactions_v3/page/0/`;
      const own = await serve(node.url);
      const { host } = new URL(own.url);
      expect(await linkOf(own)).toEqual([200, `http://${host}${behind}`]);
      // By another name of this machine: the link follows, though the answer was remembered.
      const { port } = new URL(own.url);
      expect(await linkOf(own, `localhost:${port}`)).toEqual([
        ...[200, `http://localhost:${port}${behind}`],
      ]);
      const pub = await serve(node.url, { data: { publicUrl: 'https://data.example/a/' } });
      expect(await linkOf(pub)).toEqual([200, `https://data.example/a${behind}`]);
      // Only a service with keys answers to other names than those of this machine.
      const named = await serve(node.url, { service: { keys: ['some-api-key'] } });
      const authorization = 'Bearer some-api-key';
      expect(await linkOf(named, 'data.example', { authorization })).toEqual([
        ...[200, `http://data.example${behind}`],
      ]);
      // Some platforms hand on what is no host.
      for (const host of ['a"b', 'a/b', 'a b', `${'a'.repeat(256)}`]) {
        const place = new Place(new Request('http://127.0.0.1/', { headers: { host } }), undefined);
        expect(() => place.base, host).toThrow('The header Host is wrong');
      }
    },
    patience,
  );
});

describe('a node', () => {
  async function through(): Promise<{ node: Anvil; gateway: Gateway; served: ServedData }> {
    const node = await start();
    const gateway = await startGateway(node.url);
    cleanups.push(() => gateway.close());
    const served = await serve(gateway.url, { source: node.url });
    return { node, gateway, served };
  }

  test(
    'that answers something else is found out, and the answer says where',
    async () => {
      const { node, gateway, served } = await through();
      const block = await node.call('eth_getBlockByNumber', '0x2', false);
      const [hash] = block.transactions;
      const whole = at('block/2/transactions_v3/page/0/');
      const one = at(`transaction_v2/${hash}/`);
      const found = at('events/?starting-block=1&ending-block=2');
      const receipts = 'eth_getBlockReceipts';
      const edit = (change: (result: Wire) => unknown) => (answer: Wire) => ({
        ...answer,
        result: change(answer.result),
      });
      const first = (members: object) =>
        edit(([head, ...rest]) => [{ ...head, ...members }, ...rest]);
      const cases: [string, string, (answer: Wire) => unknown, number][] = [
        [at('block_v2/1/'), 'eth_getBlockByNumber', edit((b) => ({ ...b, number: '0x9' })), 502],
        [at('block_v2/1/'), 'eth_getBlockByNumber', edit((b) => ({ ...b, miner: '0x' })), 502],
        [at('block_v2/1/'), 'eth_getBlockByNumber', edit((b) => ({ ...b, gasUsed: -1 })), 502],
        [whole, receipts, edit(() => []), 502],
        [whole, receipts, edit(() => 'none'), 502],
        [whole, receipts, edit(() => null), 503],
        [whole, receipts, first({ blockHash: `0x${'ab'.repeat(32)}` }), 503],
        [whole, receipts, first({ transactionHash: `0x${'ab'.repeat(32)}` }), 502],
        [whole, receipts, first({ transactionIndex: '0x1' }), 502],
        [whole, receipts, first({ status: '0x2' }), 502],
        [whole, receipts, first({ logs: [{ address: 'x' }] }), 502],
        [
          whole,
          receipts,
          edit(([head]) => [{ ...head, logs: [{ ...head.logs[0], logIndex: '0x7' }] }]),
          502,
        ],
        [
          one,
          'eth_getTransactionByHash',
          edit((t) => ({ ...t, hash: `0x${'ab'.repeat(32)}` })),
          502,
        ],
        [one, 'eth_getTransactionByHash', edit((t) => ({ ...t, input: '0x1' })), 502],
        [one, 'eth_getTransactionReceipt', edit((r) => ({ ...r, transactionIndex: '0x5' })), 502],
        [one, 'eth_getTransactionReceipt', edit(() => null), 404],
        [found, 'eth_getLogs', edit((logs) => [...logs].reverse().concat(logs)), 502],
        [found, 'eth_getLogs', first({ blockNumber: '0x63' }), 502],
        [found, 'eth_getLogs', first({ blockHash: `0x${'ab'.repeat(32)}` }), 503],
        [found, 'eth_getLogs', first({ topics: Array(5).fill(`0x${'ab'.repeat(32)}`) }), 502],
        [found, 'eth_getLogs', edit(() => ({})), 502],
        [`${found}&address=${accounts[0]}`, 'eth_getLogs', edit((l) => l), 200],
      ];
      for (const [path, method, change, status] of cases) {
        gateway.changes.set(method, change);
        const reply = await served.get(path);
        gateway.changes.clear();
        const told = [path, method, String(change), reply.body.error_message];
        expect([...told, reply.status]).toEqual([...told, status]);
      }
      // The logs of another contract than the one that was asked for.
      gateway.changes.set('eth_getLogs', async () => ({
        ...{ jsonrpc: '2.0', id: 1 },
        result: await node.call('eth_getLogs', { fromBlock: '0x1', toBlock: '0x2' }),
      }));
      const foreign = await served.get(`${found}&address=${accounts[1]}`);
      expect(foreign.status).toBe(502);
      gateway.changes.clear();
      // Nothing of it was kept.
      expect((await served.get(whole)).status).toBe(200);
      expect((await served.get(one)).status).toBe(200);
      expect((await served.get(found)).body.data.items.length).toBeGreaterThan(0);
    },
    patience,
  );

  test(
    'that bounds the range of logs is asked for shorter ones; too many logs end with a range that works',
    async () => {
      const { node, gateway, served } = await through();
      let asked = 0;
      gateway.changes.set('eth_getLogs', (answer, params) => {
        asked++;
        const [{ fromBlock, toBlock }] = params as [Wire];
        const width = Number(toBlock) - Number(fromBlock) + 1;
        return width <= 2
          ? answer
          : { jsonrpc: '2.0', id: answer.id, error: { code: -32005, message: 'range too wide' } };
      });
      const { body } = await served.get(at('events/?starting-block=0'));
      const logs = await node.call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest' });
      expect(
        body.data.items.map(({ log_offset, block_height }: Wire) => [block_height, log_offset]),
      ).toEqual(logs.map((log: Wire) => [Number(log.blockNumber), Number(log.logIndex)]));
      expect(asked).toBeGreaterThan(2);
    },
    patience,
  );

  test(
    'without receipts of blocks gives them one by one; without old state or traces it is 501',
    async () => {
      const { node, gateway, served } = await through();
      const absent = (answer: Wire) => ({
        ...{ jsonrpc: '2.0', id: answer.id },
        error: { code: -32601, message: 'the method does not exist' },
      });
      gateway.changes.set('eth_getBlockReceipts', absent);
      const whole = await served.get(at('block/2/transactions_v3/page/0/'));
      expect(whole.body.data.items).toHaveLength(1);
      expect(gateway.asked.get('eth_getTransactionReceipt')).toBe(1);
      gateway.changes.set('eth_getBalance', (answer) => ({
        ...{ jsonrpc: '2.0', id: answer.id },
        error: { code: -32000, message: 'missing trie node' },
      }));
      const old = await served.get(at(`address/${accounts[0]}/balances_native/?block-height=1`));
      expect([old.status, old.body.error_message]).toEqual([
        501,
        expect.stringContaining('archive'),
      ]);
      const [hash] = (await node.call('eth_getBlockByNumber', '0x2', false)).transactions;
      gateway.changes.set('debug_traceTransaction', absent);
      const traced = await serve(gateway.url, { source: node.url, data: { trace: true } });
      const path = at(`transaction_v2/${hash}/?with-internal=true`);
      const reply = await traced.get(path);
      expect([reply.status, reply.body.error_message]).toEqual([
        ...[501, expect.stringContaining('debug_traceTransaction')],
      ]);
      // A service that may not ask for them says null.
      expect((await served.get(path)).body.data.items[0].internal_transfers).toBeNull();
      for (const result of [[], { calls: 'x' }, { calls: [{ value: '0x1', type: 'CALL' }] }]) {
        gateway.changes.set('debug_traceTransaction', (answer) => ({ ...answer, result }));
        expect((await traced.get(path)).status).toBe(502);
      }
      for (const result of [[], { pre: { x: {} }, post: {} }, { pre: { [hash]: {} } }]) {
        gateway.changes.set('debug_traceTransaction', (answer) => ({ ...answer, result }));
        const state = await traced.get(at(`transaction_v2/${hash}/?with-state=true`));
        expect(state.status).toBe(502);
      }
    },
    patience,
  );

  test(
    'that takes a block back no longer has it, nor what was in it',
    async () => {
      const node = await start();
      const served = await serve(node.url);
      const newest = Number(await node.mine({ to: accounts[1], value: 3n }));
      await served.feed();
      const old = await node.call('eth_getBlockByNumber', `0x${newest.toString(16)}`, false);
      const paths = [
        `block_hash/${old.hash}/transactions_v3/`,
        `transaction_v2/${old.transactions[0]}/`,
        `events/?block-hash=${old.hash}`,
      ];
      for (const path of paths) expect((await served.get(at(path))).status).toBe(200);
      expect((await served.get(at(`block_v2/${newest}/`))).body.data.block_hash).toBe(old.hash);
      await node.call('anvil_reorg', 1, []);
      await served.feed();
      const now = await node.call('eth_getBlockByNumber', `0x${newest.toString(16)}`, false);
      expect(now.hash).not.toBe(old.hash);
      for (const path of paths) expect((await served.get(at(path))).status, path).toBe(404);
      const block = await served.get(at(`block_v2/${newest}/`));
      expect(block.body.data.block_hash).toBe(now.hash as Hex);
    },
    patience,
  );
});
