/** The routes of transactions, blocks and logs: what a server claims. Members that are not named here are kept. */
import * as z from 'zod/mini';
import { address, amount, flag, hash, number, text } from './wire/members.js';

const log = z.looseObject({
  /** Number of its block. */
  block_height: z.number(),
  /** Its place among the logs of its block, from 0. */
  log_offset: z.number(),
  /** Hash of its transaction, 32 bytes. */
  tx_hash: hash,
  /** The contract that wrote it, 20 bytes. */
  sender_address: address,
  /** Its topics, 32 bytes each. */
  raw_log_topics: z.array(hash),
  /** Its data, in hex. */
  raw_log_data: text,
  /** A name of the contract. */
  sender_name: text,
  /** The event, if the server knows it. */
  decoded: z.optional(
    z.nullable(
      z.looseObject({
        /** Name of the event. */
        name: z.string(),
        /** Its signature, as the server writes it. */
        signature: z.optional(z.string()),
      }),
    ),
  ),
});

const transaction = z.looseObject({
  /** Number of its block. */
  block_height: z.number(),
  /** Time of its block, ISO 8601. */
  block_signed_at: text,
  /** Its hash, 32 bytes. */
  tx_hash: hash,
  /** Its place in its block, from 0. */
  tx_offset: number,
  /** False if it reverted. */
  successful: flag,
  /** Who sent it, 20 bytes. */
  from_address: address,
  /** Whom it calls, 20 bytes; null if it makes a contract. */
  to_address: text,
  /** Native tokens that it carries, in smallest units. */
  value: amount,
  /** Gas that it used. */
  gas_spent: number,
  /** Its fee, in smallest units. */
  fees_paid: amount,
  /** Its logs. */
  log_events: z.optional(z.nullable(z.array(log))),
});

const block = z.looseObject({
  /** Its number. */
  height: z.number(),
  /** Its hash, 32 bytes. */
  block_hash: hash,
  /** Its time, ISO 8601. */
  signed_at: text,
  /** Gas that its transactions used. */
  gas_used: number,
});

/** A log, as the server words it. */
export interface LogItem extends z.infer<typeof log> {}
/** A transaction, as the server words it. */
export interface TransactionItem extends z.infer<typeof transaction> {}
/** A block, as the server words it. */
export interface BlockItem extends z.infer<typeof block> {}

const pagination = z.optional(z.nullable(z.looseObject({ has_more: flag })));

/** Answers of these routes. */
export const listSchemas = {
  transactions: z.looseObject({ items: z.array(transaction) }),
  walletPage: z.looseObject({
    items: z.array(transaction),
    current_page: z.number().check(z.nonnegative(), z.int()),
  }),
  blocks: z.looseObject({ items: z.array(block), pagination }),
  logs: z.looseObject({ items: z.array(log), pagination }),
};
