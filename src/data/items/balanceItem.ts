/** Balances as data interfaces answer them. Any member may be null; members not named here are kept. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import { readAs } from '../wire/answer.js';
import { DataError } from '../wire/errors.js';
import { address, amount, flag, number, text } from '../wire/members.js';

const texts = z.optional(z.nullable(z.array(z.string())));

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
  contract_address: address,
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
   * The reader's own word: true if these were proven under the anchor: `balance`, `native_token`, in `nft_data` each
   * `token_id`, `token_balance`, `owner` and `owner_address`, and `contract_decimals` unless it is null, as it is of
   * collections, of contracts that give none up to 77, and if the proof of it did not come. Names, `type`, `is_spam`, times,
   * URLs and quotes remain the server's word, and members that are not named in this type are left out. A member
   * `verified` of the server's is left out always.
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
   * With an anchor: what the verified amounts rest on besides. `fork`: the newest rules hold in the block, among those that
   * had begun by a proven time after it, or among all that the engine knows; the request names none.
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
function unverified<T extends object>(given: T): T {
  const { verified: _, ...rest } = given as T & { verified?: unknown };
  return rest as unknown as T;
}

const unverifiedItem = (item: BalanceItem): BalanceItem => ({
  ...unverified(item),
  ...(item.nft_data && { nft_data: item.nft_data.map(unverified) }),
});

/** Reads the data of an answer. @throws DataError `BAD_ANSWER` */
export function readBalances(data: unknown, address: Hex, status: number): BalancePage {
  const { items, unproven, pagination: at, ...more } = readAs(page, data, status);
  if (more.address.toLowerCase() !== address) {
    throw new DataError('BAD_ANSWER', 'the answer is about another address', { status });
  }
  const pageSize = at?.page_size ?? undefined;
  return {
    items: items.map(unverifiedItem),
    unproven: (unproven ?? []).map(unverifiedItem),
    assumed: [],
    pageSize,
    hasMore: at?.has_more === true,
    more: unverified(more),
  };
}
