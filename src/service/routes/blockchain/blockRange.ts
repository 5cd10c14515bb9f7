/** `GET /v1/{chain_name}/block_v2/{start_date}/{end_date}/`: the blocks of a time, a page at a time. */
import { z } from '@hono/zod-openapi';
import { mapConcurrently } from '../../../concurrent.js';
import type { ChainContext } from '../../data/balances.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { findFirstFrom, heldBlock } from '../../ledger/blockTime.js';
import { concurrent } from '../../ledger/transactions.js';
import type { LedgerBlock } from '../../ledger/types.js';
import { badRequest, findFinal } from '../common/blocks.js';
import { chainName, type DataRoute, defineChainRoute, enveloped } from '../common/dataRoute.js';
import { toHead, toPagination, writeList } from '../common/json.js';
import { date, pageQuery, toPage } from '../common/parameters.js';
import { head, pagination } from '../common/schemas.js';
import { blockItem, toBlockItem } from '../items/blockItem.js';

/** Blocks whose headers are read for a unit of cost, and in one piece. */
const unit = 10;
const piece = 100;

/** The blocks from one number to another, which is not one of them. */
async function readBlocks(
  { ledger }: ChainContext,
  [from, to]: readonly [number, number],
  { pause, charge }: AnswerContext,
): Promise<LedgerBlock[]> {
  const blocks: LedgerBlock[] = [];
  for (let at = from; at < to; at += piece) {
    await pause();
    const numbers = Array.from({ length: Math.min(piece, to - at) }, (_, i) => at + i);
    const unknown = numbers.filter((number) => ledger.knownBlock(number) === undefined);
    charge(Math.ceil(unknown.length / unit));
    blocks.push(
      ...(await mapConcurrently(numbers, concurrent, (number) => heldBlock(ledger, number))),
    );
  }
  return blocks;
}

const description = `The blocks whose time is not before \`start_date\` and before \`end_date\`, the oldest first. A date is a day, which
begins at midnight in UTC, or a time such as 2026-02-28T23:59:59Z; \`latest\` is now.`;

export const blockRange: DataRoute = (data) =>
  defineChainRoute({
    title: 'blocks',
    path: '/v1/{chain_name}/block_v2/{start_date}/{end_date}/',
    summary: 'The blocks of a time',
    description,
    params: { chain_name: chainName(data), start_date: date, end_date: date },
    query: pageQuery,
    answer: enveloped({
      name: 'Blocks',
      description: 'A page of blocks',
      data: z.object({ ...head, pagination, items: z.array(blockItem) }),
    }),
    question({ start_date: from, end_date: to, ...read }, { base }) {
      if (from > to) throw badRequest('end_date must not be before start_date');
      return { from, to, page: toPage(read), base };
    },
    cost: () => 1,
    // `latest` is another time for each request, so only answers that never change are found again.
    peek: (chain, { from, to, page, base }) =>
      chain.peek(`blocks ${from} ${to} ${page.size} ${page.number} ${base}`),
    answerTo(chain, { from, to, page, base }, context) {
      const name = `blocks ${from} ${to} ${page.size} ${page.number} ${base}`;
      return chain.answer(name, async (access, at) => {
        const { ledger } = access;
        const search = { newest: at.number, pause: context.pause };
        const final = await findFinal(access);
        const first = await findFirstFrom(ledger, from, search);
        const end = await findFirstFrom(ledger, to, search);
        const begin = Math.min(first + page.size * page.number, end);
        const last = Math.min(begin + page.size, end);
        const blocks = await readBlocks(access, [begin, last], context);
        const hasMore = last < end;
        const before = {
          ...toHead(access.chain, at),
          pagination: toPagination(page, { hasMore, total: end - first }),
        };
        const items = blocks.map((one) => toBlockItem(one, `${base}/v1/${chain.name}`));
        return {
          json: await writeList(before, items, context.pause),
          // Once a later block is final, no block is added.
          final: end <= final ? (await heldBlock(ledger, end)).hash : undefined,
        };
      });
    },
  });
