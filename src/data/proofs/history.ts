/**
 * The blocks that a page proves. The state holds the hash of each (EIP-2935), its header hashes to that, and its lists rebuild
 * the roots in the header. All members are computed from these bytes: nothing is copied from the server's JSON.
 */
import * as z from 'zod/mini';
import { ownMember } from '../../foreign/members.js';
import { decodeReceipts, decodeTransactions } from '../../history/verify/encoded.js';
import { joinReceipt, toBlockReceipts } from '../../history/verify/receipts.js';
import { recoverSender } from '../../history/verify/sender.js';
import { hashOf, toBlockTransaction } from '../../history/verify/transactions.js';
import type { BlockLog, BlockTransaction, Log, Receipt } from '../../history/verify/types.js';
import { runStepsInTurns, type Steps } from '../../steps.js';
import { readAs } from '../wire/answer.js';
import { bytesMember } from '../wire/members.js';
import {
  type HistoryGround,
  mostHeaders,
  once,
  openPageHeaders,
  type PageHeaders,
} from './headers.js';
import { notProven } from './tokenCalls.js';

/** Anything by the numbers of blocks. */
const byBlock = <T extends z.core.$ZodType>(of: T) => z.record(z.string(), of);

const pageHistory = z.looseObject({
  headers: byBlock(bytesMember),
  transactions: byBlock(z.array(bytesMember)),
  receipts: byBlock(z.array(bytesMember)),
});

/** Characters of a page at most. A service gives half of that at most. */
const mostLength = 8 * 1024 * 1024;

/** Blocks that are proven. Each is verified when it is first read. All methods throw DataError, HistoryError, ProofError. */
export interface PageHistory extends PageHeaders {
  /** How many transactions a block has. */
  countTransactions(number: number): Promise<number>;
  /** The transaction at a place of a block. */
  transaction(number: number, index: number): Promise<BlockTransaction>;
  /** Its receipt, with all its logs. */
  receipt(number: number, index: number): Promise<Receipt>;
  /** All logs of a block by its receipts alone; undefined if these did not come. */
  blockLogs(number: number): Promise<readonly BlockLog[] | undefined>;
  /** The logs alone, which takes less work: who sent the transaction is not worked out. */
  logs(number: number, index: number): Promise<readonly Log[]>;
}

/** @throws DataError */
function readHistory(history: unknown): z.infer<typeof pageHistory> {
  if (history === undefined) throw notProven('the server gives no history');
  const read = readAs(pageHistory, history, 200);
  const { headers, transactions, receipts } = read;
  const lists = [transactions, receipts].flatMap((all) => Object.values(all));
  const texts = [...Object.values(headers), ...lists.flat()];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length - lists.flat().length > mostHeaders || length > mostLength) {
    throw notProven('the page proves too many blocks; ask for a smaller one');
  }
  return read;
}

/** @param history as the server gave it @throws DataError */
export function openPageHistory(history: unknown, ground: HistoryGround): PageHistory {
  const { turns } = ground;
  const given = readHistory(history);
  const inTurns = <T>(steps: Steps<T>): Promise<T> => runStepsInTurns(steps, turns.tick);

  const { header, range } = openPageHeaders(given.headers, ground);

  /** A list of a block as it came. */
  function listOf(name: 'transactions' | 'receipts', number: number): unknown {
    const list = ownMember(given[name], number);
    if (list === undefined) throw notProven(`the ${name} of block ${number} did not come`);
    return list;
  }

  const transactions = once(async (number: number) => {
    const { transactionsRoot } = await header(number);
    return inTurns(decodeTransactions(listOf('transactions', number), transactionsRoot));
  });

  const readReceipts = once(async (number: number) => {
    const of = await header(number);
    const read = await inTurns(decodeReceipts(listOf('receipts', number), of.receiptsRoot));
    return inTurns(toBlockReceipts(read, of));
  });

  const receipts = once(async (number: number) => {
    const read = await readReceipts(number);
    const count = (await transactions(number)).length;
    if (read.length !== count) {
      throw notProven(`block ${number} has ${read.length} receipts and ${count} transactions`);
    }
    return read;
  });

  /** @throws DataError */
  function at<T>(list: readonly T[], number: number, index: number): T {
    const item = list[index];
    if (item === undefined) throw notProven(`block ${number} has no transaction ${index}`);
    return item;
  }

  const transaction = once(async (place: string): Promise<BlockTransaction> => {
    const [number, index] = place.split(' ').map(Number) as [number, number];
    const read = at(await transactions(number), number, index);
    await turns.tick();
    const from = recoverSender(read, `transactions[${index}]`);
    return toBlockTransaction(read, { index, from, header: await header(number) });
  });

  return {
    header,
    range,
    async blockLogs(number) {
      if (ownMember(given.receipts, number) === undefined) return undefined;
      return (await readReceipts(number)).flatMap(({ logs }) => logs);
    },
    countTransactions: async (number) => (await transactions(number)).length,
    transaction: (number, index) => transaction(`${number} ${index}`),
    async receipt(number, index) {
      const own = at(await receipts(number), number, index);
      return joinReceipt(own, await transaction(`${number} ${index}`));
    },
    async logs(number, index) {
      const { logs } = at(await receipts(number), number, index);
      const transactionHash = hashOf(at(await transactions(number), number, index));
      return logs.map((log): Log => ({ ...log, transactionHash }));
    },
  };
}
