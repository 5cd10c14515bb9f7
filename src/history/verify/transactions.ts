/** The transactions of a block, proven by its header. */
import { encodeHex, type Hex } from '../../bytes.js';
import { parseQuantity, toQuantity } from '../../foreign/values.js';
import {
  chainOf,
  hashTransaction,
  integerOf,
  parseTransaction,
  type RlpTransaction,
  transactionToJson,
} from '../../mpt/transaction.js';
import type { Steps } from '../../steps.js';
import { type GivenHeader, placeOf } from './givenHeader.js';
import { readProvenList } from './list.js';
import type { BlockTransaction } from './types.js';

// biome-ignore lint/correctness/useYield: all readers of items are generators
function* parse(value: unknown, at: string): Steps<RlpTransaction> {
  return parseTransaction(value, at);
}

/** All transactions of a block, read. @param root `transactionsRoot` @throws HistoryError */
export const readTransactions = (answer: unknown, root: Hex): Steps<RlpTransaction[]> =>
  readProvenList(answer, { name: 'transactions', root }, parse, ({ covered }) => covered);

/** Wei for a unit of gas: since EIP-1559 the base fee and a tip, up to a maximum. */
function priceOf(transaction: RlpTransaction, baseFee: bigint): bigint {
  const price = integerOf(transaction, 'gasPrice');
  if (price !== undefined) return price;
  const tip = integerOf(transaction, 'maxPriorityFeePerGas') as bigint;
  const most = integerOf(transaction, 'maxFeePerGas') as bigint;
  const wanted = baseFee + tip;
  // Math.min takes no bigint.
  if (wanted > most) return most;
  return wanted;
}

/** 32 bytes. */
export const hashOf = (transaction: RlpTransaction): Hex => encodeHex(hashTransaction(transaction));

/** A transaction in the form of JSON-RPC. @param from who signed it, recovered */
export function toBlockTransaction(
  transaction: RlpTransaction,
  {
    index,
    from,
    header,
  }: { readonly index: number; readonly from: Hex; readonly header: GivenHeader },
): BlockTransaction {
  const { baseFeePerGas, timestamp } = header;
  const members = transactionToJson(transaction);
  const chain = chainOf(transaction);
  const baseFee = parseQuantity(baseFeePerGas ?? '0x0', 256) as bigint;
  return {
    ...placeOf(header, index),
    hash: hashOf(transaction),
    type: toQuantity(transaction.type),
    from,
    ...members,
    ...(transaction.type > 0 && { v: members.yParity }),
    ...(chain !== undefined && { chainId: toQuantity(chain) }),
    gasPrice: toQuantity(priceOf(transaction, baseFee)),
    blockTimestamp: timestamp,
  } as BlockTransaction;
}
