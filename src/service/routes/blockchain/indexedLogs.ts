/** The logs of a contract, or with a topic, in all blocks: the index says in which blocks they are. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { mapConcurrently } from '../../../concurrent.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { overloaded } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { checkLogs } from '../../ledger/logSearch.js';
import { concurrent } from '../../ledger/transactions.js';
import { addressParameter } from '../../rest/table.js';
import { badRequest } from '../common/blocks.js';
import { createCursors, type HashedBlock, keyWidths, wrongCursor } from '../common/cursor.js';
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
import { hashParameter, type PageQuestion, pageQuery, toPage } from '../common/parameters.js';
import {
  citeEach,
  historicItems,
  logPlace,
  proofsQuery,
  toProofs,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { cursorPagination, head } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import {
  type BlockSpan,
  type NamedSpan,
  provableSpan,
  spanQuery,
  toNamedSpan,
  toSpan,
} from '../common/span.js';
import { findIndexedBlock } from '../items/indexed.js';
import { logItem, type OriginLog, toLogItems, toOriginLog } from '../items/logItem.js';
import { type BlockPart, type LogStart, type LogsOf, readLogBlocks, walkLogs } from './logPages.js';

/** Blocks whose logs are looked through for further topics. */
const mostFiltered = 2000;

interface IndexedQuestion extends ProofsQuestion {
  readonly of: LogsOf;
  readonly span: NamedSpan;
  readonly page: PageQuestion;
}

/** The logs of a page, as the node has them. @throws HttpError, RpcError, NodeError */
async function fetchLogs(
  parts: readonly BlockPart[],
  of: LogsOf,
  { access, context }: { access: ChainContext; context: AnswerContext },
): Promise<OriginLog[]> {
  context.charge(parts.length);
  await context.pause();
  const address = 'address' in of ? of.address : undefined;
  const topics = 'topic' in of ? [of.topic] : [];
  const lists = await mapConcurrently(
    parts,
    concurrent,
    async ({ block: number, logs, skip, take }) => {
      const block = await findIndexedBlock(access, number);
      const range = { blockHash: block.hash };
      const found = await access.ledger.logs({ address, topics, range });
      checkLogs(found, { from: number, to: number, address });
      const isOfBlock = found.every((log) => log.blockHash === block.hash);
      if (found.length !== logs || !isOfBlock) {
        throw overloaded('the L2 node has other logs of a block than the index');
      }
      return found.slice(skip, skip + take).map((log) => toOriginLog(log, block));
    },
  );
  return lists.flat();
}

/** A page of logs at a block. */
interface FoundPage {
  readonly at: HashedBlock;
  readonly logs: readonly OriginLog[];
  readonly total: number | undefined;
  readonly next: LogStart | undefined;
  /** Where a cursor led; undefined without one. */
  readonly begin: Begin | undefined;
}

/** Where a cursor leads. */
interface Begin extends LogStart {
  /** Number of that page. */
  readonly page: number;
}

/** The key of a cursor: where the next page begins. */
const cursors = createCursors('logs', [keyWidths.block, keyWidths.place]);

/** All that decides what is listed, for cursors. */
const listOfCursor = ({ chain }: ChainContext, { of, span }: IndexedQuestion) =>
  JSON.stringify([chain.id, of, span.from, span.to]);

/** @throws HttpError, RpcError, NodeError */
async function findBegin(
  question: IndexedQuestion,
  span: BlockSpan,
  place: { access: ChainContext; at: BalanceBlock },
): Promise<Begin | undefined> {
  const { cursor } = question.page;
  if (cursor === undefined) return undefined;
  const { page, after } = await cursors.open(listOfCursor(place.access, question), cursor, place);
  const [block, skip] = after.map(Number) as [number, number];
  if (block < span.from) throw wrongCursor();
  return { page, block, skip };
}

/** The logs of a page, of those in a range that have a further topic. */
async function filterLogs(
  question: IndexedQuestion & { readonly further: readonly Hex[] },
  access: ChainContext,
  context: AnswerContext,
): Promise<FoundPage> {
  const { of, further, span: named, page } = question;
  const { at, found } = await readSettled(access, async (top) => {
    const span = toSpan(named, top);
    const begin = await findBegin(question, span, { access, at: top });
    const from = begin?.block ?? span.from;
    const read = { from, to: span.to, limit: mostFiltered + 1 };
    return { begin, blocks: await readLogBlocks(access, of, read) };
  });
  const { begin, blocks } = found;
  if (blocks.length > mostFiltered) {
    throw badRequest(
      `secondary-topics can be looked for in ${mostFiltered} blocks with logs of the topic; name a shorter range`,
    );
  }
  const parts = blocks.map(({ block, logs }) => ({ block, logs, skip: 0, take: logs }));
  const having: { one: OriginLog; next: LogStart }[] = [];
  let next: LogStart = { block: begin?.block ?? 0, skip: 0 };
  for (const one of await fetchLogs(parts, of, { access, context })) {
    const { number: block } = one.block;
    const skip = block === next.block ? next.skip : 0;
    next = { block, skip: skip + 1 };
    const isBehind = begin === undefined || block > begin.block || skip >= begin.skip;
    if (isBehind && one.log.topics.slice(1).some((topic) => further.includes(topic))) {
      having.push({ one, next });
    }
  }
  const from = page.size * page.number;
  const taken = having.slice(from, from + page.size);
  return {
    ...{ at, begin, logs: taken.map(({ one }) => one) },
    total: begin === undefined ? having.length : undefined,
    next: from + page.size < having.length ? taken.at(-1)?.next : undefined,
  };
}

