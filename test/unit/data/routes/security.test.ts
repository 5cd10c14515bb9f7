/** Approvals from a service of ours before a real node, as the node says them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/bytes.js';
import { createDataClient, type DataClient } from '../../../../src/data/index.js';
import { type Anvil, accounts, startAnvil } from '../../../support/anvil.js';
import { deployApproving } from '../../../support/contracts/approving.js';
import { type Contract, send } from '../../../support/contracts/contract.js';
import { deployErc20, deployErc721 } from '../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../support/data.js';
import { patience } from '../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let client: DataClient;
let gold: Contract;
let deed: Contract;

const owner = accounts[0] as Hex;
const spenders = ['a1', 'b0', 'c0'].map((byte): Hex => `0x${byte.repeat(20)}`);
const crowded: Hex = `0x${'6e'.repeat(20)}`;

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  gold = await deployErc20(node);
  deed = await deployErc721(node);
  const byOwner = (call: { to: Hex; data: Hex }) => send(node, { from: owner, ...call });
  await byOwner(gold.call('mint', owner, 100n));
  await byOwner(deed.call('mint', owner));
  for (const [i, spender] of spenders.entries()) {
    await byOwner(gold.call('approve', spender, BigInt(60 + 20 * i)));
    await byOwner(deed.call('setApprovalForAll', spender, i > 0));
  }
  await deployApproving(node, 'honest', { wallet: crowded, spenders: 30 });
  served = await serveData(node.url);
  client = createDataClient({ url: served.url, chain: chainName });
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

test('who may take tokens, in pages', async () => {
  const pages: unknown[] = [];
  const found: unknown[] = [];
  for await (const { items, ...page } of client.allowances({ address: owner, pageSize: 2 })) {
    pages.push(page);
    for (const { token_address, balance, spenders } of items) {
      for (const { spender_address, allowance, risk_factor } of spenders) {
        found.push([token_address, balance, spender_address, allowance, risk_factor]);
      }
    }
  }
  const balance = String(await gold.read('balanceOf', owner));
  const expected: unknown[] = [];
  for (const spender of spenders) {
    const allowance: bigint = await gold.read('allowance', owner, spender);
    const risk = allowance >= BigInt(balance) ? 'CONSIDER REVOKING' : 'LOW RISK';
    expected.push([gold.address, balance, spender, String(allowance), risk]);
  }
  expect(found).toEqual(expected);
  const blockNumber = Number(await node.call('eth_blockNumber'));
  expect(pages).toMatchObject([
    { hasMore: true, total: 3, pageSize: 2, blockNumber },
    { hasMore: false, blockNumber },
  ]);
});

test('a walk of many pages ends', async () => {
  const found: string[] = [];
  for await (const { items } of client.allowances({ address: crowded, pageSize: 4 })) {
    found.push(...items.flatMap(({ spenders }) => spenders.map((one) => one.spender_address)));
  }
  expect(found.map(Number)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1));
});

test('who may take NFTs', async () => {
  const pages = [];
  for await (const page of client.nftApprovals({ address: owner })) pages.push(page);
  expect(pages).toMatchObject([
    {
      ...{ hasMore: false, total: 3 },
      items: [
        {
          ...{ contract_address: deed.address, supports_erc: ['erc721'] },
          token_balances: [{ token_id: '0', token_balance: '1' }],
          spenders: spenders.slice(1).map((spender_address) => ({
            ...{ spender_address, token_ids_approved: 'ALL', allowance: 'UNLIMITED' },
          })),
        },
      ],
    },
  ]);
});
