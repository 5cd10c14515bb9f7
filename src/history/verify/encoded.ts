/** The lists of a block from the bytes that their roots cover, in hex. */
import type { Hex } from '../../bytes.js';
import { ShapeError } from '../../errors.js';
import { dataBytes } from '../../foreign/values.js';
import { decodeReceipt, decodeTransaction } from '../../mpt/decode.js';
import type { RlpTransaction } from '../../mpt/transaction.js';
import type { Steps } from '../../steps.js';
import { type ListName, toHistoryError } from './errors.js';
import { readProvenList } from './list.js';
import type { BloomedReceipt } from './receipts.js';

/** Bytes of one item at most: what bounds the list bounds it. */
const longestItem = 2 ** 30;

/** The bytes of an item as they came. */
// biome-ignore lint/correctness/useYield: all readers of items are generators
function* readBytes(value: unknown, at: string): Steps<Uint8Array> {
  const bytes = dataBytes(value, longestItem);
  if (bytes === undefined) throw new ShapeError(at, 'expected 0x and whole bytes of hex digits');
  return bytes;
}

/**
 * Nothing is decoded but what the root covers: a list within lists would be copied once for each of them, and takes far more
 * memory than its bytes.
 */
function* decodeList<T>(
  answer: unknown,
  list: { readonly name: ListName; readonly root: Hex },
  decode: (bytes: Uint8Array, at: string) => T,
): Steps<T[]> {
  const items: T[] = [];
  for (const bytes of yield* readProvenList(answer, list, readBytes, (item) => item)) {
    try {
      items.push(decode(bytes, `${list.name}[${items.length}]`));
    } catch (cause) {
      throw toHistoryError(cause);
    }
    yield;
  }
  return items;
}

/** All transactions of a block. @param root `transactionsRoot` @throws HistoryError */
export const decodeTransactions = (answer: unknown, root: Hex): Steps<RlpTransaction[]> =>
  decodeList(answer, { name: 'transactions', root }, decodeTransaction);

/** All receipts of a block. @param root `receiptsRoot` @throws HistoryError */
export const decodeReceipts = (answer: unknown, root: Hex): Steps<BloomedReceipt[]> =>
  decodeList(answer, { name: 'receipts', root }, decodeReceipt);
