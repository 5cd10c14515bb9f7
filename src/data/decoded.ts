/** A decoded transaction as decoders answer it. Any member of an event may be null; members not named here are kept. */
import * as z from 'zod/mini';
import { readAs } from './answer.js';
import { DataError } from './errors.js';

const text = z.optional(z.nullable(z.string()));
const number = z.optional(z.nullable(z.number()));

/** A list that may be null or missing. */
const listOf = <T extends z.core.$ZodType>(item: T) => z.optional(z.nullable(z.array(item)));

const detail = z.looseObject({
  /** Label of the value. */
  heading: text,
  /** Addresses, integers in decimal, or other text. */
  value: text,
  /** `address` for what an explorer links, `text` for all else; others may come. */
  type: text,
});

const token = z.looseObject({
  /** What the amount is to the event. */
  heading: text,
  /** Amount in smallest units, decimal. */
  value: text,
  /** Decimals of the token; decoders of this library say 0 if they do not know them. */
  decimals: number,
  /** Symbol of the token. */
  ticker_symbol: text,
  /** URL of a picture. */
  ticker_logo: text,
  /** Worth in US dollars for people, for example `$2.50`. */
  pretty_quote: text,
});

const nft = z.looseObject({
  /** What the token is to the event. */
  heading: text,
  /** Name of the collection. */
  collection_name: text,
  /** Number of the token, decimal. */
  token_identifier: text,
  /** Contract of the collection, 20 bytes. */
  collection_address: text,
  /** Pictures of the token. */
  images: z.optional(
    z.nullable(
      z.looseObject({
        /** URL, in any size. */
        default: text,
        /** URL, 256 pixels wide. */
        256: text,
        /** URL, 512 pixels wide. */
        512: text,
        /** URL, 1,024 pixels wide. */
        1024: text,
      }),
    ),
  ),
});

const event = z.looseObject({
  /** What was done, for example `Transferred`; an open set. */
  action: text,
  /** Kind of application, for example `DEX`; an open set. */
  category: text,
  /** Name for people, for example `User Operation Event`. */
  name: text,
  /** What the event belongs to. */
  protocol: z.optional(
    z.nullable(
      z.looseObject({
        /** Name of the protocol or of the token, or the emitter's address. */
        name: text,
        /** URL of a picture. */
        logo: text,
      }),
    ),
  ),
  /** Labelled values, in the order in which they are shown. */
  details: listOf(detail),
  /** Amounts of fungible tokens that the event moves. */
  tokens: listOf(token),
  /** NFTs that the event moves. */
  nfts: listOf(nft),
  /** The log that the event was decoded from, if it was asked for. */
  raw_log: z.optional(
    z.nullable(
      z.looseObject({
        /** The contract that emitted the log, 20 bytes. */
        sender_address: text,
        /** Index of the log in its block, from 0. */
        log_offset: number,
      }),
    ),
  ),
});

const explorers = z.array(
  z.looseObject({
    /** Name of the explorer. */
    label: z.nullable(z.string()),
    /** Page about the transaction. */
    url: z.string(),
  }),
);

const metadata = z.looseObject({
  /** 32 bytes: those that were asked about. */
  tx_hash: z.string(),
  /** Time of the block, ISO 8601. */
  block_signed_at: text,
  /** Number of the block. */
  block_height: number,
  /** 32 bytes. */
  block_hash: text,
  /** Index of the transaction in its block, from 0. */
  tx_offset: number,
  /** False if the transaction was reverted. */
  successful: z.optional(z.nullable(z.boolean())),
  /** 20 bytes. */
  miner_address: text,
  /** The sender, 20 bytes. */
  from_address: text,
  /** The recipient, 20 bytes; null if the transaction creates a contract. */
  to_address: text,
  /** Wei, decimal. */
  value: text,
  /** `value` in US dollars. */
  value_quote: number,
  /** `value_quote` for people, for example `$1,234.50`. */
  pretty_value_quote: text,
  /** Gas limit, in units of gas. */
  gas_offered: number,
  /** Units of gas that were used. */
  gas_spent: number,
  /** Wei for a unit of gas. */
  gas_price: number,
  /** Wei, decimal. */
  fees_paid: text,
  /** `fees_paid` in US dollars. */
  gas_quote: number,
  /** `gas_quote` for people, for example `$0.03`. */
  pretty_gas_quote: text,
  /** US dollars for one whole native token. */
  gas_quote_rate: number,
  /** Where the claims come from: `node` of decoders of this library. */
  source: text,
  /** Pages of block explorers about the transaction. */
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
  /** In the order of the decoder; one of this library has the order of the logs. */
  readonly events: readonly TransactionEvent[];
  /** Block, sender, value and fees. */
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
