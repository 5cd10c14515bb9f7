/** What tokens were worth on the days of transactions. */
import type { Hex } from '../../../bytes.js';
import { mapConcurrently } from '../../../concurrent.js';
import type { Decimal } from '../../../decode/context/quote.js';
import { nativeAddress } from '../../../decode/index.js';
import { askPrices } from '../../chain/prices.js';
import type { ChainContext } from '../../data/balances.js';
import { pricesByAddress } from '../../data/items.js';

/** Seconds. */
const day = 86_400;

const dayOf = (timestamp: number): number => Math.floor(timestamp / day) * day;

/** Questions to the source of prices on their way at once. */
const concurrent = 4;

/** Tokens whose prices are wanted at a time. */
export interface PricedTime {
  /** Seconds. */
  readonly timestamp: number;
  readonly tokens: readonly Hex[];
}

/** Prices, by day. */
export interface PastPrices {
  /** @param timestamp one of those that were asked about */
  at(timestamp: number, token: Hex): Decimal | undefined;
  /** Whether the source answered all. */
  readonly isWhole: boolean;
}

/** @param quoteCurrency prices are known in USD alone */
export async function findPastPrices(
  { prices: source, chain, log }: ChainContext,
  quoteCurrency: string,
  wanted: readonly PricedTime[],
): Promise<PastPrices> {
  if (source === undefined || quoteCurrency !== 'USD')
    return { at: () => undefined, isWhole: true };
  const days = new Map<number, Set<Hex>>();
  for (const { timestamp, tokens } of wanted) {
    const known = days.get(dayOf(timestamp)) ?? new Set();
    for (const token of tokens) known.add(token);
    days.set(dayOf(timestamp), known);
  }
  let isWhole = true;
  const found = await mapConcurrently([...days], concurrent, async ([timestamp, tokens]) => {
    const asked = { chainName: chain.name, chainId: chain.id, addresses: [...tokens], timestamp };
    const answer = await askPrices(source, asked, log);
    isWhole &&= answer.isWhole;
    return [timestamp, pricesByAddress(answer.prices)] as const;
  });
  const byDay = new Map(found);
  return { at: (timestamp, token) => byDay.get(dayOf(timestamp))?.get(token), isWhole };
}

/** Prices of the native token. */
interface NativePrices {
  /** @param timestamp one of those that were asked about */
  at(timestamp: number): Decimal | undefined;
  readonly isWhole: boolean;
}

/** The same of the native token alone. @param timestamps seconds */
export async function findNativePrices(
  access: ChainContext,
  quoteCurrency: string,
  timestamps: readonly number[],
): Promise<NativePrices> {
  const wanted = timestamps.map((timestamp) => ({ timestamp, tokens: [nativeAddress as Hex] }));
  const { at, isWhole } = await findPastPrices(access, quoteCurrency, wanted);
  return { at: (timestamp) => at(timestamp, nativeAddress), isWhole };
}
