/**
 * Logs of a range, complete: the headers of all its blocks are proven without a gap, and a block whose header's bloom may hold
 * what is asked for is read whole. So no log can be left out or put in.
 */
import { encodeHex } from '../../bytes.js';
import { mapConcurrently } from '../../concurrent.js';
import { hashTransaction, type RlpTransaction } from '../../mpt/transaction.js';
import { HistoryError } from '../verify/errors.js';
import { type CheckedFilter, isMatch, mayMatch, toFilterBits } from '../verify/filter.js';
import { type ProvenHeader, toBlockHeader } from '../verify/headers.js';
import { type BloomedReceipt, toBlockLogs } from '../verify/receipts.js';
import type { BlockLog, Log } from '../verify/types.js';
import type { Archive } from './archive.js';
import { checkPairs } from './bodies.js';
import type { Work } from './work.js';

/** How far a search is. */
export interface LogProgress {
  /** Blocks that are done. */
  readonly checked: number;
  /** Blocks in all. */
  readonly total: number;
}

/** Blocks whose receipts are asked for at once. */
const blocksAtOnce = 4;

/** Logs in one answer: as many take a gigabyte. */
const maxLogs = 1_000_000;

interface Search {
  readonly archive: Archive;
  readonly filter: CheckedFilter;
  readonly work: Work;
}

/** The logs of a block that a filter asks for, by receipts alone. */
async function matchReceipts(
  header: ProvenHeader,
  receipts: readonly BloomedReceipt[],
  { filter, work }: Search,
): Promise<BlockLog[]> {
  const json = toBlockHeader(header);
  const found: BlockLog[] = [];
  let first = 0;
  for (const [index, receipt] of receipts.entries()) {
    for (const log of toBlockLogs(receipt, { index, first }, json)) {
      if (isMatch(filter, log)) found.push(log);
    }
    first += receipt.logs.length;
    await work.tick();
  }
  return found;
}

/** The logs of one block. Its transactions are read only if there are any: for their hashes. */
async function matchBlock(header: ProvenHeader, search: Search): Promise<Log[]> {
  const { archive, work } = search;
  const receipts = await archive.receipts(header, work);
  const found = await matchReceipts(header, receipts, search);
  if (found.length === 0) return [];
  const { transactions } = await archive.body(header, work);
  checkPairs(header, { transactions, receipts });
  const hashes = new Map<string, `0x${string}`>();
  return found.map((log) => {
    const { transactionIndex } = log;
    const transaction = transactions[Number(transactionIndex)] as RlpTransaction;
    const transactionHash = hashes.get(transactionIndex) ?? encodeHex(hashTransaction(transaction));
    hashes.set(transactionIndex, transactionHash);
    return { ...log, transactionHash };
  });
}

/**
 * @param pieces headers of the range, from the newest down
 * @param total blocks in the range
 * @returns the logs, the oldest first
 * @throws HistoryError, RpcError
 */
export async function searchLogs(
  pieces: AsyncIterable<readonly ProvenHeader[]> | Iterable<readonly ProvenHeader[]>,
  search: Search,
  {
    total,
    onProgress,
  }: {
    readonly total: number;
    readonly onProgress?: ((progress: LogProgress) => void) | undefined;
  },
): Promise<Log[]> {
  const bits = toFilterBits(search.filter);
  const blocks: Log[][] = [];
  let checked = 0;
  let count = 0;
  for await (const headers of pieces) {
    const hits = headers.filter(({ values }) =>
      mayMatch(bits, values.get('logsBloom') as Uint8Array),
    );
    for (const logs of await mapConcurrently(hits, blocksAtOnce, (one) =>
      matchBlock(one, search),
    )) {
      count += logs.length;
      if (count > maxLogs) {
        const text = `more than ${maxLogs} logs match; ask for fewer blocks, or name addresses and topics`;
        throw new HistoryError('TOO_MANY_LOGS', text);
      }
      blocks.push(logs);
    }
    checked += headers.length;
    onProgress?.({ checked, total });
    await search.work.tick();
  }
  return blocks.reverse().flat();
}
