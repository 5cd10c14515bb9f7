/** What pools answer, read: what cannot be of a pool is none, and an empty one has no price. */
import { encodeAbiParameters } from 'viem';
import { expect, test } from 'vitest';
import { poolCalls, readPoolPrices, toDigits } from '../../../src/abi/pools.js';
import type { Hex } from '../../../src/bytes.js';
import { fromHex } from '../../support/hex.js';

const [pool, first, second] = ['a1', 'b0', 'c0'].map((byte): Hex => `0x${byte.repeat(20)}`) as [
  ...[Hex, Hex, Hex],
];
const words = (...values: (bigint | Hex)[]) =>
  fromHex(
    encodeAbiParameters(
      values.map(() => ({ type: 'uint256' })),
      values.map(BigInt),
    ),
  );

/** Prices of a pool that answers so; the tokens have 6 and 18 decimals. */
async function pricesOf(answers: readonly (Uint8Array | undefined)[], decimals = [6n, 18n]) {
  const found = await readPoolPrices(pool, async (calls) =>
    calls.length === poolCalls(pool).length ? answers : decimals.map((one) => words(one)),
  );
  return found && [found.tokens, found.prices?.map(toDigits)];
}

const tokens = [words(first), words(second)];

test('prices follow from reserves, or else from the root of the price, and from decimals', async () => {
  const named = [first, second];
  // 3 whole ones of the first token, 7 and a half of the second one.
  const reserves = words(3_000_000n, 75n * 10n ** 17n, 0n);
  expect(await pricesOf([...tokens, reserves, undefined])).toEqual([named, ['2.5', '0.4']]);
  // The root of 4 * 10^12: two parts of the second to a part of the first, times the scales.
  const slot = words(2n * 10n ** 6n * 2n ** 96n, 0n, 0n, 0n, 0n, 0n, 1n);
  expect(await pricesOf([...tokens, undefined, slot])).toEqual([named, ['4', '0.25']]);
  expect(await pricesOf([...tokens, words(0n, 5n, 0n), undefined])).toEqual([named, undefined]);
  expect(await pricesOf([...tokens, reserves, undefined], [78n, 18n])).toEqual([named, undefined]);
});

test('what no pool answers is none', async () => {
  const reserves = words(1n, 1n, 0n);
  for (const answers of [
    [undefined, tokens[1], reserves, undefined],
    [words(2n ** 160n), tokens[1], reserves, undefined],
    [...tokens, words(2n ** 112n, 1n, 0n), undefined],
    [...tokens, words(1n, 1n), undefined],
    [...tokens, undefined, words(2n ** 160n, 0n, 0n, 0n, 0n, 0n, 1n)],
  ]) {
    expect(await pricesOf(answers)).toBeUndefined();
  }
});
