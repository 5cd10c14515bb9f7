/** The wire types of a decode response. Members that are not known are null; categories and actions are open sets. */
import type { Hex } from '../../bytes.js';

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
  /** The label in English words, for example `From` or `Gas Cost`; an argument without a name is `Argument 1`. */
  readonly heading: string;
  /** Addresses that come from a log have the EIP-55 checksum; integers are decimal. */
  readonly value: string;
  /** `address` for addresses and 32-byte words, which an explorer links; `text` for all else. */
  readonly type: 'address' | 'text' | (string & {});
}

/** An amount of a token that an event moves. */
export interface TokenAmount {
  /** The role of the amount in the event, for example `Token Amount`. */
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
  /** The picture as its author made it, in any size. */
  readonly default: string | null;
  /** 256 pixels wide. */
  readonly 256: string | null;
  /** 512 pixels wide. */
  readonly 512: string | null;
  /** 1,024 pixels wide. */
  readonly 1024: string | null;
}

/** A token of a collection that an event moves. */
export interface NftItem {
  /** The role of the token in the event, for example `NFT Transferred`. */
  readonly heading: string;
  /** The collection's own name, cleaned and cut to 64 characters; null if not known. */
  readonly collection_name: string | null;
  /** Decimal. */
  readonly token_identifier: string;
  /** The contract of the collection, 20 bytes, lower case. */
  readonly collection_address: Hex;
  /** Pictures of the token; {@link decodeTransaction} knows none, and gives nulls. */
  readonly images: NftImages;
}

/** A parameter of a decoded log; `value` as in details. */
export interface RawLogParameter {
  /** As the declaration of the event has it; empty if it has none. */
  readonly name: string;
  /** Solidity type, for example `uint256`. */
  readonly type: string;
  /** Whether the value is a topic of the log, and not part of its data. */
  readonly indexed: boolean;
  /** False for an indexed value of variable length, of which the log holds the hash alone. */
  readonly decoded: boolean;
  /** Addresses with checksum, integers in decimal; of a hash of an indexed value, its 32 bytes. */
  readonly value: string;
}

/** The log that an event was decoded from. */
export interface RawLog {
  /** Time of the block, ISO 8601 with milliseconds; null without the block. */
  readonly block_signed_at: string | null;
  /** Number of the block. */
  readonly block_height: number;
  /** Index of the transaction in its block, from 0. */
  readonly tx_offset: number;
  /** Index of the log in its block, from 0. */
  readonly log_offset: number;
  /** 32 bytes. */
  readonly tx_hash: Hex;
  /** Up to four topics of 32 bytes each. The first names the event, unless that is anonymous. */
  readonly raw_log_topics: readonly Hex[];
  /** Decimals of the token that emitted the log, 0 to 77, or of the native token if its value moved; null if not known. */
  readonly sender_contract_decimals: number | null;
  /** The emitter's own name, cleaned and cut to 64 characters; null if not known. */
  readonly sender_name: string | null;
  /** The emitter's own symbol, or that of native value, cleaned and cut to 64 characters; null if not known. */
  readonly sender_contract_ticker_symbol: string | null;
  /** The contract that emitted the log, 20 bytes, lower case. */
  readonly sender_address: Hex;
  /** A name of the address beside its own; {@link decodeTransaction} knows none, and gives null. */
  readonly sender_address_label: string | null;
  /** URL of a picture; null if not known. */
  readonly sender_logo_url: string | null;
  /** Standards that the emitter follows: `erc20`, `erc721`, `erc1155`; null if none is known. */
  readonly supports_erc: readonly string[] | null;
  /** The contract that made the emitter; {@link decodeTransaction} does not know it, and gives null. */
  readonly sender_factory_address: Hex | null;
  /** What the log holds beside its topics: any number of bytes. */
  readonly raw_log_data: Hex;
  /** Null if the log was not decoded. */
  readonly decoded: {
    /** Name of the event, for example `Transfer`. */
    readonly name: string;
    /** The canonical signature, for example `Transfer(address,address,uint256)`. */
    readonly signature: string;
    /** All arguments, in the order of the declaration. */
    readonly params: readonly RawLogParameter[];
  } | null;
}

