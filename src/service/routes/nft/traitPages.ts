/** What the routes about the traits of a collection share. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { Trait } from '../../documents/traits.js';
import { type CollectionTraits, findTraits } from '../../nfts/collectionTraits.js';
import { numberRule } from '../../rest/table.js';
import type { Working } from '../common/dataRoute.js';
import { toHead, toPagination, writeList } from '../common/json.js';
import { mostPages, type PageQuestion } from '../common/parameters.js';
import { count } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { needDocuments } from './traitFilter.js';

/** What of a collection's traits is wanted. */
export interface TraitsQuestion {
  readonly contract: Hex;
  readonly page: Pick<PageQuestion, 'size' | 'number'>;
}

/** Items of a page, and values of each trait in a summary. */
export const mostItems = 1000;

/** The query of the routes: the public SDK asks for all of a list, without a page. */
export const traitsQuery = {
  'page-size': numberRule(() => [1, mostItems], {
    description: `Items of a page: 1 to ${mostItems}, which is the default`,
  }),
  'page-number': numberRule(() => [0, mostPages], { description: 'From 0' }),
};

export const toTraitsPage = (read: {
  readonly 'page-size': number | undefined;
  readonly 'page-number': number | undefined;
}): TraitsQuestion['page'] => ({
  size: read['page-size'] ?? mostItems,
  number: read['page-number'] ?? 0,
});

/** Says of which documents all these routes tell. */
export const aboutDocuments =
  'of tokens that exist and whose documents the service has fetched, which `with-uncached` of the metadata routes asks for';

export const attribute = z.object({
  trait_type: z.string(),
  values: z.array(z.object({ value: z.string(), count })),
  unique_values: count.openapi({ description: 'Of all pages' }),
});

/** @param values those that are listed */
export const toAttribute = ({ name, values }: Trait, listed: Trait['values'] = values) => ({
  trait_type: name,
  values: listed,
  unique_values: values.length,
});

/** The part of a list that a page has, and whether there is more. */
function cut<T>(all: readonly T[], { size, number }: TraitsQuestion['page']) {
  const from = size * number;
  const { cursor: _, ...pagination } = toPagination({
    ...{ number, size, total: all.length },
    cursor: from + size < all.length ? '' : undefined,
  });
  return { items: all.slice(from, from + size), pagination };
}

/**
 * Writes a page about the traits of a collection.
 *
 * @param list what the pages are of
 * @param toItems the items of a page
 */
export async function writeTraits<T>(
  { contract, page }: TraitsQuestion,
  { access, context }: Working,
  list: (found: CollectionTraits) => readonly T[],
  toItems: (part: readonly T[], found: CollectionTraits) => readonly object[],
) {
  needDocuments(contract, access);
  const { at, found } = await readSettled(access, () => findTraits(contract, { access, context }));
  const { items, pagination } = cut(list(found), page);
  const before = { ...toHead(access.chain, at), pagination };
  return { json: await writeList(before, toItems(items, found), context.pause), of: at };
}

/** The name of an answer, which other documents make another one. */
export const traitsKey = (
  name: string,
  { contract, page: { size, number } }: TraitsQuestion,
  { documentsRevision }: { readonly documentsRevision: number },
): string => `${name} ${contract} ${size} ${number} ${documentsRevision}`;
