/** Prices of the native token on the days of transactions. */

import { mapConcurrently } from '../../../concurrent.js';
import type { Decimal } from '../../../decode/context/quote.js';
import { nativeAddress } from '../../../decode/index.js';
import { askPrices } from '../../chain/prices.js';
import type { ChainContext } from '../../data/balances.js';
import { pricesByAddress } from '../../data/items.js';

/** Seconds. */
const day = 86_400;

/** Questions to the source of prices on their way at once. */
const concurrent = 4;

/** The price at a time, by day. */
interface NativePrices {
  /** @param timestamp one of those that were asked about */
  at(timestamp: number): Decimal | undefined;
  /** Whether the source answered all. */
  readonly isWhole: boolean;
}

/** @param quoteCurrency prices are known in USD alone @param timestamps seconds */
export async function findNativePrices(
  { prices: source, chain, log }: ChainContext,
  quoteCurrency: string,
  timestamps: readonly number[],
): Promise<NativePrices> {
  if (source === undefined || quoteCurrency !== 'USD')
    return { at: () => undefined, isWhole: true };
  const dayOf = (timestamp: number) => Math.floor(timestamp / day) * day;
  const days = [...new Set(timestamps.map(dayOf))];
  let isWhole = true;
  const found = await mapConcurrently(days, concurrent, async (timestamp) => {
    const asked = {
      chainName: chain.name,
      chainId: chain.id,
      addresses: [nativeAddress],
      timestamp,
    };
    const answer = await askPrices(source, asked, log);
    isWhole &&= answer.isWhole;
    return [timestamp, pricesByAddress(answer.prices).get(nativeAddress)] as const;
  });
  const byDay = new Map(found);
  return { at: (timestamp) => byDay.get(dayOf(timestamp)), isWhole };
}
