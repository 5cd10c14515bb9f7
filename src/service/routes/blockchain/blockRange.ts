/** `GET /v1/{chain_name}/block_v2/{start_date}/{end_date}/`: the blocks of a time, a page at a time. */
import { z } from '@hono/zod-openapi';
import { mapConcurrently } from '../../../concurrent.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { findFirstFrom, heldBlock } from '../../ledger/blockTime.js';
import { concurrent } from '../../ledger/transactions.js';
import type { LedgerBlock } from '../../ledger/types.js';
import { badRequest, findFinal } from '../common/blocks.js';
import { createCursors, type HashedBlock, keyWidths } from '../common/cursor.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { toHead, toPagination } from '../common/json.js';
import { date, type PageQuestion, pageQuery, timeOf, toPage } from '../common/parameters.js';
import {
  blockPlace,
  citeEach,
  historicItems,
  proofsQuery,
  toProofs,
  writeProvenList,
} from '../common/proofs.js';
import { cursorPagination, head } from '../common/schemas.js';
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

interface RangeQuestion extends ProofsQuestion {
  /** Seconds. */
  readonly from: number;
  readonly to: number;
  /** The same as the client names it, `latest` as a word. */
  readonly named: string;
  readonly page: PageQuestion;
  readonly base: string;
}

/** The key of a cursor: the last block before it. */
const cursors = createCursors('blocks', [keyWidths.block]);

// `latest` is another time for each request, so only answers that never change are found again. One time may be named in
// two ways, and a cursor holds for its own.
const keyOf = ({ from, to, named, page, base }: RangeQuestion) =>
  `blocks ${from} ${to} ${named} ${page.size} ${page.number} ${page.cursor} ${base}`;

/** A page of the blocks from one number to another, which is not one of them. */
async function findPage(
  { named, page }: RangeQuestion,
  { first, end }: { first: number; end: number },
  place: { access: ChainContext; at: BalanceBlock },
) {
  const { size, number, cursor } = page;
  const list = `${place.access.chain.id} ${named}`;
  const { page: counted, after } =
    cursor === undefined ? { page: number, after: [] } : await cursors.open(list, cursor, place);
  const behind = after.map((block) => Number(block) + 1);
  const begin = Math.min(Math.max(first, ...behind, first + size * number), end);
  const last = Math.min(begin + size, end);
  const next = (head: HashedBlock) =>
    cursors.write(list, { head, page: counted + 1, after: [last - 1] });
  return { begin, last, number: counted, next };
}

async function writeBlocks(question: RangeQuestion, { access, ...working }: Working) {
  const { at, context, history } = working;
  const { from, to, page, base } = question;
  const { ledger, chain } = access;
  // The newest block is not known by its own state.
  const search = { newest: history?.newest ?? at.number, pause: context.pause };
  const final = await findFinal(access);
  const first = await findFirstFrom(ledger, from, search);
  const end = await findFirstFrom(ledger, to, search);
  const { begin, last, number, next } = await findPage(question, { first, end }, { access, at });
  const blocks = await readBlocks(access, [begin, last], context);
  // Once a later block is final, no block is added.
  const behind = end <= final ? await heldBlock(ledger, end) : undefined;
  const hash = at.hash ?? (await heldBlock(ledger, at.number)).hash;
  const before = {
    // What never changes names no block that may be taken back.
    ...toHead(chain, behind ?? at),
    pagination: toPagination({
      ...{ number, size: page.size, total: end - first },
      cursor: last < end ? next(behind ?? { number: at.number, hash }) : undefined,
    }),
  };
  const items = blocks.map((one) => toBlockItem(one, `${base}/v1/${chain.name}`));
  const cited = await citeEach(items, working, blockPlace, []);
  return { json: await writeProvenList(before, cited, working), final: behind?.hash };
}

export const blockRange: DataRoute = (data) =>
  defineChainRoute({
    title: 'blocks',
    path: '/v1/{chain_name}/block_v2/{start_date}/{end_date}/',
    summary: 'The blocks of a time',
    description,
    params: { chain_name: chainName(data), start_date: date, end_date: date },
    query: { ...proofsQuery, ...pageQuery },
    answer: enveloped({
      name: 'Blocks',
      description: 'A page of blocks',
      data: z.object({ ...head, pagination: cursorPagination, ...historicItems(blockItem) }),
    }),
    question({ start_date: start, end_date: until, ...read }, { base }): RangeQuestion {
      const [from, to] = [timeOf(start), timeOf(until)];
      if (from > to) throw badRequest('end_date must not be before start_date');
      const named = `${start} ${until}`;
      return { from, to, named, page: toPage(read), base, ...toProofs(read) };
    },
    cost: () => 1,
    ...provable(keyOf, writeBlocks),
  });
