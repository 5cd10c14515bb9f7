/** Rankings: made once for all who ask, kept for a while, and bounded. */
import { describe, expect, test } from 'vitest';
import { addressWidth, encodeHex, type Hex, integerToBytes } from '../../../../src/bytes.js';
import type { Amounts } from '../../../../src/service/chain/amounts.js';
import type { ChainContext } from '../../../../src/service/data/balances.js';
import { findProvenRanking } from '../../../../src/service/data/holders.js';
import { type RankingBounds, Rankings } from '../../../../src/service/data/rankings.js';
import type { AnswerContext } from '../../../../src/service/jsonrpc/method.js';
import type { Prover } from '../../../../src/service/proving/prover.js';
import { toSignedBytes } from '../../../support/signed.js';

const token: Hex = `0x${'70'.repeat(20)}`;
const hashOf = (block: number): Hex => `0x${block.toString(16).padStart(64, '0')}`;
const refOf = (number: number) => ({ number, hash: hashOf(number) });
const walletOf = (i: number) => integerToBytes(BigInt(i + 1), addressWidth);
const addressOf = (i: number) => encodeHex(walletOf(i));

interface Sum {
  readonly sum: bigint;
  readonly block: number;
}

type Standard = 'erc20' | 'erc721' | 'erc1155';

/** An index of one token. */
function indexOf(sums: Sum[], { newest = 9, standard = 'erc20' as Standard } = {}) {
  const seen = { reads: 0, newest, fork: hashOf(newest) };
  return {
    seen,
    newestBlock: async () => seen.newest,
    blockHash: async (block: number) => (block === seen.newest ? seen.fork : undefined),
    async eachSum(
      contract: Hex,
      of: { readonly standard: Standard },
      visit: (record: {
        wallet: Uint8Array;
        id: undefined;
        sum: Uint8Array;
        block: number;
      }) => boolean | Promise<boolean>,
    ) {
      if (contract !== token || of.standard !== standard) return;
      seen.reads++;
      for (const [i, { sum, block }] of sums.entries()) {
        const record = { wallet: walletOf(i), id: undefined, sum: toSignedBytes(sum), block };
        if (!(await visit(record))) return;
      }
    },
  };
}

function context(): AnswerContext & { units: number } {
  return {
    units: 0,
    pause: () => new Promise((resolve) => setImmediate(resolve)),
    charge(units) {
      this.units += units;
    },
  };
}

const bounds: RankingBounds = { holders: 5, atOnce: 8, asked: 6, time: 60_000 };
const of = (amounts: readonly bigint[], block = 3) => amounts.map((sum) => ({ sum, block }));

test('has those with sums above 0, and those that changed behind the block', async () => {
  const sums = [...of([5n, -5n, 0n, 300n, -(2n ** 255n)]), ...of([0n, -1n, 7n], 8)];
  const rankings = new Rankings(indexOf(sums));
  const newest = await rankings.rank({ token, at: refOf(9) }, false, context());
  expect(newest.standard).toBe('erc20');
  expect(newest.ranking.wallets(0, 9)).toEqual([3, 7, 0].map(addressOf));
  const older = await rankings.rank({ token, at: refOf(7) }, true, context());
  expect(older.ranking.wallets(0, 9)).toEqual([3, 7, 0, 5, 6].map(addressOf));
});

test('those who ask at once share one; no more is read while it is kept', async () => {
  const index = indexOf(of([1n, 2n]));
  const rankings = new Rankings(index);
  const asked = { token, at: refOf(9) };
  expect(rankings.newest({ token })).toBeUndefined();
  const [a, b, c] = await Promise.all([
    rankings.rank(asked, false, context()),
    rankings.rank({ token, at: refOf(8) }, false, context()),
    rankings.rank(asked, true, context()),
  ]);
  expect(a.at).toEqual(refOf(9));
  expect(b.at).toEqual(a.at);
  expect(c.at).toEqual(refOf(9));
  expect(index.seen.reads).toBe(2);
  expect(rankings.newest({ token })?.ranking.wallets(0, 2)).toEqual([1, 0].map(addressOf));
  const brief = new Rankings(index, { ...bounds, time: 0 });
  await brief.rank(asked, false, context());
  expect(brief.newest({ token })).toBeUndefined();
});

test('a unit is charged for each thousand records', async () => {
  const rankings = new Rankings(indexOf(of(Array.from({ length: 5500 }, (_, i) => BigInt(i)))));
  const own = context();
  const { ranking } = await rankings.rank({ token, at: refOf(9) }, false, own);
  expect(ranking.size).toBe(5499);
  expect(own.units).toBe(5);
});

