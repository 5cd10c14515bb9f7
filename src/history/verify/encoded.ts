/** The lists of a block from the bytes that their roots cover, in hex. */
import type { Hex } from '../../bytes.js';
import { ShapeError } from '../../errors.js';
import { dataBytes } from '../../foreign/values.js';
import { decodeReceipt, decodeTransaction } from '../../mpt/decode.js';
import { encodeReceipt } from '../../mpt/receipt.js';
import type { RlpTransaction } from '../../mpt/transaction.js';
import type { Steps } from '../../steps.js';
import { readProvenList } from './list.js';
import type { BloomedReceipt } from './receipts.js';

/** Bytes of one item at most: what bounds the list bounds it. */
const longestItem = 2 ** 30;

const decoded = <T>(decode: (bytes: Uint8Array, at: string) => T) =>
  function* read(value: unknown, at: string): Steps<T> {
    yield;
    const bytes = dataBytes(value, longestItem);
    if (bytes === undefined) throw new ShapeError(at, 'expected 0x and whole bytes of hex digits');
    return decode(bytes, at);
  };

/** All transactions of a block. @param root `transactionsRoot` @throws HistoryError */
export const decodeTransactions = (answer: unknown, root: Hex): Steps<RlpTransaction[]> =>
  readProvenList(
    answer,
    { name: 'transactions', root },
    decoded(decodeTransaction),
    ({ covered }) => covered,
  );

/** All receipts of a block. @param root `receiptsRoot` @throws HistoryError */
export const decodeReceipts = (answer: unknown, root: Hex): Steps<BloomedReceipt[]> =>
  readProvenList(answer, { name: 'receipts', root }, decoded(decodeReceipt), (receipt) =>
    encodeReceipt(receipt, receipt.bloom),
  );
