/** Approvals that prove themselves: a real node, our follower, our service, and a client that trusts a root alone. */
import { keccak256 } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import { createDataClient, type ListPage } from '../../../src/data/index.js';
import type { HeldEntry } from '../../support/answers.js';
import { type Anvil, accounts } from '../../support/anvil.js';
import { deployApproving, deployBoth } from '../../support/contracts/approving.js';
import { assemble, initOf } from '../../support/contracts/assemble.js';
import {
  type Contract,
  contractAt,
  deployAnywhere,
  send,
} from '../../support/contracts/contract.js';
import { permit2, placePermit2 } from '../../support/contracts/permit2.js';
import {
  deployErc20,
  deployErc721,
  deployErc1155,
  deployWrappedNative,
} from '../../support/contracts/tokens.js';
import { chainName } from '../../support/data.js';
import { timeOf } from '../../support/dataRoutes.js';
import { issuesOf } from '../../support/openApi.js';
import {
  lyingFetch,
  type ProvenChain,
  provenNetwork,
  startProvenChain,
} from '../../support/provenChain.js';
import { patience, type Wire } from '../../support/runs.js';

const owner = accounts[0] as Hex;
const [alice, bob, carol] = ['a1', 'b0', 'c0'].map((byte): Hex => `0x${byte.repeat(20)}`) as [
  ...[Hex, Hex, Hex],
];
const stranger: Hex = `0x${'77'.repeat(20)}`;
const forever = 2 ** 48 - 1;
const until = 4_000_000_000;
const [unlimited, unlimitedPermit] = [2n ** 256n - 1n, 2n ** 160n - 1n];

/** A token that allows as much as the time of the block is, and that says so to the owner. */
const timedToken = initOf(
  assemble('TIMESTAMP PUSH0 MSTORE 0x20 PUSH0 RETURN'),
  `0x01 PUSH0 MSTORE ${alice} ${owner} 0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925 0x20 PUSH0 LOG3
   ${alice} ${owner} 0x17307eab39ab6107e8899845ad3d59bd9653f200f220920489ca2b5937696c31 0x20 PUSH0 LOG3`,
);

const kinds = ['allowances', 'nftApprovals'] as const;
type Kind = (typeof kinds)[number];

/** Approves of every kind. The permits of Permit2 are on tokens that let it take 70, nothing, and all. */
async function make(node: Anvil) {
  const byOwner = (call: { to: Hex; data: Hex }) => send(node, { from: owner, ...call });
  const permits = await placePermit2(node);
  const gold = await deployErc20(node);
  const wrapped = await deployWrappedNative(node);
  const deed = await deployErc721(node);
  const goods = await deployErc1155(node);
  await byOwner(gold.call('mint', owner, 1000n));
  await send(node, { from: owner, to: wrapped.address, data: '0xd0e30db0', value: 100n });
  await byOwner(gold.call('approve', alice, 10n));
  await byOwner(gold.call('approve', bob, unlimited));
  await byOwner(gold.call('approve', carol, 1000n));
  await byOwner(gold.call('approve', permit2, 70n));
  await byOwner(permits.call('approve', gold.address, alice, 90n, until));
  await byOwner(permits.call('approve', gold.address, bob, unlimitedPermit, forever));
  await byOwner(permits.call('approve', wrapped.address, alice, 5n, until));
  await byOwner(wrapped.call('approve', bob, 40n));
  const { timestamp } = await node.call('eth_getBlockByNumber', 'latest', false);
  await byOwner(permits.call('approve', gold.address, carol, 60n, Number(timestamp) + 1));
  await node.call('evm_increaseTime', 60);
  for (let i = 0; i < 3; i++) await byOwner(deed.call('mint', owner));
  await byOwner(goods.call('mint', owner, 7n, 9n, '0x'));
  await byOwner(goods.call('mint', owner, 2n ** 256n - 1n, 1n, '0x'));
  await byOwner(deed.call('approve', alice, 0n));
  await byOwner(deed.call('approve', alice, 2n));
  await byOwner(deed.call('approve', bob, 1n));
  await byOwner(deed.call('setApprovalForAll', carol, true));
  await byOwner(goods.call('setApprovalForAll', carol, true));
  const both = await deployBoth(node, { wallet: owner, spender: alice });
  const noBalance = await deployApproving(node, 'noBalance', { wallet: owner, spenders: 2 });
  const manyDecimals = await deployApproving(node, 'manyDecimals', { wallet: owner, spenders: 1 });
  const timed = await deployAnywhere(node, { abi: [], bytecode: timedToken });
  const hostile = { both, noBalance, manyDecimals, timed: timed.address };
  return { gold, wrapped, deed, goods, permits, ...hostile };
}

