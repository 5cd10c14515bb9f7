/** `GET /v1/{chain_name}/nft/{contract_address}/traits/`: names of the traits of a collection. */
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
  type TraitsQuestion,
  toTraitsPage,
  traitsKey,
  traitsQuery,
  writeTraits,
} from './traitPages.js';

export const traitNames: DataRoute = (data) =>
  defineChainRoute({
    title: 'traits of a collection',
    path: '/v1/{chain_name}/nft/{contract_address}/traits/',
    summary: 'Names of the traits of a collection',
    description: `In the order of their text; ${aboutDocuments}.`,
    params: { chain_name: chainName(data), contract_address: addressParameter },
    query: traitsQuery,
    answer: enveloped({
      name: 'NftTraits',
      description: 'A page of names',
      data: z.object({ ...head, pagination, items: z.array(z.object({ name: z.string() })) }),
    }),
    question: (read): TraitsQuestion => ({
      contract: read.contract_address,
      page: toTraitsPage(read),
    }),
    cost: () => 1,
    ...remembered<TraitsQuestion>(
      (question, chain) => traitsKey('traits', question, chain),
      (question, working) =>
        writeTraits(
          question,
          working,
          ({ traits: all }) => all,
          (part) => part.map(({ name }) => ({ name })),
        ),
      'answerNewest',
    ),
  });