describe('bounds', () => {
  const full = of([1n, 2n, 3n, 4n, 5n]);

  test('on the holders of a token', async () => {
    const some = new Rankings(indexOf(full), bounds);
    expect((await some.rank({ token, at: refOf(9) }, false, context())).ranking.size).toBe(5);
    const many = new Rankings(indexOf([...full, ...full]), bounds);
    await expect(many.rank({ token, at: refOf(9) }, false, context())).rejects.toMatchObject({
      ...{ status: 400, message: 'the token has more than 5 holders, which are not ranked' },
    });
    // Wallets that have nothing left count for nothing.
    const gone = new Rankings(indexOf([...full, ...of([0n, -1n])]), bounds);
    expect((await gone.rank({ token, at: refOf(9) }, false, context())).ranking.size).toBe(5);
  });

  test('on all that are being made', async () => {
    const rankings = new Rankings(indexOf(full), bounds);
    const both = [refOf(9), refOf(8)].map((at) => rankings.rank({ token, at }, true, context()));
    const ends = await Promise.allSettled(both);
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const refused = ends.find((end) => end.status === 'rejected');
    expect(refused?.reason).toMatchObject({ status: 503, retryAfter: 1 });
    // Both are done with by now.
    for (let i = 0; i < 3; i++) await rankings.rank({ token, at: refOf(9) }, true, context());
  });

  test('on wallets that are asked about an older block', async () => {
    const ask = async (wallets: readonly Hex[]) =>
      wallets.map((wallet) => (wallet === addressOf(4) ? undefined : BigInt(wallet) % 3n));
    const index = indexOf([...full, ...of([0n])]);
    const rankings = new Rankings(index, bounds);
    const past = () => rankings.rankPast({ token, at: refOf(4) }, ask, context());
    // 1 % 3, 2 % 3, 0, 1, nothing, 0: by the amounts, then by the addresses.
    expect((await past()).ranking.wallets(0, 9)).toEqual([1, 0, 3].map(addressOf));
    await past();
    expect(index.seen.reads).toBe(1);
    expect(rankings.newest({ token })).toBeUndefined();
    const many = new Rankings(indexOf([...full, ...of([0n, 0n])]), bounds);
    const refused = many.rankPast({ token, at: refOf(4) }, ask, context());
    await expect(refused).rejects.toMatchObject({
      ...{ status: 400, message: expect.stringContaining('more than 6 wallets') },
    });
  });
});

test('of a proven block, everyone is asked without the prover, which is left to the pages', async () => {
  const asked: number[] = [];
  const amounts: Amounts = {
    balanceAt: async () => 0n,
    async call(calls) {
      asked.push(calls.length);
      return calls.map((_, i) => integerToBytes(BigInt(i), 32));
    },
  };
  const rankings = new Rankings(indexOf(of([5n, -5n, 0n])));
  const access = { rankings, amountsAt: async () => amounts } as Partial<ChainContext>;
  // It fails whatever it is asked.
  const prover = {} as Prover;
  const query = { token, access: access as ChainContext, context: context() };
  for (let i = 0; i < 2; i++) {
    const ranked = await findProvenRanking(query, { at: refOf(4), prover });
    expect(ranked.amounts).toBe(prover);
    expect(ranked.ranking.wallets(0, 9)).toEqual([2, 1, 0].map(addressOf));
  }
  // The supply and three wallets, once for all pages.
  expect(asked).toEqual([4]);
});

test('an index that leaves the block meanwhile is not ranked', async () => {
  const index = indexOf(of([1n]));
  const rankings = new Rankings(index);
  const rank = (block: number) => rankings.rank({ token, at: refOf(block) }, true, context());
  await expect(rank(10)).rejects.toMatchObject({ status: 503 });
  const { eachSum } = index;
  index.eachSum = async (...args) => {
    await eachSum(...args);
    index.seen.fork = hashOf(77);
  };
  await expect(rank(9)).rejects.toMatchObject({ status: 503 });
  expect(rankings.newest({ token })).toBeUndefined();
});

test('ERC-721 goes before ERC-20, and ERC-1155 has owners of ids', async () => {
  const at = refOf(9);
  const deeds = new Rankings(indexOf(of([1n]), { standard: 'erc721' }));
  expect((await deeds.rank({ token, at }, false, context())).standard).toBe('erc721');
  const goods = new Rankings(indexOf(of([1n]), { standard: 'erc1155' }));
  await expect(goods.rank({ token, at }, false, context())).rejects.toMatchObject({
    ...{ status: 400, message: expect.stringContaining('owners') },
  });
  const none = new Rankings(indexOf([]));
  const { standard, ranking } = await none.rank({ token, at }, false, context());
  expect([standard, ranking.size]).toEqual([undefined, 0]);
});
