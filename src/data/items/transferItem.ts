/** Transfers of tokens, as servers claim them. */
import * as z from 'zod/mini';
import {
  addressMember,
  amountMember,
  claim,
  hashMember,
  numberMember,
  textMember,
} from '../wire/members.js';
import { explorersSchema, tokenMembers } from './token.js';
import { transactionMembers } from './transactionItem.js';

const transfer = claim({
  ...tokenMembers,
  /** Time of its block, ISO 8601. */
  block_signed_at: textMember,
  /** Hash of its transaction, 32 bytes. */
  tx_hash: hashMember,
  /** Who gave, 20 bytes. */
  from_address: addressMember,
  /** Who got, 20 bytes. */
  to_address: addressMember,
  /** `transfer-in` or `transfer-out`: from the wallet's side. */
  transfer_type: textMember,
  /** How much, in smallest units. */
  delta: amountMember,
  /** What that is worth. */
  delta_quote: numberMember,
  /** The same as text. */
  pretty_delta_quote: textMember,
  /** What a whole token is worth. */
  quote_rate: numberMember,
  /** Pages of explorers about the transaction. */
  explorers: explorersSchema,
});

/** A transfer of a token, as the server words it. */
export interface TransferItem extends z.infer<typeof transfer> {}

export const transfersItem = claim({
  ...transactionMembers,
  /** Transfers from and to the wallet. One to itself counts twice: out, and in. */
  transfers: z.array(transfer),
});

/** A transaction with the transfers of a wallet in it, as the server words it, but for `verified`. */
export interface TransfersItem extends z.infer<typeof transfersItem> {
  /**
   * The reader's own word: true if these were proven under the anchor: of the transaction what is proven of any
   * (`TransactionItem`), and that the transfers in it are just these, by the events of its logs: of each the contract, both
   * addresses, `transfer_type` and `delta`. An event is the contract's word: it does not show that balances changed. Quotes and
   * what is said of contracts, such as `contract_decimals`, remain the server's word, and members that are not named in this
   * type, and `explorers`, are left out.
   */
  readonly verified?: true;
}
