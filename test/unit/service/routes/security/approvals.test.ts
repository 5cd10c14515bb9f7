/** Approvals of ERC-20 tokens on a real node: every spender that events name is asked about at the block. */
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Hex } from '../../../../../src/bytes.js';
import { type Anvil, accounts, startAnvil } from '../../../../support/anvil.js';
import {
  type ApprovingToken,
  approvingTokens,
  deployApproving,
} from '../../../../support/contracts/approving.js';
import { assemble } from '../../../../support/contracts/assemble.js';
import { type Contract, send } from '../../../../support/contracts/contract.js';
import { placeMulticall } from '../../../../support/contracts/multicall.js';
import { permit2, placePermit2 } from '../../../../support/contracts/permit2.js';
import { deployErc20, deployWrappedNative } from '../../../../support/contracts/tokens.js';
import { chainName, type ServedData, serveData } from '../../../../support/data.js';
import { askData, type DataAsker, itemsOf, timeOf } from '../../../../support/dataRoutes.js';
import { patience, type Wire } from '../../../../support/runs.js';

let node: Anvil;
let served: ServedData;
let ask: DataAsker;
let gold: Contract;
let wrapped: Contract;
let permits: Contract;

const owner = accounts[0] as Hex;
const [alice, bob, carol] = ['a1', 'b0', 'c0'].map((byte): Hex => `0x${byte.repeat(20)}`) as [
  ...[Hex, Hex, Hex],
];
const victim: Hex = `0x${'5e'.repeat(20)}`;
const crowded: Hex = `0x${'6e'.repeat(20)}`;
const forever = 2 ** 48 - 1;
const [unlimited, unlimitedPermit] = [2n ** 256n - 1n, 2n ** 160n - 1n];
const hostile = new Map<ApprovingToken, Hex>();

const pathOf = (wallet: Hex) => `${chainName}/approvals/${wallet}/`;
const hexOf = (block: number) => `0x${block.toString(16)}`;
const newestOf = async () => Number(await node.call('eth_blockNumber'));
const blockOf = (block: number) => node.call('eth_getBlockByNumber', hexOf(block), false);
const timeNow = async () => Number((await blockOf(await newestOf())).timestamp);
const byOwner = (call: { to: Hex; data: Hex }) => send(node, { from: owner, ...call });

beforeAll(async () => {
  node = await startAnvil('--auto-impersonate');
  await placeMulticall(node);
  permits = await placePermit2(node);
  gold = await deployErc20(node);
  wrapped = await deployWrappedNative(node);
  await byOwner(gold.call('mint', owner, 1000n));
  await send(node, { from: owner, to: wrapped.address, data: '0xd0e30db0', value: 100n });
  for (const name of Object.keys(approvingTokens) as ApprovingToken[]) {
    hostile.set(name, await deployApproving(node, name, { wallet: victim, spenders: 3 }));
  }
  await byOwner(gold.call('approve', alice, 10n));
  await byOwner(gold.call('approve', bob, unlimited));
  await byOwner(gold.call('approve', carol, 1000n));
  await byOwner(gold.call('approve', carol, 0n));
  await byOwner(gold.call('approve', permit2, 70n));
  const soon = (await timeNow()) + 1000;
  await byOwner(permits.call('approve', gold.address, alice, 90n, soon));
  await byOwner(permits.call('approve', gold.address, bob, unlimitedPermit, forever));
  await byOwner(permits.call('approve', gold.address, carol, 60n, soon));
  await byOwner(permits.call('approve', wrapped.address, alice, 5n, soon));
  // Wrapped native tokens emit nothing as an allowance is spent, and neither does Permit2.
  for (const [spender, amount] of [
    [alice, 30n],
    [bob, 40n],
  ] as const) {
    await byOwner(wrapped.call('approve', spender, amount));
    await node.call('anvil_setBalance', spender, '0xde0b6b3a7640000');
    await send(node, { from: spender, ...wrapped.call('transferFrom', owner, spender, 30n) });
  }
  await node.call('anvil_setBalance', carol, '0xde0b6b3a7640000');
  await send(node, {
    from: carol,
    ...permits.call('transferFrom', owner, carol, 60n, gold.address),
  });
  served = await serveData(node.url, {
    decoder: { prices: async () => [{ address: gold.address, usd: '2000000000000000000' }] },
  });
  ask = await askData(served);
}, patience);
afterAll(async () => {
  await served?.close();
  await node?.close();
});

