/** Blocks, transactions, receipts and logs in the forms of JSON-RPC. Every member is computed from what was proven. */
import type { Hex } from '../../bytes.js';

/** A header. Members of later forks are missing in blocks of before. */
export interface BlockHeader {
  /** Hash of the block, 32 bytes. */
  readonly hash: Hex;
  /** Hash of the block before, 32 bytes. */
  readonly parentHash: Hex;
  /** Hash of the list of uncles, 32 bytes. */
  readonly sha3Uncles: Hex;
  /** The fee recipient, 20 bytes. */
  readonly miner: Hex;
  /** Merkle-Patricia root, 32 bytes: never the root that a proof of the rollup's state is held against. */
  readonly stateRoot: Hex;
  /** 32 bytes. */
  readonly transactionsRoot: Hex;
  /** 32 bytes. */
  readonly receiptsRoot: Hex;
  /** 256 bytes. */
  readonly logsBloom: Hex;
  /** Quantity. */
  readonly difficulty: Hex;
  /** Quantity. */
  readonly number: Hex;
  /** Quantity. */
  readonly gasLimit: Hex;
  /** Quantity. */
  readonly gasUsed: Hex;
  /** Quantity, in seconds since 1970. */
  readonly timestamp: Hex;
  /** Any bytes. */
  readonly extraData: Hex;
  /** 32 bytes; since the merge, PREVRANDAO. */
  readonly mixHash: Hex;
  /** 8 bytes. */
  readonly nonce: Hex;
  /** Quantity, in wei. */
  readonly baseFeePerGas?: Hex;
  /** 32 bytes. */
  readonly withdrawalsRoot?: Hex;
  /** Quantity. */
  readonly blobGasUsed?: Hex;
  /** Quantity. */
  readonly excessBlobGas?: Hex;
  /** 32 bytes. */
  readonly parentBeaconBlockRoot?: Hex;
  /** 32 bytes. */
  readonly requestsHash?: Hex;
  /** 32 bytes. */
  readonly blockAccessListHash?: Hex;
  /** Quantity. */
  readonly slotNumber?: Hex;
}

/** A withdrawal of the consensus layer. */
export interface Withdrawal {
  /** Quantity. */
  readonly index: Hex;
  /** Quantity. */
  readonly validatorIndex: Hex;
  /** 20 bytes. */
  readonly address: Hex;
  /** Quantity, in gwei. */
  readonly amount: Hex;
}

/** A block. `totalDifficulty` is left out: nothing proves it. */
export interface Block<T extends Hex | BlockTransaction = Hex | BlockTransaction>
  extends BlockHeader {
  /** Quantity: bytes of the block's encoding. */
  readonly size: Hex;
  /** Their hashes, or whole. */
  readonly transactions: readonly T[];
  /** Empty: a block with uncles is refused. */
  readonly uncles: readonly Hex[];
  /** Since Shanghai. */
  readonly withdrawals?: readonly Withdrawal[];
}

/** Where an item stands. */
interface InBlock {
  /** 32 bytes. */
  readonly blockHash: Hex;
  /** Quantity. */
  readonly blockNumber: Hex;
  /** Quantity. */
  readonly transactionIndex: Hex;
}

/** An entry of an access list. */
export interface AccessListEntry {
  /** 20 bytes. */
  readonly address: Hex;
  /** 32 bytes each. */
  readonly storageKeys: readonly Hex[];
}

/** An authorization of EIP-7702. It may be invalid: blocks have such, too. */
export interface Authorization {
  /** Quantity. */
  readonly chainId: Hex;
  /** The account whose code is taken, 20 bytes. */
  readonly address: Hex;
  /** Quantity. */
  readonly nonce: Hex;
  /** Quantity. */
  readonly yParity: Hex;
  /** Quantity. */
  readonly r: Hex;
  /** Quantity. */
  readonly s: Hex;
}

/** A transaction in its block. */
export interface BlockTransaction extends InBlock {
  /** 32 bytes. */
  readonly hash: Hex;
  /** Quantity, `0x0` to `0x4`. */
  readonly type: Hex;
  /** Who signed it, recovered from the signature; 20 bytes. */
  readonly from: Hex;
  /** 20 bytes; null for a creation. */
  readonly to: Hex | null;
  /** Quantity. */
  readonly nonce: Hex;
  /** Quantity. */
  readonly gas: Hex;
  /** Quantity, in wei: what was paid for a unit of gas. */
  readonly gasPrice: Hex;
  /** Quantity, in wei. */
  readonly value: Hex;
  /** Any bytes. */
  readonly input: Hex;
  /** Quantity. */
  readonly v: Hex;
  /** Quantity. */
  readonly r: Hex;
  /** Quantity. */
  readonly s: Hex;
  /** Quantity, in seconds: that of the header. */
  readonly blockTimestamp: Hex;
  /** Quantity; missing in transactions of before EIP-155. */
  readonly chainId?: Hex;
  /** Quantity; since type 1. */
  readonly yParity?: Hex;
  /** Since type 1. */
  readonly accessList?: readonly AccessListEntry[];
  /** Quantity, in wei; since type 2. */
  readonly maxFeePerGas?: Hex;
  /** Quantity, in wei; since type 2. */
  readonly maxPriorityFeePerGas?: Hex;
  /** Quantity, in wei; of type 3. */
  readonly maxFeePerBlobGas?: Hex;
  /** 32 bytes each; of type 3. */
  readonly blobVersionedHashes?: readonly Hex[];
  /** Of type 4. */
  readonly authorizationList?: readonly Authorization[];
}

/** A log whose transaction was not read: receipts alone prove it. */
export interface BlockLog extends InBlock {
  /** The contract that emitted it, 20 bytes. */
  readonly address: Hex;
  /** 32 bytes each. */
  readonly topics: readonly Hex[];
  /** Any bytes. */
  readonly data: Hex;
  /** Quantity, counted over the block. */
  readonly logIndex: Hex;
  /** False: the block is final. */
  readonly removed: false;
  /** Quantity, in seconds: that of the header. */
  readonly blockTimestamp: Hex;
}

/** A log. */
export interface Log extends BlockLog {
  /** 32 bytes. */
  readonly transactionHash: Hex;
}

/** The members that receipts alone prove. */
export interface BlockReceipt<L extends BlockLog = BlockLog> extends InBlock {
  /** Quantity, `0x0` to `0x4`. */
  readonly type: Hex;
  /** `0x1` if the transaction succeeded, else `0x0`; missing in blocks of before Byzantium. */
  readonly status?: Hex;
  /** State root after the transaction, 32 bytes; in blocks of before Byzantium. */
  readonly root?: Hex;
  /** Quantity: of the block up to this transaction. */
  readonly cumulativeGasUsed: Hex;
  /** Quantity. */
  readonly gasUsed: Hex;
  /** 256 bytes. */
  readonly logsBloom: Hex;
  /** In their order. */
  readonly logs: readonly L[];
}

/** A receipt. `blobGasPrice` is left out: it follows from a schedule that no header holds. */
export interface Receipt extends BlockReceipt<Log> {
  /** 32 bytes. */
  readonly transactionHash: Hex;
  /** Who signed the transaction, 20 bytes. */
  readonly from: Hex;
  /** 20 bytes; null for a creation. */
  readonly to: Hex | null;
  /** The address that a creation is for, 20 bytes, whether or not it succeeded; else null. */
  readonly contractAddress: Hex | null;
  /** Quantity, in wei. */
  readonly effectiveGasPrice: Hex;
  /** Quantity; of type 3. */
  readonly blobGasUsed?: Hex;
}
