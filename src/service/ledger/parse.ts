/** Reads blocks, transactions, receipts and logs, which a node answers: as they must be, or not at all. */
import type { Source } from '../../foreign/members.js';
import { createReader, nullable, type ValueReader } from '../../foreign/reader.js';
import { dataText } from '../../foreign/values.js';
import { nonsense } from '../chain/node.js';
import type {
  FoundLog,
  LedgerBlock,
  LedgerLog,
  LedgerReceipt,
  LedgerTransaction,
} from './types.js';

const { as, asHex, asList, asNumber, asQuantity, read, readObject } = createReader(nonsense, {
  quantity: (bits) => `a quantity below 2^${bits}`,
});

/** Bytes of call data, of a log's data and of a block's extra data at most: what bounds an answer bounds them. */
const longestData = 8 * 2 ** 20;

const readHash = asHex(32);
const readAddress = asHex(20);
const readNumber = asNumber(53);
const readAmount = asQuantity(256);
const readStatus = asQuantity(1);
const readData = as((value) => dataText(value, longestData), '0x and whole bytes of hex digits');
const readHashes = asList(readHash);

/** A block with the hashes of its transactions. */
export const readLedgerBlock: ValueReader<LedgerBlock> = (value, at) => {
  const block = readObject(value, at);
  return {
    number: read(block, 'number', readNumber),
    hash: read(block, 'hash', readHash),
    parentHash: read(block, 'parentHash', readHash),
    timestamp: read(block, 'timestamp', readNumber),
    miner: read(block, 'miner', readAddress),
    extraData: read(block, 'extraData', readData),
    gasUsed: read(block, 'gasUsed', readNumber),
    gasLimit: read(block, 'gasLimit', readNumber),
    baseFee: read(block, 'baseFeePerGas', nullable(readAmount)),
    transactions: read(block, 'transactions', readHashes),
  };
};

/** @throws NodeError also for a transaction that is not mined yet */
export const readLedgerTransaction: ValueReader<LedgerTransaction> = (value, at) => {
  const transaction = readObject(value, at);
  return {
    hash: read(transaction, 'hash', readHash),
    blockHash: read(transaction, 'blockHash', readHash),
    index: read(transaction, 'transactionIndex', readNumber),
    from: read(transaction, 'from', readAddress),
    to: read(transaction, 'to', nullable(readAddress)) ?? null,
    value: read(transaction, 'value', readAmount),
    gas: read(transaction, 'gas', readNumber),
    gasPrice: read(transaction, 'gasPrice', nullable(readAmount)),
    input: read(transaction, 'input', readData),
  };
};

/** A transaction; undefined if it waits to be mined. */
export const readMinedTransaction: ValueReader<LedgerTransaction | undefined> = (value, at) => {
  const isWaiting = read(readObject(value, at), 'blockHash', nullable(readHash)) === undefined;
  return isWaiting ? undefined : readLedgerTransaction(value, at);
};

/** The members that a log has in a receipt and by itself. */
function readLogMembers(log: Source): LedgerLog {
  const topics = read(log, 'topics', readHashes);
  if (topics.length > 4) throw nonsense(`${log.at}.topics`, 'has more than four topics');
  return {
    address: read(log, 'address', readAddress),
    topics,
    data: read(log, 'data', readData),
    index: read(log, 'logIndex', readNumber),
  };
}

const readLog: ValueReader<LedgerLog> = (value, at) => readLogMembers(readObject(value, at));

/** A log by itself, with its place. */
const readFoundLog: ValueReader<FoundLog> = (value, at) => {
  const log = readObject(value, at);
  return {
    ...readLogMembers(log),
    blockNumber: read(log, 'blockNumber', readNumber),
    blockHash: read(log, 'blockHash', readHash),
    transactionHash: read(log, 'transactionHash', readHash),
    transactionIndex: read(log, 'transactionIndex', readNumber),
  };
};

export const readFoundLogs = asList(readFoundLog);

export const readLedgerReceipt: ValueReader<LedgerReceipt> = (value, at) => {
  const receipt = readObject(value, at);
  const logs = read(receipt, 'logs', asList(readLog));
  const [first] = logs;
  if (first !== undefined && logs.some(({ index }, i) => index !== first.index + i)) {
    throw nonsense(`${receipt.at}.logs`, 'leaves a log out');
  }
  return {
    hash: read(receipt, 'transactionHash', readHash),
    blockHash: read(receipt, 'blockHash', readHash),
    blockNumber: read(receipt, 'blockNumber', readNumber),
    index: read(receipt, 'transactionIndex', readNumber),
    isSuccessful: read(receipt, 'status', readStatus) === 1n,
    gasUsed: read(receipt, 'gasUsed', readNumber),
    gasPrice: read(receipt, 'effectiveGasPrice', nullable(readAmount)),
    logs,
  };
};

export const readLedgerReceipts = asList(readLedgerReceipt);
const readTransactions = asList(readLedgerTransaction);

/** The transactions of a block that came with them. */
export const readBlockTransactions: ValueReader<LedgerTransaction[]> = (value, at) =>
  read(readObject(value, at), 'transactions', readTransactions);
