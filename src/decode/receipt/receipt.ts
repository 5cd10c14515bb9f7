/** Reads receipts, transactions and blocks, the answers of a node that may be wrong or hostile. */
import type { Hex } from '../../bytes.js';
import { memberPath, type Source } from '../../foreign/members.js';
import { createReader, nullable } from '../../foreign/reader.js';
import { dataText, hexText, parseQuantity } from '../../foreign/values.js';
import { DecodeError } from './errors.js';
import { maxDataBytes, maxLogs } from './limits.js';

/** A log. All hex is lower case. */
export interface ReceiptLog {
  /** Undefined if what the node sent is no log; topics and data are then empty. */
  readonly address: Hex | undefined;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  /** Its number in the block. */
  readonly index: number;
}

export interface ParsedReceipt {
  readonly hash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly from: Hex;
  readonly to: Hex | null;
  readonly contractAddress: Hex | null;
  readonly isSuccessful: boolean;
  readonly gasUsed: bigint;
  readonly effectiveGasPrice: bigint | undefined;
  readonly logs: readonly ReceiptLog[];
}

export interface ParsedTransaction {
  readonly value: bigint;
  readonly gas: bigint;
  readonly gasPrice: bigint | undefined;
}

export interface MinedBlock {
  /** Seconds. */
  readonly timestamp: number;
  readonly miner: Hex;
}

const malformed = (path: string, reason: string, options: ErrorOptions = {}) =>
  new DecodeError('MALFORMED', reason, { ...options, path });
const { openObject, openArray, readMember, read, asHex, asNumber, asQuantity } = createReader(
  malformed,
  { quantity: (bits) => `a quantity below 2^${bits}` },
);

const readHash = asHex(32);
const readAddress = asHex(20);
const readNumber = asNumber(53);
const readGas = asQuantity(53);
const readAmount = asQuantity(256);
const readStatus = asQuantity(1);
const readPrice = nullable(readAmount);
const readSomeAddress = nullable(readAddress);

/** Topics of a log; undefined if they are malformed. */
function readTopics(value: unknown, at: string): Hex[] | undefined {
  const source = openArray(value, at);
  if (source.length > 4) return undefined;
  const topics: Hex[] = [];
  for (let i = 0; i < source.length; i++) {
    const topic = hexText(readMember(source, i), 32);
    if (topic === undefined) return undefined;
    topics.push(topic);
  }
  return topics;
}

/** Reads what is a log. @throws DecodeError if a member cannot be read at all */
function readWholeLog(
  value: unknown,
  at: string,
  bytesLeft: number,
): Omit<ReceiptLog, 'index'> | undefined {
  const source = openObject(value, at);
  const address = hexText(readMember(source, 'address'), 20);
  const topics = readTopics(readMember(source, 'topics'), `${at}.topics`);
  const data = readMember(source, 'data');
  if (typeof data === 'string' && data.length > 2 + 2 * bytesLeft) {
    throw new DecodeError(
      'TOO_LARGE',
      `expected at most ${maxDataBytes} bytes of data in all logs`,
    );
  }
  const text = dataText(data, bytesLeft);
  return address && topics && text ? { address, topics, data: text } : undefined;
}

/** Reads a log. A malformed one stays in its place, so that it does not affect the others. */
function readLog(value: unknown, at: string, position: number, bytesLeft: number): ReceiptLog {
  const none = { address: undefined, topics: [], data: '0x' } as const;
  let log: Omit<ReceiptLog, 'index'> | undefined;
  let index: bigint | undefined;
  try {
    log = readWholeLog(value, at, bytesLeft);
    index = parseQuantity(readMember(openObject(value, at), 'logIndex'), 53);
  } catch (error) {
    if (error instanceof DecodeError && error.code === 'MALFORMED')
      return { ...none, index: position };
    throw error;
  }
  return { ...(log ?? none), index: index === undefined ? position : Number(index) };
}

function readLogs(receipt: Source): ReceiptLog[] {
  const source = openArray(readMember(receipt, 'logs'), memberPath(receipt, 'logs'));
  if (source.length > maxLogs) {
    const reason = `expected at most ${maxLogs} logs, got ${source.length}`;
    throw new DecodeError('TOO_LARGE', reason, { path: source.at });
  }
  const logs: ReceiptLog[] = [];
  let bytesLeft = maxDataBytes;
  for (let i = 0; i < source.length; i++) {
    const log = readLog(readMember(source, i), memberPath(source, i), i, bytesLeft);
    bytesLeft -= (log.data.length - 2) / 2;
    logs.push(log);
  }
  return logs;
}

/** Reads a receipt. @throws DecodeError */
export function readReceipt(value: unknown): ParsedReceipt {
  const source = openObject(value, 'receipt');
  return {
    hash: read(source, 'transactionHash', readHash),
    blockHash: read(source, 'blockHash', readHash),
    blockNumber: read(source, 'blockNumber', readNumber),
    transactionIndex: read(source, 'transactionIndex', readNumber),
    from: read(source, 'from', readAddress),
    to: read(source, 'to', readSomeAddress) ?? null,
    contractAddress: read(source, 'contractAddress', readSomeAddress) ?? null,
    isSuccessful: read(source, 'status', readStatus) === 1n,
    gasUsed: read(source, 'gasUsed', readGas),
    effectiveGasPrice: read(source, 'effectiveGasPrice', readPrice),
    logs: readLogs(source),
  };
}

function checkSame(path: string, value: Hex | null, receipt: Hex | null): void {
  if (value === receipt) return;
  throw new DecodeError('MISMATCH', 'expected the same as in the receipt', { path });
}

/** Reads the transaction of a receipt. @throws DecodeError */
export function readTransaction(value: unknown, receipt: ParsedReceipt): ParsedTransaction {
  const source = openObject(value, 'transaction');
  checkSame('transaction.hash', read(source, 'hash', readHash), receipt.hash);
  checkSame('transaction.blockHash', read(source, 'blockHash', readHash), receipt.blockHash);
  checkSame('transaction.from', read(source, 'from', readAddress), receipt.from);
  checkSame('transaction.to', read(source, 'to', readSomeAddress) ?? null, receipt.to);
  return {
    value: read(source, 'value', readAmount),
    gas: read(source, 'gas', readGas),
    gasPrice: read(source, 'gasPrice', readPrice),
  };
}

/** Reads the block of a receipt. @throws DecodeError */
export function readBlock(value: unknown, receipt: ParsedReceipt): MinedBlock {
  const source = openObject(value, 'block');
  checkSame('block.hash', read(source, 'hash', readHash), receipt.blockHash);
  return {
    timestamp: read(source, 'timestamp', readNumber),
    miner: read(source, 'miner', readAddress),
  };
}
