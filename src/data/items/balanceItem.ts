/** Balances as data interfaces answer them. Any member may be null; members not named here are kept. */
import * as z from 'zod/mini';
import {
  amountMember,
  claim,
  countMember,
  flagMember,
  maybe,
  numberMember,
  textMember,
  texts,
} from '../wire/members.js';
import { type ListPage, provableList } from '../wire/pages.js';
import { tokenMembers } from './token.js';

export const nft = claim({
  /** The id, in decimal digits. */
  token_id: textMember,
  /** How much the wallet has of it. */
  token_balance: amountMember,
  /** URL of a document about it. */
  token_url: textMember,
  /** Such as `erc721`. */
  supports_erc: texts,
});

const item = claim({
  ...tokenMembers,
  last_transferred_at: textMember,
  native_token: flagMember,
  type: textMember,
  is_spam: flagMember,
  balance: amountMember,
  quote_rate: numberMember,
  quote: numberMember,
  pretty_quote: textMember,
  nft_data: maybe(z.array(nft)),
});

/** The balances of a wallet. */
export const balancesData = provableList(item, {
  address: z.string(),
  chain_id: numberMember,
  chain_name: textMember,
  quote_currency: textMember,
  updated_at: textMember,
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
export interface BalancePage extends ListPage<BalanceItem> {}

export const nativeBalanceItem = claim({
  ...tokenMembers,
  /** The balance, in smallest units. */
  balance: amountMember,
  /** Number of the block that it is of. */
  block_height: countMember,
  /** What a whole token is worth. */
  quote_rate: numberMember,
  /** What the balance is worth. */
  quote: numberMember,
  /** The same as text. */
  pretty_quote: textMember,
});

/** The answer about a native balance. */
export const nativeBalanceData = provableList(nativeBalanceItem, { address: z.string() });

/** The native balance of a wallet, as the server words it, but for `verified` and `assumed`. */
export interface NativeBalanceItem extends z.infer<typeof nativeBalanceItem> {
  /**
   * The reader's own word: true if `balance` was proven under the anchor, at its block, `block_height`. `contract_decimals` is 18 then.
   * Names and quotes remain the server's word, and members that are not named in this type are left out.
   */
  readonly verified?: true;
  /** With an anchor: what of it is not proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}
