/** Blocks, transactions and logs as a node has them, read. All hex is in lower case. */
import type { Hex } from '../../bytes.js';

export interface LedgerBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Seconds. */
  readonly timestamp: number;
  readonly miner: Hex;
  readonly extraData: Hex;
  readonly gasUsed: number;
  readonly gasLimit: number;
  /** In wei; undefined if the chain has none. */
  readonly baseFee: bigint | undefined;
  /** Hashes of the transactions, in order. */
  readonly transactions: readonly Hex[];
}

export interface LedgerTransaction {
  readonly hash: Hex;
  readonly blockHash: Hex;
  /** Place in the block, from 0. */
  readonly index: number;
  readonly from: Hex;
  /** Null if the transaction creates a contract. */
  readonly to: Hex | null;
  /** In wei. */
  readonly value: bigint;
  /** The most gas that it may take. */
  readonly gas: number;
  /** In wei; undefined if the node does not say. */
  readonly gasPrice: bigint | undefined;
  readonly input: Hex;
}

export interface LedgerLog {
  /** The contract that emitted it. */
  readonly address: Hex;
  /** Up to four. */
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Place in the block, from 0. */
  readonly index: number;
}

export interface LedgerReceipt {
  readonly hash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: number;
  readonly index: number;
  readonly isSuccessful: boolean;
  readonly gasUsed: number;
  /** In wei; undefined if the node does not say. */
  readonly gasPrice: bigint | undefined;
  readonly logs: readonly LedgerLog[];
}

/** A transaction that was mined. */
export interface MinedPair {
  readonly transaction: LedgerTransaction;
  readonly receipt: LedgerReceipt;
}

/** A log that was searched for. */
export interface FoundLog extends LedgerLog {
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
}
