/** Tokens with ids, as servers claim them. */
import * as z from 'zod/mini';
import {
  addressMember,
  amountMember,
  claim,
  flagMember,
  maybe,
  numberMember,
  textMember,
  texts,
} from '../wire/members.js';
import { transactionSchema } from './transactionItem.js';

/** An id in decimal digits, which must be there. */
const idMember = z.string().check(z.regex(/^\d{1,78}$/));

const nftData = claim({
  /** The id, in decimal digits. */
  token_id: idMember,
  /** URL of the document that describes it, which the contract's author chose. */
  token_url: textMember,
  /** Who got it first, 20 bytes. */
  original_owner: textMember,
  /** Who has it, 20 bytes; null for ERC-1155. */
  current_owner: textMember,
  /** The document that describes it, if the server has fetched it. */
  external_data: z.optional(z.unknown()),
});

/** A token with an id, as the server words it. */
export interface NftData extends z.infer<typeof nftData> {}

/** The members of an item about its contract. */
const contractMembers = {
  /** The contract, 20 bytes. */
  contract_address: addressMember,
  /** A name, which its author chose. */
  contract_name: textMember,
  /** A short name, which its author chose. */
  contract_ticker_symbol: textMember,
};

/** What a wallet has of a contract. */
const heldMembers = {
  ...contractMembers,
  /** Such as `erc721`. */
  supports_erc: texts,
  /** When it last moved, ISO 8601. */
  last_transfered_at: textMember,
  /** How many tokens the wallet has of it. */
  balance: amountMember,
};

export const walletNftsItem = claim({
  ...heldMembers,
  /** Whether the server takes it for spam. */
  is_spam: flagMember,
  /** Some of the tokens. */
  nft_data: maybe(z.array(nftData)),
});

/** A contract of which a wallet has tokens, as the server words it, but for `verified`. */
export interface WalletNftsItem extends z.infer<typeof walletNftsItem> {
  /**
   * The reader's own word: true if these were proven under the anchor, by the one standard that `supports_erc` then names:
   * `balance`, and in `nft_data` each `token_id` and `current_owner`, and `token_url` if it is there. Names, `type`, `is_spam`,
   * `last_transfered_at` and `external_data` remain the server's word, and members that are not named in this type, and
   * `original_owner`, are left out.
   */
  readonly verified?: true;
}

export const walletTokenItem = claim({
  ...heldMembers,
  /** The id, in decimal digits. */
  token_id: idMember,
  /** The token. */
  nft_data: maybe(nftData),
});

/** A token that a wallet has, as the server words it, but for `verified` and `assumed`. */
export interface WalletTokenItem extends z.infer<typeof walletTokenItem> {
  /** As of `WalletNftsItem`; `token_id` is proven, too. */
  readonly verified?: true;
  /** With an anchor, in an answer about one token: what of it is not proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

export const collectionItem = claim({
  /** The contract, 20 bytes. */
  contract_address: addressMember,
  /** A name, which its author chose. */
  contract_name: textMember,
  /** Tokens that somebody has. */
  token_total_supply: numberMember,
});

/** A contract of tokens with ids, as the server words it. */
export interface CollectionItem extends z.infer<typeof collectionItem> {}

export const nftTokenItem = claim({
  ...contractMembers,
  /** The token. */
  nft_data: nftData,
});

/** A token of a contract, as the server words it, but for `verified` and `assumed`. */
export interface NftTokenItem extends z.infer<typeof nftTokenItem> {
  /**
   * The reader's own word: true if these were proven under the anchor: `token_id` and `current_owner` of `nft_data`, and
   * `token_url` if it is there. Of ERC-1155, whose `current_owner` is null, it is `token_url` alone, and not that somebody has
   * such a token. What remains the server's word, and what is left out, is as in `WalletNftsItem`.
   */
  readonly verified?: true;
  /** With an anchor, in an answer about one token: what of it is not proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

export const nftTransactionsItem = claim({
  ...contractMembers,
  /** Transactions that moved the token. */
  nft_transactions: z.array(transactionSchema),
});

/** The transactions of a token, as the server words them, but for `verified`. */
export interface NftTransactionsItem extends z.infer<typeof nftTransactionsItem> {
  /**
   * The reader's own word: true if each of `nft_transactions` was proven under the anchor, as `verified` of a transaction says it,
   * and that it moved the token. What is said of the contract remains the server's word.
   */
  readonly verified?: true;
}

export const nftOwnerItem = claim({
  ...contractMembers,
  /** The id, in decimal digits. */
  token_id: idMember,
  /** Who has some, 20 bytes. */
  address: addressMember,
  /** How much it has. */
  balance: amountMember,
  /** Such as `erc721`. */
  supports_erc: texts,
  /** Whether the server takes the contract for spam. */
  is_spam: flagMember,
});

/** An owner of a token, as the server words it, but for `verified`. */
export interface NftOwnerItem extends z.infer<typeof nftOwnerItem> {
  /**
   * The reader's own word: true if these were proven under the anchor: that `address` has so much of the token, `balance`, by the
   * one standard that `supports_erc` then names. Names and `is_spam` remain the server's word, and members that are not
   * named in this type are left out.
   */
  readonly verified?: true;
}

const dayMembers = {
  /** The day, in UTC. */
  date: z.string(),
};
const nativeMembers = {
  /** Name of the native token. */
  native_name: textMember,
  /** Its short name. */
  native_ticker_symbol: textMember,
};

export const floorPriceItem = claim({
  ...{ ...dayMembers, ...nativeMembers },
  /** The least price of the day, in native tokens. */
  floor_price_native_quote: numberMember,
  /** The same in the currency of quotes. */
  floor_price_quote: numberMember,
  /** The same as text. */
  pretty_floor_price_quote: textMember,
});

/** The least price of a day, as the server words it. */
export interface FloorPriceItem extends z.infer<typeof floorPriceItem> {
  /** With an anchor: `everything`, for nothing of it is proven. */
  readonly assumed?: readonly string[];
}

export const volumeItem = claim({
  ...{ ...dayMembers, ...nativeMembers },
  /** What all sales of the day add up to, in native tokens. */
  volume_native_quote: numberMember,
  /** The same in the currency of quotes. */
  volume_quote: numberMember,
  /** The same as text. */
  pretty_volume_quote: textMember,
});

/** What the sales of a day add up to, as the server words it. */
export interface VolumeItem extends z.infer<typeof volumeItem> {
  /** With an anchor: `everything`, for nothing of it is proven. */
  readonly assumed?: readonly string[];
}

export const saleCountItem = claim({
  ...dayMembers,
  /** How many sales there were, in decimal digits. */
  sales_count: amountMember,
});

/** How many sales a day had, as the server words it. */
export interface SaleCountItem extends z.infer<typeof saleCountItem> {
  /** With an anchor: `everything`, for nothing of it is proven. */
  readonly assumed?: readonly string[];
}
