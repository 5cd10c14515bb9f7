/** `GET /v1/{chain_name}/nft/{contract_address}/traits_summary/`: the traits of a collection with their values. */
import { z } from '@hono/zod-openapi';
import type { Trait } from '../../documents/traits.js';
import { addressParameter } from '../../rest/table.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
} from '../common/dataRoute.js';
import { count, head, pagination } from '../common/schemas.js';
import {
  aboutDocuments,
  attribute,
  mostItems,
  type TraitsQuestion,
  toAttribute,
  toTraitsPage,
  traitsKey,
  traitsQuery,
  writeTraits,
} from './traitPages.js';

const item = z.object({
  name: z.string(),
  value_type: z.enum(['numeric', 'string']),
  value_numeric: z
    .object({ min: z.number(), max: z.number() })
    .nullable()
    .openapi({ description: 'Null unless all values are numbers' }),
  value_string: z
    .object({ value: z.string(), token_count: count, trait_percentage: z.number() })
    .nullable()
    .openapi({
      description:
        'The value that most tokens have, and which part of all tokens these are, in percent; null if all values are numbers',
    }),
  attributes: z.array(attribute).openapi({
    description: `One: the ${mostItems} values that most tokens have`,
  }),
});

function toItem(trait: Trait, tokens: number): z.input<typeof item> {
  const { name, values, range } = trait;
  const [{ value, count: most }] = values as readonly [Trait['values'][number]];
  return {
    name,
    value_type: range === undefined ? 'string' : 'numeric',
    value_numeric: range ?? null,
    value_string: range
      ? null
      : { value, token_count: most, trait_percentage: Math.round((10_000 * most) / tokens) / 100 },
    attributes: [toAttribute(trait, values.slice(0, mostItems))].map((one) => ({
      ...one,
      values: [...one.values],
    })),
  };
}

export const traitsSummary: DataRoute = (data) =>
  defineChainRoute({
    title: 'summary of traits',
    path: '/v1/{chain_name}/nft/{contract_address}/traits_summary/',
    summary: 'The traits of a collection with their values',
    description: `In the order of their names; ${aboutDocuments}.`,
    params: { chain_name: chainName(data), contract_address: addressParameter },
    query: traitsQuery,
    answer: enveloped({
      name: 'NftTraitsSummary',
      description: 'A page of traits',
      data: z.object({ ...head, pagination, items: z.array(item) }),
    }),
    question: (read): TraitsQuestion => ({
      contract: read.contract_address,
      page: toTraitsPage(read),
    }),
    cost: () => 1,
    ...remembered<TraitsQuestion>(
      (question, chain) => traitsKey('traits summary', question, chain),
      (question, working) =>
        writeTraits(
          question,
          working,
          ({ traits }) => traits,
          (part, { tokens }) => part.map((trait) => toItem(trait, tokens)),
        ),
      'answerNewest',
    ),
  });
