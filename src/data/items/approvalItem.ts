/** Who may take something of a wallet, as servers claim it. */
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

/** The members of a spender about itself and the last approval. */
const spenderMembers = {
  /** Who may take something, 20 bytes. */
  spender_address: addressMember,
  /** Number of the block of the last approval. */
  block_height: numberMember,
  /** Place of its transaction in the block. */
  tx_offset: numberMember,
  /** Place of its log in the block. */
  log_offset: numberMember,
  /** Time of its block, ISO 8601. */
  block_signed_at: textMember,
  /** Hash of its transaction, 32 bytes. */
  tx_hash: textMember,
};

/** In smallest units or tokens, or `UNLIMITED`. */
const allowanceMember = z.string().check(z.regex(/^(\d{1,78}|UNLIMITED)$/));

const spender = claim({
  ...spenderMembers,
  /** How much it may take, in smallest units, or `UNLIMITED`. */
  allowance: allowanceMember,
  /** What that is worth. */
  allowance_quote: numberMember,
  /** The same as text. */
  pretty_allowance_quote: textMember,
  /** How much it could take now, in smallest units. */
  value_at_risk: amountMember,
  /** What that is worth. */
  value_at_risk_quote: numberMember,
  /** The same as text. */
  pretty_value_at_risk_quote: textMember,
  /** Such as `CONSIDER REVOKING`: a server's opinion. */
  risk_factor: textMember,
  /** Whether Permit2 keeps the allowance, which not all servers say. */
  permit2: flagMember,
  /** Time until which Permit2 allows it, ISO 8601. */
  expires_at: textMember,
});

/** A spender of a token, as the server words it. */
export interface SpenderItem extends z.infer<typeof spender> {}

export const allowancesItem = claim({
  /** The token, 20 bytes. */
  token_address: addressMember,
  /** A name, which its author chose. */
  token_address_label: textMember,
  /** A short name, which its author chose. */
  ticker_symbol: textMember,
  /** Decimals of amounts. */
  contract_decimals: numberMember,
  /** URL of a picture. */
  logo_url: textMember,
  /** What a whole token is worth. */
  quote_rate: numberMember,
  /** What the wallet has, in smallest units. */
  balance: amountMember,
  /** What that is worth. */
  balance_quote: numberMember,
  /** The same as text. */
  pretty_balance_quote: textMember,
  /** How much all spenders could take now, in smallest units. */
  value_at_risk: amountMember,
  /** What that is worth. */
  value_at_risk_quote: numberMember,
  /** The same as text. */
  pretty_value_at_risk_quote: textMember,
  /** Who may take some of it. */
  spenders: z.array(spender),
});

/** A token and who may take some of it, as the server words it, but for `verified`. */
export interface AllowancesItem extends z.infer<typeof allowancesItem> {
  /**
   * The reader's own word: true if these were proven under the anchor, or worked out of what was: `balance`, `value_at_risk`,
   * `contract_decimals` unless it is null, and of each spender `allowance`, `permit2`, `value_at_risk`, `risk_factor`, which
   * compares amounts alone, and `expires_at`. `value_at_risk` of the token counts the spenders of the item. Names, quotes and
   * where the last approval was made remain the server's word, and members that are not named in this type are left out.
   */
  readonly verified?: true;
}

const nftSpender = claim({
  ...spenderMembers,
  /** `ALL`, or ids joined by commas. */
  token_ids_approved: textMember,
  /** `UNLIMITED`, or how many tokens. */
  allowance: allowanceMember,
});

/** A spender of NFTs, as the server words it. */
export interface NftSpenderItem extends z.infer<typeof nftSpender> {}

export const nftApprovalsItem = claim({
  /** The contract, 20 bytes. */
  contract_address: addressMember,
  /** A name, which its author chose. */
  contract_address_label: textMember,
  /** A short name, which its author chose. */
  contract_ticker_symbol: textMember,
  /** Such as `erc721`. */
  supports_erc: texts,
  /** What the wallet has of it. */
  token_balances: maybe(
    z.array(
      claim({
        /** Its id. */
        token_id: amountMember,
        /** How many of it the wallet has. */
        token_balance: amountMember,
      }),
    ),
  ),
  /** Who may take some of it. */
  spenders: z.array(nftSpender),
});

/** A contract of NFTs and who may take some, as the server words it, but for `verified`. */
export interface NftApprovalsItem extends z.infer<typeof nftApprovalsItem> {
  /**
   * The reader's own word: true if these were proven under the anchor: `token_balances`, and of each spender
   * `token_ids_approved` and `allowance`. `supports_erc` then names the standards by which the contract was asked for
   * `token_balances`. Names and where the last approval was made remain the server's word, and members that are not named in
   * this type are left out.
   */
  readonly verified?: true;
}
