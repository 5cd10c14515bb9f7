/** The order of holders: that of their amounts, whatever the widths of these, and of the addresses of equal ones. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeHex, integerToBytes } from '../../../../src/bytes.js';
import type { Ranking } from '../../../../src/service/data/ranking.js';
import { RankingBuilder, runLength } from '../../../../src/service/data/rankingBuilder.js';
import { randomOf } from '../../../support/blocks.js';
import { runsOf } from '../../../support/runs.js';

interface Holder {
  readonly wallet: Uint8Array;
  readonly amount: bigint;
}

const noPause = async () => {};

function rank(holders: readonly Holder[], pause = noPause): Promise<Ranking> {
  const builder = new RankingBuilder();
  for (const { wallet, amount } of holders) builder.add(wallet, integerToBytes(amount, 33));
  expect(builder.size).toBe(holders.length);
  return builder.finish(pause);
}

/** The same by integers and texts. */
const sorted = (holders: readonly Holder[]) =>
  holders
    .map(({ wallet, amount }) => ({ address: encodeHex(wallet), amount }))
    .sort(
      (a, b) =>
        Number(b.amount > a.amount) - Number(b.amount < a.amount) ||
        (a.address < b.address ? -1 : 1),
    )
    .map(({ address }) => address);

const wallet = fc.uint8Array({ minLength: 20, maxLength: 20 });
// Few of them, and of widths up to those of which all bytes count.
const amount = fc.oneof(
  fc.constantFrom(0n, 1n, 127n, 128n, 255n, 256n, 65_535n, 2n ** 87n, 2n ** 88n - 1n),
  fc.bigInt({ min: 0n, max: 2n ** 88n - 1n }),
  fc.integer({ min: 88, max: 255 }).map((bits) => 2n ** BigInt(bits)),
);
const holders = fc.uniqueArray(fc.record({ wallet, amount }), {
  maxLength: 60,
  selector: (one) => encodeHex(one.wallet),
});

test('the order is that of the amounts', async () => {
  await fc.assert(
    fc.asyncProperty(holders, fc.nat(70), fc.nat(70), async (some, from, count) => {
      const ranking = await rank(some);
      const expected = sorted(some);
      expect(ranking.size).toBe(some.length);
      expect(ranking.wallets(from, count)).toEqual(expected.slice(from, from + count));
    }),
    runsOf(),
  );
});

test('a rank leads on behind it in any other ranking', async () => {
  await fc.assert(
    fc.asyncProperty(holders, fc.nat(), async (some, pick) => {
      if (some.length === 0) return;
      const place = pick % some.length;
      const ranking = await rank(some);
      const mark = ranking.rank(place);
      expect(ranking.findBehind(mark)).toBe(place + 1);
      // Without that one, and with every other one alone.
      const name = ranking.wallets(place, 1)[0];
      const others = some.filter((one) => encodeHex(one.wallet) !== name);
      expect((await rank(others)).findBehind(mark)).toBe(place);
      const half = some.filter((_, i) => i % 2 === 0);
      const before = sorted(half).filter((one) => sorted(some).indexOf(one) <= place);
      expect((await rank(half)).findBehind(mark)).toBe(before.length);
    }),
    runsOf(),
  );
});

describe('amounts that differ behind their first 88 bits', () => {
  test('stand in the order of the addresses', async () => {
    const high = { wallet: new Uint8Array(20).fill(2), amount: 2n ** 200n + 1n };
    const low = { wallet: new Uint8Array(20).fill(1), amount: 2n ** 200n };
    const ranking = await rank([high, low]);
    expect(ranking.wallets(0, 2)).toEqual([encodeHex(low.wallet), encodeHex(high.wallet)]);
    const more = { wallet: new Uint8Array(20).fill(9), amount: 2n ** 200n + 2n ** 120n };
    expect((await rank([high, low, more])).wallets(0, 1)).toEqual([encodeHex(more.wallet)]);
  });
});

test('many are sorted a run at a time, and merged with a pause before each 512', async () => {
  const random = randomOf(7);
  const count = 3 * runLength + 17;
  const many = Array.from({ length: count }, (_, i) => {
    const bytes = new Uint8Array(20);
    new DataView(bytes.buffer).setUint32(3, i);
    return { wallet: bytes, amount: BigInt(random(50)) ** BigInt(random(14)) };
  });
  let pauses = 0;
  const ranking = await rank(many, async () => {
    pauses++;
  });
  expect(ranking.wallets(0, count)).toEqual(sorted(many));
  // Of 6,161 wallets.
  expect(pauses).toBe(13);
  const gone = new Error('gone');
  await expect(rank(many, () => Promise.reject(gone))).rejects.toBe(gone);
});
