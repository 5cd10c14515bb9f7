/** Mined transactions of one chain, from the node or remembered. */
import type { Hex } from '../../bytes.js';
import { ownMember, ownNamed } from '../../foreign/members.js';
import { type Cache, createCache } from '../chain/cache.js';
import type { BlockId, FinalizedHead } from '../chain/finalizedHead.js';
import type { DecoderNode, MinedTransaction } from '../chain/node.js';
import type { Records } from '../chain/records.js';

/** A transaction with its receipt and block, as decoding takes them. */
export interface TransactionSource {
  readonly transaction: unknown;
  readonly receipt: unknown;
  readonly block: unknown;
}

export interface FoundSource {
  readonly source: TransactionSource;
  readonly block: BlockId;
  /** Whether its block is final, so that values that depend on it may be remembered. */
  readonly isFinal: boolean;
}

export interface TransactionSources {
  /** @returns undefined if the chain has no such transaction @throws RpcError or NodeError */
  find(hash: Hex): Promise<FoundSource | undefined>;
  forget(hash: Hex): void;
}

/** Members that decoding may look at. The others, such as call data and blooms, are large, and dropped. */
const members = {
  transaction: [
    ...['hash', 'blockHash', 'blockNumber', 'transactionIndex', 'from', 'to', 'value', 'gas'],
    ...['gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce', 'type', 'chainId'],
  ],
  receipt: [
    ...['transactionHash', 'transactionIndex', 'blockHash', 'blockNumber', 'from', 'to', 'type'],
    ...['contractAddress', 'gasUsed', 'cumulativeGasUsed', 'effectiveGasPrice', 'status', 'logs'],
  ],
  block: ['number', 'hash', 'timestamp', 'miner'],
} as const;

const trim = ({ transaction, receipt, block }: MinedTransaction): TransactionSource => ({
  transaction: ownNamed(transaction, members.transaction),
  receipt: ownNamed(receipt, members.receipt),
  block: ownNamed(block, members.block),
});

/** What an older process has kept. Decoding checks what is in it. */
const readSource = (value: unknown): TransactionSource | undefined =>
  typeof value === 'object' && value !== null
    ? {
        transaction: ownMember(value, 'transaction'),
        receipt: ownMember(value, 'receipt'),
        block: ownMember(value, 'block'),
      }
    : undefined;

/** Bytes of a value in memory, roughly: the text of its JSON takes a third. */
const sizeOf = (source: TransactionSource) => 3 * JSON.stringify(source).length;

interface SourceOptions {
  readonly node: DecoderNode;
  readonly head: FinalizedHead;
  readonly chainId: number;
  readonly records: Records | undefined;
  /** Bytes in memory. */
  readonly maxBytes: number;
}

export function createTransactionSources({
  node,
  head,
  chainId,
  records,
  maxBytes,
}: SourceOptions): TransactionSources {
  const cache: Cache<TransactionSource> = createCache({
    head,
    node,
    maxBytes,
    sizeOf,
    ...(records && {
      database: { records, keyOf: (hash) => ({ chainId, hash: hash as Hex }), read: readSource },
    }),
  });
  /** Questions on their way: a caller with the same question gets the same answer. */
  const asking = new Map<Hex, Promise<FoundSource | undefined>>();

  async function ask(hash: Hex): Promise<FoundSource | undefined> {
    // In this order: if the chain changes after it, the next look at the final block shows that.
    const final = await head.newest();
    const reorgCount = head.knownReorgCount;
    const mined = await node.mined(hash);
    if (mined === undefined) return undefined;
    const { at: block } = mined;
    const source = trim(mined);
    const isFinal = final !== undefined && block.number <= final.number;
    if (isFinal) cache.set(hash, { value: source, block }, reorgCount);
    return { source, block, isFinal };
  }

  async function find(hash: Hex): Promise<FoundSource | undefined> {
    const known = await cache.get(hash);
    return known ? { source: known.value, block: known.block, isFinal: true } : ask(hash);
  }

  return {
    find(hash) {
      const underWay = asking.get(hash);
      if (underWay) return underWay;
      const found = find(hash).finally(() => asking.delete(hash));
      asking.set(hash, found);
      return found;
    },
    forget: (hash) => cache.delete(hash),
  };
}
