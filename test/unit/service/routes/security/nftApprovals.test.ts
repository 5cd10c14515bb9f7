/** Approvals of NFTs on a real node: of all tokens and of single ones, as the contracts say them at the block. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import type { NodeReceipt } from '../../../../support/answers.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import { deployBoth } from '../../../../support/contracts/approving.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { deployEmitter } from '../../../../support/contracts/emitter.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import { deployErc721, deployErc1155 } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf, timeOf } from '../../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
let deed: Contract;
let goods: Contract;
let both: Hex;
/** The last approval of each spender. */
const receipts = new Map<Hex, NodeReceipt>();

const [owner, buyer] = accounts as unknown as [Hex, Hex];
const [alice, bob, carol, dave] = ['a1', 'b0', 'c0', 'd0'].map(
  (byte): Hex => `0x${byte.repeat(20)}`,
) as [Hex, Hex, Hex, Hex];
const pathOf = (wallet: Hex) => `${chainName}/nft/approvals/${wallet}/`;
const byOwner = (call: { to: Hex; data: Hex }) => send(node, { from: owner, ...call });
const wordOf = (address: Hex): Hex => `0x${address.slice(2).padStart(64, '0')}`;

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  await placeMulticall(node);
  deed = await deployErc721(node);
  goods = await deployErc1155(node);
  for (let id = 0; id < 6; id++) await byOwner(deed.call('mint', owner));
  await byOwner(goods.call('mint', owner, 7n, 30n, '0x'));
  await byOwner(deed.call('approve', alice, 0n));
  receipts.set(alice, await byOwner(deed.call('approve', alice, 3n)));
  // All of it, whatever stands beside it; taken back; and of a token that was sold, which its buyer approves.
  await byOwner(deed.call('approve', bob, 1n));
  receipts.set(bob, await byOwner(deed.call('setApprovalForAll', bob, true)));
  await byOwner(deed.call('setApprovalForAll', carol, true));
  await byOwner(deed.call('setApprovalForAll', carol, false));
  await byOwner(deed.call('approve', dave, 2n));
  await byOwner(deed.call('transferFrom', owner, buyer, 2n));
  await send(node, { from: buyer, ...deed.call('approve', carol, 2n) });
  await byOwner(deed.call('approve', dave, 4n));
  await byOwner(deed.call('approve', `0x${'0'.repeat(40)}`, 4n));
  await byOwner(deed.call('approve', dave, 5n));
  await byOwner(deed.call('burn', 5n));
  receipts.set(carol, await byOwner(goods.call('setApprovalForAll', carol, true)));
  both = await deployBoth(node, { wallet: owner, spender: dave });
  served = await serveData(node.url);
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

/** What an item says of where a log was made. */
async function placeOf(receipt: NodeReceipt) {
  const log = (receipt as Wire).logs[0];
  const block = await node.call('eth_getBlockByNumber', log.blockNumber, false);
  return {
    ...{ block_height: Number(log.blockNumber), block_signed_at: timeOf(block.timestamp) },
    ...{ tx_hash: log.transactionHash, tx_offset: 0, log_offset: Number(log.logIndex) },
    spender_address_label: null,
  };
}

test('who may take what, as the contracts say', async () => {
  const { items, block_height, address, pagination } = await ask.data(pathOf(owner));
  expect([block_height, address]).toEqual([Number(await node.call('eth_blockNumber')), owner]);
  expect(pagination).toMatchObject({ has_more: false, total_count: 11 });
  for (const id of [0n, 3n]) {
    expect((await deed.read('getApproved', id)).toLowerCase()).toBe(alice);
  }
  expect(await deed.read('isApprovedForAll', owner, carol)).toBe(false);
  expect(items.slice(0, 2)).toEqual([
    {
      contract_address: deed.address,
      contract_address_label: 'Deed',
      contract_ticker_symbol: 'DEED',
      supports_erc: ['erc721'],
      token_balances: [0, 1, 3, 4].map((id) => ({ token_id: String(id), token_balance: '1' })),
      spenders: [
        {
          ...(await placeOf(receipts.get(bob) as NodeReceipt)),
          ...{ spender_address: bob, token_ids_approved: 'ALL', allowance: 'UNLIMITED' },
        },
        {
          ...(await placeOf(receipts.get(alice) as NodeReceipt)),
          ...{ spender_address: alice, token_ids_approved: '0,3', allowance: '2' },
        },
      ],
    },
    {
      contract_address: goods.address,
      contract_address_label: null,
      contract_ticker_symbol: null,
      supports_erc: ['erc1155'],
      token_balances: [{ token_id: '7', token_balance: '30' }],
      spenders: [
        {
          ...(await placeOf(receipts.get(carol) as NodeReceipt)),
          ...{ spender_address: carol, token_ids_approved: 'ALL', allowance: 'UNLIMITED' },
        },
      ],
    },
  ]);
  const ofBuyer = await ask.data(pathOf(buyer));
  expect(ofBuyer.items[0].spenders).toMatchObject([
    { spender_address: carol, token_ids_approved: '2', allowance: '1' },
  ]);
});

