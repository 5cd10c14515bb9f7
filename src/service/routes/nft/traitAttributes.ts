/** `GET /v1/{chain_name}/nft/{contract_address}/traits/{trait}/attributes/`: the values of a trait. */
import { z } from '@hono/zod-openapi';
import { addressParameter } from '../../rest/table.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
} from '../common/dataRoute.js';
import { head, pagination } from '../common/schemas.js';
import {
  aboutDocuments,
  attribute,
  type TraitsQuestion,
  toAttribute,
  toTraitsPage,
  traitsKey,
  traitsQuery,
  writeTraits,
} from './traitPages.js';

interface AttributesQuestion extends TraitsQuestion {
  readonly trait: string;
}

export const traitAttributes: DataRoute = (data) =>
  defineChainRoute({
    title: 'values of a trait',
    path: '/v1/{chain_name}/nft/{contract_address}/traits/{trait}/attributes/',
    summary: 'The values that tokens of a collection have of a trait, and how many tokens each has',
    description: `One item with a page of values, those of the most tokens first; ${aboutDocuments}. No item if no token has the trait.`,
    params: {
      chain_name: chainName(data),
      contract_address: addressParameter,
      trait: z
        .string()
        .max(1024, 'must have at most 1,024 characters')
        .openapi({ description: 'As `traits/` names it' }),
    },
    query: traitsQuery,
    answer: enveloped({
      name: 'NftTraitAttributes',
      description: 'The values of the trait',
      data: z.object({ ...head, pagination, items: z.array(attribute) }),
    }),
    question: (read): AttributesQuestion => ({
      ...{ contract: read.contract_address, trait: read.trait },
      page: toTraitsPage(read),
    }),
    cost: () => 1,
    ...remembered<AttributesQuestion>(
      (question, chain) => `${traitsKey('trait', question, chain)} ${question.trait}`,
      (question, working) => {
        const named = ({ name }: { name: string }) => name === question.trait;
        return writeTraits(
          question,
          working,
          ({ traits }) => traits.find(named)?.values ?? [],
          (part, { traits }) => traits.filter(named).map((trait) => toAttribute(trait, part)),
        );
      },
      'answerNewest',
    ),
  });