async function listLogs(
  question: IndexedQuestion,
  access: ChainContext,
  context: AnswerContext,
): Promise<FoundPage> {
  const { of, span: named, page } = question;
  const { at, found } = await readSettled(access, async (top) => {
    const span = toSpan(named, top);
    const begin = await findBegin(question, span, { access, at: top });
    const name = 'address' in of ? of.address : of.topic;
    const list = `logs ${name} ${span.from} ${span.to} ${page.size} ${top.hash}`;
    const wanted = { of, span, size: page.size, page: begin ?? page.number, list };
    return { begin, ...(await walkLogs(access, wanted, context)) };
  });
  const { begin, parts, total, next } = found;
  return { at, begin, total, next, logs: await fetchLogs(parts, of, { access, context }) };
}

async function writePage(asked: IndexedQuestion, { access, ...working }: Working) {
  const { context, history } = working;
  const question = { ...asked, span: provableSpan(asked.span, history?.newest) };
  const { of, page } = question;
  const further = 'topic' in of ? of.further : undefined;
  const { at, begin, logs, total, next } = await (further === undefined
    ? listLogs(question, access, context)
    : filterLogs({ ...question, further }, access, context));
  const { items } = await toLogItems(logs, access, { isFinal: false, pause: context.pause });
  const number = begin?.page ?? page.number;
  const before = {
    ...toHead(access.chain, at),
    pagination: toPagination({
      ...{ number, size: page.size, total },
      cursor:
        next &&
        cursors.write(listOfCursor(access, question), {
          ...{ head: at, page: number + 1 },
          after: [next.block, next.skip],
        }),
    }),
  };
  const cited = await citeEach(items, working, logPlace, wholeTransaction);
  return { json: await writeProvenList(before, cited, working), of: at };
}

const keyOf = (question: IndexedQuestion) => `listed logs ${JSON.stringify(question)}`;

const shared = {
  cost: () => 1,
  ...provable(keyOf, writePage, 'answerNewest'),
};

const query = { ...spanQuery, ...proofsQuery, ...pageQuery };

const mostTopics = 100;
const furtherWords = `must be at most ${mostTopics} addresses or words of 32 bytes, separated by commas`;

const furtherTopics = z
  .string()
  .regex(
    /^0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64})(,0x([0-9a-fA-F]{40}|[0-9a-fA-F]{64}))*$/,
    furtherWords,
  )
  .transform((text) =>
    text
      .toLowerCase()
      .split(',')
      .map((one): Hex => `0x${one.slice(2).padStart(64, '0')}`),
  )
  .refine((list) => list.length <= mostTopics, furtherWords)
  .optional()
  .openapi({
    type: 'string',
    description:
      'Addresses or words, separated by commas: logs with any of them as a further topic',
  });

const toQuestion = (
  of: LogsOf,
  read: Parameters<typeof toPage>[0] &
    Parameters<typeof toNamedSpan>[0] &
    Parameters<typeof toProofs>[0],
): IndexedQuestion => ({ of, span: toNamedSpan(read), page: toPage(read), ...toProofs(read) });

const description = 'The oldest first. Without a range, of all blocks.';

const listOf = (name: string) =>
  enveloped({
    name,
    description: 'A page of logs',
    data: z.object({ ...head, pagination: cursorPagination, ...historicItems(logItem) }),
  });

export const contractLogs: DataRoute = (data) =>
  defineChainRoute({
    ...shared,
    title: 'logs of a contract',
    path: '/v1/{chain_name}/events/address/{address}/',
    summary: 'The logs of a contract',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query,
    answer: listOf('ContractLogs'),
    question: ({ address, ...read }) => toQuestion({ address }, read),
  });

export const topicLogs: DataRoute = (data) =>
  defineChainRoute({
    ...shared,
    title: 'logs of a topic',
    path: '/v1/{chain_name}/events/topics/{topic_hash}/',
    summary: 'The logs of an event, of all contracts',
    description,
    params: { chain_name: chainName(data), topic_hash: hashParameter },
    query: { ...query, 'secondary-topics': furtherTopics },
    answer: listOf('TopicLogs'),
    question: ({ topic_hash: topic, 'secondary-topics': further, ...read }) =>
      toQuestion({ topic, further }, read),
  });
