/** Holders that prove themselves, and whether they are all there are: tokens of every kind, and a service that lies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../../../src/anchor/index.js';
import type { Hex } from '../../../../../src/bytes.js';
import { compactProof } from '../../../../../src/compact/index.js';
import type { HolderItem, HoldersPage } from '../../../../../src/data/index.js';
import type { Anvil } from '../../../../support/anvil.js';
import type { Contract } from '../../../../support/contracts/contract.js';
import { deployLedger } from '../../../../support/contracts/ledger.js';
import { deployRebasing } from '../../../../support/contracts/rebasing.js';
import { deployErc20, deployErc721 } from '../../../../support/contracts/tokens.js';
import { toHex } from '../../../../support/hex.js';
import {
  entryOf,
  type Lie,
  provenNetwork as network,
  type ProvenChain,
  startProvenChain,
} from '../../../../support/provenChain.js';
import { patience, type Wire } from '../../../../support/runs.js';
import { wallets } from '../../../../support/tokenHistory.js';

const [minter, alice, bob, carol, dave] = wallets as readonly Hex[] as [Hex, Hex, Hex, Hex, Hex];

/** Code that leaves half of what stands in a slot. */
const half = (slot: string) => `0x02 ${slot} SLOAD DIV`;

async function build(node: Anvil) {
  const tokens = {
    gold: await deployErc20(node),
    nobody: await deployErc20(node, 'Nobody'),
    deed: await deployErc721(node),
    doubled: await deployRebasing(node),
    rounded: await deployLedger(node, {
      supply: half('PUSH0'),
      balance: half('0x04 CALLDATALOAD'),
    }),
    plain: await deployLedger(node),
    // Other code that says the same: one code has one address here.
    hidden: await deployLedger(node, { supply: 'PUSH0 PUSH0 SLOAD ADD' }),
    burning: await deployLedger(node, { fee: 'burned' }),
    keeping: await deployLedger(node, { fee: 'kept' }),
    silent: await deployLedger(node, { supply: 'PUSH0 PUSH0 REVERT' }),
    boasting: await deployLedger(node, { supply: '0x01 PUSH0 SLOAD ADD' }),
    timed: await deployLedger(node, { supply: 'TIMESTAMP' }),
    ticking: await deployLedger(node, { balance: 'TIMESTAMP' }),
  };
  const { gold, deed, doubled, rounded, plain, hidden, burning, keeping } = tokens;
  const calls = [
    ...[alice, bob, carol].map((one, i) => gold.call('mint', one, BigInt(100 * (i + 1)))),
    { ...gold.call('transfer', dave, 50n), from: bob },
    // One that has nothing left, and one that lost a part.
    { ...gold.call('transfer', dave, 100n), from: alice },
    { ...gold.call('burn', 7n), from: carol },
    ...[alice, alice, bob].map((one) => deed.call('mint', one)),
    ...[alice, bob].map((one) => doubled.call('mint', one, 1000n)),
    doubled.call('rebase', 2n * 10n ** 18n),
    // By its events, it has less than nothing left.
    { ...doubled.call('transfer', bob, 1500n), from: alice },
    ...[alice, bob].map((one) => rounded.call('mint', one, 1001n)),
    hidden.call('mint', alice, 10n),
    hidden.call('mintHidden', bob, 1n),
    ...[plain, burning, keeping, tokens.silent, tokens.boasting, tokens.timed, tokens.ticking]
      .map((one) => [
        one.call('mint', alice, 1000n),
        { ...one.call('transfer', bob, 400n), from: alice },
      ])
      .flat(),
  ];
  for (const call of calls) await node.mine({ from: minter, ...call });
  return tokens;
}

let chain: ProvenChain<Awaited<ReturnType<typeof build>>>;
let anchor: AnchoredRoot;
beforeAll(async () => {
  chain = await startProvenChain({ make: build });
  anchor = await chain.anchorAt();
  // Afterwards one has nothing, and another has all.
  const { node, made, served } = chain;
  await node.mine({ ...made.gold.call('transfer', alice, 293n), from: carol });
  for (let i = 0; i < 3; i++) await node.mine();
  await chain.follow();
  await served.feed();
}, patience);
afterAll(() => chain?.close());

async function ask(
  { address: token }: Pick<Contract, 'address'>,
  { lie, ...more }: { lie?: Lie; pageSize?: number; anchor?: AnchoredRoot } = {},
): Promise<HoldersPage[]> {
  const pages: HoldersPage[] = [];
  const request = { token, anchor, network, fork: 'prague', ...more } as const;
  for await (const page of chain.client(lie).holders(request)) pages.push(page);
  return pages;
}

