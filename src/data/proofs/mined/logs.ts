/** Holds logs against the receipts of their blocks, and sees whether they are all that a range of blocks has. */
import { checkHex } from '../../../foreign/argument.js';
import {
  type CheckedFilter,
  checkFilter,
  isMatch,
  type LogFilter,
  mayMatch,
  toFilterBits,
} from '../../../history/verify/filter.js';
import type { BlockHeader } from '../../../history/verify/types.js';
import { isHeader } from '../../../proven/index.js';
import type { LogItem, LogsPage } from '../../items/logItem.js';
import type { ListPage } from '../../wire/pages.js';
import type { Trust } from '../../wire/trust.js';
import { openGround } from '../ground.js';
import { numberOf } from '../headerValues.js';
import type { PageHistory } from '../history.js';
import { createOnce, createPageVerifier, type ItemRule, type PageVerifier } from '../provenPage.js';
import { notProven } from '../tokenCalls.js';
import { provenLog } from './transactions.js';

const keyOf = (block: number, log: number): string => `${block} ${log}`;

/** @throws DataError, HistoryError, ProofError */
async function checkLog(item: LogItem, history: PageHistory): Promise<LogItem> {
  const { block_height: block, tx_offset: transaction, log_offset: place } = item;
  if (typeof transaction !== 'number') throw notProven('the place of its transaction is missing');
  const logs = await history.logs(block, transaction);
  const log = logs.find(({ logIndex }) => numberOf(logIndex) === place);
  if (log === undefined) throw notProven('the transaction has no such log');
  return { ...provenLog(item, log, await history.header(block)), verified: true };
}

/** How a log is verified, on whatever page. */
const createLogRule = (): ItemRule<LogItem> => {
  /** Over all pages: a log that came twice would count twice. */
  const once = createOnce();
  return {
    nameOf: ({ block_height: block, log_offset: log }) => `log ${log} of block ${block}`,
    callsOf: () => 0,
    async check(item, work) {
      once(keyOf(item.block_height, item.log_offset));
      return checkLog(item, await work.history());
    },
    assumed: ['completeness', 'names'],
    isOfItems: true,
  };
};

/** Logs in pages. @throws TypeError or RangeError for a wrong anchor, network or fork */
export const createLogVerifier = (trust: Trust): PageVerifier<LogItem> =>
  createPageVerifier(openGround(trust), createLogRule());

/** Which logs a range is asked for. */
export interface WantedLogs {
  readonly filter: LogFilter;
  /** Undefined: the last one. */
  readonly fromBlock: number | undefined;
  /** Undefined: the newest that can be proven. */
  readonly toBlock: number | undefined;
  /** Of the one block, in place of a range. */
  readonly blockHash: string | undefined;
}

/** Whether the logs of a page are all of its range. @throws DataError if the server left one out; HistoryError, ProofError */
async function isWhole(
  headers: readonly BlockHeader[],
  { filter, found }: { readonly filter: CheckedFilter; readonly found: ReadonlySet<string> },
  history: PageHistory,
): Promise<boolean> {
  const bits = toFilterBits(filter);
  for (const { number, logsBloom } of headers) {
    const bloom = checkHex(logsBloom, 256, 'logsBloom');
    // A block without logs has no bits.
    if (bloom.every((byte) => byte === 0) || !mayMatch(bits, bloom)) continue;
    const block = numberOf(number);
    const logs = await history.blockLogs(block);
    if (logs === undefined) return false;
    for (const log of logs.filter((one) => isMatch(filter, one))) {
      const place = numberOf(log.logIndex);
      if (found.has(keyOf(block, place))) continue;
      throw notProven(`log ${place} of block ${block} is left out`);
    }
  }
  return true;
}

/**
 * The logs of a range at once.
 *
 * @returns what verifies the page, and fails with DataError or the signal's reason
 * @throws TypeError or RangeError for a wrong anchor, network or fork
 */
export function createRangeVerifier(wanted: WantedLogs, trust: Trust) {
  const ground = openGround(trust);
  const { anchor } = ground;
  const rule = createLogRule();
  const filter = checkFilter(wanted.filter);
  const newest = isHeader(anchor) ? anchor.l2BlockNumber : anchor.l2BlockNumber - 1;

  /** The numbers of the range. */
  function spanOf(page: ListPage<LogItem>): { from: number; to: number } | undefined {
    const { blockHash, fromBlock, toBlock } = wanted;
    if (blockHash === undefined) {
      const to = toBlock ?? newest;
      return { from: fromBlock ?? to, to };
    }
    const { blockNumber: block } = page;
    return block === undefined ? undefined : { from: block, to: block };
  }

  return async (page: ListPage<LogItem>): Promise<LogsPage> => {
    const span = spanOf(page);
    let headers: readonly BlockHeader[] | undefined;
    let complete = false;
    const found = new Set(page.items.map((item) => keyOf(item.block_height, item.log_offset)));
    const verifier = createPageVerifier(ground, {
      ...rule,
      async begin(work) {
        if (page.more.history === undefined || span === undefined) return;
        // A range that begins behind the newest block has nothing that could be proven.
        if (span.from > span.to) return;
        headers = await (await work.history()).range(span.from, span.to);
        const { blockHash } = wanted;
        if (headers && blockHash !== undefined && headers[0]?.hash !== blockHash) {
          throw notProven('the server answers for another block');
        }
      },
      async check(item, work) {
        const { block_height: block } = item;
        if (span && (block < span.from || block > span.to)) {
          throw notProven('it is of a block that was not asked for');
        }
        return rule.check(item, work);
      },
      async end(work) {
        if (headers === undefined || page.unproven.length > 0) return;
        complete = await isWhole(headers, { filter, found }, await work.history());
      },
    });
    const verified = await verifier.verified(page);
    const assumed = verified.assumed.filter((word) => !complete || word !== 'completeness');
    return { ...verified, assumed, complete };
  };
}
