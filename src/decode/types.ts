/** The wire types of a decode response. Members that are not known are null; categories and actions are open sets. */
import type { Hex } from '../bytes.js';

/** Values seen so far, and any other text. */
export type EventCategory =
  | 'NFT Transaction'
  | 'Lending'
  | 'SAFE'
  | 'DEX'
  | 'Token'
  | 'Swap'
  | 'DeFi'
  | 'Bridge'
  | 'Gaming'
  | 'Social'
  | 'Staking'
  | 'Others'
  | (string & {});

/** Values seen so far, and any other text. */
export type EventAction =
  | 'Swapped'
  | 'MultiSig'
  | 'Approval'
  | 'Transferred'
  | 'Native Token Transfer'
  | 'Received Bridge'
  | 'Account Abstraction Transaction'
  | 'Sale'
  | 'Mint'
  | 'Burn'
  | 'Withdraw'
  | 'Deposit'
  | 'Add Liquidity'
  | 'Remove Liquidity'
  | 'Update'
  | 'Flashloan'
  | 'Repay'
  | 'Borrow'
  | 'Liquidate'
  | 'Claim Rewards'
  | 'Game Action'
  | 'Create Pool'
  | 'Init Router'
  | 'Add Router'
  | 'Remove Router'
  | (string & {});

/** A labelled value. */
export interface EventDetail {
  readonly heading: string;
  /** Addresses that come from a log have the EIP-55 checksum; integers are decimal. */
  readonly value: string;
  /** `address` for addresses and 32-byte words, which an explorer links; `text` for all else. */
  readonly type: 'address' | 'text' | (string & {});
}

/** An amount of a token that an event moves. */
export interface TokenAmount {
  readonly heading: string;
  /** Amount in smallest units, decimal. */
  readonly value: string;
  /** 0 if the token's decimals are not known: the amount is then shown in smallest units. */
  readonly decimals: number;
  /** Empty if not known. */
  readonly ticker_symbol: string;
  /** URL; empty if not known. */
  readonly ticker_logo: string;
  /** Worth in US dollars, cut to cents; `$0.00` without a price. */
  readonly pretty_quote: string;
}

/** URLs of pictures; null if not known. */
export interface NftImages {
  readonly default: string | null;
  readonly 256: string | null;
  readonly 512: string | null;
  readonly 1024: string | null;
}

/** A token of a collection that an event moves. */
export interface NftItem {
  readonly heading: string;
  readonly collection_name: string | null;
  /** Decimal. */
  readonly token_identifier: string;
  readonly collection_address: Hex;
  readonly images: NftImages;
}

/** A parameter of a decoded log; `value` as in details. */
export interface RawLogParameter {
  readonly name: string;
  readonly type: string;
  readonly indexed: boolean;
  /** False for an indexed value of variable length, of which the log holds the hash alone. */
  readonly decoded: boolean;
  readonly value: string;
}

/** The log that an event was decoded from. */
export interface RawLog {
  readonly block_signed_at: string | null;
  readonly block_height: number;
  readonly tx_offset: number;
  readonly log_offset: number;
  readonly tx_hash: Hex;
  readonly raw_log_topics: readonly Hex[];
  readonly sender_contract_decimals: number | null;
  readonly sender_name: string | null;
  readonly sender_contract_ticker_symbol: string | null;
  readonly sender_address: Hex;
  readonly sender_address_label: string | null;
  readonly sender_logo_url: string | null;
  readonly supports_erc: readonly string[] | null;
  readonly sender_factory_address: Hex | null;
  readonly raw_log_data: Hex;
  /** Null if the log was not decoded. */
  readonly decoded: {
    readonly name: string;
    readonly signature: string;
    readonly params: readonly RawLogParameter[];
  } | null;
}

/** Something that happened in the transaction, for a person to read. */
export interface DecodedEvent {
  readonly action: EventAction;
  readonly category: EventCategory;
  /** For a person to read, for example `User Operation Event`. */
  readonly name: string;
  /** Owner of the event: a protocol known by its address, else the token or the address of the emitter. */
  readonly protocol: { readonly name: string; readonly logo: string };
  readonly details: readonly EventDetail[];
  /** On events that move fungible tokens. */
  readonly tokens?: readonly TokenAmount[];
  /** On events that move NFTs. */
  readonly nfts?: readonly NftItem[];
  /** If asked for. */
  readonly raw_log?: RawLog;
}

/** A page of a block explorer about the transaction. */
export interface ExplorerLink {
  readonly label: string | null;
  readonly url: string;
}

/** The token that gas is paid in. */
export interface GasMetadata {
  readonly contract_decimals: number;
  readonly contract_name: string;
  readonly contract_ticker_symbol: string;
  readonly contract_address: Hex;
  readonly supports_erc: readonly string[] | null;
  readonly logo_url: string | null;
}

/** The transaction as a whole. */
export interface TxMetadata {
  /** ISO 8601 with milliseconds; null without the block. */
  readonly block_signed_at: string | null;
  readonly block_height: number;
  readonly block_hash: Hex;
  readonly tx_hash: Hex;
  /** Index of the transaction in its block. */
  readonly tx_offset: number;
  readonly successful: boolean;
  /** Null without the block. */
  readonly miner_address: Hex | null;
  readonly from_address: Hex;
  readonly from_address_label: string | null;
  /** Null if the transaction creates a contract. */
  readonly to_address: Hex | null;
  readonly to_address_label: string | null;
  /** Wei, decimal. */
  readonly value: string;
  /** US dollars; null without a price, as all quotes here. */
  readonly value_quote: number | null;
  readonly pretty_value_quote: string | null;
  readonly gas_metadata: GasMetadata;
  readonly gas_offered: number;
  readonly gas_spent: number;
  /** Wei a unit of gas, as it was paid. */
  readonly gas_price: number;
  /** Wei, decimal. */
  readonly fees_paid: string;
  readonly gas_quote: number | null;
  readonly pretty_gas_quote: string | null;
  readonly gas_quote_rate: number | null;
  /** The source of the response: `node`, the word of the node that was asked. */
  readonly source: 'node';
  readonly explorers: readonly ExplorerLink[];
}

/** What {@link decodeTransaction} gives. */
export interface DecodeResponse {
  readonly success: true;
  /** In the order of the logs; a transfer of native tokens by the transaction itself comes first. */
  readonly events: readonly DecodedEvent[];
  readonly tx_metadata: TxMetadata;
  /** The same as in `tx_metadata`. */
  readonly explorers: readonly ExplorerLink[];
}
