/**
 * The blocks that a page proves. The state holds the hash of each (EIP-2935), its header hashes to that, and its lists rebuild
 * the roots in the header. All members are computed from these bytes: nothing is copied from the server's JSON.
 */
import * as z from 'zod/mini';
import { hexToBytes } from '../../foreign/argument.js';
import { ownMember } from '../../foreign/members.js';
import { blockHashes, keptHashes, slotOfHash } from '../../history/verify/blockHashes.js';
import { decodeReceipts, decodeTransactions } from '../../history/verify/encoded.js';
import { checkHeaderNumber, readHeader, toBlockHeader } from '../../history/verify/headers.js';
import { joinReceipt, toBlockReceipts } from '../../history/verify/receipts.js';
import { recoverSender } from '../../history/verify/sender.js';
import { hashOf, toBlockTransaction } from '../../history/verify/transactions.js';
import type { BlockHeader, BlockTransaction, Log, Receipt } from '../../history/verify/types.js';
import { isHeader } from '../../proven/index.js';
import { runStepsInTurns, type Steps } from '../../steps.js';
import type { Turns } from '../../turns.js';
import { readAs } from '../wire/answer.js';
import { bytesMember } from '../wire/members.js';
import type { Ground } from './ground.js';
import type { PageState } from './pageState.js';
import { notProven } from './tokenCalls.js';

/** Anything by the numbers of blocks. */
const byBlock = <T extends z.core.$ZodType>(of: T) => z.record(z.string(), of);

const pageHistory = z.looseObject({
  headers: byBlock(bytesMember),
  transactions: byBlock(z.array(bytesMember)),
  receipts: byBlock(z.array(bytesMember)),
});

/** Blocks of a page, and characters of them, at most. A service gives half of that at most. */
const most = { headers: 2048, length: 8 * 1024 * 1024 };

/** Blocks that are proven. Each is verified when it is first read. All methods throw DataError, HistoryError, ProofError. */
export interface PageHistory {
  header(number: number): Promise<BlockHeader>;
  /** How many transactions a block has. */
  countTransactions(number: number): Promise<number>;
  /** The transaction at a place of a block. */
  transaction(number: number, index: number): Promise<BlockTransaction>;
  /** Its receipt, with all its logs. */
  receipt(number: number, index: number): Promise<Receipt>;
  /** The logs alone, which takes less work: who sent the transaction is not worked out. */
  logs(number: number, index: number): Promise<readonly Log[]>;
}

interface HistoryGround {
  readonly anchor: Ground['anchor'];
  readonly state: PageState;
  readonly turns: Turns;
  /** Called once a block is known by the state alone: then it hangs on the operator's word. */
  readonly onHash: () => void;
}

/** Does each piece of work once. */
function once<K, T>(work: (key: K) => Promise<T>): (key: K) => Promise<T> {
  const known = new Map<K, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? work(key);
    known.set(key, found);
    return found;
  };
}

/** @throws DataError */
function readHistory(history: unknown): z.infer<typeof pageHistory> {
  if (history === undefined) throw notProven('the server gives no history');
  const read = readAs(pageHistory, history, 200);
  const { headers, transactions, receipts } = read;
  const lists = [transactions, receipts].flatMap((all) => Object.values(all));
  const texts = [...Object.values(headers), ...lists.flat()];
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (texts.length - lists.flat().length > most.headers || length > most.length) {
    throw notProven('the page proves too many blocks; ask for a smaller one');
  }
  return read;
}

/** @param history as the server gave it @throws DataError */
export function openPageHistory(history: unknown, ground: HistoryGround): PageHistory {
  const { anchor, state, turns, onHash } = ground;
  const { l2BlockNumber: anchored } = anchor;
  const given = readHistory(history);
  const inTurns = <T>(steps: Steps<T>): Promise<T> => runStepsInTurns(steps, turns.tick);

  /** The hash of a block, in the state. */
  async function hashInState(number: number): Promise<Uint8Array> {
    // The slots of other blocks hold the hashes of these.
    if (number >= anchored || number < anchored - keptHashes) {
      throw notProven(`the state of block ${anchored} holds no hash of block ${number}`);
    }
    const { slots } = await state.open(blockHashes);
    const hash = slots.get(slotOfHash(number));
    if (hash === undefined) throw notProven(`no proof of the hash of block ${number} came`);
    onHash();
    return hexToBytes(hash);
  }

  const header = once(async (number: number): Promise<BlockHeader> => {
    await turns.tick();
    if (isHeader(anchor) && number === anchored) {
      return toBlockHeader(readHeader(anchor.header, hexToBytes(anchor.blockHash), 'header'));
    }
    const hash = await hashInState(number);
    const text = ownMember(given.headers, number);
    if (text === undefined) throw notProven(`the header of block ${number} did not come`);
    const read = readHeader(text, hash, 'header');
    checkHeaderNumber(read, number, 'header');
    return toBlockHeader(read);
  });

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

  const receipts = once(async (number: number) => {
    const of = await header(number);
    const read = await inTurns(decodeReceipts(listOf('receipts', number), of.receiptsRoot));
    const count = (await transactions(number)).length;
    if (read.length !== count) {
      throw notProven(`block ${number} has ${read.length} receipts and ${count} transactions`);
    }
    return inTurns(toBlockReceipts(read, of));
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
