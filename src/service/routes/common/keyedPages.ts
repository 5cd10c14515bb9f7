/** Pages of a list of the index that lies in the order of its keys. */
import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { badRequest } from './blocks.js';
import type { Cursors, HashedBlock } from './cursor.js';
import { toPagination } from './json.js';
import type { PageQuestion } from './parameters.js';

/** Records that a page number may read over, and that are read for a unit of cost. */
const mostSkipped = 100_000;
const piece = 1000;

/** Lists of fewer items are counted. */
const mostCounted = 1000;

/** A list, and how cursors name one of its items. */
export interface KeyedList<Key, T extends Key> {
  /** Names the kind of list. */
  readonly name: string;
  /** All that decides what is listed, beside the block. */
  readonly of: string;
  readonly cursors: Cursors;
  toNumbers(key: Key): readonly (number | bigint)[];
  fromNumbers(numbers: readonly bigint[]): Key;
  read(part: { after: Key | undefined; limit: number }): Promise<T[]>;
  /** Counting ends at a limit. */
  count(limit: number): Promise<number>;
}

/** Who asks, and the block of the answer. */
interface Asked {
  readonly access: ChainContext;
  readonly at: HashedBlock;
  readonly context: AnswerContext;
}

interface KeyedPage<T> {
  readonly items: readonly T[];
  readonly pagination: ReturnType<typeof toPagination>;
}

/** The last item before a page. @returns 'none' if the list ends before it @throws HttpError, and what `pause` throws */
async function findBegin<Key, T extends Key>(
  list: KeyedList<Key, T>,
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
 * Reads a page of a list.
 *
 * @throws HttpError, RpcError, NodeError, and what `pause` throws
 */
export async function readKeyedPage<Key, T extends Key>(
  list: KeyedList<Key, T>,
  page: PageQuestion,
  { access, at, context }: Asked,
): Promise<KeyedPage<T>> {
  const { bookmarks, chain } = access;
  const { size, cursor } = page;
  await context.pause();
  const of = `${chain.id} ${list.of}`;
  const led =
    cursor === undefined ? undefined : await list.cursors.open(of, cursor, { access, at });
  const number = led?.page ?? page.number;
  const name = `${list.name} ${of} ${size} ${at.hash}`;
  const begin = led
    ? list.fromNumbers(led.after)
    : (bookmarks.find<Key>(name, number) ?? (await findBegin(list, page, context)));
  context.charge(1);
  const read = begin === 'none' ? [] : await list.read({ after: begin, limit: size + 1 });
  const items = read.slice(0, size);
  const end = read.length > size ? items.at(-1) : undefined;
  // A client may have made up a cursor: no other one may come upon its pages by their numbers.
  if (!led && end !== undefined) bookmarks.note(name, number + 1, end);
  const isWhole = begin === undefined && end === undefined;
  const counted = led ? mostCounted : isWhole ? items.length : await list.count(mostCounted);
  // An id may be 0.
  const next =
    end === undefined ? undefined : { head: at, page: number + 1, after: list.toNumbers(end) };
  const pagination = toPagination({
    ...{ number, size, total: counted < mostCounted ? counted : undefined },
    cursor: next && list.cursors.write(of, next),
  });
  return { items, pagination };
}
