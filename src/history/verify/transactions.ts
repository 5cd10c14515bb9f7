/** The transactions of a block, proven by its header. */
import { encodeHex, type Hex } from '../../bytes.js';
import { parseQuantity, toQuantity } from '../../foreign/values.js';
import {
  chainOf,
  hashTransaction,
  integerOf,
  parseTransaction,
  type Transaction,
  transactionToJson,
} from '../../mpt/transaction.js';
import { runSteps, type Steps } from '../../steps.js';
import { checkHeader, type GivenHeader, placeOf } from './givenHeader.js';
import { readList } from './list.js';
import { recoverSender } from './sender.js';
import type { BlockTransaction } from './types.js';

// biome-ignore lint/correctness/useYield: all readers of items are generators
function* parse(value: unknown, at: string): Steps<Transaction> {
  return parseTransaction(value, at);
}

/** All transactions of a block, read. @param root `transactionsRoot` @throws HistoryError */
export const readTransactions = (answer: unknown, root: Hex): Steps<Transaction[]> =>
  readList(answer, { name: 'transactions', root }, parse, ({ covered }) => covered);

/** Wei for a unit of gas: since EIP-1559 the base fee and a tip, up to a maximum. */
function priceOf(transaction: Transaction, baseFee: bigint): bigint {
  const price = integerOf(transaction, 'gasPrice');
  if (price !== undefined) return price;
  const tip = integerOf(transaction, 'maxPriorityFeePerGas') as bigint;
  const most = integerOf(transaction, 'maxFeePerGas') as bigint;
  const wanted = baseFee + tip;
  // Math.min takes no bigint.
  if (wanted > most) return most;
  return wanted;
}

/** A transaction in the form of JSON-RPC. Recovers who signed it, which takes a millisecond or so. @throws HistoryError */
export function toBlockTransaction(
  transaction: Transaction,
  index: number,
  header: GivenHeader,
): BlockTransaction {
  const { baseFeePerGas, timestamp } = header;
  const members = transactionToJson(transaction);
  const chain = chainOf(transaction);
  const baseFee = parseQuantity(baseFeePerGas ?? '0x0', 256) as bigint;
  return {
    ...placeOf(header, index),
    hash: encodeHex(hashTransaction(transaction)),
    type: toQuantity(transaction.type),
    from: recoverSender(transaction, `transactions[${index}]`),
    ...members,
    ...(transaction.type > 0 && { v: members.yParity }),
    ...(chain !== undefined && { chainId: toQuantity(chain) }),
    gasPrice: toQuantity(priceOf(transaction, baseFee)),
    blockTimestamp: timestamp,
  } as BlockTransaction;
}

/** The same of all, in steps. @throws HistoryError */
export function* toBlockTransactions(
  transactions: readonly Transaction[],
  header: GivenHeader,
): Steps<BlockTransaction[]> {
  const all: BlockTransaction[] = [];
  for (const [index, transaction] of transactions.entries()) {
    all.push(toBlockTransaction(transaction, index, header));
    yield;
  }
  return all;
}

/**
 * Verifies the transactions of a block: all of it, in order.
 *
 * @param transactions of unknown origin: `transactions` of a block with whole transactions, as JSON-RPC answers it
 * @param header trusted: one that {@link verifyHeaders} gave
 * @returns the transactions, each member computed from what hashes to the header
 * @throws HistoryError `BAD_ANSWER`, `WRONG_TRANSACTIONS`, `UNKNOWN_TYPE`
 * @throws TypeError or RangeError for a wrong header, before the transactions are looked at
 */
export function verifyTransactions(transactions: unknown, header: GivenHeader): BlockTransaction[] {
  const given = checkHeader(header);
  const read = runSteps(readTransactions(transactions, given.transactionsRoot));
  return runSteps(toBlockTransactions(read, given));
}
