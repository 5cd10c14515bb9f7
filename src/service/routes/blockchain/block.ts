/** `GET /v1/{chain_name}/block_v2/{block_height}/`: one block. */
import { z } from '@hono/zod-openapi';
import { finalHash, findBlock, findFinal } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { blockName, type NumberOrLatest } from '../common/parameters.js';
import { head } from '../common/schemas.js';
import { blockItem, toBlockItem } from '../items/blockItem.js';

interface BlockQuestion {
  readonly height: NumberOrLatest;
  readonly base: string;
}

export const block: DataRoute = (data) =>
  defineChainRoute({
    title: 'block',
    path: '/v1/{chain_name}/block_v2/{block_height}/',
    summary: 'One block, by its number or `latest`',
    params: { chain_name: chainName(data), block_height: blockName },
    query: {},
    answer: enveloped({
      name: 'Block',
      description: 'The block',
      data: z.object({ ...head, items: z.array(blockItem) }),
    }),
    question: ({ block_height: height }, { base }) => ({ height, base }),
    cost: () => 1,
    ...remembered(
      ({ height, base }: BlockQuestion) => `block ${height} ${base}`,
      async ({ height, base }, { access, at, name, context }) => {
        await context.pause();
        const final = await findFinal(access);
        const found = await findBlock(access, height, at);
        const items = [toBlockItem(found, `${base}/v1/${name}`)];
        return {
          json: JSON.stringify({ ...toHead(access.chain, found), items }),
          final: height === 'latest' ? undefined : finalHash(found, final),
        };
      },
    ),
  });
