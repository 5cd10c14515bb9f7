/** Lists that come in pages. */
import * as z from 'zod/mini';
import { aboutOther } from './answer.js';
import { DataError } from './errors.js';
import { flagMember, maybe, numberMember, textMember, unverified } from './members.js';
import type { Query } from './query.js';
import type { Trust } from './trust.js';

/** A page of a list, as a server claims it. */
export interface ListPage<T> {
  /** In the order of the server. */
  readonly items: readonly T[];
  /** Number of the block that the page is of, if the server says it. */
  readonly blockNumber: number | undefined;
  /** Hash of that block. */
  readonly blockHash: string | undefined;
  /** Items of the whole list, if the server has counted them. */
  readonly total: number | undefined;
  /** Most items of a page, if the server says it. */
  readonly pageSize: number | undefined;
  /** Whether the server has more pages. */
  readonly hasMore: boolean;
  /** With an anchor: items that the server has no proof of. Nobody vouches for them. */
  readonly unproven: readonly T[];
  /**
   * With an anchor: what of the page, or of its verified items, is not proven. `everything`: the server's answers to this
   * question cannot be. `completeness`: that the list lacks nothing. `names`: names, symbols, logos and what is said of
   * contracts. `quotes`: prices and what amounts are worth. `times`: when, and where in the chain, transfers and approvals were
   * made last, and that an approval which ends has not ended, unless the anchor has the block's time. `documents`: what tokens' own
   * documents say. `operator`: blocks of before are known by the hashes that the operator wrote into the proven state; no
   * validity proof binds these before version 9 of the rollup contract. `fork`: the newest rules hold in the block, among those that had begun by a proven time after it, or among
   * all that the engine knows; the request names none.
   */
  readonly assumed: readonly string[];
  /** Everything else that the server says, such as chain, time and currency. */
  readonly more: Readonly<Record<string, unknown>>;
}

/** Longest cursor that is sent back. */
const cursorLength = 4096;

/** A cursor, if there is one. */
export const cursorMember = maybe(z.string().check(z.maxLength(cursorLength)));

const pagination = z.looseObject({
  has_more: flagMember,
  page_number: numberMember,
  page_size: numberMember,
  total_count: numberMember,
  cursor: cursorMember,
});

/** Members of any answer with a list about a chain. */
export const listMembers = {
  block_height: numberMember,
  block_hash: textMember,
  pagination: maybe(pagination),
};

/** A list whose items can carry their proofs. @param members beside those of all lists */
export const provableList = <
  Item extends z.core.$ZodType,
  Members extends z.core.$ZodShape = Record<never, never>,
>(
  item: Item,
  members: Members = {} as Members,
) =>
  z.looseObject({
    ...listMembers,
    ...members,
    items: z.array(item),
    unproven: maybe(z.array(item)),
    proofs: z.optional(z.unknown()),
  });

/** A list as it comes. */
export interface ListData<T> {
  readonly items: readonly T[];
  readonly unproven?: readonly T[] | null | undefined;
  readonly block_height?: number | null | undefined;
  readonly block_hash?: string | null | undefined;
  readonly pagination?: z.infer<typeof pagination> | null | undefined;
}

/** @param hasMore if the server says it in another way than by `pagination` */
export function toListPage<T>(
  data: ListData<T>,
  hasMore: boolean = data.pagination?.has_more === true,
): ListPage<T> {
  const { items, unproven, pagination: at, ...more } = data;
  return {
    items,
    blockNumber: data.block_height ?? undefined,
    blockHash: data.block_hash ?? undefined,
    total: at?.total_count ?? undefined,
    pageSize: at?.page_size ?? undefined,
    hasMore,
    unproven: unproven ?? [],
    assumed: [],
    more: unverified(more),
  };
}

/** All items of an answer, whether they are proven or not. */
export const allItems = <T>({ items, unproven }: ListData<T>): T[] => [
  ...items,
  ...(unproven ?? []),
];

/** The items of an answer that is no list, each with what of it is not proven. */
export const toLoneItems = <T extends object>({
  items,
  unproven,
  assumed,
}: ListPage<T>): (T & { readonly assumed: readonly string[] })[] => [
  ...items.map((item) => ({ ...item, assumed })),
  ...unproven.map((item) => ({ ...item, assumed: ['everything'] })),
];

/** A page of which nothing can be proven, said so if something is trusted. */
export const unprovable = <T>(page: ListPage<T>, trust: Trust | undefined): ListPage<T> =>
  trust ? { ...page, assumed: ['everything'] } : page;

/** Pages of one list that are asked for: a server that always has more must not keep a reader for ever. */
export const mostWalkedPages = 100_000;

export const tooManyPages = (): DataError =>
  new DataError('BAD_ANSWER', `the server has more than ${mostWalkedPages} pages`);

/**
 * The answers of a list, from its first page to its last. A server that gives cursors is asked by them: they lead on behind
 * the last item, whatever has come into the list since. Others are asked by the numbers of pages.
 *
 * @param size items of a page that the caller wants
 * @param ask with a part of a query that says which page is wanted
 */
export async function* walkPages<T extends ListData<unknown>>(
  size: number | undefined,
  ask: (page: Query) => Promise<T>,
): AsyncGenerator<T, void, undefined> {
  let pageSize = size;
  let cursor: string | undefined;
  for (let number = 0; number < mostWalkedPages; number++) {
    const data = await ask({
      'page-size': pageSize,
      // The first page without it: not all servers know pages.
      'page-number': number === 0 || cursor !== undefined ? undefined : number,
      cursor,
    });
    const {
      has_more: hasMore,
      page_number,
      page_size: given,
      cursor: next,
    } = data.pagination ?? {};
    if (cursor === undefined && (page_number ?? number) !== number) throw aboutOther('page');
    yield data;
    if (hasMore !== true) return;
    // The pages after it are counted in its size.
    pageSize ??= given ?? undefined;
    cursor = next ?? undefined;
  }
  throw tooManyPages();
}
