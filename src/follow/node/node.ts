/** An ordinary L2 node, as far as it is needed. */
import type { Hex } from '../../bytes.js';
import { ownMember, type Source } from '../../foreign/members.js';
import { nullable, type ValueReader } from '../../foreign/reader.js';
import { hexBytes, hexText, toQuantity } from '../../foreign/values.js';
import type { BlockName } from '../../rpc/nodeClient.js';
import type { BatchClient } from './batchClient.js';
import { FollowError } from './errors.js';
import { type GasReceipt, parseReceipts } from './gasReceipt.js';
import {
  asList,
  FormatError,
  read,
  readAmount,
  readArray,
  readData,
  readMember,
  readNonce,
  readObject,
  readSafeNumber,
  readWord,
} from './read.js';
import { type HeaderMark, headerMarks, type NodeHeader } from './system.js';
import { parseTransactionDiffs, type TransactionDiff } from './transactionDiff.js';

export interface Node {
  /** Number of the newest block. */
  head(): Promise<number>;
  /** Number of the newest block that the node calls finalized; undefined if it knows none. */
  finalized(): Promise<number | undefined>;
  /** Undefined if the node has no block of that number. */
  header(number: number): Promise<NodeHeader | undefined>;
  /** Headers of several blocks at once; undefined for one that the node does not have. */
  headers(numbers: readonly number[]): Promise<(NodeHeader | undefined)[]>;
  /** The changes of a block, transaction by transaction. */
  diffs(header: NodeHeader): Promise<TransactionDiff[]>;
  /** The wei that the gas of each of a block's transactions burnt. */
  receipts(header: NodeHeader): Promise<GasReceipt[]>;
  code(address: Hex, block: number): Promise<Hex>;
  nonce(address: Hex, block: number): Promise<bigint>;
  balance(address: Hex, block: number): Promise<bigint>;
  slot(address: Hex, key: Hex, block: number): Promise<Hex>;
  /** The first node of a Merkle-Patricia proof under the root of a block. */
  firstProofNode(block: number): Promise<Hex>;
}

/** An empty RLP string: the only node of an empty trie. Some L2 nodes leave it out of a proof. */
const emptyNode: Hex = '0x80';

/** Every proof begins with the same node. */
const anyAddress: Hex = `0x${'0'.repeat(40)}`;

const marks = Object.keys(headerMarks) as HeaderMark[];

// Made once: a feed reads a header a block.
const readWordIfThere = nullable(readWord);
const readAmountIfThere = nullable(readAmount);
const readArrayIfThere = nullable(readArray);
const readWords = asList(readWord);

/** Hashes of transactions. Most are valid, so the path of one is built only if it is refused. */
function readHashes(value: unknown, path: string): Hex[] {
  if (!Array.isArray(value)) return readWords(value, path);
  const hashes: Hex[] = [];
  for (let i = 0; i < value.length; i++) {
    const hash = hexText(ownMember(value, i), 32);
    if (hash === undefined) return readWords(value, path);
    hashes.push(hash);
  }
  return hashes;
}

const amountOf = (block: Source, name: string): bigint =>
  read(block, name, readAmountIfThere) ?? 0n;

function marksOf(block: Source): HeaderMark[] {
  const found: HeaderMark[] = [];
  for (const name of marks) if ((readMember(block, name) ?? null) !== null) found.push(name);
  return found;
}

/**
 * Reads a header; undefined if the node does not have the block.
 *
 * @param number undefined if the block was asked for by another name
 */
function readHeader(value: unknown, path: string, number?: number): NodeHeader | undefined {
  if (value === null) return undefined;
  const block = readObject(value, path);
  const header = {
    number: read(block, 'number', readSafeNumber),
    hash: read(block, 'hash', readWord),
    parentHash: read(block, 'parentHash', readWord),
    time: read(block, 'timestamp', readSafeNumber),
    beaconRoot: read(block, 'parentBeaconBlockRoot', readWordIfThere),
    stateRoot: read(block, 'stateRoot', readWordIfThere),
    baseFee: amountOf(block, 'baseFeePerGas'),
    gasUsed: amountOf(block, 'gasUsed'),
    blobGasUsed: amountOf(block, 'blobGasUsed'),
    marks: marksOf(block),
    logsBloom: hexBytes(readMember(block, 'logsBloom'), 256),
    transactions: read(block, 'transactions', readHashes),
  };
  if (number !== undefined && header.number !== number) {
    throw new FormatError('result.number', `expected the number asked for, ${number}`);
  }
  if ((read(block, 'withdrawals', readArrayIfThere) ?? []).length > 0) {
    // They change balances, and no trace shows it. Rollups have none.
    throw new FollowError('UNSUPPORTED_BLOCK', `block ${header.number} has withdrawals`);
  }
  return header;
}

/** Longest answers, in bytes. A block has some ten thousand transactions at most, and a hash of each in its header. */
const longest = {
  header: 16 * 1024 * 1024,
  headers: 64 * 1024 * 1024,
  traces: 512 * 1024 * 1024,
  receipts: 64 * 1024 * 1024,
  code: 4 * 1024 * 1024,
  proof: 4 * 1024 * 1024,
};

/** The first node of a proof of an account. */
const readFirstNode: ValueReader<Hex> = (value, path) => {
  const [first = emptyNode] = read(readObject(value, path), 'accountProof', readArray);
  return readData(first, `${path}.accountProof[0]`);
};

/** Ms in which a node must have traced a transaction, if nobody says otherwise. */
export const defaultTraceTimeout = 120_000;

/** @param traceTimeout ms in which a transaction must be traced, sent in whole seconds; geth's own limit is 5 s */
export function createNode(client: BatchClient, traceTimeout: number = defaultTraceTimeout): Node {
  const blockBy = (named: BlockName, number?: number) =>
    client.block(named, (value, path) => readHeader(value, path, number), longest.header);
  const tracing = {
    tracer: 'prestateTracer',
    tracerConfig: { diffMode: true },
    timeout: `${Math.ceil(traceTimeout / 1000)}s`,
  };
  return {
    head: () => client.blockNumber(readSafeNumber),
    finalized: async () => (await blockBy('finalized'))?.number,
    header: (number) => blockBy(number, number),
    headers: (numbers) => client.blocks(numbers, readHeader, longest.headers),
    diffs: ({ number, transactions }) =>
      client.ask(
        'debug_traceBlockByNumber',
        [toQuantity(number), tracing],
        (answer) => parseTransactionDiffs(answer, transactions),
        longest.traces,
      ),
    receipts: ({ number, transactions }) =>
      client.receipts(number, (answer) => parseReceipts(answer, transactions), longest.receipts),
    code: (address, block) => client.code(address, block, readData, longest.code),
    nonce: (address, block) => client.nonce(address, block, readNonce),
    balance: (address, block) => client.balance(address, block, readAmount),
    slot: (address, key, block) => client.slot(address, key, block, readWord),
    firstProofNode: (block) =>
      client.proof({ address: anyAddress, storageKeys: [] }, block, readFirstNode, longest.proof),
  };
}
