/** Transactions that a wallet has a part in, and their totals. */
import type { Hex } from '../../bytes.js';
import { addressWidth, bytesToInteger } from '../../bytes.js';
import type { Entry, Store } from '../../tree/index.js';
import { totalWidth, totalWidths } from '../layout/combine.js';
import {
  addressBytes,
  blockBytes,
  blockNumberWidth,
  checkWidth,
  numberIn,
  placeBytes,
  placeWidth,
  within,
} from '../layout/layout.js';
import { bodyIn, stateWidth } from '../layout/record.js';
import { atMoment } from '../sealed/moment.js';
import { readRecords } from '../segments/readRecords.js';
import { type ListPart, readList } from './list.js';

/** The place of a transaction in the chain. */
export interface TransactionPosition {
  readonly block: number;
  /** In the block, from 0. */
  readonly transaction: number;
}

/** A transaction that a wallet has a part in. */
interface TouchedTransaction extends TransactionPosition {
  /** The wallet's parts, as bits of `touches`. */
  readonly touches: number;
}

/** The sums over all transactions of a wallet. */
interface WalletTotal {
  /** Transactions that it has a part in. */
  readonly transactions: number;
  /** Those that it sent. */
  readonly sent: number;
  /** All fees that it paid for them, in wei. */
  readonly fees: bigint;
}

export interface TransactionLists {
  /** Transactions that a wallet has a part in. */
  touched(wallet: Hex, part: ListPart<TransactionPosition>): Promise<TouchedTransaction[]>;
  /** Their sums; zeros for a wallet without any. */
  total(wallet: Hex): Promise<WalletTotal>;
}

function decodeTouched({ key, value }: Entry): TouchedTransaction {
  const at = 1 + addressWidth + blockNumberWidth;
  const bytes = checkWidth(key, at + placeWidth, 'a transaction');
  const [touches] = bodyIn(checkWidth(value, stateWidth + 1, 'a part of a transaction'));
  return {
    block: numberIn(bytes.subarray(1 + addressWidth, at)),
    transaction: numberIn(bytes.subarray(at)),
    touches: touches as number,
  };
}

export function createTransactionLists(store: Store): TransactionLists {
  return {
    touched: (wallet, part) =>
      atMoment(store, (moment) =>
        readList(
          moment,
          {
            kind: 'touched',
            prefix: [addressBytes(wallet)],
            blockBytes,
            isNewestFirst: false,
            keyBytes: ({ block, transaction }) => [blockBytes(block), placeBytes(transaction)],
          },
          part,
          decodeTouched,
        ),
      ),
    async total(wallet) {
      let total: WalletTotal = { transactions: 0, sent: 0, fees: 0n };
      const visit = ({ value }: Entry): boolean => {
        const body = bodyIn(checkWidth(value, stateWidth + totalWidth, 'a total'));
        const { transactions, sent } = totalWidths;
        total = {
          transactions: numberIn(body.subarray(0, transactions)),
          sent: numberIn(body.subarray(transactions, transactions + sent)),
          fees: bytesToInteger(body.subarray(transactions + sent)),
        };
        return false;
      };
      const bounds = within('total', addressBytes(wallet));
      await atMoment(store, (moment) => readRecords(moment, bounds, visit));
      return total;
    },
  };
}