test('a token of both standards stands in both lists', async () => {
  const { items } = await ask.data(pathOf(owner));
  expect(items[2]).toMatchObject({
    ...{ contract_address: both, supports_erc: ['erc721'] },
    token_balances: [{ token_id: '9', token_balance: '1' }],
    spenders: [{ spender_address: dave, token_ids_approved: 'ALL', allowance: 'UNLIMITED' }],
  });
  const coins = await ask.data(`${chainName}/approvals/${owner}/`);
  expect(coins.items).toMatchObject([
    { token_address: both, spenders: [{ spender_address: dave, allowance: '5' }] },
  ]);
});

test('pages of any size have the same rights', async () => {
  const rights = (items: Wire[]) =>
    items.flatMap(({ contract_address, spenders }) =>
      spenders.map((one: Wire) => [contract_address, one.spender_address, one.token_ids_approved]),
    );
  const walked = rights(await itemsOf(ask, `${pathOf(owner)}?page-size=1`));
  const byNumber: Wire[] = [];
  for (let page = 10; page >= 0; page--) {
    const { items } = await ask.data(`${pathOf(owner)}?page-size=1&page-number=${page}`);
    byNumber.unshift(...items);
  }
  expect(rights(byNumber)).toEqual(walked);
  expect(walked).toEqual([
    ...[bob].map((one) => [deed.address, one, 'ALL']),
    ...['0', '1', '3'].map((id) => [deed.address, id === '1' ? bob : alice, id]),
    ...[[goods.address, carol, 'ALL']],
    ...['ALL', '9'].map((id) => [both, dave, id]),
  ]);
});

describe('hostile contracts', () => {
  test('that claim approvals, and answer nothing, are left out', async () => {
    const emitter = await deployEmitter(node);
    const victim: Hex = `0x${'5e'.repeat(20)}`;
    const topic = '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925';
    const all = '0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31';
    const id: Hex = `0x${'ff'.repeat(32)}`;
    await node.mine(
      emitter.emit([topic, wordOf(victim), wordOf(alice), id], '0x'),
      emitter.emit([all, wordOf(victim), wordOf(alice)], wordOf('0x01')),
    );
    await served.feed();
    const { items, pagination } = await ask.data(pathOf(victim));
    expect([items, pagination.total_count]).toEqual([[], 2]);
  });
});

test('a reorg takes an approval back', async () => {
  const mine = async () => {
    await served.feed();
    const { items } = await ask.data(pathOf(owner));
    return items[0].spenders.map((one: Wire) => one.spender_address);
  };
  await byOwner(deed.call('setApprovalForAll', dave, true));
  expect(await mine()).toEqual([bob, dave, alice]);
  await node.call('anvil_rollback', 1);
  await node.mine();
  expect(await mine()).toEqual([bob, alice]);
});

test('an index of tokens alone says the same', async () => {
  const tokens = await serveData(node.url, { only: 'tokens' });
  try {
    const { status, body } = await tokens.get(`/v1/${pathOf(owner)}`);
    expect([status, body.error_message]).toEqual([200, null]);
    expect(body.data.items).toEqual((await ask.data(pathOf(owner))).items);
  } finally {
    await tokens.close();
  }
});
