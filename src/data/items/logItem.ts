/** Logs, as servers claim them. */
import * as z from 'zod/mini';
import { address, claim, flag, hash, maybe, number, text, texts } from '../wire/members.js';

const param = claim({
  /** Its name. */
  name: text,
  /** Its type in Solidity. */
  type: text,
  /** Whether it is a topic. */
  indexed: flag,
  /** False if only its hash is in the log. */
  decoded: flag,
  /** What it is, as text. */
  value: text,
});

export const logItem = claim({
  /** Time of its block, ISO 8601. */
  block_signed_at: text,
  /** Number of its block. */
  block_height: z.number(),
  /** Hash of its block, 32 bytes; not all routes give it. */
  block_hash: text,
  /** Place of its transaction in the block, from 0. */
  tx_offset: number,
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
  /** A short name of the contract. */
  sender_contract_ticker_symbol: text,
  /** Decimals of the contract, if it is a token. */
  sender_contract_decimals: number,
  /** URL of a picture. */
  sender_logo_url: text,
  /** Such as `erc20`. */
  supports_erc: texts,
  /** The event, if the server knows it. */
  decoded: maybe(
    claim({
      /** Name of the event. */
      name: z.string(),
      /** Its signature, as the server writes it. */
      signature: z.optional(z.string()),
      /** Its arguments. */
      params: maybe(z.array(param)),
    }),
  ),
});

/** A log, as the server words it. */
export interface LogItem extends z.infer<typeof logItem> {}