let chain: ProvenChain<Awaited<ReturnType<typeof make>>>;
let anchor: AnchoredRoot;
/** What is verified if nobody lies. */
const honest = {} as Record<Kind, ListPage<Wire>>;
beforeAll(async () => {
  chain = await startProvenChain({
    async place(node) {
      await placePermit2(node);
      return [permit2];
    },
    make,
    service: ({ gold }) => ({
      decoder: { prices: async () => [{ address: gold.address, usd: '2000000000000000000' }] },
    }),
  });
  anchor = await chain.anchorAt(chain.block);
  for (const kind of kinds) [honest[kind]] = (await ask(kind)) as [ListPage<Wire>];
}, patience);
afterAll(() => chain?.close());

async function ask(
  kind: Kind,
  change: (data: Wire) => void = () => {},
  options: { anchor?: AnchoredRoot; network?: typeof provenNetwork; pageSize?: number } = {},
): Promise<ListPage<Wire>[]> {
  const fetch = lyingFetch(change);
  const client = createDataClient({ url: chain.served.url, chain: chainName, fetch });
  const pages: ListPage<Wire>[] = [];
  const trusting = { anchor, network: provenNetwork, ...options };
  for await (const page of client[kind]({ address: owner, ...trusting })) pages.push(page);
  return pages;
}

const contractOf = (item: Wire): Hex => item.token_address ?? item.contract_address;
const itemOf = (items: readonly Wire[], contract: Hex): Wire =>
  items.find((item) => contractOf(item) === contract);
const spenderOf = (item: Wire, spender: Hex, isPermit = false): Wire =>
  item.spenders.find(
    (one: Wire) => one.spender_address === spender && (one.permit2 ?? false) === isPermit,
  );

/** An answer of Anvil at the block. */
const readAt = async ({ abi, address }: Contract, name: string, ...args: unknown[]) => {
  const at = {
    ...chain.node,
    call: (method: string, request: unknown) =>
      chain.node.call(method, request, `0x${chain.block.toString(16)}`),
  };
  return contractAt(at as Anvil, abi, address).read(name, ...args);
};

const least = (...amounts: bigint[]) => String(amounts.reduce((a, b) => (a < b ? a : b)));

describe('allowances', () => {
  test('are what the node says at the block, and so is what is at risk', async () => {
    const { gold, wrapped, permits, noBalance, manyDecimals, timed, both } = chain.made;
    for (const trust of [
      { anchor },
      { anchor: await chain.headerAt(chain.block) },
      { anchor, pageSize: 2 },
    ]) {
      const pages = await ask('allowances', undefined, trust);
      expect(pages.map(({ assumed }) => assumed)).toEqual(
        pages.map(() => ['completeness', 'names', 'quotes', 'times']),
      );
      const items = pages.flatMap((page) => page.items);
      expect(items.every(({ verified }) => verified === true)).toBe(true);
      const spenders = items.flatMap((item) =>
        item.spenders.map((one: Wire) => ({ ...one, token: contractOf(item) })),
      );
      for (const [token, spender, isPermit] of [
        ...[alice, bob, carol, permit2].map((one) => [gold, one, false] as const),
        ...[alice, bob].map((one) => [gold, one, true] as const),
        [wrapped, bob, false] as const,
        [wrapped, alice, true] as const,
      ]) {
        const balance: bigint = await readAt(token, 'balanceOf', owner);
        const ofPermit2: bigint = await readAt(token, 'allowance', owner, permit2);
        const [amount, expiry] = isPermit
          ? await readAt(permits, 'allowance', owner, token.address, spender)
          : [await readAt(token, 'allowance', owner, spender), undefined];
        const isUnlimited = [unlimited, unlimitedPermit].includes(amount);
        const found = spenders.filter(
          (one) =>
            one.token === token.address &&
            one.spender_address === spender &&
            one.permit2 === isPermit,
        );
        expect(found).toMatchObject([
          {
            allowance: isUnlimited ? 'UNLIMITED' : String(amount),
            value_at_risk: least(balance, amount, ...(isPermit ? [ofPermit2] : [])),
            risk_factor: isUnlimited || amount >= balance ? 'CONSIDER REVOKING' : 'LOW RISK',
            expires_at: expiry === until ? '2096-10-02T07:06:40Z' : null,
            tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
          },
        ]);
      }
      expect(spenders).toHaveLength(8 + 2 + 1 + 1);
      expect(items.map(contractOf)).not.toContain(timed);
      const unproven = pages.flatMap((page) => page.unproven);
      expect(unproven.map((item) => [contractOf(item), item.verified])).toEqual([
        [timed, undefined],
      ]);
      const coin = itemOf(items, gold.address);
      expect(coin).toMatchObject({ balance: '1000', contract_decimals: 18, quote_rate: 2e18 });
      if (pages.length === 1) {
        expect(coin.value_at_risk).toBe('1000');
        expect(itemOf(items, wrapped.address).value_at_risk).toBe('40');
      }
      const unknown = items.filter((item) => contractOf(item) === noBalance);
      expect(unknown.flatMap((item) => item.spenders)).toMatchObject(
        [1, 2].map((last) => ({
          spender_address: `0x${String(last).padStart(40, '0')}`,
          ...{ allowance: '7', value_at_risk: null, risk_factor: 'CONSIDER REVOKING' },
        })),
      );
      expect(unknown[0]).toMatchObject({
        ...{ balance: null, value_at_risk: null, contract_decimals: null },
      });
      expect(itemOf(items, manyDecimals)).toMatchObject({
        ...{ balance: String(unlimited), contract_decimals: null },
      });
      expect(itemOf(items, both)).toMatchObject({ balance: '1', contract_decimals: 0 });
    }
  });

  test('equal those without proofs in all that both say', async () => {
    const [{ items }] = (await ask('allowances')) as [ListPage<Wire>];
    const { body } = await chain.served.get(`/v1/${chainName}/approvals/${owner}/`);
    for (const { verified, ...item } of items) {
      const plain = itemOf(body.data.items, contractOf(item));
      expect(plain).toMatchObject(item);
      expect(plain.spenders).toHaveLength(item.spenders.length);
    }
  });
});

