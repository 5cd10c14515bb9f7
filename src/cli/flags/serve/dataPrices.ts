/** Prices from a data interface: the daily price of each token on the day of the transaction. */
import * as z from 'zod/mini';
import { createDataClient } from '../../../data/index.js';
import type { PriceSource } from '../../../service/index.js';
import { asUsage } from '../args.js';

const day = z.looseObject({ price: z.nullable(z.number()) });

const answer = z.array(
  z.looseObject({ contract_address: z.string(), items: z.optional(z.nullable(z.array(day))) }),
);

/** Tokens in one question: they stand in its path. */
const atOnce = 50;

const dateOf = (seconds: number) => new Date(1000 * seconds).toISOString().slice(0, 10);

/** @param key sent as user of HTTP Basic @throws UsageError */
export function dataPrices(url: string, key: string | undefined): PriceSource {
  let client: ReturnType<typeof createDataClient>;
  try {
    client = createDataClient({ url, key });
  } catch (cause) {
    throw asUsage({ url: '--prices', key: 'L2PROOF_PRICES_KEY' }, cause);
  }
  return async ({ chainName, addresses, timestamp, signal }) => {
    const date = timestamp === undefined ? undefined : dateOf(timestamp);
    const parts = Array.from({ length: Math.ceil(addresses.length / atOnce) }, (_, i) =>
      addresses.slice(i * atOnce, (i + 1) * atOnce),
    );
    const answers = await Promise.all(
      parts.map((part) => {
        const path = `/v1/pricing/historical_by_addresses_v2/${chainName}/USD/${part.join(',')}/`;
        return client.get(path, { from: date, to: date }, answer, { signal });
      }),
    );
    return answers.flat().flatMap(({ contract_address: address, items }) => {
      const usd = items?.[0]?.price;
      return usd === undefined || usd === null ? [] : [{ address: address as `0x${string}`, usd }];
    });
  };
}
