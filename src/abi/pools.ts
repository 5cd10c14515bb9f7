/** What a pool of Uniswap v2 or v3, or of one that is made like these, says its two tokens are worth in one another. */
import type { Hex } from '../bytes.js';
import { decodeAddress, decodeDecimals, decodeUint256 } from './answers.js';
import type { AbiCall } from './call.js';
import { questions } from './tokens.js';
import { wordWidth } from './word.js';

/** A number as a fraction; neither part is below 0. */
export interface Fraction {
  readonly above: bigint;
  /** Not 0. */
  readonly below: bigint;
}

/** A pool, and what it says of its tokens. */
interface PoolState {
  readonly tokens: readonly [Hex, Hex];
  /** What a smallest unit of the first token is worth in smallest units of the second one; undefined if the pool is empty. */
  readonly ratio: Fraction | undefined;
}

/** Makes calls of contracts. @returns what each returned; undefined if it failed */
export type AskContracts = (
  calls: readonly AbiCall[],
) => Promise<readonly (Uint8Array | undefined)[]>;

/** The calls that reading a pool takes. */
export const poolCalls = (to: Hex): AbiCall[] =>
  (['token0', 'token1', 'getReserves', 'slot0'] as const).map((name) => ({
    to,
    data: questions[name],
  }));

export const decimalsCalls = (tokens: readonly Hex[]): AbiCall[] =>
  tokens.map((to) => ({ to, data: questions.decimals }));

const wordsIn = (answer: Uint8Array): bigint[] =>
  Array.from({ length: Math.floor(answer.length / wordWidth) }, (_, i) =>
    decodeUint256(answer.subarray(i * wordWidth, (i + 1) * wordWidth)),
  ).filter((word) => word !== undefined);

/** Words that these functions answer, and a bound of the numbers in them. */
const reserveWords = 3;
const slotWords = 7;
const mostReserve = 2n ** 112n;
const mostRoot = 2n ** 160n;

const toRatio = (above: bigint, below: bigint): Fraction | undefined =>
  above === 0n || below === 0n ? undefined : { above, below };

/** @returns undefined if it is no such answer; null if there is nothing in the pool */
function decodeReserves(answer: Uint8Array): Fraction | null | undefined {
  const [first, second] = wordsIn(answer) as [bigint, bigint];
  if (answer.length !== reserveWords * wordWidth) return undefined;
  if (first >= mostReserve || second >= mostReserve) return undefined;
  return toRatio(second, first) ?? null;
}

/** The same of the square root of the price, with 96 bits behind the point. */
function decodeRoot(answer: Uint8Array): Fraction | null | undefined {
  const [root] = wordsIn(answer) as [bigint];
  if (answer.length !== slotWords * wordWidth || root >= mostRoot) return undefined;
  return toRatio(root * root, 2n ** 192n) ?? null;
}

/** @returns undefined for what is no pool @throws what asking throws */
export async function readPool(pool: Hex, ask: AskContracts): Promise<PoolState | undefined> {
  const nothing = new Uint8Array(0);
  const answers = await ask(poolCalls(pool));
  const [one, other, reserves, slot] = answers.map((answer) => answer ?? nothing) as [
    ...[Uint8Array, Uint8Array, Uint8Array, Uint8Array],
  ];
  const [first, second] = [decodeAddress(one), decodeAddress(other)];
  const ratio = decodeReserves(reserves) ?? decodeRoot(slot);
  const isPool = decodeReserves(reserves) !== undefined || decodeRoot(slot) !== undefined;
  if (first === undefined || second === undefined || !isPool) return undefined;
  return { tokens: [first, second], ratio: ratio ?? undefined };
}

/** Decimals of tokens; undefined of one that says none up to 77. @throws what asking throws */
export async function readDecimals(
  tokens: readonly Hex[],
  ask: AskContracts,
): Promise<(number | undefined)[]> {
  const answers = await ask(decimalsCalls(tokens));
  return answers.map((answer) => answer && decodeDecimals(answer));
}

/** What a whole first token is worth in whole second ones. @param decimals of both */
export const toWhole = (
  { above, below }: Fraction,
  [first, second]: readonly [number, number],
): Fraction => ({ above: above * 10n ** BigInt(first), below: below * 10n ** BigInt(second) });

export const invert = ({ above, below }: Fraction): Fraction => ({ above: below, below: above });

export const multiply = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.above,
  below: a.below * b.below,
});

/** What the tokens of a pool are worth in one another. */
export interface PoolPrices {
  readonly tokens: readonly [Hex, Hex];
  /** Of the first one in the second one, and the other way round; undefined if they are not known. */
  readonly prices: readonly [Fraction, Fraction] | undefined;
}

/** @returns undefined for what is no pool @throws what asking throws */
export async function readPoolPrices(
  pool: Hex,
  ask: AskContracts,
): Promise<PoolPrices | undefined> {
  const state = await readPool(pool, ask);
  if (state === undefined) return undefined;
  const { tokens, ratio } = state;
  const [first, second] = await readDecimals(tokens, ask);
  if (ratio === undefined || first === undefined || second === undefined) {
    return { tokens, prices: undefined };
  }
  const price = toWhole(ratio, [first, second]);
  return { tokens, prices: [price, invert(price)] };
}

/** Digits of a price that are written. */
const digits = 18;

/** A number from 0 with 18 digits, as people write it; those behind are cut. */
export function toDigits({ above, below }: Fraction): string {
  if (above === 0n) return '0';
  // As many digits behind the point as give 18 in all, or one more; none is cut before it.
  const size = String(above).length - String(below).length;
  const scale = Math.max(0, digits - size);
  const units = String((above * 10n ** BigInt(scale)) / below);
  const excess = Math.min(scale, Math.max(0, units.length - digits));
  const kept = units.slice(0, units.length - excess);
  const behind = scale - excess;
  const padded = kept.padStart(behind + 1, '0');
  const whole = padded.slice(0, padded.length - behind);
  const fraction = padded.slice(padded.length - behind).replace(/0+$/, '');
  return behind === 0 || fraction === '' ? whole : `${whole}.${fraction}`;
}
