/** Transactions, as servers claim them. */
import * as z from 'zod/mini';
import { address, amount, claim, count, flag, hash, maybe, number, text } from '../wire/members.js';
import { logItem } from './logItem.js';
import { explorers, gasMetadata } from './token.js';

/** What is said of a transaction, with its logs or with its transfers. */
export const transactionMembers = {
  /** Number of its block. */
  block_height: z.number(),
  /** Hash of its block, 32 bytes. */
  block_hash: text,
  /** Time of its block, ISO 8601. */
  block_signed_at: text,
  /** Its hash, 32 bytes. */
  tx_hash: hash,
  /** Its place in its block, from 0. */
  tx_offset: number,
  /** False if it reverted. */
  successful: flag,
  /** Who made its block, 20 bytes. */
  miner_address: text,
  /** Who sent it, 20 bytes. */
  from_address: address,
  /** Whom it calls, 20 bytes; null if it makes a contract. */
  to_address: text,
  /** Native tokens that it carries, in smallest units. */
  value: amount,
  /** What these are worth. */
  value_quote: number,
  /** The same as text. */
  pretty_value_quote: text,
  /** The token that gas is paid in. */
  gas_metadata: gasMetadata,
  /** Gas that it may use. */
  gas_offered: number,
  /** Gas that it used. */
  gas_spent: number,
  /** What it paid for a unit of gas, in smallest units. */
  gas_price: number,
  /** Its fee, in smallest units. */
  fees_paid: amount,
  /** What the fee is worth. */
  gas_quote: number,
  /** The same as text. */
  pretty_gas_quote: text,
  /** What a whole native token is worth. */
  gas_quote_rate: number,
};

const internalTransfer = claim({
  /** Who gave, 20 bytes. */
  from_address: address,
  /** Who got, 20 bytes. */
  to_address: address,
  /** How much, in smallest units. */
  value: amount,
  /** Gas that the call might use. */
  gas_limit: number,
});

const slotChange = claim({
  /** The slot, 32 bytes. */
  storage_address: text,
  /** What it held, 32 bytes. */
  value_before: text,
  /** What it holds, 32 bytes. */
  value_after: text,
});

const stateChange = claim({
  /** The account, 20 bytes. */
  address,
  /** Its balance before, in smallest units. */
  balance_before: amount,
  /** Its balance after, in smallest units. */
  balance_after: amount,
  /** Its nonce before. */
  nonce_before: number,
  /** Its nonce after. */
  nonce_after: number,
  /** Slots of its storage. */
  storage_changes: maybe(z.array(slotChange)),
});

export const transactionItem = claim({
  ...transactionMembers,
  /** Pages of block explorers about it. */
  explorers,
  /** Its logs. */
  log_events: maybe(z.array(logItem)),
  /** Transfers of native tokens between contracts, if they were asked for and the server traces. */
  internal_transfers: maybe(z.array(internalTransfer)),
  /** Changes of accounts, if they were asked for and the server traces. */
  state_changes: maybe(z.array(stateChange)),
  /** The first four bytes of its call data, if they were asked for. */
  input_data: maybe(
    claim({
      /** They, in hex. */
      method_id: text,
    }),
  ),
});

/** A transaction, as the server words it. */
export interface TransactionItem extends z.infer<typeof transactionItem> {}

const summaryEnd = maybe(
  claim({
    /** Time of its block, ISO 8601. */
    block_signed_at: text,
    /** Its hash, 32 bytes. */
    tx_hash: hash,
  }),
);

export const summaryItem = claim({
  /** Transactions that the wallet has a part in. */
  total_count: count,
  /** The first one; null if there is none. */
  earliest_transaction: summaryEnd,
  /** The last one; null if there is none. */
  latest_transaction: summaryEnd,
  /** What the wallet paid, if it was asked for. */
  gas_summary: maybe(
    claim({
      /** Transactions that the wallet sent. */
      total_sent_count: number,
      /** What they paid, in smallest units. */
      total_fees_paid: amount,
      /** What that is worth. */
      total_gas_quote: number,
      /** The same as text. */
      pretty_total_gas_quote: text,
      /** What one of them paid on average. */
      average_gas_quote_per_tx: number,
      /** The same as text. */
      pretty_average_gas_quote_per_tx: text,
      /** The token that gas is paid in. */
      gas_metadata: gasMetadata,
    }),
  ),
  /** Transfers of tokens, if they were asked for and are not too many to count. */
  transfer_count: number,
});

/** How many transactions a wallet has, as the server words it. */
export interface SummaryItem extends z.infer<typeof summaryItem> {}