/** Something that happened in the transaction, for a person to read. */
export interface DecodedEvent {
  /** The action. */
  readonly action: EventAction;
  /** The kind of application that it belongs to. */
  readonly category: EventCategory;
  /** For a person to read, for example `User Operation Event`. */
  readonly name: string;
  /** Owner of the event: a protocol known by its address, else the token or the address of the emitter. */
  readonly protocol: {
    /** Name of the protocol, or of the token if no protocol is known; else the emitter's address with its checksum. */
    readonly name: string;
    /** URL of a picture; empty if not known. */
    readonly logo: string;
  };
  /** Labelled values in the order in which they are shown; empty if there are none. */
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
  /** Name of the explorer; {@link decodeTransaction} knows none, and gives null. */
  readonly label: string | null;
  /** The explorer's base URL, `/tx/` and the hash. */
  readonly url: string;
}

/** The token that gas is paid in. */
export interface GasMetadata {
  /** Decimals of the token: 18 of Ether. */
  readonly contract_decimals: number;
  /** For example `Ether`; empty if not known. */
  readonly contract_name: string;
  /** For example `ETH`; empty if not known. */
  readonly contract_ticker_symbol: string;
  /** 20 bytes `0xee`, which is no contract: {@link nativeAddress}. */
  readonly contract_address: Hex;
  /** Null: the native token follows none of the standards. */
  readonly supports_erc: readonly string[] | null;
  /** URL of a picture; null if not known. */
  readonly logo_url: string | null;
}

/** The transaction as a whole. */
export interface TxMetadata {
  /** ISO 8601 with milliseconds; null without the block. */
  readonly block_signed_at: string | null;
  /** Number of the block. */
  readonly block_height: number;
  /** 32 bytes. */
  readonly block_hash: Hex;
  /** 32 bytes. */
  readonly tx_hash: Hex;
  /** Index of the transaction in its block. */
  readonly tx_offset: number;
  /** False if the transaction was reverted: it then moved no value, but paid for gas. */
  readonly successful: boolean;
  /** Null without the block. */
  readonly miner_address: Hex | null;
  /** The sender, 20 bytes, lower case. */
  readonly from_address: Hex;
  /** A name of the sender; {@link decodeTransaction} knows none, and gives null. */
  readonly from_address_label: string | null;
  /** Null if the transaction creates a contract. */
  readonly to_address: Hex | null;
  /** A name of the recipient; {@link decodeTransaction} knows none, and gives null. */
  readonly to_address_label: string | null;
  /** Wei, decimal. */
  readonly value: string;
  /** US dollars; null without a price, as all quotes here. */
  readonly value_quote: number | null;
  /** `value_quote` for people, cut to cents, for example `$1,234.50`. */
  readonly pretty_value_quote: string | null;
  /** The token that `value` and `fees_paid` are amounts of. */
  readonly gas_metadata: GasMetadata;
  /** The transaction's gas limit, in units of gas. */
  readonly gas_offered: number;
  /** Units of gas that were used. */
  readonly gas_spent: number;
  /** Wei a unit of gas, as it was paid. */
  readonly gas_price: number;
  /** Wei, decimal. */
  readonly fees_paid: string;
  /** `fees_paid` in US dollars. */
  readonly gas_quote: number | null;
  /** `gas_quote` for people, cut to cents, for example `$0.03`. */
  readonly pretty_gas_quote: string | null;
  /** US dollars for one whole native token, by which value and fees are quoted. */
  readonly gas_quote_rate: number | null;
  /** The source of the response: `node`, the word of the node that was asked. */
  readonly source: 'node';
  /** Pages about the transaction, one for each explorer of the chain. */
  readonly explorers: readonly ExplorerLink[];
}

/** The result of {@link decodeTransaction}. */
export interface DecodeResponse {
  /** Always true: a failure throws a {@link DecodeError}. */
  readonly success: true;
  /** In the order of the logs; a transfer of native tokens by the transaction itself comes first. */
  readonly events: readonly DecodedEvent[];
  /** The transaction as a whole: block, sender, value and fees. */
  readonly tx_metadata: TxMetadata;
  /** The same as in `tx_metadata`. */
  readonly explorers: readonly ExplorerLink[];
}