const itemsOf = (pages: readonly HoldersPage[]): readonly HolderItem[] =>
  pages.flatMap(({ items }) => items);

/** What the node's contract says at the block of the anchor; undefined if the call fails. */
const readAt = (
  contract: Contract,
  name: string,
  ...args: unknown[]
): Promise<bigint | undefined> =>
  chain.node
    .call('eth_call', contract.call(name, ...args), `0x${chain.block.toString(16)}`)
    .then(BigInt, () => undefined);

/** All but the time of the answer. */
const saidBy = (pages: readonly HoldersPage[]) => pages.map(({ more, ...page }) => page);

type Name = keyof Awaited<ReturnType<typeof build>>;

/** Whether the list can be shown to lack nobody, how many it has, and whether the supply is proven. */
const kinds: readonly [name: Name, complete: boolean, holders: number, hasSupply: boolean][] = [
  ['gold', true, 3, true],
  ['deed', true, 2, true],
  ['doubled', true, 2, true],
  // Halves of a unit are nobody's.
  ['rounded', false, 2, true],
  ['plain', true, 2, true],
  ['hidden', false, 1, true],
  ['burning', true, 2, true],
  ['keeping', false, 2, true],
  ['silent', false, 2, false],
  ['boasting', false, 2, true],
  ['timed', false, 2, false],
];

describe('an honest service', () => {
  test.each(kinds)(
    '%s: complete is %s',
    async (name, complete, count, hasSupply) => {
      const token = chain.made[name];
      const said = String(await readAt(token, 'totalSupply'));
      const header = await chain.headerAt();
      for (const more of [{ anchor }, { anchor, pageSize: 1 }, { anchor: header }]) {
        // A header proves the time, too.
        const isProven = hasSupply || (name === 'timed' && more.anchor === header);
        const supply = isProven ? said : null;
        const pages = await ask(token, more);
        expect(pages.map((page) => page.complete)).toEqual([
          ...pages.slice(1).map(() => undefined),
          complete,
        ]);
        expect(pages.map(({ assumed }) => assumed)).toEqual(
          pages.map((page) => [...(page.complete ? [] : ['completeness']), 'names']),
        );
        expect(pages.flatMap(({ unproven }) => unproven)).toEqual([]);
        const items = itemsOf(pages);
        expect(items).toHaveLength(count);
        for (const item of items) {
          expect(item).toMatchObject({
            ...{ verified: true, block_height: chain.block, contract_address: token.address },
            balance: String(await readAt(token, 'balanceOf', item.address)),
            total_supply: supply,
          });
        }
      }
    },
    patience,
  );

  test('has the decimals that the contract says, and nothing else beside what is named', async () => {
    const { gold, deed } = chain.made;
    const [coin] = itemsOf(await ask(gold));
    expect(coin).toEqual({
      ...{ address: carol, balance: '293', total_supply: '593', block_height: chain.block },
      ...{ contract_decimals: 18, contract_name: 'Gold', contract_ticker_symbol: 'GLD' },
      ...{ contract_address: gold.address, supports_erc: ['erc20'], logo_url: null },
      verified: true,
    });
    expect(itemsOf(await ask(deed))[0]).toMatchObject({ contract_decimals: null });
  });

  test('nobody holds a token without a supply, and that is complete', async () => {
    expect(await ask(chain.made.nobody)).toMatchObject([{ items: [], complete: true }]);
    // What is no contract gives no supply.
    const none = await ask({ address: `0x${'5e'.repeat(20)}` });
    expect(none).toMatchObject([{ items: [], complete: false }]);
  });

  test('balances that no proof can show are unproven', async () => {
    const [page] = await ask(chain.made.ticking);
    expect(page).toMatchObject({ items: [], complete: false });
    expect(page?.unproven.map((item) => item.address).sort()).toEqual([alice, bob].sort());
    expect(page?.unproven.some((item) => 'verified' in item)).toBe(false);
  });

  test(
    'an older block has those that held then, by number; another than the anchor is refused',
    async () => {
      const { block, made, client } = chain;
      const { address: token } = made.gold;
      const newest = (await chain.tree.finalBlock()) as number;
      expect(newest).toBeGreaterThan(block);
      const balances = (pages: HoldersPage[]) =>
        itemsOf(pages).map((item) => [item.address, item.balance]);
      const rest = [bob, dave].map((one) => [one, '150']).sort();
      expect(balances(await ask(made.gold))).toEqual([[carol, '293'], ...rest]);
      const late = await ask(made.gold, { anchor: await chain.anchorAt(newest) });
      expect(balances(late)).toEqual([[alice, '293'], ...rest]);
      expect(late[0]).toMatchObject({ blockNumber: newest, complete: true });
      const first = (more: object) =>
        client()
          .holders({ token, anchor, network, fork: 'prague', ...more } as never)
          .next();
      expect((await first({ block })).value).toMatchObject({ blockNumber: block });
      await expect(first({ block: newest })).rejects.toThrow(RangeError);
      await expect(first({ day: new Date() })).rejects.toThrow(/"day".*"anchor"/);
      // Without one, nothing is verified.
      for await (const plain of client().holders({ token, block })) {
        expect('complete' in plain).toBe(false);
        expect(plain.assumed).toEqual([]);
        expect(plain.items.every((item) => !('verified' in item))).toBe(true);
      }
    },
    patience,
  );
});

