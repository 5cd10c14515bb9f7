/** Holders by the contract's word: contracts that fail or lie, nodes that forget, and a state of the service's own. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createFollower, genesisLines, loadStateFile } from '../../../../src/follow/index.js';
import { createTransport } from '../../../../src/rpc/index.js';
import { storeFinality } from '../../../../src/service/index.js';
import { openStateTree } from '../../../../src/tree/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { genesisAddresses, genesisOf } from '../../../support/chain.js';
import { assemble, initOf } from '../../../support/contracts/assemble.js';
import { deployAnywhere } from '../../../support/contracts/contract.js';
import { deployHostile } from '../../../support/contracts/hostile.js';
import { placeMulticall } from '../../../support/contracts/multicall.js';
import { deployErc20 } from '../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { askData } from '../../../support/dataRoutes.js';
import { type Gateway, startGateway } from '../../../support/decoder.js';
import { patience, type Wire } from '../../../support/runs.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(...args: string[]): Promise<{ node: Anvil; gateway: Gateway }> {
  const node = await startAnvil(...args);
  cleanups.push(() => node.close());
  // The genesis of a state has it not.
  if (args.length === 0) await placeMulticall(node);
  const gateway = await startGateway(node.url);
  cleanups.push(() => gateway.close());
  return { node, gateway };
}

async function serve(...args: Parameters<typeof serveData>): Promise<ServedData> {
  const served = await serveData(...args);
  cleanups.push(() => served.close());
  return served;
}

const pathOf = (token: string) => `${chainName}/tokens/${token}/token_holders_v2/`;
const balancesOf = ({ items }: Wire) =>
  items.map(({ address, balance }: Wire) => [address, balance]);
const holder: Hex = `0x${'5e'.repeat(20)}`;

/** Says of everyone that they have 7 of 2^256 - 1, and emits a transfer with the three words that it is given. */
const liar = assemble(`
  PUSH0 CALLDATALOAD 0xe0 SHR
  DUP1 0x18160ddd EQ @supply JUMPI
  0x70a08231 EQ @balance JUMPI
  0x60 CALLDATALOAD PUSH0 MSTORE
  0x40 CALLDATALOAD 0x20 CALLDATALOAD
  0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef 0x20 PUSH0 LOG3 STOP
supply: PUSH0 NOT PUSH0 MSTORE 0x20 PUSH0 RETURN
balance: 0x07 PUSH0 MSTORE 0x20 PUSH0 RETURN
`);

const wordOf = (value: bigint | Hex) => BigInt(value).toString(16).padStart(64, '0');

test(
  'contracts that fail or lie decide about their own holders alone',
  async () => {
    const { node } = await start();
    const hostile = await deployHostile(node, holder);
    const gold = await deployErc20(node);
    const fake = await deployAnywhere(node, { abi: [], bytecode: initOf(liar) });
    const transfer = (from: Hex, to: Hex, amount: bigint) => ({
      to: fake.address,
      data: `0x${[0n, from, to, amount].map(wordOf).join('')}`,
    });
    const [a, b, c] = ['aa', 'bb', 'cc'].map((byte): Hex => `0x${byte.repeat(20)}`) as [
      Hex,
      Hex,
      Hex,
    ];
    const most = 2n ** 256n - 1n;
    await node.mine(
      gold.call('mint', holder, 1234n),
      // Nobody had any of it; together they are above 2^256.
      ...[transfer(a, b, most), transfer(a, b, most), transfer(a, c, 1n), transfer(c, b, 2n)],
    );
    const served = await serve(node.url);
    const ask = await askData(served);
    // The second time by what is known of them; the newest block is another one, so nothing is remembered.
    for (let round = 0; round < 2; round++) {
      for (const name of [
        ...(['reverts', 'longBalance', 'burnsGas', 'burnsAll'] as const),
        ...(['halfWord', 'nothing'] as const),
      ]) {
        const { items, pagination } = await ask.data(pathOf(hostile.get(name) as Hex));
        expect({ name, items, pagination }).toMatchObject({
          ...{ name, items: [], pagination: { total_count: 1, has_more: false } },
        });
      }
      const deceitful = await ask.data(pathOf(hostile.get('deceitful') as Hex));
      expect(deceitful.items).toMatchObject([
        {
          ...{ contract_name: 'Gold evil', contract_ticker_symbol: 'GLD', contract_decimals: null },
          ...{ address: holder, balance: '7', total_supply: null },
        },
      ]);
      const lies = await ask.data(pathOf(fake.address));
      // Sums below 0 are no holders.
      expect(balancesOf(lies)).toEqual([[b, '7']]);
      expect(lies.items[0].total_supply).toBe(String(most));
      expect(lies.pagination.total_count).toBe(1);
      const honest = await ask.data(pathOf(gold.address));
      expect(balancesOf(honest)).toEqual([[holder, '1234']]);
      expect(honest.items[0]).toMatchObject({ contract_name: 'Gold', total_supply: '1234' });
      await node.mine();
      await served.feed();
    }
  },
  patience,
);