const erc20 = parseAbi([
  'function allowance(address,address) view returns (uint256)',
  'function balanceOf(address) view returns (uint256)',
]);

/** What a contract returns at a block; undefined if it fails. */
async function readAt(
  block: number,
  { to, abi, name, args }: { to: Hex; abi: Wire; name: string; args: unknown[] },
): Promise<Wire> {
  const data = encodeFunctionData({ abi, functionName: name, args });
  const answer = await node.call('eth_call', { to, data }, hexOf(block));
  return decodeFunctionResult({ abi, functionName: name, data: answer });
}

const topics = {
  approval: '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  permit2: '0xda9fa7c1b00402c17d0161b249b1ab8bbec047c5a52207b9c112deffd817036b',
};

const least = (...amounts: bigint[]) => amounts.reduce((a, b) => [a, b][Number(b < a)] as bigint);

/** What the node says of every spender that its logs name, by the rules of the route. */
async function expectedAt(block: number, wallet: Hex) {
  const logs: Wire[] = await node.call('eth_getLogs', { fromBlock: '0x0', toBlock: hexOf(block) });
  const ofWallet = logs.filter(
    ({ topics: [first, who] }) =>
      Object.values(topics).includes(first) && who?.slice(26) === wallet.slice(2),
  );
  const last = new Map<string, Wire>();
  for (const log of ofWallet) {
    const [first, , one, other] = log.topics;
    const isPermit = first === topics.permit2;
    const token = isPermit ? `0x${one.slice(26)}` : log.address;
    const spender = `0x${(isPermit ? other : one).slice(26)}`;
    last.set(`${token} ${isPermit} ${spender}`, log);
  }
  const time = Number((await blockOf(block)).timestamp);
  const tokens = new Map<string, Wire>();
  for (const [key, log] of last) {
    const [token, kind, spender] = key.split(' ') as [Hex, string, Hex];
    const isPermit = kind === 'true';
    const of = { abi: erc20, to: token };
    const balance = await readAt(block, { ...of, name: 'balanceOf', args: [wallet] });
    const ask = (whom: Hex) => readAt(block, { ...of, name: 'allowance', args: [wallet, whom] });
    const [amount, expiry] = isPermit
      ? await readAt(block, {
          ...{ abi: permits.abi, to: permit2, name: 'allowance', args: [wallet, token, spender] },
        })
      : [await ask(spender), undefined];
    if (amount === 0n || (isPermit && time > expiry)) continue;
    const isUnlimited = amount === (isPermit ? unlimitedPermit : unlimited);
    const known = tokens.get(token) ?? {
      token_address: token,
      balance: String(balance),
      direct: 0n,
      spenders: {},
    };
    tokens.set(token, known);
    if (!isPermit) known.direct += amount;
    known.value_at_risk = String(least(balance, known.direct));
    known.spenders[`${spender} ${isPermit}`] = {
      ...{ block_height: Number(log.blockNumber), tx_hash: log.transactionHash },
      ...{ tx_offset: Number(log.transactionIndex), log_offset: Number(log.logIndex) },
      block_signed_at: timeOf((await blockOf(Number(log.blockNumber))).timestamp),
      allowance: isUnlimited ? 'UNLIMITED' : String(amount),
      value_at_risk: String(least(amount, balance, ...(isPermit ? [await ask(permit2)] : []))),
      risk_factor: isUnlimited || amount >= balance ? 'CONSIDER REVOKING' : 'LOW RISK',
      expires_at: isPermit && expiry < forever ? timeOf(expiry) : null,
    };
  }
  return [...tokens.values()].map(({ direct: _, ...token }) => token);
}

