/** Blocks, gas prices, chains and names, as servers claim them. */
import * as z from 'zod/mini';
import { address, amount, claim, flag, hash, maybe, number, text } from '../wire/members.js';

export const blockItem = claim({
  /** Its number. */
  height: z.number(),
  /** Its hash, 32 bytes. */
  block_hash: hash,
  /** Hash of the block before it, 32 bytes. */
  block_parent_hash: text,
  /** Its time, ISO 8601. */
  signed_at: text,
  /** What its maker wrote into it, in hex. */
  extra_data: text,
  /** Who made it, 20 bytes. */
  miner_address: text,
  /** Gas that its transactions used. */
  gas_used: number,
  /** Gas that they might have used. */
  gas_limit: number,
});

/** A block, as the server words it. */
export interface BlockItem extends z.infer<typeof blockItem> {}

const priceItem = claim({
  /** What a unit of gas cost on average, in smallest units; null if there was no such transaction. */
  gas_price: amount,
  /** Gas that such a transaction used on average. */
  gas_spent: amount,
  /** What such a transaction cost. */
  gas_quote: number,
  /** The same, with other fees. */
  total_gas_quote: number,
  /** The same as text. */
  pretty_total_gas_quote: text,
  /** The time, such as `Last 3 minutes`. */
  interval: text,
});

export const gasPrices = claim({
  /** Number of the block that they are of. */
  block_height: number,
  /** The kind of transactions. */
  event_type: z.string(),
  /** Currency of quotes. */
  quote_currency: text,
  /** What a whole native token is worth. */
  gas_quote_rate: number,
  /** The base fee of the block, in smallest units. */
  base_fee: amount,
  /** By spans of time. */
  items: z.array(priceItem),
});

/** What transactions of a kind paid lately, as the server words it. */
export interface GasPrices extends z.infer<typeof gasPrices> {}

const chainMembers = {
  /** What requests call it. */
  name: z.string(),
  /** Its number. */
  chain_id: maybe(z.union([z.number(), z.string()])),
  /** Null if the server does not know. */
  is_testnet: flag,
  /** URL of a picture. */
  logo_url: text,
};

export const chainItem = claim({
  ...chainMembers,
  /** A name for people. */
  label: text,
});

/** A chain that a server answers about. */
export interface ChainItem extends z.infer<typeof chainItem> {}

export const chainStatus = claim({
  ...chainMembers,
  /** Number of the newest block that the server has. */
  synced_block_height: number,
  /** Time of that block, ISO 8601. */
  synced_blocked_signed_at: text,
  /** Whether questions about it can be answered now. */
  has_data: flag,
});

/** How far a chain has come at a server. */
export interface ChainStatus extends z.infer<typeof chainStatus> {}

export const resolvedAddress = claim({
  /** 20 bytes. */
  address,
  /** Its name, by a name service that the server asks; null if there is none. */
  name: text,
});

/** An address and its name, as the server words it. */
export interface ResolvedAddress extends z.infer<typeof resolvedAddress> {}