describe('a node', () => {
  const forgotten = { code: -32000, message: 'missing trie node' };

  /** Makes a node forget the state of blocks below one. */
  function forget({ changes }: Gateway, kept: () => number): void {
    for (const [method, at] of [
      ['eth_getBalance', 1],
      ['eth_call', 1],
    ] as const) {
      changes.set(method, (answer, params) => {
        const isHeld = params[at] === 'latest' || Number(params[at]) >= kept();
        return isHeld ? answer : { ...answer, result: undefined, error: forgotten };
      });
    }
  }

  test(
    'that has no state of an older block cannot say who held what then',
    async () => {
      const { node, gateway } = await start();
      const gold = await deployErc20(node);
      await node.mine(gold.call('mint', holder, 5n));
      for (let i = 0; i < 4; i++) await node.mine(gold.call('mint', accounts[1], 1n));
      const served = await serve(gateway.url, { source: node.url });
      const ask = await askData(served);
      const newest = Number(await node.call('eth_blockNumber'));
      forget(gateway, () => newest);
      const path = pathOf(gold.address);
      expect(await ask.failure(`${path}?block-height=${newest - 1}`)).toEqual({
        ...{ status: 501, message: expect.stringContaining('archive node') },
      });
      expect(balancesOf(await ask.data(path))).toEqual([
        [holder, '5'],
        [accounts[1], '4'],
      ]);
      // The ranking is kept, and the state of its block is not.
      await node.mine(gold.call('mint', accounts[1], 10n));
      await served.feed();
      expect((await ask.data(path)).block_height).toBe(newest);
      forget(gateway, () => newest + 1);
      await node.mine();
      await served.feed();
      const anew = await ask.data(path);
      expect(anew.block_height).toBe(newest + 2);
      expect(balancesOf(anew)).toEqual([
        [accounts[1], '14'],
        [holder, '5'],
      ]);
      forget(gateway, () => Infinity);
      await node.mine();
      await served.feed();
      expect(await ask.failure(path)).toMatchObject({ status: 503 });
    },
    patience,
  );

  test(
    'that goes to another chain meanwhile gives no answer',
    async () => {
      const { node, gateway } = await start();
      const gold = await deployErc20(node);
      await node.mine(gold.call('mint', holder, 5n));
      const served = await serve(gateway.url, { source: node.url });
      const ask = await askData(served);
      gateway.changes.set('eth_call', async (answer) => {
        gateway.changes.clear();
        await node.call('anvil_rollback', 1);
        await node.mine();
        return answer;
      });
      expect(await ask.failure(pathOf(gold.address))).toEqual({
        ...{ status: 503, message: 'the chain has changed; ask again' },
      });
    },
    patience,
  );

  test(
    'is asked together about all wallets of a page',
    async () => {
      const { node, gateway } = await start();
      const gold = await deployErc20(node);
      const wallets = Array.from(
        { length: 200 },
        (_, i): Hex => `0x${wordOf(BigInt(i + 1)).slice(24)}`,
      );
      for (let from = 0; from < wallets.length; from += 100) {
        const some = wallets.slice(from, from + 100);
        await node.mine(
          ...some.map((to, i) => ({
            ...gold.call('mint', to, BigInt(from + i + 1)),
            gas: '0x20000',
          })),
        );
      }
      const served = await serve(gateway.url, { source: node.url });
      const ask = await askData(served);
      gateway.asked.clear();
      const { items } = await ask.data(`${pathOf(gold.address)}?page-size=199`);
      expect(balancesOf({ items })).toEqual(
        wallets
          .map((wallet, i) => [wallet, String(i + 1)])
          .reverse()
          .slice(0, 199),
      );
      // 200 calls by the hundred, and the names.
      expect(gateway.asked.get('eth_call')).toBeLessThanOrEqual(4);
    },
    patience,
  );
});

test('an index of tokens alone cannot say', async () => {
  const { node } = await start();
  const served = await serve(node.url, { only: 'tokens' });
  const ask = await askData(served);
  expect(await ask.failure(pathOf(holder))).toEqual({
    ...{ status: 501, message: expect.stringContaining('all receipts') },
  });
});

test(
  "by the service's own state the node's lies change nothing, and who changed since is found",
  async () => {
    const { node, gateway } = await start('--hardfork', 'prague');
    const tree = await openStateTree({ keepFinal: 8 });
    cleanups.push(() => tree.close());
    await loadStateFile(tree, genesisLines(await genesisOf(node, genesisAddresses)));
    const gold = await deployErc20(node);
    const old: Hex = `0x${'01d'.repeat(14).slice(0, 40)}`;
    const other: Hex = `0x${'07'.repeat(20)}`;
    await node.mine(
      ...[gold.call('mint', holder, 3n), gold.call('mint', accounts[0], 50n)],
      ...[gold.call('mint', other, 8n)],
    );
    const l2 = createTransport({ url: node.url });
    for (let i = 0; i < 3; i++) await node.mine();
    await createFollower({ tree, l2, fork: 'prague' }).run({ once: true });
    // Behind the final block one sells all, and another one comes.
    await node.mine(gold.call('transfer', old, 50n));
    const served = await serve(gateway.url, {
      source: node.url,
      state: { tree, finality: storeFinality(tree), fork: 'prague' },
    });
    const ask = await askData(served);
    gateway.changes.set('eth_call', (answer) => ({
      ...{ ...answer, error: undefined, result: `0x${wordOf(77n)}` },
    }));
    gateway.changes.set('eth_getBalance', (answer) => ({ ...answer, result: '0x4d' }));
    const final = (await tree.finalBlock()) as number;
    expect(final).toBeLessThan(Number(await node.call('eth_blockNumber')));
    const data = await ask.data(pathOf(gold.address));
    expect(data).toMatchObject({ block_height: final, block_hash: await tree.blockHash(final) });
    expect(balancesOf(data)).toEqual([
      [accounts[0], '50'],
      [other, '8'],
      [holder, '3'],
    ]);
    expect(data.items[0].total_supply).toBe('61');
  },
  patience,
);