/** The same members of an answer. */
const told = (items: readonly Wire[]) =>
  items.map(({ token_address, balance, value_at_risk, spenders }) => ({
    ...{ token_address, balance, value_at_risk },
    spenders: Object.fromEntries(
      spenders.map((one: Wire) => [
        `${one.spender_address} ${one.permit2}`,
        {
          ...{ block_height: one.block_height, tx_hash: one.tx_hash },
          ...{ tx_offset: one.tx_offset, log_offset: one.log_offset },
          block_signed_at: one.block_signed_at,
          allowance: one.allowance,
          value_at_risk: one.value_at_risk,
          risk_factor: one.risk_factor,
          expires_at: one.expires_at,
        },
      ]),
    ),
  }));

const byToken = (items: readonly Wire[]) =>
  [...items].sort((a, b) => a.token_address.localeCompare(b.token_address));

async function expectNode() {
  const block = await newestOf();
  const { block_height, block_hash, items } = await ask.data(pathOf(owner));
  expect([block_height, block_hash]).toEqual([block, (await blockOf(block)).hash]);
  const expected = await expectedAt(block, owner);
  expect(byToken(told(items))).toEqual(byToken(expected));
  return expected;
}

/** Spenders of a token in an answer. */
async function spendersOf({ address }: Contract): Promise<Wire[]> {
  const { items } = await ask.data(pathOf(owner));
  return items.find(({ token_address }: Wire) => token_address === address)?.spenders ?? [];
}

test(
  'each spender is what the node says, with allowances that were spent without an event, and over a reorg',
  async () => {
    const expected = await expectNode();
    const coins = expected.find(({ balance }) => balance === '1000');
    expect(Object.keys(coins?.spenders)).toHaveLength(5);
    // One was spent whole, of the other one a quarter is left; Permit2 was never allowed to take any of the third.
    const wraps = expected.find(({ balance }) => balance === '40');
    expect(wraps?.spenders).toMatchObject({
      [`${bob} false`]: { allowance: '10', value_at_risk: '10', risk_factor: 'LOW RISK' },
      [`${alice} true`]: { allowance: '5', value_at_risk: '0' },
    });
    await byOwner(wrapped.call('approve', carol, 77n));
    await served.feed();
    expect((await spendersOf(wrapped)).map((one) => one.spender_address)).toContain(carol);
    await node.call('anvil_rollback', 1);
    await byOwner(wrapped.call('approve', carol, 3n));
    await node.mine();
    await served.feed();
    await expectNode();
    expect(await spendersOf(wrapped)).toContainEqual(
      expect.objectContaining({ spender_address: carol, allowance: '3' }),
    );
  },
  patience,
);

test('an item says all that there is to say, with quotes', async () => {
  const { items, quote_currency, address } = await ask.data(pathOf(owner));
  expect([quote_currency, address]).toEqual(['USD', owner]);
  const [{ spenders, ...token }] = items;
  expect(token).toEqual({
    token_address: gold.address,
    token_address_label: 'Gold',
    ticker_symbol: 'GLD',
    contract_decimals: 18,
    logo_url: null,
    quote_rate: 2e18,
    balance: '1000',
    balance_quote: 2000,
    pretty_balance_quote: '$2,000.00',
    value_at_risk: '1000',
    value_at_risk_quote: 2000,
    pretty_value_at_risk_quote: '$2,000.00',
  });
  const find = (spender: Hex, isPermit: boolean) =>
    spenders.find((one: Wire) => one.spender_address === spender && one.permit2 === isPermit);
  expect(find(alice, false)).toMatchObject({
    ...{ spender_address_label: null, allowance_quote: 20, pretty_allowance_quote: '$20.00' },
    ...{ value_at_risk_quote: 20, pretty_value_at_risk_quote: '$20.00', expires_at: null },
  });
  expect(find(bob, false)).toMatchObject({ allowance: 'UNLIMITED', allowance_quote: null });
  // Until the end of time, which no date names.
  expect(find(bob, true)).toMatchObject({
    ...{ allowance: 'UNLIMITED', value_at_risk: '70', expires_at: null },
  });
});

