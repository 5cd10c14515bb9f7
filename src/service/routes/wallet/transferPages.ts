/** Pages of transactions that moved tokens of a wallet: the index says which. */
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { badRequest } from '../common/blocks.js';
import type { BlockSpan } from '../common/span.js';
import type { TransactionPlace } from '../items/indexed.js';

/** Records that a page number may read over, that a page reads at most before it ends, and that are read in a piece. */
const mostSkipped = 100_000;
const mostRead = 100_000;
const piece = 5000;

/** Lists of fewer records are counted: to count a long one would take longer than all the rest. */
const mostCounted = 1000;

/** Records that are read for a unit of cost. */
const unit = 1000;

/** The part of a transaction's record that says that a token was moved. */
const moved = 8;

/** The key of a record: its block, and its places there. */
export type TransferKey = readonly [block: number, place: number, part: number];

/** What is listed. */
export interface TransferList {
  readonly wallet: Hex;
  /** Undefined: of all contracts. */
  readonly contract: Hex | undefined;
  readonly span: BlockSpan;
  readonly order: 'newest' | 'oldest';
}

interface ListRecord extends TransactionPlace {
  readonly key: TransferKey;
  readonly isListed: boolean;
}

/** Records behind a key. */
async function readRecords(
  { index }: ChainContext,
  { wallet, contract, span, order }: TransferList,
  { after, limit }: { after: TransferKey | undefined; limit: number },
): Promise<ListRecord[]> {
  const part = { order, fromBlock: span.from, toBlock: span.to, limit };
  const [block = 0, place = 0, sub = 0] = after ?? [];
  if (contract === undefined) {
    const key = after && { block, transaction: place };
    return (await index.touched(wallet, { ...part, after: key })).map((record) => ({
      block: record.block,
      transaction: record.transaction,
      key: [record.block, record.transaction, 0],
      isListed: (record.touches & moved) !== 0,
    }));
  }
  const key = after && { block, log: place, part: sub };
  return (await index.moved(wallet, { ...part, contract, after: key })).map((record) => ({
    block: record.block,
    transaction: record.transaction,
    key: [record.block, record.log, record.part],
    isListed: record.standard === 'erc20',
  }));
}

/** A page, as far as it has been read. */
interface OpenPage {
  readonly places: TransactionPlace[];
  /** Of the last record of its last transaction, or that it read over. */
  end: TransferKey | undefined;
  read: number;
}

export interface TransferPage {
  readonly places: readonly TransactionPlace[];
  /** Transactions of the whole list; undefined if they were not counted. */
  readonly total: number | undefined;
  /** The key behind which the next page begins; undefined if there is none. */
  readonly end: TransferKey | undefined;
}

interface WantedPage {
  readonly size: number;
  /** Undefined: the list is read from its beginning. */
  readonly after: TransferKey | undefined;
  /** Pages that are read over. */
  readonly skip: number;
}

const isSame = (one: TransactionPlace | undefined, other: TransactionPlace): boolean =>
  one?.block === other.block && one.transaction === other.transaction;

/**
 * Reads a page. One ends behind so many transactions, or behind so many records that it has read: nobody must bring the
 * service to look for longer. Where one ends depends on the list alone, so pages by their numbers leave nothing out.
 *
 * @throws HttpError, and what `pause` throws
 */
export async function readTransferPage(
  access: ChainContext,
  list: TransferList,
  wanted: WantedPage,
  { pause, charge }: AnswerContext,
): Promise<TransferPage> {
  const { size, after: start, skip } = wanted;
  const isCounted = start === undefined && list.contract !== undefined;
  const open = (): OpenPage => ({ places: [], end: undefined, read: 0 });
  let page = open();
  let [left, read, count] = [skip, 0, 0];
  let last: TransactionPlace | undefined;
  let hasMore = false;
  let limit = skip === 0 ? size + 1 : piece;
  for (let after = start; ; limit = Math.min(2 * limit, piece)) {
    await pause();
    if (hasMore) limit = Math.min(limit, mostCounted - read);
    const records = await readRecords(access, list, { after, limit });
    charge(Math.ceil(records.length / unit));
    for (const record of records) {
      const isNext = record.isListed && !isSame(last, record);
      if (isNext) count++;
      const isFull = (isNext && page.places.length >= size) || page.read >= mostRead;
      if (isFull && !hasMore && !isSame(last, record)) {
        if (left === 0) hasMore = true;
        else {
          left--;
          page = open();
        }
      }
      if (!hasMore) {
        page.read++;
        if (isNext) page.places.push({ block: record.block, transaction: record.transaction });
        page.end = record.key;
      }
      if (record.isListed) last = record;
      after = record.key;
    }
    read += records.length;
    const isWhole = records.length < limit;
    if (isWhole || (hasMore && (!isCounted || read >= mostCounted))) {
      return {
        places: left === 0 ? page.places : [],
        // However much of it was read for this page, so that an answer is the same each time.
        total: isWhole && isCounted && read < mostCounted ? count : undefined,
        end: hasMore ? page.end : undefined,
      };
    }
    if (left > 0 && read >= mostSkipped) {
      throw badRequest('page-number leads too far; name a range of blocks, or go on by cursor');
    }
  }
}