describe('approvals of NFTs', () => {
  test('are what the node says at the block', async () => {
    const { deed, goods, both } = chain.made;
    for (const trust of [{ anchor }, { anchor: await chain.headerAt(chain.block) }]) {
      const [page, ...others] = (await ask('nftApprovals', undefined, trust)) as [
        ...[ListPage<Wire>, ...ListPage<Wire>[]],
      ];
      expect(others).toEqual([]);
      expect(page.assumed).toEqual(['completeness', 'names', 'times']);
      expect(page.items.every(({ verified }) => verified === true)).toBe(true);
      expect(page.items.map(contractOf).sort()).toEqual([deed.address, goods.address, both].sort());
      expect(page.unproven).toEqual([]);
      const deeds = itemOf(page.items, deed.address);
      expect(deeds).toMatchObject({
        supports_erc: ['erc721'],
        token_balances: [0, 1, 2].map((id) => ({ token_id: String(id), token_balance: '1' })),
      });
      const approved = [0n, 1n, 2n].map((id) => readAt(deed, 'getApproved', id));
      const byId = (await Promise.all(approved)).map((address) => address.toLowerCase());
      expect(byId).toEqual([alice, bob, alice]);
      expect(await readAt(deed, 'isApprovedForAll', owner, carol)).toBe(true);
      const rights = deeds.spenders.map((one: Wire) => [
        ...[one.spender_address, one.token_ids_approved, one.allowance],
      ]);
      expect(rights.sort()).toEqual([
        [alice, '0,2', '2'],
        [bob, '1', '1'],
        [carol, 'ALL', 'UNLIMITED'],
      ]);
      const greatest = String(2n ** 256n - 1n);
      expect(itemOf(page.items, goods.address)).toMatchObject({
        supports_erc: ['erc1155'],
        token_balances: [
          { token_id: '7', token_balance: String(await readAt(goods, 'balanceOf', owner, 7n)) },
          { token_id: greatest, token_balance: '1' },
        ],
        spenders: [{ spender_address: carol, token_ids_approved: 'ALL' }],
      });
      expect(itemOf(page.items, both)).toMatchObject({
        token_balances: [{ token_id: '9', token_balance: '1' }],
        spenders: [{ spender_address: alice, token_ids_approved: 'ALL' }],
      });
    }
    const pages = await ask('nftApprovals', undefined, { pageSize: 2 });
    const rights = pages.flatMap(({ items }) =>
      items.flatMap((item) => item.spenders.map((one: Wire) => one.token_ids_approved)),
    );
    expect(rights.sort()).toEqual(['0', '1', '2', '9', 'ALL', 'ALL', 'ALL']);
  });
});

