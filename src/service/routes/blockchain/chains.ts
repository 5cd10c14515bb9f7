/** `GET /v1/chains/`: the chains that are served. */
import { z } from '@hono/zod-openapi';
import { toAnswer } from '../../data/answers.js';
import type { ChainData } from '../../data/chainData.js';
import { defineRoute } from '../../rest/route.js';
import { type DataRoute, enveloped } from '../common/dataRoute.js';
import { listedChain, toListedChain } from './chainItem.js';

const item = z.object(listedChain);

export const chains: DataRoute = ({ served }) => {
  // They are the same as long as the service runs.
  const items = served.map(toListedChain);
  const answer = toAnswer(JSON.stringify({ updated_at: new Date().toISOString(), items }));
  return defineRoute<ChainData | undefined>()({
    title: 'chains',
    path: '/v1/chains/',
    summary: 'The chains that are served',
    query: {},
    answer: enveloped({
      name: 'Chains',
      description: 'The chains',
      data: z.object({ updated_at: z.string(), items: z.array(item) }),
    }),
    question: () => undefined,
    cost: () => 1,
    peek: () => answer,
    answerTo: async () => answer,
  });
};
