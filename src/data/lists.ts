/** The routes of transactions, blocks and logs: what a server claims. Members that are not named here are kept. */
import * as z from 'zod/mini';

const text = z.optional(z.nullable(z.string()));
const number = z.optional(z.nullable(z.number()));
const flag = z.optional(z.nullable(z.boolean()));
/** An amount in smallest units: a text, for it may be beyond 2^53. */
const amount = z.optional(z.nullable(z.string().check(z.regex(/^\d{1,78}$/))));
const hash = z.string().check(z.regex(/^0x[0-9a-fA-F]{64}$/));
const address = z.string().check(z.regex(/^0x[0-9a-fA-F]{40}$/));

const log = z.looseObject({
  block_height: z.number(),
  log_offset: z.number(),
  tx_hash: hash,
  sender_address: address,
  raw_log_topics: z.array(hash),
  raw_log_data: text,
  sender_name: text,
  decoded: z.optional(
    z.nullable(z.looseObject({ name: z.string(), signature: z.optional(z.string()) })),
  ),
});

const transaction = z.looseObject({
  block_height: z.number(),
  block_signed_at: text,
  tx_hash: hash,
  tx_offset: number,
  successful: flag,
  from_address: address,
  to_address: text,
  value: amount,
  gas_spent: number,
  fees_paid: amount,
  log_events: z.optional(z.nullable(z.array(log))),
});

const block = z.looseObject({
  height: z.number(),
  block_hash: hash,
  signed_at: text,
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
