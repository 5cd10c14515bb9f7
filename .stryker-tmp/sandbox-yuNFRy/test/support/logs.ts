/** Logs, receipts and transactions as nodes send them, encoded by viem. */
// @ts-nocheck

import {
  type AbiEvent,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  numberToHex,
  parseAbiItem,
} from 'viem';
import type { Chain, DecodeInput } from '../../src/decode/index.js';
import { decodeTransaction, describeChain } from '../../src/decode/index.js';

export interface WireLog {
  address: Hex;
  topics: Hex[];
  data: Hex;
  logIndex: Hex;
}

/** An address of forty times one digit, or of a number. */
export const addressOf = (from: number | string): Hex =>
  typeof from === 'string' ? `0x${from.repeat(40)}` : `0x${from.toString(16).padStart(40, '0')}`;

export const emitter = addressOf('c');
export const sender = addressOf('a');
export const receiver = addressOf('b');
export const hash = (digit: string): Hex => `0x${digit.repeat(64)}`;

/** Encodes a log of an event, declared as in Solidity. @param args in the order of the declaration */
export function logOf(declaration: string, args: readonly unknown[], address = emitter): WireLog {
  const event = parseAbiItem(declaration) as AbiEvent;
  const indexed = event.inputs.map((input, i) => (input.indexed ? args[i] : null));
  const rest = event.inputs.filter((input) => !input.indexed);
  return {
    address,
    topics: encodeEventTopics({
      abi: [event],
      args: indexed.filter((_, i) => event.inputs[i]?.indexed) as never,
    }) as Hex[],
    data: encodeAbiParameters(
      rest,
      args.filter((_, i) => !event.inputs[i]?.indexed),
    ),
    logIndex: '0x0',
  };
}

export const txHash = hash('1');
export const blockHash = hash('2');

export const receiptOf = (logs: readonly WireLog[], changes: object = {}) => ({
  type: '0x2',
  status: '0x1',
  cumulativeGasUsed: '0x5208',
  logs: logs.map((log, i) => ({
    ...log,
    logIndex: numberToHex(i),
    blockHash,
    blockNumber: '0x10',
    transactionHash: txHash,
    transactionIndex: '0x3',
    removed: false,
  })),
  logsBloom: `0x${'0'.repeat(512)}`,
  transactionHash: txHash,
  transactionIndex: '0x3',
  blockHash,
  blockNumber: '0x10',
  gasUsed: '0x5208',
  effectiveGasPrice: '0x3b9aca00',
  from: sender,
  to: receiver,
  contractAddress: null,
  ...changes,
});

export const transactionOf = (changes: object = {}) => ({
  type: '0x2',
  chainId: '0xe708',
  nonce: '0x1',
  gas: '0x7530',
  maxFeePerGas: '0x77359400',
  maxPriorityFeePerGas: '0x1',
  to: receiver,
  value: '0x0',
  accessList: [],
  input: '0x',
  hash: txHash,
  blockHash,
  blockNumber: '0x10',
  transactionIndex: '0x3',
  from: sender,
  gasPrice: '0x3b9aca00',
  ...changes,
});

export const blockOf = (changes: object = {}) => ({
  hash: blockHash,
  number: '0x10',
  timestamp: '0x65a00000',
  miner: addressOf('d'),
  transactions: [txHash],
  ...changes,
});

/** The public L2. */
export const chain: Chain = describeChain({ name: 'l2-mainnet', id: 59144 });

/** Decodes a transaction that emitted these logs. */
export const decode = (logs: readonly WireLog[], options: Partial<DecodeInput> = {}) =>
  decodeTransaction({
    receipt: receiptOf(logs),
    transaction: transactionOf(),
    block: blockOf(),
    chain,
    ...options,
  });

/** The only event of a transaction that emitted one log. */
export function eventOf(log: WireLog, options: Partial<DecodeInput> = {}) {
  const { events } = decode([log], options);
  if (events.length !== 1) throw new Error(`expected one event, got ${events.length}`);
  return events[0] as (typeof events)[number];
}

/** Details as `heading: value`. */
export const detailsOf = ({
  details,
}: {
  details: readonly { heading: string; value: string }[];
}) => details.map(({ heading, value }) => `${heading}: ${value}`);