/** Items of the first page, of which none is a lie; or undefined, if the lie was found. */
async function expectHonest(kind: Kind, name: string, change: (data: Wire) => void) {
  const told = await ask(kind, change).catch((error) => error);
  if (told instanceof Error) {
    expect(told, name).toMatchObject({ code: 'NOT_VERIFIED' });
    return undefined;
  }
  const [{ items }] = told;
  for (const item of items) {
    const { spenders, ...own } = itemOf(honest[kind].items, contractOf(item));
    expect({ ...item, spenders: [] }, name).toEqual({ ...own, spenders: [] });
    for (const one of item.spenders) expect(spenders, name).toContainEqual(one);
  }
  return items;
}

const refused = expect.objectContaining({ code: 'NOT_VERIFIED' });

describe('a service that lies', () => {
  /** Members of items and of spenders, and what a lying service says they are. */
  const lies = {
    allowances: {
      item: [
        ...[{ balance: '999' }, { balance: null }, { balance: '0' }],
        ...[{ value_at_risk: '0' }, { value_at_risk: null }, { contract_decimals: 6 }],
        ...[{ invented: '4242' }, { verified: true, allowance: '4242' }],
      ],
      refusedItem: [{ token_address: stranger }, { spenders: [] }],
      spender: [
        ...[{ value_at_risk: '0' }, { risk_factor: 'LOW RISK' }, { risk_factor: 'SAFE' }],
        ...[{ invented: '4242' }, { verified: true }],
      ],
      refusedSpender: [
        ...[{ allowance: '11' }, { allowance: '0' }, { spender_address: stranger }],
        ...[{ expires_at: '2030-01-01T00:00:00Z' }],
      ],
    },
    nftApprovals: {
      item: [
        ...[
          { supports_erc: ['erc721', 'erc1155'] },
          { supports_erc: ['erc4242', 'erc721', 'erc1155'] },
        ],
        ...[{ invented: '4242' }, { verified: true, owner: stranger }],
      ],
      refusedItem: [
        ...[{ contract_address: stranger }, { spenders: [] }, { supports_erc: [] }],
        ...[
          ['4242', '1'],
          ['0', '0'],
          ['7', '10'],
        ].map(([token_id, token_balance]) => ({
          token_balances: [{ token_id, token_balance }],
        })),
      ],
      spender: [{ invented: '4242' }, { verified: true }],
      refusedSpender: [
        ...[{ allowance: '3' }, { spender_address: stranger }, { token_ids_approved: '' }],
        ...[{ token_ids_approved: '4242' }, { token_ids_approved: null }],
        ...[{ token_ids_approved: '4242', allowance: '1' }],
        { spender_address: `0x${'00'.repeat(20)}` },
      ],
    },
  } as const;

  test.each(kinds)(
    'about any member of %s is refused, or what it says is not kept',
    async (kind) => {
      const { gold, wrapped, deed, goods } = chain.made;
      // The others say the same of everybody.
      const contracts = kind === 'allowances' ? [gold, wrapped] : [deed, goods];
      const { item, refusedItem, spender, refusedSpender } = lies[kind];
      for (const { address } of contracts) {
        const { spenders } = itemOf(honest[kind].items, address);
        const tellers = [(data: Wire) => itemOf(data.items, address)];
        const ways = new Map(spenders.map((one: Wire) => [one.permit2, one]));
        for (const { spender_address, permit2 } of ways.values() as Iterable<Wire>) {
          tellers.push((data) => spenderOf(itemOf(data.items, address), spender_address, permit2));
        }
        for (const [i, memberOf] of tellers.entries()) {
          for (const lie of i === 0 ? item : spender) {
            const name = `${address} ${i} ${JSON.stringify(lie)}`;
            await expectHonest(kind, name, (data) => Object.assign(memberOf(data), lie));
          }
          for (const lie of i === 0 ? refusedItem : refusedSpender) {
            const told = ask(kind, (data) => Object.assign(memberOf(data), lie));
            const name = `${address} ${i} ${JSON.stringify(lie)}`;
            expect(await told.catch((error) => error), name).toEqual(refused);
          }
        }
      }
    },
    patience,
  );

  test('that turns what a token allows into what Permit2 allows is refused', async () => {
    const { gold } = chain.made;
    for (const [spender, isPermit] of [
      [carol, false],
      [bob, true],
    ] as const) {
      const told = await ask('allowances', ({ items }) => {
        spenderOf(itemOf(items, gold.address), spender, isPermit).permit2 = !isPermit;
      }).catch((error) => error);
      expect(told).toEqual(refused);
    }
  });

  test.each(kinds)(
    'and leaves out, doubles or exchanges %s has nothing verified that is not so',
    async (kind) => {
      const { items, unproven } = honest[kind];
      for (const [i, item] of items.entries()) {
        const left = await expectHonest(kind, 'left out', (data) => data.items.splice(i, 1));
        expect(left).toHaveLength(items.length - 1);
        const changes: [string, (data: Wire) => void][] = [
          ['doubled', (data) => data.items.push(structuredClone(data.items[i]))],
          [
            'a spender doubled',
            ({ items }) => items[i].spenders.push(structuredClone(items[i].spenders[0])),
          ],
          [
            'of no contract',
            ({ items }) => {
              items[i].token_address &&= stranger;
              items[i].contract_address &&= stranger;
            },
          ],
          [
            'without its account',
            ({ proofs }) => {
              proofs.accounts = proofs.accounts.filter(
                ({ address }: HeldEntry) => address !== contractOf(item),
              );
            },
          ],
          [
            'without a slot',
            ({ proofs }) => {
              const entry = proofs.accounts.find(
                ({ address }: HeldEntry) => address === contractOf(item),
              );
              entry.proof = entry.proof.slice(0, -2);
            },
          ],
          [
            'under the proof of another',
            ({ proofs }) => {
              const at = proofs.accounts.findIndex(
                ({ address }: HeldEntry) => address === contractOf(item),
              );
              proofs.accounts[at].proof = proofs.accounts[(at + 1) % proofs.accounts.length].proof;
            },
          ],
        ];
        for (const [name, change] of changes) {
          expect(
            await ask(kind, change).catch((error) => error),
            `${contractOf(item)} ${name}`,
          ).toEqual(refused);
        }
      }
      for (const change of [
        (data: Wire) => delete data.proofs,
        (data: Wire) => data.proofs.codes.splice(0),
        (data: Wire) => data.proofs.accounts.splice(0),
        (data: Wire) => (data.proofs.block -= 1),
        (data: Wire) => (data.block_height -= 1),
      ]) {
        expect(await ask(kind, change).catch((error) => error), String(change)).toEqual(refused);
      }
      if (unproven.length === 0) return;
      const all = ask(kind, (data) => data.items.push(...data.unproven.splice(0)));
      expect(await all.catch((error) => error)).toEqual(refused);
    },
    patience,
  );

  test('about a permit that has expired is caught by the time of a header', async () => {
    const { node, served, block } = chain;
    const { gold, permits } = chain.made;
    const [amount, expiry] = await readAt(permits, 'allowance', owner, gold.address, carol);
    const header = await chain.headerAt(block);
    expect([amount, Number(header.timestamp?.value) > expiry]).toEqual([60n, true]);
    expect(spenderOf(itemOf(honest.allowances.items, gold.address), carol, true)).toBeUndefined();
    // Its proof is real.
    const query = `proofs=true&proof-kind=header&block-height=${block}`;
    const { body } = await served.get(`/v1/${chainName}/approvals/${owner}/?${query}`);
    const entry = body.data.proofs.accounts.find(({ address }: HeldEntry) => address === permit2);
    const words = [owner, gold.address, carol].map((one) => one.slice(2).padStart(64, '0'));
    const slot = keccak256(`0x${words.join('')}`);
    const storageKeys = [...entry.storageKeys, slot];
    const hexBlock = `0x${block.toString(16)}`;
    const proof = await node.call('eth_getProof', permit2, storageKeys, hexBlock);
    const lie = (data: Wire) => {
      const at = data.proofs.accounts.findIndex(({ address }: HeldEntry) => address === permit2);
      data.proofs.accounts[at] = { address: permit2, storageKeys, proof };
      const { spenders } = itemOf(data.items, gold.address);
      const known = spenderOf({ spenders }, alice, true);
      const expires_at = timeOf(expiry);
      spenders.push({ ...known, spender_address: carol, allowance: '60', expires_at });
    };
    const told = await ask('allowances', lie, { anchor: header }).catch((error) => error);
    expect(told).toMatchObject({
      code: 'NOT_VERIFIED',
      message: expect.stringContaining('has expired'),
    });
  });
});

test('answers are as the document says, and a page of more than 100 is refused', async () => {
  const { body: api } = await chain.served.get('/openapi.json');
  for (const kind of ['approvals', 'nft/approvals']) {
    const { get } = api.paths[`/v1/{chain_name}/${kind}/{address}/`];
    for (const query of ['proofs=true', 'proofs=true&proof-kind=header']) {
      const reply = await chain.served.get(`/v1/${chainName}/${kind}/${owner}/?${query}`);
      expect(issuesOf(api, get, reply), query).toEqual([]);
      expect(reply.body.data.pagination.page_size).toBe(100);
      expect(reply.body.data.proofs.block).toBe(chain.block);
    }
    const path = `/v1/${chainName}/${kind}/${owner}/?proofs=true&page-size=101`;
    expect((await chain.served.get(path)).status).toBe(400);
  }
});
