/** Pages of approvals: the index says what was ever approved. */

import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { numberRule } from '../../rest/table.js';
import { badRequest } from '../common/blocks.js';
import { type PageQuestion, pageQuery } from '../common/parameters.js';

/** Approvals of a page: as many as clients get that know no paging, for one that is left out is not seen to be missing. */
const pageSize = 1000;

/** Records that a page number may read over, and that are read in a piece. */
const mostSkipped = 100_000;
const piece = 1000;

/** Lists of fewer approvals are counted. */
const mostCounted = 1000;

/** Records that are read for a unit of cost. */
const unit = 1000;

export const approvalsQuery = {
  ...pageQuery,
  'page-size': numberRule(() => [1, pageSize], {
    description: `Approvals of a page: 1 to ${pageSize}, which is the default`,
  }),
};

export const toApprovalsPage = (read: {
  readonly 'page-size': number | undefined;
  readonly 'page-number': number | undefined;
  readonly cursor: string | undefined;
}): PageQuestion => ({
  size: read['page-size'] ?? pageSize,
  number: read['page-number'] ?? 0,
  cursor: read.cursor,
});

/** A list of approvals in the index. */
export interface ApprovalList<Key, T extends Key> {
  /** What decides what is listed, with the block that it is of. */
  readonly name: string;
  read(part: { after: Key | undefined; limit: number }): Promise<T[]>;
  count(limit: number): Promise<number>;
}

export interface ApprovalPage<T> {
  readonly approvals: readonly T[];
  /** Approvals of the whole list; undefined if they were not counted. */
  readonly total: number | undefined;
  /** The last approval, if the list goes on behind it. */
  readonly end: T | undefined;
}

/** The last approval before a page. @returns 'none' if the list ends before it @throws HttpError, and what `pause` throws */
async function findBegin<Key, T extends Key>(
  list: ApprovalList<Key, T>,
  { size, number }: PageQuestion,
  { pause, charge }: AnswerContext,
): Promise<Key | undefined | 'none'> {
  let left = size * number;
  if (left > mostSkipped) throw badRequest('page-number leads too far; go on by cursor');
  let after: Key | undefined;
  while (left > 0) {
    await pause();
    const limit = Math.min(left, piece);
    charge(1);
    const read = await list.read({ after, limit });
    if (read.length < limit) return 'none';
    after = read.at(-1);
    left -= limit;
  }
  return after;
}

/**
 * Reads a page of approvals.
 *
 * @param after where a cursor leads; undefined: the number counts
 * @throws HttpError, and what `pause` throws
 */
export async function readApprovals<Key, T extends Key>(
  { bookmarks }: ChainContext,
  list: ApprovalList<Key, T>,
  { page, after }: { readonly page: PageQuestion; readonly after: Key | undefined },
  context: AnswerContext,
): Promise<ApprovalPage<T>> {
  const { size, number } = page;
  await context.pause();
  const name = `${list.name} ${size}`;
  const begin =
    after ?? bookmarks.find<Key>(name, number) ?? (await findBegin(list, page, context));
  context.charge(Math.ceil(size / unit));
  const read = begin === 'none' ? [] : await list.read({ after: begin, limit: size + 1 });
  const approvals = read.slice(0, size);
  const end = read.length > size ? approvals.at(-1) : undefined;
  // A client may have made up a cursor: no other one may come upon its pages by their numbers.
  if (after === undefined && end !== undefined) bookmarks.note(name, number + 1, end);
  const total = after === undefined ? await list.count(mostCounted) : mostCounted;
  return { approvals, total: total < mostCounted ? total : undefined, end };
}
