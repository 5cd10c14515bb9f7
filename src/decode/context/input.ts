/** The input of decoding: the answers of a node as they came, and what is known of the contracts in them. */
import type { Hex } from '../../bytes.js';
import type { Chain } from '../definition/chain.js';
import type { TokenStandard } from '../definition/definition.js';
import type { Abis } from '../registry/abis.js';

/** A token's own word about itself. Names and symbols are text of the token's author: they are cleaned and cut. */
export interface TokenMetadata {
  /** The contract, in any case of letters. */
  readonly address: Hex;
  /** The contract's `name()`; of more than 64 characters, 63 are shown. */
  readonly name?: string | undefined;
  /** The contract's `symbol()`; of more than 64 characters, 63 are shown. */
  readonly symbol?: string | undefined;
  /** 0 to 77; anything else counts as not known. */
  readonly decimals?: number | undefined;
  /** URL. */
  readonly logo?: string | undefined;
  /** Its answers to `supportsInterface`, or `erc20` if `decimals()` answered. */
  readonly standards?: readonly TokenStandard[] | undefined;
}

/** The two tokens of a pool, from its `token0()` and `token1()`; undefined if it did not answer. */
export interface PoolTokens {
  /** The pool, in any case of letters. */
  readonly address: Hex;
  /** The contract's `token0()`, 20 bytes. */
  readonly token0?: Hex | undefined;
  /** The contract's `token1()`, 20 bytes. */
  readonly token1?: Hex | undefined;
}

/** The price of a token, as the caller says. */
export interface TokenPrice {
  /** The token, in any case of letters; {@link nativeAddress} for the native token. */
  readonly address: Hex;
  /** US dollars for one whole token. A text is exact; anything but a number from 0 counts as no price. */
  readonly usd: string | number;
}

/** How the native token is named among prices, and in `gas_metadata`. */
export const nativeAddress: Hex = `0x${'e'.repeat(40)}`;

/** The parts that say which contracts a transaction is about. */
export interface LogsInput {
  /** Result of `eth_getTransactionReceipt`, of unknown origin. */
  readonly receipt: unknown;
  /** The chain that the transaction is of; made by {@link describeChain}. */
  readonly chain: Chain;
  /** The tokens and contracts that are known; see `missingMetadata`. */
  readonly tokens?: readonly TokenMetadata[] | undefined;
  /**
   * The pools whose tokens are known; see `missingMetadata`. Without its tokens, amounts of a pool may be shown without
   * their token.
   */
  readonly pools?: readonly PoolTokens[] | undefined;
  /** US dollars for one whole token each. A token without a price is quoted `$0.00`. */
  readonly prices?: readonly TokenPrice[] | undefined;
  /** Events beside the built-in ones; made by `parseAbis`. */
  readonly abis?: Abis | undefined;
  /** Whether logs that are not decoded give an `Unknown Event`. Default false: they give nothing. */
  readonly unknown?: boolean | undefined;
  /** Whether events carry the log that they were decoded from. Default false. */
  readonly rawLogs?: boolean | undefined;
}

/** Options of {@link decodeTransaction}. */
export interface DecodeInput extends LogsInput {
  /** Result of `eth_getTransactionByHash`, of unknown origin. */
  readonly transaction: unknown;
  /** Result of `eth_getBlockByHash`, of unknown origin; without it time and miner are null. */
  readonly block?: unknown;
  /** US dollars: transfers and approvals worth less are left out. Those without a price stay. Default 0. */
  readonly minUsd?: number | undefined;
}

/** Contracts to ask a node about before decoding; lower case, each once, in the order of the logs. */
export interface MissingMetadata {
  /** Contracts whose name, symbol, decimals and standards would be used. */
  readonly tokens: readonly Hex[];
  /** Pools whose tokens the receipt does not tell. Ask again after these: their tokens may be new. */
  readonly pools: readonly Hex[];
  /** Tokens whose price would be used for an event. The native token's is used in any case, named here or not. */
  readonly prices: readonly Hex[];
}
