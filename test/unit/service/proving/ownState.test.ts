/** Balances worked out on the service's own state: right whatever the node says. */

import { afterEach, expect, test } from 'vitest';
import type { AbiCall } from '../../../../src/abi/call.js';
import { encodeHex, type Hex } from '../../../../src/bytes.js';
import { storeFinality } from '../../../../src/service/index.js';
import { createStateAmounts } from '../../../../src/service/proving/ownState.js';
import type { HeldItem } from '../../../support/answers.js';
import { deployHostile } from '../../../support/contracts/hostile.js';
import { serveData } from '../../../support/data.js';
import { startGateway } from '../../../support/decoder.js';
import { patience } from '../../../support/runs.js';
import { startStateHistory } from '../../../support/stateHistory.js';
import { type Held, wallets } from '../../../support/tokenHistory.js';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const textOf = ({ wallet, standard, contract, id, amount }: Held) =>
  [wallet, standard, contract, id, amount].join(' ');

const start = (seed: number) => startStateHistory(seed, cleanups);

test(
  'every balance is that of the newest final block, though the node lies about all of them',
  async () => {
    const { node, tree, history, follow } = await start(Number(process.env.HISTORY_SEED ?? 41));
    await history.mine(25);
    await follow();
    const gateway = await startGateway(node.url);
    cleanups.push(() => gateway.close());
    const lie = `0x${'0'.repeat(62)}07`;
    for (const method of ['eth_call', 'eth_getBalance']) {
      gateway.changes.set(method, (answer) => ({ ...answer, result: lie, error: undefined }));
    }
    const served = await serveData(gateway.url, {
      source: node.url,
      state: { tree, finality: storeFinality(tree), fork: 'prague' },
    });
    cleanups.push(() => served.close());
    for (let round = 0; round < 2; round++) {
      const block = (await tree.finalBlock()) as number;
      const found: string[] = [];
      for (const wallet of wallets) {
        const { status, body } = await served.balances(wallet);
        expect(status, JSON.stringify(body)).toBe(200);
        const { items, block_height, block_hash } = body.data;
        expect([block_height, block_hash]).toEqual([block, await tree.blockHash(block)]);
        const number = `0x${block.toString(16)}`;
        const native = BigInt(await node.call('eth_getBalance', wallet, number));
        expect(items[0]).toMatchObject({ native_token: true, balance: String(native) });
        for (const { supports_erc, contract_address: contract, balance, nft_data } of items) {
          if (supports_erc === null) continue;
          const [standard] = supports_erc;
          const tokens = nft_data ?? [{ token_id: undefined, token_balance: balance }];
          for (const { token_id, token_balance } of tokens) {
            const id = token_id === undefined ? undefined : BigInt(token_id);
            found.push(textOf({ wallet, standard, contract, id, amount: BigInt(token_balance) }));
          }
        }
      }
      const expected = (await history.held(block)).map(textOf);
      expect(found.sort()).toEqual(expected.sort());
      expect(found.length).toBeGreaterThan(10);
      // The state goes on; its balances wait for the index, and not the other way round.
      await history.mine(5);
      await follow();
      const early = await served.balances(wallets[0] as Hex);
      expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
      await served.feed();
    }
  },
  patience,
);

test(
  "hostile tokens are left out, and code that is not the state's is refused",
  async () => {
    const { node, tree, history, follow } = await start(42);
    const wallet: Hex = `0x${'5e'.repeat(20)}`;
    const hostile = await deployHostile(node, wallet);
    await node.mine({ ...history.gold.call('mint', wallet, 1234n) });
    for (let i = 0; i < 3; i++) await node.mine();
    await follow();
    const gateway = await startGateway(node.url);
    cleanups.push(() => gateway.close());
    const served = await serveData(gateway.url, {
      source: node.url,
      state: { tree, finality: storeFinality(tree), fork: 'prague' },
    });
    cleanups.push(() => served.close());
    gateway.changes.set('eth_getCode', (answer) => ({ ...answer, result: '0x00' }));
    const wrong = await served.balances(wallet);
    expect([wrong.status, wrong.body.error_message]).toEqual([
      502,
      expect.stringContaining('other code'),
    ]);
    gateway.changes.clear();
    const { body } = await served.balances(wallet);
    const balances = new Map(
      body.data.items.map((item: HeldItem) => [item.contract_address, item.balance]),
    );
    expect(balances.get(history.gold.address)).toBe('1234');
    expect(balances.get(hostile.get('longName'))).toBe('5');
    for (const name of ['reverts', 'longBalance', 'burnsGas', 'burnsAll', 'nothing'] as const) {
      expect(balances.has(hostile.get(name)), name).toBe(false);
    }
  },
  patience,
);

test(
  'others have their turn before and behind each reading of a call, which runs anew with it',
  async () => {
    const { node, tree, history, follow } = await start(43);
    const [wallet] = wallets as [Hex];
    await history.mine(5);
    await follow();
    const block = (await tree.finalBlock()) as number;
    const number = `0x${block.toString(16)}`;
    const events: string[] = [];
    const read: typeof tree.read = (...question) => {
      events.push('read');
      return tree.read(...question);
    };
    const amounts = createStateAmounts({
      state: { tree: { ...tree, read }, finality: storeFinality(tree), fork: 'prague' },
      chainId: 31337,
      node: {
        codeAt: async (address) => (await node.call('eth_getCode', address, number)) as string,
        client: undefined as never,
      },
      other: undefined as never,
    });
    const call = history.gold.call('balanceOf', wallet) as AbiCall;
    const [found] = await amounts.call([call], block, async () => void events.push('pause'));
    expect(encodeHex(found as Uint8Array)).toBe(await node.call('eth_call', call, number));
    // The call itself, and the runs of it behind the account that it begins at, come behind a pause too.
    expect(events.join(' ')).toMatch(
      /^pause pause(?: read)+ pause pause(?: pause(?: read)+ pause)+$/,
    );
  },
  patience,
);
