/** Pages of the logs of a contract, or with a topic: the index says in which blocks they are, and how many. */
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { badRequest } from '../common/blocks.js';
import { wrongCursor } from '../common/cursor.js';
import type { BlockSpan } from '../common/span.js';

/** Blocks of the list that one request may read over, and that are read in a piece. */
const mostSkipped = 100_000;
const piece = 5000;

export type LogsOf =
  | { readonly address: Hex }
  | {
      readonly topic: Hex;
      /** Words, of which a log must have one as a further topic; undefined: any log. */
      readonly further: readonly Hex[] | undefined;
    };

/** Blocks with logs on a page: of each, how many of its first logs are skipped, and how many are taken. */
export interface BlockPart {
  readonly block: number;
  readonly logs: number;
  readonly skip: number;
  readonly take: number;
}

/** Where a page begins: so many logs behind the beginning of a block. */
export interface LogStart {
  readonly block: number;
  readonly skip: number;
}

interface LogPage {
  readonly parts: readonly BlockPart[];
  /** All logs of the list; undefined if they were not counted. */
  readonly total: number | undefined;
  /** Where the next page begins; undefined if there is none. */
  readonly next: LogStart | undefined;
}

interface WantedPage {
  readonly of: LogsOf;
  readonly span: BlockSpan;
  readonly size: number;
  /** From 0; or where the page begins. */
  readonly page: number | LogStart;
  /** All that decides what is listed, with the block that it is of. */
  readonly list: string;
}

export const readLogBlocks = (
  { index }: ChainContext,
  of: LogsOf,
  { from, to, limit }: BlockSpan & { limit: number },
) => {
  const part = { order: 'oldest', fromBlock: from, toBlock: to, limit } as const;
  return 'address' in of ? index.emitted(of.address, part) : index.topic(of.topic, part);
};

/** Walks through the list from a page's beginning. @throws HttpError, and what `pause` throws */
export async function walkLogs(
  access: ChainContext,
  { of, span, size, page, list }: WantedPage,
  { pause }: AnswerContext,
): Promise<LogPage> {
  const { bookmarks } = access;
  // A client may have made up where its page begins, so no other one may come upon that by a number.
  const noted = typeof page === 'number' ? bookmarks.find<LogStart>(list, page) : undefined;
  const known = typeof page === 'number' ? noted : page;
  let { block: from, skip } = known ?? { block: span.from, skip: size * Number(page) };
  let total = bookmarks.find<number>(list, 'total');
  const parts: BlockPart[] = [];
  let end: LogStart | undefined;
  let [wanted, seen, sum, hasMore] = [size, 0, 0, false];
  for (;;) {
    await pause();
    // Behind a known place, no more is read than the page takes.
    const limit = known === undefined ? piece : size + 1;
    const blocks = await readLogBlocks(access, of, { from, to: span.to, limit });
    for (const { block, logs } of blocks) {
      sum += logs;
      if (skip >= logs) {
        // No answer says that, and to follow it could take long.
        if (known !== undefined) throw wrongCursor();
        skip -= logs;
      } else if (wanted > 0) {
        const take = Math.min(wanted, logs - skip);
        parts.push({ block, logs, skip, take });
        wanted -= take;
        const isCut = skip + take < logs;
        end = isCut ? { block, skip: skip + take } : { block: block + 1, skip: 0 };
        hasMore ||= isCut;
        skip = 0;
      } else {
        hasMore = true;
      }
      from = block + 1;
    }
    seen += blocks.length;
    const isWhole = blocks.length < limit;
    if (isWhole && known === undefined) {
      total ??= sum;
      bookmarks.note(list, 'total', total);
    }
    const isEnough = known !== undefined || total !== undefined || seen >= mostSkipped;
    if (isWhole || (wanted === 0 && hasMore && isEnough)) {
      if (wanted === 0 && typeof page === 'number') bookmarks.note(list, page + 1, end);
      return { parts, total, next: hasMore ? end : undefined };
    }
    if (seen >= mostSkipped && wanted > 0 && parts.length === 0) {
      throw badRequest(`page-number leads too far; name a later starting-block`);
    }
  }
}
