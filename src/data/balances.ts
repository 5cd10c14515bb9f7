/** Balances as data interfaces answer them. Any member may be null; members not named here are kept. */
import * as z from 'zod/mini';
import type { Hex } from '../bytes.js';
import { readAs } from './answer.js';
import { DataError } from './errors.js';

const text = z.optional(z.nullable(z.string()));
const number = z.optional(z.nullable(z.number()));
const flag = z.optional(z.nullable(z.boolean()));
const texts = z.optional(z.nullable(z.array(z.string())));

/** An amount in smallest units: a text, for it may be beyond 2^53. */
const amount = z.optional(z.nullable(z.string().check(z.regex(/^\d{1,78}$/))));

const nft = z.looseObject({
  token_id: text,
  token_balance: amount,
  token_url: text,
  supports_erc: texts,
});

const item = z.looseObject({
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  contract_address: z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/)),
  supports_erc: texts,
  logo_url: text,
  last_transferred_at: text,
  native_token: flag,
  type: text,
  is_spam: flag,
  balance: amount,
  quote_rate: number,
  quote: number,
  pretty_quote: text,
  nft_data: z.optional(z.nullable(z.array(nft))),
});

const pagination = z.looseObject({
  has_more: flag,
  page_number: number,
  page_size: number,
  total_count: number,
});

const page = z.looseObject({
  address: z.string(),
  chain_id: number,
  chain_name: text,
  quote_currency: text,
  updated_at: text,
  items: z.array(item),
  unproven: z.optional(z.nullable(z.array(item))),
  pagination: z.optional(z.nullable(pagination)),
});

/** Something that a wallet holds, as the server words it, but for `verified`. */
export type BalanceItem = z.infer<typeof item> & {
  /**
   * The reader's own word: true if the amounts, `balance` and those of `nft_data`, were proven under the anchor. Names,
   * decimals and quotes never are. A member of that name from the server is left out.
   */
  readonly verified?: true;
};

/** A page of what a server claims that a wallet holds. Nothing of it is proven, unless an anchor was given. */
export interface BalancePage {
  /** In the order of the server. With an anchor, each is verified. */
  readonly items: readonly BalanceItem[];
  /** With an anchor: items that the server has no proof of. Nobody vouches for them. */
  readonly unproven: readonly BalanceItem[];
  /**
   * With an anchor: what the verified amounts rest on besides. `fork`: the newest rules that the engine knows hold in the
   * block, for the request names none.
   */
  readonly assumed: readonly string[];
  /** Most items of a page, if the server says it. */
  readonly pageSize: number | undefined;
  /** Whether the server has more pages. */
  readonly hasMore: boolean;
  /** Everything else that the server says: block, time, currency. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** The server's own `verified` counts for nothing: only the reader's code says that something is verified. */
function unverified(items: readonly BalanceItem[]): BalanceItem[] {
  return items.map(({ verified: _, ...rest }) => rest as BalanceItem);
}

/** Reads the data of an answer. @throws DataError `BAD_ANSWER` */
export function readBalances(data: unknown, address: Hex, status: number): BalancePage {
  const { items, unproven, pagination: at, ...more } = readAs(page, data, status);
  if (more.address.toLowerCase() !== address) {
    throw new DataError('BAD_ANSWER', 'the answer is about another address', { status });
  }
  const pageSize = at?.page_size ?? undefined;
  return {
    items: unverified(items),
    unproven: unverified(unproven ?? []),
    assumed: [],
    pageSize,
    hasMore: at?.has_more === true,
    more,
  };
}