test('a permit ends behind the second that it names', async () => {
  const spender: Hex = `0x${'d0'.repeat(20)}`;
  const until = (await timeNow()) + 500;
  await byOwner(permits.call('approve', gold.address, spender, 8n, until));
  const has = async () => {
    await served.feed();
    return (await spendersOf(gold)).some((one) => one.spender_address === spender);
  };
  expect(await has()).toBe(true);
  await node.call('evm_setNextBlockTimestamp', until);
  await node.mine();
  expect(await has()).toBe(true);
  await node.call('evm_setNextBlockTimestamp', until + 1);
  await node.mine();
  expect(await has()).toBe(false);
  await expectNode();
});

describe('hostile tokens', () => {
  test('change nothing about the others', async () => {
    for (let round = 0; round < 2; round++) {
      const { items } = await ask.data(pathOf(victim));
      const found = new Map(items.map((one: Wire) => [one.token_address, one]));
      const known = (name: ApprovingToken) => found.get(hostile.get(name) as Hex) as Wire;
      expect([...found.keys()].sort()).toEqual(
        (['honest', 'noBalance', 'manyDecimals', 'longName'] as const)
          .map((name) => hostile.get(name))
          .sort(),
      );
      expect(known('honest')).toMatchObject({ balance: '9', value_at_risk: '9' });
      expect(known('honest').spenders).toHaveLength(3);
      expect(known('honest').spenders[0]).toMatchObject({
        ...{ allowance: '5', value_at_risk: '5', risk_factor: 'LOW RISK' },
      });
      expect(known('noBalance')).toMatchObject({ balance: null, value_at_risk: null });
      expect(known('noBalance').spenders[0]).toMatchObject({
        ...{ allowance: '7', value_at_risk: null, risk_factor: 'CONSIDER REVOKING' },
      });
      expect(known('manyDecimals')).toMatchObject({
        ...{ contract_decimals: null, balance: String(unlimited) },
        ...{ value_at_risk: String(unlimited), value_at_risk_quote: null },
      });
      expect(known('longName').token_address_label ?? '').toHaveLength(0);
    }
  });

  test(
    'a thousand spenders are bounded, charged, and come in pages',
    async () => {
      const token = await deployApproving(node, 'honest', { wallet: crowded, spenders: 1100 });
      await served.feed();
      const path = pathOf(crowded);
      const first = await ask.data(path);
      expect(first.items[0].spenders).toHaveLength(1000);
      expect(first.pagination).toMatchObject({
        has_more: true,
        total_count: null,
        page_size: 1000,
      });
      expect(first.items[0]).toMatchObject({ token_address: token, value_at_risk: '9' });
      const second = await ask.data(`${path}?page-number=1`);
      const listed = [...first.items, ...second.items].flatMap(({ spenders }) => spenders);
      const addresses = listed.map(({ spender_address }) => BigInt(spender_address));
      expect(addresses).toEqual(Array.from({ length: 1100 }, (_, i) => BigInt(i + 1)));
      const walked = await itemsOf(ask, `${path}?page-size=400`);
      expect(walked.flatMap(({ spenders }) => spenders)).toEqual(listed);
      // Not by bookmarks.
      const jumped = await ask.data(`${path}?page-size=7&page-number=157`);
      expect(jumped.items[0].spenders).toEqual(listed.slice(-1));
      expect((await ask.data(`${path}?page-size=7&page-number=158`)).items).toEqual([]);
      const limited = await serveData(node.url, {
        service: { keys: ['crowd-key'], limits: { requestsPerSecond: 500 } },
        fed: served.store,
      });
      try {
        const headers = { authorization: 'Bearer crowd-key' };
        expect((await limited.get(`/v1/${path}`, headers)).status).toBe(200);
        expect((await limited.get(`/v1/${path}?page-size=999`, headers)).status).toBe(429);
      } finally {
        await limited.server.stop();
      }
    },
    patience,
  );
});

