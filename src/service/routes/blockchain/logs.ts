/** `GET /v1/{chain_name}/events/`: the logs of a range of blocks, or of one block. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { chainChanged } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { checkLogs, findBlocksOf, searchLedger } from '../../ledger/logSearch.js';
import type { FoundLog, LedgerBlock } from '../../ledger/types.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
import { badRequest, finalHash, findBlock, findFinal, notFound } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  type ProofsQuestion,
  provable,
  type Working,
} from '../common/dataRoute.js';
import { toHead } from '../common/json.js';
import { hashParameter } from '../common/parameters.js';
import {
  citeEach,
  historicItems,
  logPlace,
  proofsQuery,
  toProofs,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { head, hex } from '../common/schemas.js';
import { type NamedSpan, provableSpan, spanQuery, toSpan } from '../common/span.js';
import { logItem, toLogItems, toOriginLog } from '../items/logItem.js';

/** Blocks of a range whose logs all come, and most logs of a longer one. */
const bounds = { blocks: 2000, logs: 10_000 };

/** Logs in one answer in any case: nobody must bring the service to collect more. */
const mostLogs = 50_000;

/** Hashes that the first topic may be. */
const mostTopics = 100;

const topicsWords = `must be at most ${mostTopics} of 0x and 64 hex digits, separated by commas`;

const topicList = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}(,0x[0-9a-fA-F]{64})*$/, topicsWords)
  .transform((text) => text.toLowerCase().split(',') as Hex[])
  .refine((list) => list.length <= mostTopics, topicsWords)
  .optional()
  .openapi({
    type: 'string',
    description: 'Hashes of events, separated by commas: logs whose first topic is any of them',
  });

interface LogsQuestion extends ProofsQuestion {
  readonly span: NamedSpan | { readonly block: Hex };
  readonly address: Hex | undefined;
  readonly topics: readonly Hex[] | undefined;
  readonly skipDecode: boolean;
}

/** The logs of a question, and the last block that they are of. */
interface Found {
  readonly logs: readonly FoundLog[];
  /** The first block that they can be of. */
  readonly from: number;
  readonly last: LedgerBlock;
}

async function findOfBlock(
  { address }: LogsQuestion,
  { block, topics }: { block: Hex; topics: readonly unknown[] },
  { ledger }: ChainContext,
): Promise<Found> {
  const last = await ledger.blockOf(block);
  if (last === undefined) throw notFound('The chain has no block of this hash');
  const logs = await ledger.logs({ address, topics, range: { blockHash: block } });
  checkLogs(logs, { from: last.number, to: last.number, address });
  return { logs, from: last.number, last };
}

async function findOfSpan(
  { address }: LogsQuestion,
  { span, topics }: { span: NamedSpan; topics: readonly unknown[] },
  { access, at, context }: { access: ChainContext; at: BalanceBlock; context: AnswerContext },
): Promise<Found> {
  const { from, to } = toSpan(span, at);
  const isLong = to - from >= bounds.blocks;
  const most = isLong ? bounds.logs : mostLogs;
  const last = await findBlock(access, to, at);
  const search = { from, to, address, topics };
  const found = await searchLedger(access.ledger, search, { most, context });
  if (found.last < to) {
    const works =
      found.last < from
        ? 'name an address or topics'
        : `the range from ${from} to ${found.last} works`;
    throw badRequest(`There are more than ${most} logs in this range; ${works}`);
  }
  // Logs were asked for by number: what was searched may be another chain's by now.
  const { hash } = await findBlock(access, to, at);
  if (hash !== last.hash) throw chainChanged();
  return { logs: found.logs, from, last };
}

async function writeLogs(question: LogsQuestion, { access, at, ...working }: Working) {
  const { context, history } = working;
  const { skipDecode, address } = question;
  const span =
    'block' in question.span ? question.span : provableSpan(question.span, history?.newest);
  const { pause } = context;
  await pause();
  const final = await findFinal(access);
  const topics = question.topics === undefined ? [] : [question.topics];
  const { logs, from, last } =
    'block' in span
      ? await findOfBlock(question, { block: span.block, topics }, access)
      : await findOfSpan(question, { span, topics }, { access, at, context });
  const blocks = await findBlocksOf(access.ledger, logs, context);
  const origins = logs.map((log) => toOriginLog(log, blocks.get(log.blockNumber) as LedgerBlock));
  const isFinal = last.number <= final;
  const { items, isFinal: isKnown } = await toLogItems(origins, access, {
    ...{ isFinal, skipDecode, pause },
  });
  const hashed = items.map((item, i) => ({ ...item, block_hash: (logs[i] as FoundLog).blockHash }));
  const isNamed = 'block' in span || (span.from !== 'latest' && span.to !== 'latest');
  // Before the logs: what proves that there are no others proves these as well.
  await history?.citeRange({ from, to: last.number, filter: { address, topics } }, context);
  const cited = await citeEach(hashed, working, logPlace, wholeTransaction);
  return {
    json: await writeProvenList(toHead(access.chain, last), cited, working),
    final: isNamed && isKnown ? finalHash(last, final) : undefined,
  };
}

const description = `The logs of a range of at most ${bounds.blocks} blocks, both ends included, or of a longer one if they are at most ${bounds.logs}; else the
message names a range that works. Without \`starting-block\` the range is one block, without \`ending-block\` it goes to the newest.`;

export const logs: DataRoute = (data) =>
  defineChainRoute({
    title: 'logs',
    path: '/v1/{chain_name}/events/',
    summary: 'The logs of a range of blocks, or of one block',
    description,
    params: { chain_name: chainName(data) },
    query: {
      ...spanQuery,
      'block-hash': hashParameter.optional(),
      address: addressParameter.optional(),
      topics: topicList,
      'skip-decode': flagParameter.openapi({ description: 'Whether `decoded` is null' }),
      ...proofsQuery,
    },
    answer: enveloped({
      name: 'Logs',
      description: 'The logs',
      data: z.object({ ...head, ...historicItems(logItem.extend({ block_hash: hex(32) })) }),
    }),
    question(read): LogsQuestion {
      const { 'starting-block': from, 'ending-block': to, 'block-hash': block } = read;
      if (block !== undefined && (from !== undefined || to !== undefined)) {
        throw badRequest('block-hash must stand without starting-block and ending-block');
      }
      const span =
        block === undefined ? { from: from ?? to ?? 'latest', to: to ?? 'latest' } : { block };
      return {
        ...{ span, address: read.address, topics: read.topics, skipDecode: read['skip-decode'] },
        ...toProofs(read),
      };
    },
    cost: () => 1,
    ...provable((question: LogsQuestion) => `logs ${JSON.stringify(question)}`, writeLogs),
  });
