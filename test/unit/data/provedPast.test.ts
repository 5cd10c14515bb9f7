/** Native and older balances that prove themselves, at a block that the chain has left behind, and a service that lies. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnchoredRoot } from '../../../src/anchor/index.js';
import type { Hex } from '../../../src/bytes.js';
import type {
  DataClient,
  HistoricalBalanceItem,
  ListPage,
  NativeBalanceItem,
} from '../../../src/data/index.js';
import { type Anvil, accounts } from '../../support/anvil.js';
import { deployLedger } from '../../support/contracts/ledger.js';
import {
  entryOf,
  type Lie,
  type ProvenChain,
  provenNetwork,
  startProvenChain,
} from '../../support/provenChain.js';
import { patience, type Wire } from '../../support/runs.js';
import { startHistory, wallets } from '../../support/tokenHistory.js';

const minter = accounts[0] as Hex;
const wallet = wallets[5] as Hex;
const friend = wallets[6] as Hex;
const native: Hex = `0x${'e'.repeat(40)}`;
const notVerified = { code: 'NOT_VERIFIED' };

async function build(node: Anvil) {
  const { gold, rebasing, deed, goods } = await startHistory(node, 49);
  const timed = await deployLedger(node, { balance: 'TIMESTAMP' });
  const calls = [
    gold.call('mint', wallet, 1234n),
    rebasing.call('mint', wallet, 1000n),
    rebasing.call('rebase', 3n * 10n ** 18n),
    deed.call('mint', wallet),
    deed.call('mint', wallet),
    goods.call('mint', wallet, 7n, 9n, '0x'),
    timed.call('mint', wallet, 1n),
  ];
  for (const call of calls) await node.mine({ ...call, from: minter });
  return { gold, rebasing, deed, goods, timed };
}

let chain: ProvenChain<Awaited<ReturnType<typeof build>>>;
let anchor: AnchoredRoot;
let newest: number;
beforeAll(async () => {
  chain = await startProvenChain({ make: build });
  anchor = await chain.anchorAt();
  const { node, made, served, tree, follow } = chain;
  const { gold, deed, goods, rebasing } = made;
  // All of it changes afterwards.
  await node.mine(
    { from: wallet, to: friend, value: 5000n },
    { ...gold.call('transfer', friend, 1000n), from: wallet },
    { ...deed.call('transferFrom', wallet, friend, 0n), from: wallet },
    { ...goods.call('safeTransferFrom', wallet, friend, 7n, 4n, '0x'), from: wallet },
    { ...rebasing.call('rebase', 10n ** 18n), from: minter },
  );
  for (let i = 0; i < 3; i++) await node.mine();
  await follow();
  await served.feed();
  newest = (await tree.finalBlock()) as number;
}, patience);
afterAll(() => chain?.close());

const trusting = (of: AnchoredRoot = anchor) =>
  ({ anchor: of, network: provenNetwork, fork: 'prague' }) as const;
const hexOf = (block: number) => `0x${block.toString(16)}`;
const nativeAt = async (block: number) =>
  String(BigInt(await chain.node.call('eth_getBalance', wallet, hexOf(block))));

const askNative = (lie?: Lie, of?: AnchoredRoot): Promise<NativeBalanceItem> =>
  chain.client(lie).nativeBalance({ address: wallet, ...trusting(of) });

async function askPast(
  lie?: Lie,
  { of, ...more }: { of?: AnchoredRoot; pageSize?: number } = {},
): Promise<ListPage<HistoricalBalanceItem>[]> {
  const pages: ListPage<HistoricalBalanceItem>[] = [];
  const request = { address: wallet, ...trusting(of), ...more };
  for await (const page of chain.client(lie).historicalBalances(request)) pages.push(page);
  return pages;
}

const itemsOf = (pages: readonly ListPage<HistoricalBalanceItem>[]) =>
  pages.flatMap(({ items }) => items);
const itemOf = ({ items }: Wire, address: string): Wire =>
  items.find((item: Wire) => item.contract_address === address);

describe('the native balance', () => {
  test('is what the node says at the block of the anchor', async () => {
    expect(newest).toBeGreaterThan(chain.block);
    for (const block of [chain.block, newest]) {
      for (const of of [await chain.anchorAt(block), await chain.headerAt(block)]) {
        expect(await askNative(undefined, of)).toEqual({
          ...{ contract_address: native, contract_decimals: 18, contract_name: 'Ether' },
          ...{ contract_ticker_symbol: 'ETH', supports_erc: null, logo_url: null },
          ...{ quote_rate: null, quote: null, pretty_quote: null },
          ...{ balance: await nativeAt(block), block_height: block },
          ...{ verified: true, assumed: ['names', 'quotes'] },
        });
      }
    }
    expect(await nativeAt(newest)).not.toBe(await nativeAt(chain.block));
    // Of an account that is not there.
    const address: Hex = `0x${'77'.repeat(20)}`;
    const none = await chain.client().nativeBalance({ address, ...trusting() });
    expect(none).toMatchObject({ balance: '0', verified: true });
    // Without an anchor, whatever the server says of itself.
    const claims: Lie = ({ items }) => Object.assign(items[0], { verified: true, assumed: [] });
    const claimed = await chain.client(claims).nativeBalance({ address: wallet });
    expect(claimed).toMatchObject({ balance: await nativeAt(newest) });
    expect(['verified', 'assumed'].filter((name) => name in claimed)).toEqual([]);
  });

  const lies: [what: string, lie: Lie][] = [
    ...['0', '4242', `${2n ** 256n}`].map((value): [string, Lie] => [
      `says ${value}`,
      ({ items }) => (items[0].balance = value),
    ]),
    ['says that it is of a token', ({ items }) => (items[0].contract_address = friend)],
    ['names another block', ({ items }) => (items[0].block_height += 1)],
    ['is of another block', (data) => (data.block_height += 1)],
    ['comes twice', ({ items }) => items.push(items[0])],
    ['gives no proofs', (data) => delete data.proofs],
    ['gives no account', ({ proofs }) => proofs.accounts.splice(0)],
    [
      'cuts the proof',
      ({
        proofs: {
          accounts: [entry],
        },
      }) => (entry.proof = entry.proof.slice(0, -2)),
    ],
    ['gives proofs of another block', ({ proofs }) => (proofs.block += 1)],
  ];
  test.each(lies)('is not verified if the service %s', async (_, lie) => {
    await expect(askNative(lie)).rejects.toMatchObject(notVerified);
  });

  test('is not called verified if the service gives no item, or none with a proof', async () => {
    const none = askNative(({ items }) => items.splice(0));
    await expect(none).rejects.toMatchObject({ code: 'BAD_ANSWER' });
    const bare = await askNative((data) => (data.unproven = data.items.splice(0)));
    expect(bare.assumed).toEqual(['everything']);
    expect('verified' in bare).toBe(false);
  });

  test('is not verified by the proof of another account or block', async () => {
    const held: Wire[] = [];
    const keep: Lie = ({ proofs }) => held.push(proofs.accounts[0].proof);
    await askNative(keep, await chain.anchorAt(newest));
    await chain.client(keep).nativeBalance({ address: friend, ...trusting() });
    for (const proof of held) {
      const lie: Lie = ({ proofs }) => (proofs.accounts[0].proof = proof);
      await expect(askNative(lie)).rejects.toMatchObject(notVerified);
    }
  });

  test('has nothing beside it that nobody checked', async () => {
    const honest = await askNative();
    const members = ['balance_24h', 'invented', 'verified', 'assumed', 'nft_data'];
    for (const name of [...members, 'contract_decimals']) {
      expect(await askNative(({ items }) => (items[0][name] = 42)), name).toEqual(honest);
    }
    // What the server does not say is what was proven.
    expect(await askNative(({ items }) => (items[0].balance = null))).toEqual(honest);
  });
});

describe('older balances', () => {
  test(
    'are what the node says at that block, of every kind of token',
    async () => {
      const { gold, rebasing, deed, goods, timed } = chain.made;
      const at = (block: number, amounts: readonly string[]) => [
        block,
        [gold, rebasing, deed, goods].map(({ address }, i) => [address, amounts[i]]),
      ];
      for (const [block, tokens] of [
        at(chain.block, ['1234', '3000', '2', '9']),
        at(newest, ['234', '1000', '1', '5']),
      ] as [number, [string, string][]][]) {
        for (const more of [{}, { pageSize: 2 }, { of: await chain.headerAt(block) }]) {
          const pages = await askPast(undefined, { of: await chain.anchorAt(block), ...more });
          const items = itemsOf(pages);
          const isHeader = 'of' in more;
          const amounts = Object.fromEntries(
            items.map((item) => [item.contract_address, item.balance]),
          );
          expect(amounts).toEqual({
            [native]: await nativeAt(block),
            ...Object.fromEntries(tokens),
          });
          for (const item of items)
            expect(item).toMatchObject({ verified: true, block_height: block });
          const ids = itemOf({ items }, deed.address).nft_data.map((one: Wire) => one.token_id);
          expect(ids.sort()).toEqual(block === newest ? ['1'] : ['0', '1']);
          for (const { assumed } of pages) {
            expect(assumed).toEqual(['completeness', 'names', 'quotes', 'times']);
          }
          const unproven = pages.flatMap((page) => page.unproven);
          expect(unproven.map((item) => item.contract_address)).toEqual([timed.address]);
          expect(pages.length).toBe('pageSize' in more ? 3 : 1);
          expect(isHeader || pages[0]?.blockNumber === block).toBe(true);
        }
      }
    },
    patience,
  );

  test(
    'are not verified if a member lies; what nobody checked is left out',
    async () => {
      const { gold, deed, goods } = chain.made;
      const [honest] = await askPast();
      for (const address of [native, gold.address, deed.address, goods.address]) {
        const own = itemOf(honest, address);
        const lies: [name: string, value: unknown, isFatal: boolean][] = [
          ['balance', '4242', true],
          ['block_height', newest, true],
          ['nft_data', [{ token_id: '4242', token_balance: '4242' }], true],
          ['native_token', !own.native_token, true],
          ['supports_erc', ['erc4242'], address !== native],
          ['contract_decimals', 42, false],
          ['block_height', null, false],
          ...['balance_24h', 'owner', 'invented', 'verified'].map(
            (name): [string, unknown, boolean] => [name, '4242', false],
          ),
        ];
        for (const [name, value, isFatal] of lies) {
          const lie: Lie = (data) => (itemOf(data, address)[name] = value);
          const found = await askPast(lie).then(itemsOf, ({ code }) => code);
          expect(found, `${address} ${name}`).toEqual(isFatal ? 'NOT_VERIFIED' : honest?.items);
        }
        for (const name of ['token_id', 'token_balance', 'owner']) {
          if (!own.nft_data) continue;
          const lie: Lie = (data) => (itemOf(data, address).nft_data[0][name] = '4242');
          await expect(askPast(lie), `${address} ${name}`).rejects.toMatchObject(notVerified);
        }
      }
      const word: Lie = (data) => (itemOf(data, gold.address).last_transferred_block_height = 3);
      const [page] = await askPast(word);
      expect(itemOf(page, gold.address).last_transferred_block_height).toBe(3);
      expect(page?.assumed).toContain('times');
    },
    patience,
  );

  test(
    'are not verified if one comes twice, or if proofs are withheld or exchanged',
    async () => {
      const { gold, rebasing, timed } = chain.made;
      const lies: Lie[] = [
        ({ items }) => items.push(items[1]),
        ({ items, unproven }) => items.push(...unproven),
        (data) => delete data.proofs,
        ({ proofs }) => proofs.codes.splice(0),
        ({ proofs }) => proofs.accounts.splice(1),
        (data) => (data.block_height = newest),
        (data) => entryOf(data, gold.address).storageKeys.pop(),
        (data) => {
          const [one, other] = [entryOf(data, gold.address), entryOf(data, rebasing.address)];
          [one.proof, other.proof] = [other.proof, one.proof];
        },
      ];
      for (const lie of lies) {
        await expect(askPast(lie), String(lie)).rejects.toMatchObject(notVerified);
      }
      // On two pages.
      let first: Wire;
      const again: Lie = (data, url) => {
        if (!url.includes('cursor')) [first] = data.items;
        else data.items = [first];
      };
      await expect(askPast(again, { pageSize: 2 })).rejects.toThrow(/comes twice/);
      // One that is left out is what `assumed` says.
      const [page] = await askPast(({ items }) => items.pop());
      expect(page?.assumed).toContain('completeness');
      expect(page?.unproven.map((item) => item.contract_address)).toEqual([timed.address]);
    },
    patience,
  );
});

test('a request beside an anchor names no other block, and no day', async () => {
  const first = (pages: AsyncIterableIterator<unknown>) => pages.next();
  const asks: ((client: DataClient, more: object) => Promise<unknown>)[] = [
    (client, more) => client.nativeBalance({ address: wallet, ...more }),
    (client, more) => first(client.historicalBalances({ address: wallet, ...more })),
  ];
  for (const ask of asks) {
    const client = chain.client();
    await ask(client, { ...trusting(), block: chain.block });
    await expect(ask(client, { ...trusting(), block: newest })).rejects.toThrow(
      new RangeError(`"block" expected ${chain.block}, the block of "anchor", which is verified`),
    );
  }
  const day = first(
    chain.client().historicalBalances({ address: wallet, ...trusting(), day: new Date() }),
  );
  await expect(day).rejects.toThrow(TypeError);
});

test('nothing of a portfolio is proven, and it says so', async () => {
  const request = { address: wallet, days: 2 };
  for await (const page of chain.client().portfolio({ ...request, ...trusting() })) {
    expect(page.assumed).toEqual(['everything']);
    expect(page.items.some((item) => 'verified' in item)).toBe(false);
  }
  for await (const page of chain.client().portfolio(request)) expect(page.assumed).toEqual([]);
});

test('the service gives proofs of the block that is asked for, and refuses what it cannot prove', async () => {
  const { served, block, made } = chain;
  const paths = [
    `address/${wallet}/balances_native/`,
    `address/${wallet}/historical_balances/`,
    `tokens/${made.gold.address}/token_holders_v2/`,
  ];
  const get = (path: string, query: string) => served.get(`/v1/anvil/${path}?${query}`);
  for (const path of paths) {
    for (const [query, of] of [
      [`block-height=${block}`, block],
      ['block-height=latest', newest],
      ['', newest],
    ] as const) {
      const { status, body } = await get(path, `proofs=true&${query}`);
      expect([status, body.data?.block_height, body.data?.proofs.block], path).toEqual([
        ...[200, of, of],
      ]);
      expect(body.data.items[0].proof).toMatchObject({ block: of });
    }
    const failures: [query: string, status: number][] = [
      ['proofs=true&block-height=2', 404],
      ['proof-kind=tree', 400],
      ...(path.includes('native')
        ? []
        : ([
            ['proofs=true&date=2026-01-01', 400],
            ['proofs=true&page-size=101', 400],
          ] as [string, number][])),
    ];
    for (const [query, status] of failures) {
      expect((await get(path, query)).status, `${path} ${query}`).toBe(status);
    }
  }
});
