/** Prices from a file of the operator's. */
import type { TokenPrice } from '../../decode/index.js';
import { wrongType } from '../../errors.js';
import { createReader } from '../../foreign/reader.js';
import type { PriceSource } from './prices.js';

const { openObject, read, as, asHex, asList } = createReader(wrongType);

/** Exact: a text of decimal digits, or a number of JSON. */
const isPrice = (value: unknown): value is string | number =>
  (typeof value === 'string' && /^\d{1,30}(\.\d{1,30})?$/.test(value)) ||
  (typeof value === 'number' && Number.isFinite(value) && value >= 0);

const readAddress = asHex(20);
const readUsd = as(
  (value) => (isPrice(value) ? value : undefined),
  'a number from 0, or its digits',
);

function readPrice(entry: unknown, at: string): TokenPrice {
  const source = openObject(entry, at);
  return { address: read(source, 'address', readAddress), usd: read(source, 'usd', readUsd) };
}
const readPrices = asList(readPrice);

/**
 * A source of prices that stay as they are.
 *
 * @param file parsed JSON: chain names, and for each a list of `{ address, usd }`; the native token is
 *   `0xeeee...eeee`
 * @throws TypeError that says what is wrong, and at which member
 */
export function fixedPrices(file: unknown): PriceSource {
  const source = openObject(file, 'prices');
  const chains = new Map<string, ReadonlyMap<string, TokenPrice>>();
  for (const name of Object.keys(source.target)) {
    const entries = read(source, name, readPrices);
    chains.set(name, new Map(entries.map((entry) => [entry.address, entry])));
  }
  return async ({ chainName, addresses }) => {
    const prices = chains.get(chainName);
    return addresses.flatMap((address) => {
      const price = prices?.get(address);
      return price ? [price] : [];
    });
  };
}
