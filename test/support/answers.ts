/** Answers of nodes and services, as far as tests read or change them. */
import type { RpcLog } from 'viem';
import type { Hex } from '../../src/index.js';

export type NodeLog = RpcLog;

export interface NodeReceipt {
  status: Hex;
  blockNumber: Hex;
  blockHash: Hex;
  transactionHash: Hex;
  transactionIndex: Hex;
  from: Hex;
  to: Hex | null;
  contractAddress: Hex;
  gasUsed: Hex;
  effectiveGasPrice: Hex;
  logs: NodeLog[];
}

/** What a node answers to `eth_getProof`. */
export interface NodeProof {
  balance: Hex;
  nonce: Hex;
  codeHash: Hex;
  storageHash: Hex;
  accountProof: Hex[];
  storageProof: StorageProof[];
}

export interface StorageProof {
  key: Hex;
  value: Hex;
  proof: Hex[];
}

/** An answer of JSON-RPC. */
export interface RpcAnswer<Result = unknown> {
  id?: unknown;
  result?: Result;
  error?: { code: number; message: string; data?: unknown };
}

/** A wallet's holdings, as the data interface answers. */
export interface HeldData {
  items: HeldItem[];
  proofs: HeldProofs;
}

export interface HeldItem {
  contract_address: Hex;
  contract_ticker_symbol: string;
  contract_decimals: number;
  native_token: boolean;
  type: string;
  contract_name: string;
  supports_erc: ['erc20' | 'erc721' | 'erc1155'];
  balance: string;
  nft_data: { token_id: string; token_balance: string }[] | null;
}

export interface HeldEntry {
  address: Hex;
  storageKeys: Hex[];
  proof: string;
}

export interface HeldProofs {
  block: number;
  accounts: HeldEntry[];
  codes: string[];
}

/** Parameters of a call: the first is a block, an address or a hash. */
export type Params = [string, string, unknown];
