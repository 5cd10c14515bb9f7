/** A decoded transaction as decoders answer it. Any member of an event may be null; members not named here are kept. */
import * as z from 'zod/mini';
import { readAs } from './answer.js';
import { DataError } from './errors.js';

const text = z.optional(z.nullable(z.string()));
const number = z.optional(z.nullable(z.number()));

/** A list that may be null or missing. */
const listOf = <T extends z.core.$ZodType>(item: T) => z.optional(z.nullable(z.array(item)));

const detail = z.looseObject({ heading: text, value: text, type: text });

const token = z.looseObject({
  heading: text,
  value: text,
  decimals: number,
  ticker_symbol: text,
  ticker_logo: text,
  pretty_quote: text,
});

const nft = z.looseObject({
  heading: text,
  collection_name: text,
  token_identifier: text,
  collection_address: text,
  images: z.optional(
    z.nullable(z.looseObject({ default: text, 256: text, 512: text, 1024: text })),
  ),
});

const event = z.looseObject({
  action: text,
  category: text,
  name: text,
  protocol: z.optional(z.nullable(z.looseObject({ name: text, logo: text }))),
  details: listOf(detail),
  tokens: listOf(token),
  nfts: listOf(nft),
  raw_log: z.optional(z.nullable(z.looseObject({ sender_address: text, log_offset: number }))),
});

const explorers = z.array(z.looseObject({ label: z.nullable(z.string()), url: z.string() }));

const metadata = z.looseObject({
  tx_hash: z.string(),
  block_signed_at: text,
  block_height: number,
  block_hash: text,
  tx_offset: number,
  successful: z.optional(z.nullable(z.boolean())),
  miner_address: text,
  from_address: text,
  to_address: text,
  value: text,
  value_quote: number,
  pretty_value_quote: text,
  gas_offered: number,
  gas_spent: number,
  gas_price: number,
  fees_paid: text,
  gas_quote: number,
  pretty_gas_quote: text,
  gas_quote_rate: number,
  source: text,
  explorers: z.optional(z.nullable(explorers)),
});

const response = z.looseObject({
  success: z.literal(true),
  events: z.array(event),
  tx_metadata: metadata,
  explorers: z.optional(z.nullable(explorers)),
});

/** An event; what it may hold is what a decoder of this library answers, see `l2proof/decode`. */
export type TransactionEvent = z.infer<typeof event>;
/** A decoder's claims about the transaction as a whole. */
export type TransactionMetadata = z.infer<typeof metadata>;
/** A page of a block explorer about the transaction. */
export type ExplorerUrl = z.infer<typeof explorers>[number];

/** A decoder's claims about a transaction. Nothing of it is proven. */
export interface DecodedTransaction {
  readonly events: readonly TransactionEvent[];
  readonly txMetadata: TransactionMetadata;
  /** Empty if the decoder names none. */
  readonly explorers: readonly ExplorerUrl[];
}

/** Reads the body of a success. @throws DataError `BAD_ANSWER` */
export function readDecoded(body: unknown, txHash: string, status: number): DecodedTransaction {
  const { events, tx_metadata: txMetadata, explorers: named } = readAs(response, body, status);
  if (txMetadata.tx_hash.toLowerCase() !== txHash) {
    throw new DataError('BAD_ANSWER', 'the answer is about another transaction', { status });
  }
  // Some decoders put them beside the metadata, others into it.
  return { events, txMetadata, explorers: named ?? txMetadata.explorers ?? [] };
}
