/** The logs of a contract, or with a topic, in all blocks: the index says in which blocks they are. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { mapConcurrently } from '../../../concurrent.js';
import type { ChainContext } from '../../data/balances.js';
import type { ChainData } from '../../data/chainData.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { overloaded } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { checkLogs } from '../../ledger/logSearch.js';
import { concurrent } from '../../ledger/transactions.js';
import { addressParameter } from '../../rest/table.js';
import { badRequest } from '../common/blocks.js';
import { chainName, type DataRoute, defineChainRoute, enveloped } from '../common/dataRoute.js';
import { toHead, toPagination, writeList } from '../common/json.js';
import { hashParameter, type PageQuestion, pageQuery, toPage } from '../common/parameters.js';
import { head, pagination } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findIndexedBlock } from '../items/indexed.js';
import { logItem, type OriginLog, toLogItems, toOriginLog } from '../items/logItem.js';
import { type BlockSpan, type NamedSpan, spanQuery, toSpan } from './span.js';

/** Blocks of the list that one request may read over, and that are read in a piece. */
const mostSkipped = 100_000;
const piece = 5000;

/** Blocks whose logs are looked through for further topics. */
const mostFiltered = 2000;

type LogsOf =
  | { readonly address: Hex }
  | {
      readonly topic: Hex;
      /** Words, of which a log must have one as a further topic; undefined: any log. */
      readonly further: readonly Hex[] | undefined;
    };

interface IndexedQuestion {
  readonly of: LogsOf;
  readonly span: NamedSpan;
  readonly page: PageQuestion;
}

/** Blocks with logs on a page: of each, how many of its first logs are skipped, and how many are taken. */
interface BlockPart {
  readonly block: number;
  readonly logs: number;
  readonly skip: number;
  readonly take: number;
}

interface LogPage {
  readonly parts: readonly BlockPart[];
  /** All logs of the list; undefined if they were not counted. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
}

/** Where a page begins: behind a block, and so many logs of the next one. */
interface Start {
  readonly after: number | undefined;
  readonly skip: number;
}

const readBlocks = (
  { index }: ChainContext,
  of: LogsOf,
  { from, to }: BlockSpan,
  { after, limit }: { after: number | undefined; limit: number },
) => {
  const part = { order: 'oldest', fromBlock: from, toBlock: to, after, limit } as const;
  return 'address' in of ? index.emitted(of.address, part) : index.topic(of.topic, part);
};

/** Walks through the list from a page's beginning. */
async function walk(
  access: ChainContext,
  { of, span, page, list }: { of: LogsOf; span: BlockSpan; page: PageQuestion; list: string },
  { pause }: AnswerContext,
): Promise<LogPage> {
  const { bookmarks } = access;
  const known = bookmarks.find<Start>(list, page.number);
  let { after, skip } = known ?? { after: undefined, skip: page.size * page.number };
  let total = bookmarks.find<number>(list, 'total');
  const parts: BlockPart[] = [];
  let wanted = page.size;
  let [seen, sum, hasMore] = [0, 0, false];
  for (;;) {
    await pause();
    // Behind a bookmark, with the total known, no more is read than the page takes.
    const limit = known !== undefined && total !== undefined ? page.size + 1 : piece;
    const blocks = await readBlocks(access, of, span, { after, limit });
    for (const { block, logs } of blocks) {
      sum += logs;
      if (skip >= logs) {
        skip -= logs;
      } else if (wanted > 0) {
        const take = Math.min(wanted, logs - skip);
        parts.push({ block, logs, skip, take });
        wanted -= take;
        const isCut = skip + take < logs;
        if (wanted === 0) {
          bookmarks.note(list, page.number + 1, {
            after: isCut ? after : block,
            skip: isCut ? skip + take : 0,
          } satisfies Start);
          hasMore ||= isCut;
        }
        skip = 0;
      } else {
        hasMore = true;
      }
      after = block;
    }
    seen += blocks.length;
    if (blocks.length < limit) {
      if (known === undefined) {
        total ??= sum;
        bookmarks.note(list, 'total', total);
      }
      return { parts, total, hasMore };
    }
    if (wanted === 0 && (total !== undefined || seen >= mostSkipped) && hasMore) {
      return { parts, total, hasMore };
    }
    if (seen >= mostSkipped && wanted > 0 && parts.length === 0) {
      throw badRequest(`page-number leads too far; name a later starting-block`);
    }
  }
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

/** The logs of a page, of those in a range that have a further topic. */
async function filterLogs(
  { of, further, span: named, page }: IndexedQuestion & { further: readonly Hex[] },
  access: ChainContext,
  context: AnswerContext,
) {
  const { at, found } = await readSettled(access, (top) => {
    const read = { after: undefined, limit: mostFiltered + 1 };
    return readBlocks(access, of, toSpan(named, top), read);
  });
  if (found.length > mostFiltered) {
    throw badRequest(
      `secondary-topics can be looked for in ${mostFiltered} blocks with logs of the topic; name a shorter range`,
    );
  }
  const parts = found.map(({ block, logs }) => ({ block, logs, skip: 0, take: logs }));
  const all = await fetchLogs(parts, of, { access, context });
  const having = all.filter(({ log }) => log.topics.slice(1).some((one) => further.includes(one)));
  const from = page.size * page.number;
  const logs = having.slice(from, from + page.size);
  const hasMore = from + page.size < having.length;
  return { at, logs, hasMore, total: having.length };
}

async function listLogs(
  { of, span: named, page }: IndexedQuestion,
  access: ChainContext,
  context: AnswerContext,
) {
  const { at, found } = await readSettled(access, async (top: BalanceBlock) => {
    const span = toSpan(named, top);
    const name = 'address' in of ? of.address : of.topic;
    const list = `logs ${name} ${span.from} ${span.to} ${page.size} ${top.hash}`;
    return walk(access, { of, span, page, list }, context);
  });
  const logs = await fetchLogs(found.parts, of, { access, context });
  return { at, logs, hasMore: found.hasMore, total: found.total };
}

async function writePage(question: IndexedQuestion, access: ChainContext, context: AnswerContext) {
  const { of, page } = question;
  const further = 'topic' in of ? of.further : undefined;
  const { at, logs, hasMore, total } = await (further === undefined
    ? listLogs(question, access, context)
    : filterLogs({ ...question, further }, access, context));
  const { items } = await toLogItems(logs, access, { isFinal: false, pause: context.pause });
  const before = {
    ...toHead(access.chain, at),
    pagination: toPagination(page, { hasMore, total }),
  };
  return { json: await writeList(before, items, context.pause) };
}

const keyOf = (question: IndexedQuestion) => `listed logs ${JSON.stringify(question)}`;

const shared = {
  cost: () => 1,
  peek: (chain: ChainData, question: IndexedQuestion) => chain.peek(keyOf(question)),
  answerTo: (chain: ChainData, question: IndexedQuestion, context: AnswerContext) =>
    chain.answerNewest(keyOf(question), (access) => writePage(question, access, context)),
};

const query = { ...spanQuery, ...pageQuery };

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
  read: Parameters<typeof toPage>[0] & {
    readonly 'starting-block': NamedSpan['from'] | undefined;
    readonly 'ending-block': NamedSpan['to'] | undefined;
  },
): IndexedQuestion => ({
  of,
  span: { from: read['starting-block'] ?? 0, to: read['ending-block'] ?? 'latest' },
  page: toPage(read),
});

const description = 'The oldest first. Without a range, of all blocks.';

const listOf = (name: string) =>
  enveloped({
    name,
    description: 'A page of logs',
    data: z.object({ ...head, pagination, items: z.array(logItem) }),
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
