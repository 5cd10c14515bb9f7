/** The traits of collections, of the group NFT. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import {
  type TraitAttributeItem,
  type TraitNameItem,
  type TraitSummaryItem,
  traitAttributeItem,
  traitNameItem,
  traitSummaryItem,
} from '../items/traitItem.js';
import { aboutOther } from '../wire/answer.js';
import { type ListPage, listMembers, toListPage, unprovable, walkPages } from '../wire/pages.js';
import type { Query } from '../wire/query.js';
import {
  type Asked,
  addressRule,
  askedRules,
  optionalRule,
  pageSizeRule,
  readRequest,
  textRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, trustNames, trustRules } from '../wire/trust.js';

/** Which collection's traits are wanted. */
export interface TraitsRequest extends Asked, Trusting {
  /** The contract, 20 bytes. */
  contract: Hex;
  /** Items in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Which trait's values are wanted. */
export interface TraitAttributesRequest extends TraitsRequest {
  /** As the server names it. */
  trait: string;
}

/** Questions about traits: the server's claims, of documents that it has fetched. No `anchor` makes them more. */
export interface TraitRoutes {
  /**
   * Names of the traits of a collection, a page at a time.
   *
   * @throws as `decodeTransaction`
   */
  traits(request: TraitsRequest): AsyncGenerator<ListPage<TraitNameItem>, void, undefined>;
  /**
   * The values of a trait, a page of them at a time in its one item; no item if no token has the trait.
   *
   * @throws as `decodeTransaction`
   */
  traitAttributes(
    request: TraitAttributesRequest,
  ): AsyncGenerator<ListPage<TraitAttributeItem>, void, undefined>;
  /**
   * The traits of a collection with their values, a page at a time.
   *
   * @throws as `decodeTransaction`
   */
  traitsSummary(
    request: TraitsRequest,
  ): AsyncGenerator<ListPage<TraitSummaryItem>, void, undefined>;
}

const traitsRules = {
  ...askedRules,
  contract: addressRule,
  pageSize: optionalRule(pageSizeRule),
  ...trustRules,
};

/** A text that a path can hold: URLs lose segments of dots, however they are written. */
const traitRule = (value: unknown, name: string): string => {
  const text = textRule(value, name);
  if (text !== '.' && text !== '..') return text;
  throw wrongRange(name, 'expected another text than dots');
};

const attributesRules = { ...traitsRules, trait: traitRule };

const traitsData = z.looseObject({ ...listMembers, items: z.array(traitNameItem) });
const attributesData = z.looseObject({ ...listMembers, items: z.array(traitAttributeItem) });
const summaryData = z.looseObject({ ...listMembers, items: z.array(traitSummaryItem) });

export const createTraitRoutes = ({ pathOf, ask, trustOf }: Routes): TraitRoutes => ({
  async *traits(request) {
    const given = readRequest(request, traitsRules, trustNames);
    const { chainName, contract, pageSize, signal } = given;
    const trust = await trustOf(given);
    const path = `${pathOf(chainName)}nft/${contract}/traits/`;
    const page = (query: Query) => ask({ path, query, schema: traitsData, signal });
    for await (const data of walkPages(pageSize, page)) yield unprovable(toListPage(data), trust);
  },

  async *traitAttributes(request) {
    const given = readRequest(request, attributesRules, trustNames);
    const { chainName, contract, trait, pageSize, signal } = given;
    const trust = await trustOf(given);
    const path = `${pathOf(chainName)}nft/${contract}/traits/${encodeURIComponent(trait)}/attributes/`;
    const page = (query: Query) => ask({ path, query, schema: attributesData, signal });
    for await (const data of walkPages(pageSize, page)) {
      if (data.items.some(({ trait_type }) => trait_type !== trait)) throw aboutOther('trait');
      yield unprovable(toListPage(data), trust);
    }
  },

  async *traitsSummary(request) {
    const given = readRequest(request, traitsRules, trustNames);
    const { chainName, contract, pageSize, signal } = given;
    const trust = await trustOf(given);
    const path = `${pathOf(chainName)}nft/${contract}/traits_summary/`;
    const page = (query: Query) => ask({ path, query, schema: summaryData, signal });
    for await (const data of walkPages(pageSize, page)) yield unprovable(toListPage(data), trust);
  },
});
