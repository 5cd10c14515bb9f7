/** Transactions, as servers claim them. */
import * as z from 'zod/mini';
import {
  addressMember,
  amountMember,
  claim,
  countMember,
  flagMember,
  hashMember,
  maybe,
  numberMember,
  textMember,
} from '../wire/members.js';
import type { ListPage } from '../wire/pages.js';
import { logSchema } from './logItem.js';
import { explorersSchema, gasMetadataSchema } from './token.js';

/** What is said of a transaction, with its logs or with its transfers. */
export const transactionMembers = {
  /** Number of its block. */
  block_height: z.number(),
  /** Hash of its block, 32 bytes. */
  block_hash: textMember,
  /** Time of its block, ISO 8601. */
  block_signed_at: textMember,
  /** Its hash, 32 bytes. */
  tx_hash: hashMember,
  /** Its place in its block, from 0. */
  tx_offset: numberMember,
  /** False if it reverted. */
  successful: flagMember,
  /** Who made its block, 20 bytes. */
  miner_address: textMember,
  /** Who sent it, 20 bytes. */
  from_address: addressMember,
  /** Whom it calls, 20 bytes; null if it makes a contract. */
  to_address: textMember,
  /** Native tokens that it carries, in smallest units. */
  value: amountMember,
  /** What these are worth. */
  value_quote: numberMember,
  /** The same as text. */
  pretty_value_quote: textMember,
  /** The token that gas is paid in. */
  gas_metadata: gasMetadataSchema,
  /** Gas that it may use. */
  gas_offered: numberMember,
  /** Gas that it used. */
  gas_spent: numberMember,
  /** What it paid for a unit of gas, in smallest units. */
  gas_price: numberMember,
  /** Its fee, in smallest units. */
  fees_paid: amountMember,
  /** What the fee is worth. */
  gas_quote: numberMember,
  /** The same as text. */
  pretty_gas_quote: textMember,
  /** What a whole native token is worth. */
  gas_quote_rate: numberMember,
};

const internalTransfer = claim({
  /** Who gave, 20 bytes. */
  from_address: addressMember,
  /** Who got, 20 bytes. */
  to_address: addressMember,
  /** How much, in smallest units. */
  value: amountMember,
  /** Gas that the call might use. */
  gas_limit: numberMember,
});

const slotChange = claim({
  /** The slot, 32 bytes. */
  storage_address: textMember,
  /** What it held, 32 bytes. */
  value_before: textMember,
  /** What it holds, 32 bytes. */
  value_after: textMember,
});

const stateChange = claim({
  /** The account, 20 bytes. */
  address: addressMember,
  /** Its balance before, in smallest units. */
  balance_before: amountMember,
  /** Its balance after, in smallest units. */
  balance_after: amountMember,
  /** Its nonce before. */
  nonce_before: numberMember,
  /** Its nonce after. */
  nonce_after: numberMember,
  /** Slots of its storage. */
  storage_changes: maybe(z.array(slotChange)),
});

/** The same with all that lists of transactions say. */
export const listedTransactionMembers = {
  ...transactionMembers,
  /** Pages of block explorers about it. */
  explorers: explorersSchema,
  /** Its logs. */
  log_events: maybe(z.array(logSchema)),
  /** Transfers of native tokens between contracts, if they were asked for and the server traces. */
  internal_transfers: maybe(z.array(internalTransfer)),
  /** Changes of accounts, if they were asked for and the server traces. */
  state_changes: maybe(z.array(stateChange)),
  /** The first four bytes of its call data, if they were asked for. */
  input_data: maybe(
    claim({
      /** They, in hex. */
      method_id: textMember,
    }),
  ),
};

export const transactionSchema = claim(listedTransactionMembers);

/** A transaction, as the server words it, but for `verified` and `assumed`. */
export interface TransactionItem extends z.infer<typeof transactionSchema> {
  /**
   * The reader's own word: true if these were proven under the anchor: block, time, place, hash, `successful`, both addresses,
   * `value`, gas and fees, `input_data`, and of all logs the topics, the data, the contract and the place. Quotes, `gas_metadata`
   * and what is said of contracts remain the server's word. Members that are not named in this type, `decoded`, `explorers`,
   * `internal_transfers` and `state_changes` are left out.
   */
  readonly verified?: true;
  /** With an anchor, in an answer about one transaction: what of it is not proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

/** A page of the transactions of a block. */
export interface BlockTransactionsPage extends ListPage<TransactionItem> {
  /** With an anchor: whether all transactions of the block have come, none left out, up to the end of this page; proven. */
  readonly complete?: boolean;
}

const summaryEnd = maybe(
  claim({
    /** Time of its block, ISO 8601. */
    block_signed_at: textMember,
    /** Its hash, 32 bytes. */
    tx_hash: hashMember,
  }),
);

export const summaryItem = claim({
  /** Transactions that the wallet has a part in. */
  total_count: countMember,
  /** The first one; null if there is none. */
  earliest_transaction: summaryEnd,
  /** The last one; null if there is none. */
  latest_transaction: summaryEnd,
  /** What the wallet paid, if it was asked for. */
  gas_summary: maybe(
    claim({
      /** Transactions that the wallet sent. */
      total_sent_count: numberMember,
      /** What they paid, in smallest units. */
      total_fees_paid: amountMember,
      /** What that is worth. */
      total_gas_quote: numberMember,
      /** The same as text. */
      pretty_total_gas_quote: textMember,
      /** What one of them paid on average. */
      average_gas_quote_per_tx: numberMember,
      /** The same as text. */
      pretty_average_gas_quote_per_tx: textMember,
      /** The token that gas is paid in. */
      gas_metadata: gasMetadataSchema,
    }),
  ),
  /** Transfers of tokens, if they were asked for and are not too many to count. */
  transfer_count: numberMember,
});

/** How many transactions a wallet has, as the server words it. */
export interface SummaryItem extends z.infer<typeof summaryItem> {
  /** If the client has an anchor: that nothing of it can be proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}
