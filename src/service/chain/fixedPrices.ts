/** Prices from a file of the operator's. */
import type { TokenPrice } from '../../decode/index.js';
import { createMemberReader } from '../../foreign/members.js';
import { hexText } from '../../foreign/values.js';
import type { PriceSource } from './prices.js';

const { openObject, openArray, readMember } = createMemberReader(
  (at, reason) => new TypeError(`"${at}" ${reason}`),
);

/** Exact: a text of decimal digits, or a number of JSON. */
const isPrice = (value: unknown): value is string | number =>
  (typeof value === 'string' && /^\d{1,30}(\.\d{1,30})?$/.test(value)) ||
  (typeof value === 'number' && Number.isFinite(value) && value >= 0);

function readPrice(entry: unknown, at: string): TokenPrice {
  const source = openObject(entry, at);
  const address = hexText(readMember(source, 'address'), 20);
  if (address === undefined) throw new TypeError(`"${at}.address" expected 0x and 40 hex digits`);
  const usd = readMember(source, 'usd');
  if (!isPrice(usd)) throw new TypeError(`"${at}.usd" expected a number from 0, or its digits`);
  return { address, usd };
}

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
    const at = `prices.${name}`;
    const list = openArray(readMember(source, name), at);
    const entries = Array.from({ length: list.length }, (_, i) =>
      readPrice(readMember(list, i), `${at}[${i}]`),
    );
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
