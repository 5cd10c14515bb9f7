/** `GET /v1/{chain_name}/block_v2/{block_height}/`: one block. */
import { z } from '@hono/zod-openapi';
import { finalHash, findBlock, findFinal } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { blockName, type NumberOrLatest } from '../common/parameters.js';
import {
  blockPlace,
  citeEach,
  historicItems,
  proofsQuery,
  toProofs,
  writeProvenList,
} from '../common/proofs.js';
import { head } from '../common/schemas.js';
import { blockItem, toBlockItem } from '../items/blockItem.js';

interface BlockQuestion extends ProofsQuestion {
  readonly height: NumberOrLatest;
  readonly base: string;
}

export const block: DataRoute = (data) =>
  defineChainRoute({
    title: 'block',
    path: '/v1/{chain_name}/block_v2/{block_height}/',
    summary: 'One block, by its number or `latest`',
    params: { chain_name: chainName(data), block_height: blockName },
    query: proofsQuery,
    answer: enveloped({
      name: 'Block',
      description: 'The block',
      data: z.object({ ...head, ...historicItems(blockItem) }),
    }),
    question: (read, { base }) => ({ height: read.block_height, base, ...toProofs(read) }),
    cost: () => 1,
    ...provable(
      ({ height, base }: BlockQuestion) => `block ${height} ${base}`,
      async ({ height, base }, { access, at, name, ...working }) => {
        const { context, history } = working;
        await context.pause();
        const final = await findFinal(access);
        const newest = history ? { number: history.newest } : at;
        const found = await findBlock(access, height, newest);
        const item = toBlockItem(found, `${base}/v1/${name}`);
        const cited = await citeEach([item], working, blockPlace, []);
        return {
          json: await writeProvenList(toHead(access.chain, found), cited, working),
          final: height === 'latest' ? undefined : finalHash(found, final),
        };
      },
    ),
  });