test('pages of one approval have the same spenders, those of Permit2 among them', async () => {
  const listed = (items: readonly Wire[]) =>
    items.flatMap(({ token_address, spenders }) =>
      spenders.map((one: Wire) => [token_address, one.spender_address, one.permit2]),
    );
  const whole = await ask.data(pathOf(owner));
  const walked = await itemsOf(ask, `${pathOf(owner)}?page-size=1`);
  expect(listed(walked)).toEqual(listed(whole.items));
  expect(listed(walked).some(([, , isPermit]) => isPermit)).toBe(true);
  // A cursor that a client made up, of a contract that no event has named.
  const { pagination } = await ask.data(`${pathOf(owner)}?page-size=1`);
  const forged = pagination.cursor.replace(/.{82}$/, `${'77'.repeat(20)}00${'77'.repeat(20)}`);
  expect((await ask.data(`${pathOf(owner)}?cursor=${forged}`)).items).toEqual([]);
});

test('approvals behind the block of the answer are not named, and count for nothing', async () => {
  const late = await serveData(node.url, { fed: served.store, recheck: 600_000 });
  try {
    const asked = await askData(late);
    const find = async (query: string) => {
      const { items } = await asked.data(pathOf(owner) + query);
      const token = items.find(({ token_address }: Wire) => token_address === gold.address);
      return [alice, bob].map((spender) =>
        token.spenders.find((one: Wire) => one.spender_address === spender && !one.permit2),
      );
    };
    const before = await find('');
    expect(before).toMatchObject([
      { spender_address: alice, allowance: '10', tx_hash: expect.any(String) },
      { spender_address: bob, allowance: 'UNLIMITED', tx_hash: expect.any(String) },
    ]);
    await byOwner(gold.call('approve', alice, 11n));
    await byOwner(gold.call('approve', bob, unlimited));
    await served.feed();
    const nothing = { block_height: null, tx_offset: null, log_offset: null };
    expect(await find('?page-size=999')).toEqual(
      before.map((one) => ({ ...one, ...nothing, block_signed_at: null, tx_hash: null })),
    );
  } finally {
    await late.server.stop();
  }
});

describe('what is refused', () => {
  test('a page that is too far, a cursor of another list', async () => {
    const far = await ask.failure(`${pathOf(owner)}?page-size=1000&page-number=101`);
    expect(far).toMatchObject({ status: 400, message: expect.stringContaining('cursor') });
    const { pagination } = await ask.data(`${pathOf(owner)}?page-size=1`);
    const wrong = await ask.failure(`${pathOf(victim)}?cursor=${pagination.cursor}`);
    expect(wrong.status).toBe(400);
  });

  test('a stranger has nothing', async () => {
    const { items, pagination } = await ask.data(pathOf(`0x${'77'.repeat(20)}`));
    expect(items).toEqual([]);
    expect(pagination).toEqual({
      ...{ has_more: false, page_number: 0, page_size: 1000, total_count: 0, cursor: null },
    });
  });

  test('an index of tokens alone cannot say', async () => {
    const tokens = await serveData(node.url, { only: 'tokens' });
    try {
      const { status, body } = await tokens.get(`/v1/${pathOf(owner)}`);
      expect([status, body.error_message]).toEqual([501, expect.stringContaining('receipts')]);
    } finally {
      await tokens.close();
    }
  });
});

// The last one: it takes Permit2 away.
test('an answer that Permit2 never gives is none', async () => {
  expect((await spendersOf(gold)).some((one) => one.permit2)).toBe(true);
  const greatest = 'PUSH0 NOT PUSH0 MSTORE PUSH0 NOT 0x20 MSTORE PUSH0 NOT 0x40 MSTORE';
  for (const code of [assemble(`${greatest} 0x60 PUSH0 RETURN`), '0x']) {
    await node.call('anvil_setCode', permit2, code);
    await node.mine();
    await served.feed();
    expect((await spendersOf(gold)).filter((one) => one.permit2)).toEqual([]);
  }
});
