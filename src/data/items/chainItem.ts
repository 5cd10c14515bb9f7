/** Blocks, gas prices, chains and names, as servers claim them. */
import * as z from 'zod/mini';
import {
  addressMember,
  amountMember,
  claim,
  flagMember,
  hashMember,
  maybe,
  numberMember,
  textMember,
} from '../wire/members.js';

export const blockSchema = claim({
  /** Its number. */
  height: z.number(),
  /** Its hash, 32 bytes. */
  block_hash: hashMember,
  /** Hash of the block before it, 32 bytes. */
  block_parent_hash: textMember,
  /** Its time, ISO 8601. */
  signed_at: textMember,
  /** What its maker wrote into it, in hex. */
  extra_data: textMember,
  /** Who made it, 20 bytes. */
  miner_address: textMember,
  /** Gas that its transactions used. */
  gas_used: numberMember,
  /** Gas that they might have used. */
  gas_limit: numberMember,
});

/** A block, as the server words it, but for `verified` and `assumed`. */
export interface BlockItem extends z.infer<typeof blockSchema> {
  /** The reader's own word: true if all members were proven under the anchor, by the header. Others are left out. */
  readonly verified?: true;
  /** With an anchor, in an answer about one block: what of it is not proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

const priceItem = claim({
  /** What a unit of gas cost on average, in smallest units; null if there was no such transaction. */
  gas_price: amountMember,
  /** Gas that such a transaction used on average. */
  gas_spent: amountMember,
  /** What such a transaction cost. */
  gas_quote: numberMember,
  /** The same, with other fees. */
  total_gas_quote: numberMember,
  /** The same as text. */
  pretty_total_gas_quote: textMember,
  /** The time, such as `Last 3 minutes`. */
  interval: textMember,
});

export const gasPricesSchema = claim({
  /** Number of the block that they are of. */
  block_height: numberMember,
  /** The kind of transactions. */
  event_type: z.string(),
  /** Currency of quotes. */
  quote_currency: textMember,
  /** What a whole native token is worth. */
  gas_quote_rate: numberMember,
  /** The base fee of the block, in smallest units. */
  base_fee: amountMember,
  /** By spans of time. */
  items: z.array(priceItem),
});

/** What transactions of a kind paid lately, as the server words it. */
export interface GasPrices extends z.infer<typeof gasPricesSchema> {
  /** With an anchor: that nothing of it can be proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

const chainMembers = {
  /** What requests call it. */
  name: z.string(),
  /** Its number. */
  chain_id: maybe(z.union([z.number(), z.string()])),
  /** Null if the server does not know. */
  is_testnet: flagMember,
  /** URL of a picture. */
  logo_url: textMember,
};

/** The same with all that lists of chains say. */
export const listedChainMembers = {
  ...chainMembers,
  /** A name for people. */
  label: textMember,
};

export const chainItem = claim(listedChainMembers);

/** A chain that a server answers about. */
export interface ChainItem extends z.infer<typeof chainItem> {
  /** If the client has an anchor: that nothing of it can be proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

export const chainStatus = claim({
  ...chainMembers,
  /** Number of the newest block that the server has. */
  synced_block_height: numberMember,
  /** Time of that block, ISO 8601. */
  synced_blocked_signed_at: textMember,
  /** Whether questions about it can be answered now. */
  has_data: flagMember,
});

/** How far a chain has come at a server. */
export interface ChainStatus extends z.infer<typeof chainStatus> {
  /** If the client has an anchor: that nothing of it can be proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}

export const resolvedAddress = claim({
  /** 20 bytes. */
  address: addressMember,
  /** Its name, by a name service that the server asks; null if there is none. */
  name: textMember,
});

/** An address and its name, as the server words it. */
export interface ResolvedAddress extends z.infer<typeof resolvedAddress> {
  /** If the client has an anchor: that nothing of it can be proven, in the words of a page's `assumed`. */
  readonly assumed?: readonly string[];
}
