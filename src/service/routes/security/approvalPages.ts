/** Pages of approvals: the index says what was ever approved. */

import { addressWidth, encodeHex, type Hex, integerToBytes } from '../../../bytes.js';
import type { Index } from '../../../indexer/index.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { numberRule } from '../../rest/table.js';
import { badRequest } from '../common/blocks.js';
import type { Cursors } from '../common/cursor.js';
import type { Working } from '../common/dataRoute.js';
import { toHead, toPagination } from '../common/json.js';
import { type PageQuestion, pageQuery } from '../common/parameters.js';

/** Approvals of a page: as many as clients get that know no paging, for one that is left out is not seen to be missing. */
const pageSize = 1000;

/** Records that a page number may read over, and that are read for a unit of cost. */
const mostSkipped = 100_000;
const piece = 1000;

/** Lists of fewer approvals are counted. */
const mostCounted = 1000;

export const approvalsQuery = {
  ...pageQuery,
  'page-size': numberRule(() => [1, pageSize], {
    description: `Approvals of a page: 1 to ${pageSize}, which is the default`,
  }),
};

/** Whose approvals are wanted. */
export interface ApprovalsQuestion {
  readonly owner: Hex;
  readonly page: PageQuestion;
}

export const toApprovalsQuestion = (read: {
  readonly address: Hex;
  readonly 'page-size': number | undefined;
  readonly 'page-number': number | undefined;
  readonly cursor: string | undefined;
}): ApprovalsQuestion => ({
  owner: read.address,
  page: {
    size: read['page-size'] ?? pageSize,
    number: read['page-number'] ?? 0,
    cursor: read.cursor,
  },
});

/** A kind of approvals, and how cursors name one of them. */
interface ApprovalKind<Key, T extends Key> {
  readonly name: string;
  readonly cursors: Cursors;
  toNumbers(key: Key): readonly (number | bigint)[];
  fromNumbers(numbers: readonly bigint[]): Key;
  read(index: Index, owner: Hex, part: { after: Key | undefined; limit: number }): Promise<T[]>;
  count(index: Index, owner: Hex, limit: number): Promise<number>;
}

export const addressOf = (value: bigint): Hex => encodeHex(integerToBytes(value, addressWidth));

/** A page of approvals, and the members of the answer before its items. */
interface ApprovalPage<T> {
  readonly approvals: readonly T[];
  readonly before: object;
}

/** The last approval before a page. @returns 'none' if the list ends before it @throws HttpError, and what `pause` throws */
async function findBegin<Key, T extends Key>(
  kind: ApprovalKind<Key, T>,
  { owner, page: { size, number } }: ApprovalsQuestion,
  { access, context: { pause, charge } }: Working,
): Promise<Key | undefined | 'none'> {
  let left = size * number;
  if (left > mostSkipped) throw badRequest('page-number leads too far; go on by cursor');
  let after: Key | undefined;
  while (left > 0) {
    await pause();
    const limit = Math.min(left, piece);
    charge(1);
    const read = await kind.read(access.index, owner, { after, limit });
    if (read.length < limit) return 'none';
    after = read.at(-1);
    left -= limit;
  }
  return after;
}

/**
 * Reads a page of approvals at a block whose state is held.
 *
 * @throws HttpError, RpcError, NodeError, and what `pause` throws
 */
export async function readApprovals<Key, T extends Key>(
  kind: ApprovalKind<Key, T>,
  question: ApprovalsQuestion,
  working: Working,
): Promise<ApprovalPage<T>> {
  const { access, at, context } = working;
  const { chain, index, bookmarks } = access;
  const { owner, page } = question;
  const { size, cursor } = page;
  await context.pause();
  const list = `${chain.id} ${owner}`;
  const led =
    cursor === undefined ? undefined : await kind.cursors.open(list, cursor, { access, at });
  const number = led?.page ?? page.number;
  const { hash = (await heldBlock(access.ledger, at.number)).hash } = at;
  const head = { number: at.number, hash };
  const name = `${kind.name} ${list} ${size} ${hash}`;
  const begin = led
    ? kind.fromNumbers(led.after)
    : (bookmarks.find<Key>(name, number) ?? (await findBegin(kind, question, working)));
  context.charge(1);
  const read =
    begin === 'none' ? [] : await kind.read(index, owner, { after: begin, limit: size + 1 });
  const approvals = read.slice(0, size);
  const end = read.length > size ? approvals.at(-1) : undefined;
  // A client may have made up a cursor: no other one may come upon its pages by their numbers.
  if (!led && end !== undefined) bookmarks.note(name, number + 1, end);
  const counted = led ? mostCounted : await kind.count(index, owner, mostCounted);
  const pagination = toPagination({
    ...{ number, size, total: counted < mostCounted ? counted : undefined },
    cursor: end && kind.cursors.write(list, { head, page: number + 1, after: kind.toNumbers(end) }),
  });
  context.charge(1);
  // The state of the block must be held: a call that fails later may be the contract's fault, this cannot be.
  await access.amounts.balanceAt(owner, at.number);
  return { approvals, before: { ...toHead(chain, head), address: owner, pagination } };
}
