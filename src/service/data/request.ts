/** Reads what a request asks of the data interface. */
import type { Hex } from '../../bytes.js';
import { hexText } from '../../foreign/values.js';
import { maxBlock } from '../../tree/store/numbers.js';
import { invalid } from './replies.js';

/** Currencies that quotes can be asked for in. Prices are known in US dollars alone: other quotes are null. */
export const quoteCurrencies = [
  ...['USD', 'CAD', 'EUR', 'SGD', 'INR', 'JPY', 'VND', 'CNY', 'KRW'],
  ...['RUB', 'TRY', 'NGN', 'ARS', 'AUD', 'CHF', 'GBP'],
] as const;

/** Holdings in one answer at most: as many as clients that know no paging get. */
export const mostItems = 1000;

/** Holdings in a page if its size is not said. */
const usualItems = 100;

/** Holdings of one wallet that can be reached; those beyond are spam. */
export const mostHoldings = 100_000;

export interface BalancesQuestion {
  /** Lower case. */
  readonly address: Hex;
  readonly quoteCurrency: string;
  readonly pageSize: number;
  /** From 0. */
  readonly pageNumber: number;
  /** Whether each item is to carry its proof. */
  readonly proofs: boolean;
  /** The block that is asked for; undefined: the newest. With proofs alone. */
  readonly block: number | undefined;
}

/** @throws Refusal */
function once(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(`${name} is given more than once`);
  return values[0];
}

/** @throws Refusal */
function readNumber(
  query: URLSearchParams,
  name: string,
  { least, most }: { least: number; most: number },
): number | undefined {
  const text = once(query, name);
  if (text === undefined) return undefined;
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most) return number;
  throw invalid(`${name} must be a whole number from ${least} to ${most}`);
}

/** @throws Refusal */
function readFlag(query: URLSearchParams, name: string): boolean {
  const text = once(query, name);
  if (text === undefined || text === 'true' || text === 'false') return text === 'true';
  throw invalid(`${name} must be true or false`);
}

/** The query of a URL, without the question mark; empty if the URL has no query. */
function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

/** @param address as written in the path @throws Refusal */
export function readBalancesQuestion(url: string, address: string): BalancesQuestion {
  const wallet = hexText(address, 20);
  if (wallet === undefined) throw invalid('address must be 0x and 40 hex digits');
  const query = new URLSearchParams(queryOf(url));
  const quoteCurrency = (once(query, 'quote-currency') ?? 'USD').toUpperCase();
  if (!(quoteCurrencies as readonly string[]).includes(quoteCurrency)) {
    throw invalid(`quote-currency must be one of ${quoteCurrencies.join(', ')}`);
  }
  // Nothing here is known to be spam, so there is nothing to leave out.
  readFlag(query, 'no-spam');
  const proofs = readFlag(query, 'proofs');
  const block = readNumber(query, 'block-height', { least: 0, most: maxBlock });
  if (block !== undefined && !proofs) throw invalid('block-height needs proofs=true');
  const size = readNumber(query, 'page-size', {
    least: 1,
    most: proofs ? usualItems : mostItems,
  });
  const last = Math.floor(mostHoldings / (size ?? usualItems));
  const pageNumber = readNumber(query, 'page-number', { least: 0, most: last });
  const pageSize = size ?? (pageNumber === undefined && !proofs ? mostItems : usualItems);
  return {
    ...{ address: wallet, quoteCurrency, pageSize, pageNumber: pageNumber ?? 0 },
    ...{ proofs, block },
  };
}
