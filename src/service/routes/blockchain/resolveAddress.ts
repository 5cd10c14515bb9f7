/** `GET /v1/{chain_name}/address/{address}/resolve_address/`: the name of an address. No name service is asked: it is null. */
import { z } from '@hono/zod-openapi';
import { addressParameter } from '../../rest/table.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { head, hex } from '../common/schemas.js';

export const resolveAddress: DataRoute = (data) =>
  defineChainRoute({
    title: 'name of an address',
    path: '/v1/{chain_name}/address/{address}/resolve_address/',
    summary: 'The name of an address',
    description: 'The service asks no name service yet: `name` is null.',
    params: { chain_name: chainName(data), address: addressParameter },
    query: {},
    answer: enveloped({
      name: 'ResolvedAddress',
      description: 'The address and its name',
      data: z.object({ ...head, items: z.array(z.object({ address: hex(20), name: z.null() })) }),
    }),
    question: ({ address }) => address,
    cost: () => 1,
    ...remembered(
      (address) => `name ${address}`,
      async (address, { access, at }) => {
        const items = [{ address, name: null }];
        return { json: JSON.stringify({ ...toHead(access.chain, at), items }) };
      },
    ),
  });
