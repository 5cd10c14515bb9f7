/** What wallets held, on several days or chains, and what tokens were worth, as servers claim it. */
import * as z from 'zod/mini';
import {
  addressMember,
  amountMember,
  claim,
  flagMember,
  maybe,
  numberMember,
  textMember,
} from '../wire/members.js';
import { nft } from './balanceItem.js';
import { listedChainMembers } from './chainItem.js';
import { tokenMembers } from './token.js';
import { listedTransactionMembers } from './transactionItem.js';

/** What is said of any balance. */
const balanceMembers = {
  ...tokenMembers,
  /** Time of the last transfer, ISO 8601. */
  last_transferred_at: textMember,
  /** `cryptocurrency` or `nft`. */
  type: textMember,
  /** A server's opinion. */
  is_spam: flagMember,
  /** How much it is, in smallest units; of NFTs, how many. */
  balance: amountMember,
  /** What a whole token is worth. */
  quote_rate: numberMember,
  /** What the balance is worth. */
  quote: numberMember,
  /** The same as text. */
  pretty_quote: textMember,
};

export const historicalBalanceItem = claim({
  ...balanceMembers,
  /** Number of the block that the balance is of. */
  block_height: numberMember,
  /** Number of the last block up to then with a transfer. */
  last_transferred_block_height: numberMember,
  /** Whether it is the native token. */
  native_token: flagMember,
  /** Tokens of a collection. */
  nft_data: maybe(z.array(nft)),
});

/** A balance at an older block, as the server words it, but for `verified`. */
export interface HistoricalBalanceItem extends z.infer<typeof historicalBalanceItem> {
  /**
   * The reader's own word: true if these were proven under the anchor: what `BalanceItem` says of its own `verified`, and
   * `block_height`. `last_transferred_block_height` remains the server's word, too.
   */
  readonly verified?: true;
}

const dayBalance = maybe(
  claim({
    /** In smallest units. */
    balance: amountMember,
    /** What that is worth. */
    quote: numberMember,
    /** The same as text. */
    pretty_quote: textMember,
  }),
);

export const portfolioItem = claim({
  ...tokenMembers,
  /** A holding for each day, the newest first. */
  holdings: z.array(
    claim({
      /** Time at which the day begins, ISO 8601. */
      timestamp: z.string(),
      /** What a whole token was worth that day. */
      quote_rate: numberMember,
      /** Before the day began. */
      open: dayBalance,
      /** At its end. */
      close: dayBalance,
      /** The most of that day. */
      high: dayBalance,
      /** The least of that day. */
      low: dayBalance,
    }),
  ),
});

/** A token that a wallet had, day by day, as the server words it. */
export interface PortfolioItem extends z.infer<typeof portfolioItem> {}

export const chainBalanceItem = claim({
  ...balanceMembers,
  /** Whether it is the native token. */
  is_native_token: flagMember,
  /** Number of its chain (EIP-155). */
  chain_id: numberMember,
  /** Name of its chain. */
  chain_name: z.string(),
});

/** A balance on one of several chains, as the server words it. */
export interface ChainBalanceItem extends z.infer<typeof chainBalanceItem> {}

export const chainTransactionItem = claim({
  ...listedTransactionMembers,
  /** Number of its chain (EIP-155). */
  chain_id: numberMember,
  /** Name of its chain. */
  chain_name: z.string(),
});

/** A transaction on one of several chains, as the server words it. */
export interface ChainTransactionItem extends z.infer<typeof chainTransactionItem> {}

export const activityItem = claim({
  ...listedChainMembers,
  /** Time of the last transaction there, ISO 8601. */
  last_seen_at: textMember,
});

/** A chain on which an address has a transaction, as the server words it, but for `verified`. */
export interface ActivityItem extends z.infer<typeof activityItem> {
  /**
   * The reader's own word: true if it was proven under the anchor, which is of this chain, that the newest transaction of the
   * address in the list of its transactions has the time `last_seen_at`. Names and `is_testnet` remain the server's word.
   */
  readonly verified?: true;
  /** With an anchor: what of it is not proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

export const tokenPricesItem = claim({
  ...tokenMembers,
  /** Currency of the prices. */
  quote_currency: textMember,
  /** A price for each day. */
  items: z.array(
    claim({
      /** The day, such as `2026-02-28`. */
      date: z.string(),
      /** What a whole token was worth; null if it is not known. */
      price: numberMember,
      /** The same as text. */
      pretty_price: textMember,
      /** `pools` if it was read from a pool, which not all servers say. */
      source: textMember,
    }),
  ),
});

/** Prices of a token, as the server words them. */
export interface TokenPricesItem extends z.infer<typeof tokenPricesItem> {
  /** With an anchor: that nothing of it can be proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

/** A price: digits of any number. */
const priceText = maybe(z.string());

export const poolPricesItem = claim({
  /** The pool, 20 bytes. */
  pool_address: addressMember,
  /** The first token, 20 bytes. */
  token_0_address: addressMember,
  /** A name, which its author chose. */
  token_0_name: textMember,
  /** A short name, which its author chose. */
  token_0_ticker: textMember,
  /** What a whole one is worth in whole second ones. */
  token_0_price: priceText,
  /** The same a day before. */
  token_0_price_24h: priceText,
  /** What a whole one is worth in the currency. */
  token_0_price_quote: priceText,
  /** The same a day before. */
  token_0_price_24h_quote: priceText,
  /** The second token, 20 bytes. */
  token_1_address: addressMember,
  /** A name, which its author chose. */
  token_1_name: textMember,
  /** A short name, which its author chose. */
  token_1_ticker: textMember,
  /** What a whole one is worth in whole first ones. */
  token_1_price: priceText,
  /** The same a day before. */
  token_1_price_24h: priceText,
  /** What a whole one is worth in the currency. */
  token_1_price_quote: priceText,
  /** The same a day before. */
  token_1_price_24h_quote: priceText,
  /** Currency of quotes. */
  quote_currency: textMember,
  /** Number of the block that they are of, which not all servers say. */
  block_height: numberMember,
  /** Hash of that block, 32 bytes. */
  block_hash: textMember,
});

/** Prices of a pool's tokens in one another, as the server words them, but for `verified` and `assumed`. */
export interface PoolPricesItem extends z.infer<typeof poolPricesItem> {
  /**
   * The reader's own word: true if these were proven under the anchor: the pool's tokens, and `token_0_price` and
   * `token_1_price`, which follow from its reserves, or from its own price, and from the tokens' decimals; of contracts that
   * may say what they like. Names, prices of a day before and quotes remain the server's word, and others are left out.
   */
  readonly verified?: true;
  /** With an anchor: what of it is not proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}
