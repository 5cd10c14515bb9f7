/** A chain that changes: no answer is of two chains, and none that was remembered speaks of a block that is gone. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openIndex } from '../../../../src/indexer/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import type { Contract } from '../../../support/contracts/contract.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { type Gateway, startGateway } from '../../../support/decoder.js';
import { patience, type Wire } from '../../../support/runs.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const wallet = accounts[1];
const hexOf = (block: number) => `0x${block.toString(16)}`;
const lasting = 'private, max-age=31536000, immutable';

let node: Anvil;
let gold: Contract;
let gateway: Gateway;

/** A block is final once eight more are there. */
beforeEach(async () => {
  node = await startAnvil('--slots-in-an-epoch', '4');
  gateway = await startGateway(node.url);
  cleanups.push(
    () => node.close(),
    () => gateway.close(),
  );
  gold = await deployErc20(node);
  for (let i = 0; i < 12; i++) {
    await node.mine({ ...gold.call('mint', wallet, 5n) }, { to: wallet, value: 3n });
  }
});

async function serve(options: Parameters<typeof serveData>[1] = {}): Promise<ServedData> {
  const served = await serveData(gateway.url, { source: node.url, ...options });
  cleanups.push(() => served.close());
  return served;
}

const at = (path: string) => `/v1/${chainName}/${path}`;
const newestOf = async () => Number(await node.call('eth_blockNumber'));
const hashAt = async (block: number) =>
  (await node.call('eth_getBlockByNumber', hexOf(block), false))?.hash;

describe('in the middle of an answer', () => {
  const all = () => true;
  test.each<[string, string, (params: Wire[], newest: number) => boolean]>([
    [`address/${wallet}/balances_native/`, 'eth_getBalance', all],
    [`address/${wallet}/balances_v2/`, 'eth_getBalance', all],
    [`address/${wallet}/balances_v2/`, 'eth_call', all],
    ['block_v2/2020-01-01/latest/', 'eth_getBlockByNumber', ([block]) => block === '0x1'],
    [
      'event/nativetokens/gas_prices/',
      'eth_getBlockByNumber',
      ([block], newest) => block === hexOf(newest - 1),
    ],
    ['events/?starting-block=0', 'eth_getLogs', all],
    [`address/${wallet}/transactions_v3/`, 'eth_getTransactionByBlockHashAndIndex', all],
    [`address/${wallet}/transactions_summary/`, 'eth_getTransactionByBlockHashAndIndex', all],
    [`bulk/transactions/${wallet}/`, 'eth_getTransactionByBlockHashAndIndex', all],
    [`events/address/0x5fbdb2315678afecb367f032d93f642f64180aa3/`, 'eth_getLogs', all],
  ])(
    '%s, asking for %s: the answer is refused, and the next one is right',
    async (path, method, isNow) => {
      const served = await serve();
      const newest = await newestOf();
      let isOver = false;
      gateway.changes.set(method, async (answer, params) => {
        if (isOver || !isNow(params, newest)) return answer;
        isOver = true;
        await node.call('anvil_reorg', 1, []);
        const result = await node.call(method, ...params).catch(() => null);
        return { ...answer, result };
      });
      const { status, body } = await served.get(at(path));
      expect(isOver).toBe(true);
      expect([path, status, body.error_message]).toEqual([path, 503, expect.any(String)]);
      await served.feed();
      const next = await served.get(at(path));
      expect([next.status, next.body.data.block_hash]).toEqual([200, await hashAt(newest)]);
    },
    patience,
  );
});

describe('what is remembered', () => {
  test(
    'at a block is not what was found at a later one',
    async () => {
      const served = await serve({ recheck: 600_000 });
      const newest = await newestOf();
      expect((await served.get(at('block_v2/latest/'))).body.data.block_height).toBe(newest);
      await node.mine({ to: wallet, value: 1n });
      await served.feed();
      const path = at(`address/${wallet}/transactions_v3/`);
      const later = await served.get(path);
      expect(later.body.data.block_height).toBe(newest + 1);
      // The block is gone, and no other one has come in its place yet.
      await node.call('anvil_rollback', 1);
      await (await openIndex({ store: served.store })).revert(newest);
      const { data } = (await served.get(path)).body;
      expect([data.block_height, data.block_hash]).toEqual([newest, await hashAt(newest)]);
      expect(data.items).toHaveLength(later.body.data.items.length - 1);
    },
    patience,
  );

  test(
    'for good of a wallet has pages behind it that stay',
    async () => {
      const busy = `0x${'b5'.repeat(20)}`;
      await node.mine(
        ...Array.from({ length: 100 }, () => ({ to: busy, value: 1n, gas: '0x5208' })),
      );
      for (let i = 0; i < 9; i++) await node.mine();
      await node.mine({ to: busy, value: 7n });
      const served = await serve();
      const path = at(`address/${busy}/transactions_v3/page/0/`);
      const before = await served.get(path);
      expect(before.body.data.items).toHaveLength(100);
      expect(before.body.data.links.next).toMatch(/page\/1\/$/);
      expect(before.headers.get('cache-control')).toBe('no-store');
      await node.call('anvil_reorg', 1, []);
      await served.feed();
      const after = await served.get(path);
      expect(after.body.data.links).toEqual({ prev: null, next: null });
      // Once one that is final follows, it never changes.
      await node.mine({ to: busy, value: 8n });
      for (let i = 0; i < 9; i++) await node.mine();
      await served.feed();
      const last = await served.get(path);
      expect(last.body.data.links.next).toMatch(/page\/1\/$/);
      expect(last.headers.get('cache-control')).toBe(lasting);
    },
    patience,
  );

  test(
    'for good names a block that stays',
    async () => {
      const served = await serve();
      const newest = await newestOf();
      const [first, end] = await Promise.all(
        [2, 4].map((block) => node.call('eth_getBlockByNumber', hexOf(block), false)),
      );
      const dateOf = ({ timestamp }: Wire) =>
        new Date(1000 * Number(timestamp)).toISOString().replace('.000', '');
      const path = at(`block_v2/${dateOf(first)}/${dateOf(end)}/`);
      const before = await served.get(path);
      expect(before.headers.get('cache-control')).toBe(lasting);
      await node.call('anvil_reorg', 1, []);
      await served.feed();
      const { data } = (await served.get(path)).body;
      expect(data.items).toEqual(before.body.data.items);
      expect(data.block_height).toBeLessThan(newest - 7);
      expect(data.block_hash).toBe(await hashAt(data.block_height));
    },
    patience,
  );
});
