/** Tokens and nodes that would break the service, or slow it down for others. */

import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import type { HeldItem } from '../../../support/answers.js';
import { type Anvil, startAnvil } from '../../../support/anvil.js';
import { send } from '../../../support/contracts/contract.js';
import {
  deployHostile,
  hostileTokens,
  spam,
  spamToken,
} from '../../../support/contracts/hostile.js';
import { placeMulticall } from '../../../support/contracts/multicall.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { type ServedData, serveData } from '../../../support/data.js';
import { startGateway } from '../../../support/decoder.js';
import { patience } from '../../../support/runs.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(multicall = true): Promise<Anvil> {
  const node = await startAnvil();
  cleanups.push(() => node.close());
  if (multicall) await placeMulticall(node);
  return node;
}

async function serve(...args: Parameters<typeof serveData>): Promise<ServedData> {
  const served = await serveData(...args);
  cleanups.push(() => served.close());
  return served;
}

const wallet: Hex = `0x${'5e'.repeat(20)}`;

describe('hostile tokens', () => {
  test.each([
    ['together', true],
    ['one by one', false],
  ])(
    'beside an honest one change nothing about it, asked %s',
    async (_, multicall) => {
      const node = await start(multicall);
      const hostile = await deployHostile(node, wallet);
      const gold = await deployErc20(node);
      await send(node, gold.call('mint', wallet, 1234n));
      const served = await serve(node.url);
      // Twice: what is known of them the second time must not hide the honest one either.
      for (let round = 0; round < 2; round++) {
        const { status, body } = await served.balances(wallet);
        expect(status).toBe(200);
        const byAddress = new Map<string, HeldItem>(
          body.data.items.map((item: HeldItem) => [item.contract_address, item]),
        );
        expect(byAddress.get(gold.address)).toMatchObject({
          balance: '1234',
          contract_name: 'Gold',
          contract_decimals: 18,
        });
        const item = (name: keyof typeof hostileTokens) =>
          byAddress.get(hostile.get(name) as Hex) as HeldItem;
        expect(item('longName')).toMatchObject({ balance: '5', contract_decimals: 2 });
        expect(item('longName').contract_name?.length ?? 0).toBeLessThanOrEqual(64);
        expect(item('manyDecimals')).toMatchObject({ balance: '6', contract_decimals: null });
        expect(item('deceitful')).toMatchObject({
          contract_name: 'Gold evil',
          contract_ticker_symbol: 'GLD',
          balance: '7',
        });
        for (const name of [
          ...(['reverts', 'longBalance', 'burnsGas', 'burnsAll'] as const),
          ...(['halfWord', 'nothing'] as const),
        ]) {
          expect(item(name), name).toBeUndefined();
        }
        expect(JSON.stringify(body).length).toBeLessThan(10_000);
        await node.mine();
        await served.feed();
      }
    },
    patience,
  );

  test(
    'by the thousand are paged; nobody else waits for them, and no page costs more than its share',
    async () => {
      const node = await start();
      const gold = await deployErc20(node);
      const count = Number(process.env.SPAM ?? 10_000);
      // A few of each that costs more to ask, and the rest of those that say whatever they are asked.
      const costly = ['longName', 'reverts', 'longBalance', 'manyDecimals', 'burnsGas'] as const;
      const few = 20;
      for (const name of costly) {
        await spam(node, { wallet, count: few, code: hostileTokens[name] });
      }
      await spam(node, { wallet, count: count - few * costly.length, code: spamToken });
      const other: Hex = `0x${'07'.repeat(20)}`;
      for (const to of [wallet, other]) await send(node, gold.call('mint', to, 99n));
      // All is final.
      for (let i = 0; i < 3; i++) await node.mine();
      const gateway = await startGateway(node.url);
      cleanups.push(() => gateway.close());
      const served = await serve(gateway.url, { source: node.url });
      const seen = new Set<string>();
      for (let number = 0; ; number++) {
        gateway.asked.clear();
        const query = `?page-size=200&page-number=${number}`;
        const [{ status, body }, others] = await Promise.all([
          served.balances(wallet, query),
          served.balances(other),
        ]);
        expect(status).toBe(200);
        const { items, pagination } = body.data;
        expect(pagination.total_count).toBe(count + 2);
        for (const { contract_address } of items) {
          expect(seen.has(contract_address)).toBe(false);
          seen.add(contract_address);
        }
        expect(others.body.data.items[1]).toMatchObject({ balance: '99' });
        // Two calls of balances, and a few of names; more if they have to be asked one by one.
        const calls = gateway.asked.get('eth_call') ?? 0;
        expect(calls).toBeLessThan(number === 0 ? 10 * few * costly.length : 20);
        if (!pagination.has_more) break;
      }
      // All but those whose balance cannot be had.
      expect(seen.size).toBe(count + 2 - 3 * few);
      expect(seen).toContain(gold.address);
    },
    patience,
  );

  test(
    'that burn all gas, by the hundred, are asked with little gas each, and once found, by themselves',
    async () => {
      const node = await start();
      await spam(node, { wallet, count: 200, code: hostileTokens.burnsAll });
      const gold = await deployErc20(node);
      await send(node, gold.call('mint', wallet, 99n));
      const gateway = await startGateway(node.url);
      cleanups.push(() => gateway.close());
      const gas: number[] = [];
      gateway.changes.set('eth_call', (answer, [call]) => {
        gas.push(Number(call.gas));
        return answer;
      });
      const served = await serve(gateway.url, {
        source: node.url,
        service: { limits: { time: 60_000 } },
      });
      const { body } = await served.balances(wallet);
      const balances = body.data.items.map(({ balance }: HeldItem) => balance);
      expect(balances).toEqual(['0', '99']);
      const sum = gas.reduce((total, one) => total + one, 0);
      // At most a million each, and what the common calls took.
      expect(sum).toBeLessThan(201 * 1_000_000 + 20 * 20_000_000);
      gas.length = 0;
      await node.mine();
      await served.feed();
      expect((await served.balances(wallet)).body.data.items.length).toBe(2);
      // The one honest token is asked in a common call, and no more of those are lost.
      expect(gas.filter((one) => one > 1_000_000).length).toBeLessThanOrEqual(2);
    },
    patience,
  );
});

test(
  'a node that does not answer ends the request in time, and costs nobody else theirs',
  async () => {
    const node = await start();
    const gold = await deployErc20(node);
    await send(node, gold.call('mint', wallet, 99n));
    const gateway = await startGateway(node.url);
    cleanups.push(() => gateway.close());
    const served = await serve(gateway.url, {
      source: node.url,
      service: { limits: { time: 1000 } },
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    gateway.changes.set('eth_call', async (answer) => {
      await held;
      return answer;
    });
    const { status, body } = await served.balances(wallet);
    expect([status, body.error_code]).toEqual([504, 504]);
    expect((await served.get('/health')).status).toBe(200);
    release();
    gateway.changes.clear();
    expect((await served.balances(wallet)).status).toBe(200);
  },
  patience,
);