describe('a service that lies', () => {
  const notVerified = { code: 'NOT_VERIFIED' };

  test(
    'about a member is found out, or what it says is left out',
    async () => {
      const { gold, silent } = chain.made;
      const honest = await ask(gold);
      const proven: [name: string, values: readonly unknown[]][] = [
        ['balance', ['0', '4242', `${2n ** 256n}`]],
        ['total_supply', ['0', '592', `${2n ** 256n}`]],
        ['address', [minter, dave, `0x${'42'.repeat(20)}`]],
        ['block_height', [0, 1, chain.block + 1]],
      ];
      for (const [name, values] of proven) {
        for (const value of values) {
          const lie: Lie = ({ items }) => (items[0][name] = value);
          await expect(ask(gold, { lie }), `${name} ${value}`).rejects.toMatchObject(notVerified);
        }
      }
      const about: Lie = ({ items }) => (items[0].contract_address = silent.address);
      await expect(ask(gold, { lie: about })).rejects.toMatchObject({ code: 'BAD_ANSWER' });
      // A supply that the contract does not say.
      const supply: Lie = ({ items }) => (items[0].total_supply = '1000');
      await expect(ask(silent, { lie: supply })).rejects.toMatchObject(notVerified);
      const dropped: [name: string, value: unknown][] = [
        ...[0, 255, null].map((value): [string, unknown] => ['contract_decimals', value]),
        ...(['balance', 'total_supply', 'block_height'] as const).map((name): [string, unknown] => [
          name,
          null,
        ]),
        ...['invented', 'share', 'complete', 'verified', 'assumed', 'rank'].map(
          (name): [string, unknown] => [name, '4242'],
        ),
      ];
      for (const [name, value] of dropped) {
        const lie: Lie = ({ items }) => (items[0][name] = value);
        expect(saidBy(await ask(gold, { lie })), name).toEqual(saidBy(honest));
      }
      // The server's word, which `assumed` names.
      const named: Lie = ({ items }) => (items[0].contract_name = 'Silver');
      const [renamed] = await ask(gold, { lie: named });
      expect(renamed?.items[0]?.contract_name).toBe('Silver');
      expect(renamed?.assumed).toContain('names');
    },
    patience,
  );

  const isFirst = (url: string) => !url.includes('cursor');
  const structure: [what: string, lie: Lie][] = [
    ['doubles one', ({ items }) => items.push(items[0])],
    [
      'doubles one in other letters',
      ({ items }) =>
        items.push({ ...items[0], address: `0x${items[0].address.slice(2).toUpperCase()}` }),
    ],
    [
      'exchanges balances',
      ({ items: [one, other] }) => ([one.balance, other.balance] = [other.balance, one.balance]),
    ],
    ['gives no proofs', (data) => delete data.proofs],
    ['gives no account', ({ proofs }) => proofs.accounts.splice(0)],
    ['gives no code', ({ proofs }) => proofs.codes.splice(0)],
    ['gives a key less', (data) => entryOf(data, data.items[0].contract_address).storageKeys.pop()],
    ['names another block', (data) => (data.block_height -= 1)],
    ['gives proofs of another block', ({ proofs }) => (proofs.block -= 1)],
    [
      'says that it proved what it did not',
      ({ items }) => items.push({ ...items[0], address: bob, balance: '1' }),
    ],
  ];
  test.each(structure)('%s', async (_, lie) => {
    await expect(ask(chain.made.gold, { lie })).rejects.toMatchObject(notVerified);
  });

  test('exchanges the proofs of two tokens, or of two blocks', async () => {
    const { gold, plain } = chain.made;
    const held: Wire[] = [];
    await ask(plain, { lie: (data) => held.push(data) });
    await ask(gold, {
      lie: (data) => held.push(data),
      anchor: await chain.anchorAt(await chain.tree.finalBlock()),
    });
    for (const { proofs } of held) {
      const lie: Lie = (data) => {
        data.proofs = { ...proofs, block: chain.block };
      };
      await expect(ask(gold, { lie })).rejects.toMatchObject(notVerified);
      const under: Lie = (data) => {
        entryOf(data, gold.address).proof = proofs.accounts[0].proof;
      };
      await expect(ask(gold, { lie: under })).rejects.toMatchObject(notVerified);
    }
  });

  test('says that a contract which gives no balance gives one', async () => {
    const token: Hex = `0x${'5e'.repeat(20)}`;
    const item = { contract_address: token, address: alice, balance: '0' };
    const lie: Lie = ({ items }) => items.push(item);
    await expect(ask({ address: token }, { lie })).rejects.toThrow(/the contract gives none/);
  });

  test('repeats a holder on a later page', async () => {
    let first: Wire;
    const lie: Lie = (data, url) => {
      if (isFirst(url)) [first] = data.items;
      else data.items = [first];
    };
    await expect(ask(chain.made.plain, { lie, pageSize: 1 })).rejects.toThrow(/comes twice/);
  });

  const omissions: [what: string, lie: Lie, pageSize?: number][] = [
    ['a holder', ({ items }) => items.pop()],
    ['the first', ({ items }) => items.shift()],
    ['all of them', ({ items }) => items.splice(0)],
    [
      'one, and calls that complete',
      (data) => {
        data.items.pop();
        data.complete = true;
        data.assumed = [];
      },
    ],
    ['a holder, as one that it cannot prove', (data) => (data.unproven = data.items.splice(0, 1))],
    [
      'the last page',
      ({ pagination }) => Object.assign(pagination, { has_more: false, cursor: null }),
      1,
    ],
    ['a holder of the first page', (data, url) => isFirst(url) && data.items.pop(), 2],
  ];
  test.each(omissions)('leaves out %s: never complete', async (_, lie, pageSize) => {
    const pages = await ask(chain.made.gold, { lie, ...(pageSize && { pageSize }) });
    expect(pages.at(-1)).toMatchObject({ complete: false });
    expect(pages.at(-1)?.assumed).toContain('completeness');
    expect(itemsOf(pages).every(({ verified }) => verified)).toBe(true);
  });

  /** An answer about the plain ledger with the proof of other slots: of balances, and slot 0 of the supply. */
  async function proving(storageKeys: readonly Hex[]): Promise<Lie> {
    const { tree, block, made } = chain;
    const { address } = made.plain;
    const result = await tree.getProof(address, storageKeys, block);
    const claim = { address, storageKeys, stateRoot: await tree.stateRoot(block), hash: tree.hash };
    const proof = toHex(compactProof(result, claim));
    return (data) => Object.assign(entryOf(data, address), { storageKeys, proof });
  }
  const slotOf = (key: Hex): Hex => `0x${key.slice(2).padStart(64, '0')}`;

  test('lists one that has nothing: that takes nothing away, and stands for nobody', async () => {
    const { plain } = chain.made;
    const prove = await proving([alice, bob, dave, '0x'].map((key) => slotOf(key as Hex)));
    for (const [places, complete] of [
      [2, true],
      [1, false],
    ] as const) {
      const lie: Lie = (data) => {
        data.items = [
          ...data.items.slice(0, places),
          { ...data.items[0], address: dave, balance: '0' },
        ];
        prove(data, '');
      };
      const [page] = await ask(plain, { lie });
      expect(page?.complete).toBe(complete);
      expect(page?.items.at(-1)).toMatchObject({ address: dave, balance: '0', verified: true });
    }
  });

  test('shows holders whose balances are proven beside an unproven one: not complete', async () => {
    const lie: Lie = (data) => (data.unproven = [{ ...data.items[0], address: dave }]);
    expect(await ask(chain.made.plain, { lie })).toMatchObject([{ complete: false }]);
  });

  test('withholds the proof of the supply alone', async () => {
    const lie = await proving([alice, bob].map(slotOf));
    const [page] = await ask(chain.made.plain, { lie });
    expect(page).toMatchObject({ complete: false });
    expect(page?.items.map((item) => [item.balance, item.total_supply, item.verified])).toEqual([
      ['600', null, true],
      ['400', null, true],
    ]);
  });
});
