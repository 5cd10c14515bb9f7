/** `GET /v1/address/{address}/activity/`: the chains on which an address has a transaction. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { RpcError } from '../../../rpc/index.js';
import { NodeError } from '../../chain/errors.js';
import { toAnswer } from '../../data/answers.js';
import type { ChainData } from '../../data/chainData.js';
import { HttpError } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { defineRoute } from '../../rest/route.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
import { listedChain, toListedChain } from '../blockchain/chainItem.js';
import { type DataRoute, enveloped } from '../common/dataRoute.js';
import { toTime } from '../common/json.js';
import { count, hex, time } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findIndexedBlock } from '../items/indexed.js';
import { askChain } from './chains.js';

const description = `An item for each chain that is served here on which the address has a part in a transaction, with the time of its last one. Chains that are
known to be testnets are among them with \`testnets=true\` alone. Ours are \`block_height\` and \`block_hash\`, the block of that chain that the item is of, and \`unavailable\`: the names of chains of
which nothing can be said now, because their node is away or their index does not list transactions.`;

interface ActivityQuestion {
  readonly address: Hex;
  readonly testnets: boolean;
}

const item = z.object({
  ...listedChain,
  last_seen_at: time,
  block_height: count,
  block_hash: hex(32),
});

/** What a chain knows of an address. */
interface Seen {
  readonly block_height: number;
  readonly block_hash: Hex;
  /** Seconds; null without a transaction. */
  readonly last: number | null;
}

const findSeen = (chain: ChainData, address: Hex, context: AnswerContext): Promise<Seen> =>
  askChain<Seen>(chain, { name: `activity ${address}`, context }, async (access, _, shared) => {
    await shared.pause();
    shared.charge(1);
    const { at, found } = await readSettled(access, () =>
      access.index.touched(address, { order: 'newest', limit: 1 }),
    );
    const [last] = found;
    const block = last && (await findIndexedBlock(access, last.block));
    const seen: Seen = {
      ...{ block_height: at.number, block_hash: at.hash },
      last: block?.timestamp ?? null,
    };
    return { json: JSON.stringify(seen), of: at };
  });

/** Whether a chain cannot be asked now: it does not affect the others. */
const isAway = (error: unknown): boolean =>
  [HttpError, RpcError, NodeError].some((kind) => error instanceof kind);

async function writeActivity(
  { address, testnets }: ActivityQuestion,
  served: readonly ChainData[],
  context: AnswerContext,
): Promise<string> {
  const asked = served.filter((chain) => testnets || toListedChain(chain).is_testnet !== true);
  const items: z.input<typeof item>[] = [];
  const failures = new Map<string, unknown>();
  for (const chain of asked) {
    try {
      const { last, ...at } = await findSeen(chain, address, context);
      if (last !== null) items.push({ ...toListedChain(chain), last_seen_at: toTime(last), ...at });
    } catch (error) {
      if (!isAway(error)) throw error;
      failures.set(chain.name, error);
      // That the request is late, or its client gone, is no fault of a chain.
      await context.pause();
    }
  }
  const [failure] = failures.values();
  if (failures.size > 0 && failures.size === asked.length) throw failure;
  const updated_at = new Date().toISOString();
  return JSON.stringify({ updated_at, address, items, unavailable: [...failures.keys()] });
}

export const activity: DataRoute = ({ served }) =>
  defineRoute<ChainData | undefined>()({
    title: 'activity of an address',
    path: '/v1/address/{address}/activity/',
    summary: 'The chains on which an address has a transaction',
    description,
    params: { address: addressParameter },
    query: { testnets: flagParameter.openapi({ description: 'Whether testnets are listed' }) },
    answer: enveloped({
      name: 'Activity',
      description: 'The chains',
      data: z.object({
        updated_at: z.string(),
        address: hex(20),
        items: z.array(item),
        unavailable: z.array(z.string()),
      }),
    }),
    question: (read): ActivityQuestion => read,
    cost: () => 1,
    peek: () => undefined,
    answerTo: async (_, question, context) =>
      toAnswer(await writeActivity(question, served, context)),
  });
