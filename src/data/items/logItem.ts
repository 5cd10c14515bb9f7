/** Logs, as servers claim them. */
import * as z from 'zod/mini';
import {
  addressMember,
  claim,
  flagMember,
  hashMember,
  maybe,
  numberMember,
  textMember,
  texts,
} from '../wire/members.js';
import type { ListPage } from '../wire/pages.js';

const param = claim({
  /** Its name. */
  name: textMember,
  /** Its type in Solidity. */
  type: textMember,
  /** Whether it is a topic. */
  indexed: flagMember,
  /** False if only its hash is in the log. */
  decoded: flagMember,
  /** What it is, as text. */
  value: textMember,
});

export const logSchema = claim({
  /** Time of its block, ISO 8601. */
  block_signed_at: textMember,
  /** Number of its block. */
  block_height: z.number(),
  /** Hash of its block, 32 bytes; not all routes give it. */
  block_hash: textMember,
  /** Place of its transaction in the block, from 0. */
  tx_offset: numberMember,
  /** Its place among the logs of its block, from 0. */
  log_offset: z.number(),
  /** Hash of its transaction, 32 bytes. */
  tx_hash: hashMember,
  /** The contract that wrote it, 20 bytes. */
  sender_address: addressMember,
  /** Its topics, 32 bytes each. */
  raw_log_topics: z.array(hashMember),
  /** Its data, in hex. */
  raw_log_data: textMember,
  /** A name of the contract. */
  sender_name: textMember,
  /** A short name of the contract. */
  sender_contract_ticker_symbol: textMember,
  /** Decimals of the contract, if it is a token. */
  sender_contract_decimals: numberMember,
  /** URL of a picture. */
  sender_logo_url: textMember,
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

/** A log, as the server words it, but for `verified`. */
export interface LogItem extends z.infer<typeof logSchema> {
  /**
   * The reader's own word, in answers about logs: true if these were proven under the anchor: contract, topics and data, block
   * and time, both places and the hash of its transaction. What is said of the contract remains the server's word, and members
   * that are not named in this type, and `decoded`, are left out.
   */
  readonly verified?: true;
}

/** The logs of a range. */
export interface LogsPage extends ListPage<LogItem> {
  /**
   * With an anchor: true if the blocks of the whole range were proven, and all receipts of those that may have such logs: then
   * nothing is left out. False if the server gave less, as it does for more than 1,000 blocks.
   */
  readonly complete?: boolean;
}
