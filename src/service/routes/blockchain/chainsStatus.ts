/** `GET /v1/chains/status/`: how far each chain has come here. */
import { z } from '@hono/zod-openapi';
import { RpcError } from '../../../rpc/index.js';
import { NodeError } from '../../chain/errors.js';
import { toAnswer } from '../../data/answers.js';
import type { ChainData } from '../../data/chainData.js';
import { HttpError } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { defineRoute } from '../../rest/route.js';
import { type DataRoute, enveloped } from '../common/dataRoute.js';
import { toTime } from '../common/json.js';
import { count, time } from '../common/schemas.js';
import { chainMembers, toChainMembers } from './chainItem.js';

const item = z.object({
  ...chainMembers,
  synced_block_height: count.nullable(),
  synced_blocked_signed_at: time.nullable(),
  has_data: z.boolean().openapi({ description: 'Whether questions about it can be answered now' }),
});

/** The members that change; they are worked out once for each new block. */
async function toSynced(chain: ChainData, context: AnswerContext): Promise<object> {
  try {
    const { body } = await chain.answer({ name: 'status', context }, async ({ ledger }, at) => ({
      json: JSON.stringify({
        synced_block_height: at.number,
        synced_blocked_signed_at: toTime((await heldBlock(ledger, at.number)).timestamp),
        has_data: true,
      }),
    }));
    return (await new Response(body).json()).data;
  } catch (error) {
    // A chain that cannot be answered about now does not affect the others.
    const isAway = [HttpError, RpcError, NodeError].some((kind) => error instanceof kind);
    if (!isAway) throw error;
    return { synced_block_height: null, synced_blocked_signed_at: null, has_data: false };
  }
}

export const chainsStatus: DataRoute = ({ served }) =>
  defineRoute<ChainData | undefined>()({
    title: 'status of chains',
    path: '/v1/chains/status/',
    summary: 'How far each chain has come here',
    query: {},
    answer: enveloped({
      name: 'ChainsStatus',
      description: 'The chains and their newest blocks',
      data: z.object({ updated_at: z.string(), items: z.array(item) }),
    }),
    question: () => undefined,
    cost: () => 1,
    peek: () => undefined,
    async answerTo(_, __, context) {
      await context.pause();
      const items = await Promise.all(
        served.map(async (chain) => ({
          ...toChainMembers(chain),
          ...(await toSynced(chain, context)),
        })),
      );
      return toAnswer(JSON.stringify({ updated_at: new Date().toISOString(), items }));
    },
  });
