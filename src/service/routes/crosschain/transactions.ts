/** `GET /v1/allchains/transactions/`: the transactions of several addresses on several chains, the newest first. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { toAnswer } from '../../data/answers.js';
import type { ChainData } from '../../data/chainData.js';
import { chainChanged, HttpError } from '../../http/httpError.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { defineRoute } from '../../rest/route.js';
import { flagParameter, numberRule, type Rule } from '../../rest/table.js';
import { checkHead } from '../common/cursor.js';
import { type DataRoute, enveloped } from '../common/dataRoute.js';
import { PieceWriter } from '../common/json.js';
import { quoteCurrency } from '../common/parameters.js';
import { count, text } from '../common/schemas.js';
import { findIndexed } from '../items/indexed.js';
import { transactionItem } from '../items/transactionItem.js';
import { toTransactionItems } from '../items/transactions.js';
import { type ChainCut, cutsForm, readCuts, writeCuts } from './chainCuts.js';
import {
  askChain,
  chainBlock,
  chainsParameter,
  checkChains,
  listOf,
  toChainBlock,
} from './chains.js';
import { type CutChain, type MergedPage, readMerged } from './mergedPlaces.js';

const description = `Transactions in which one of the addresses has a part, each once, the newest first: by the times of their blocks, then by the numbers of their chains, then
by their places. \`cursor_before\` leads to older ones, as \`before\`, and is null at the end of the list; \`cursor_after\` leads to newer ones, as \`after\`: those next to it, also such as came since. A
cursor is a place in each chain, so blocks that come meanwhile move nothing. Once a block of its answer is taken back, it is refused with "the chain has changed; begin again".
Ours is \`chains\`: the block of each chain that the answer is of. If one of the chains cannot be asked, nothing is answered: name the others by \`chains\`.`;

const mostAddresses = 10;
const mostItems = 100;
const usualItems = 10;

const isAddress = (text: string) => /^0x[0-9a-fA-F]{40}$/.test(text);
const addressesWords = `must be 1 to ${mostAddresses} addresses of 0x and 40 hex digits, with commas between them`;

const addresses = z
  .string({ error: addressesWords })
  .refine((text) => {
    const all = listOf(text);
    return all.length <= mostAddresses && all.every(isAddress);
  }, addressesWords)
  .openapi({ description: `Up to ${mostAddresses}, with commas between them` })
  .transform((text) => [...new Set(listOf(text.toLowerCase()) as Hex[])].sort());

const cursor = z.string().regex(cutsForm, 'must be one that an answer gave').optional();

const after: Rule<typeof cursor> = {
  schema: cursor.openapi({ description: '`cursor_after` of an answer' }),
  fault: (_, read) => (read.before === undefined ? undefined : 'must stand without before'),
};

interface TransactionsQuestion {
  readonly chains: readonly ChainData[];
  readonly addresses: readonly Hex[];
  readonly side: 'older' | 'newer';
  readonly cursor: string | undefined;
  readonly limit: number;
  readonly currency: string;
  readonly withLogs: boolean;
  readonly isDecoded: boolean;
}

const item = transactionItem.extend({ chain_id: count, chain_name: z.string() });

/** JSON of the transactions of a page that are of one chain, in its order. */
async function writeItems(
  { chain, at }: CutChain,
  { places }: MergedPage,
  { currency, withLogs, isDecoded }: TransactionsQuestion,
  context: AnswerContext,
): Promise<string[]> {
  const own = places.filter((place) => place.chain === chain);
  if (own.length === 0) return [];
  const parts = {
    ...{ quoteCurrency: currency, noLogs: !withLogs && !isDecoded },
    ...{ internal: false, state: false, input: false },
  };
  const asked = own.map(({ block, transaction }) => `${block}.${transaction}`);
  const name = `merged items ${at.hash} ${asked} ${currency} ${withLogs} ${isDecoded}`;
  return askChain<string[]>(chain, { name, context }, async (access, newest, shared) => {
    try {
      await checkHead(at, { access, at: newest });
    } catch (error) {
      // The client has given no cursor of it.
      throw error instanceof HttpError ? chainChanged() : error;
    }
    const mined = await findIndexed(own, access, shared, parts);
    const told = await toTransactionItems(mined, parts, {
      ...{ access, context: shared },
      isFinal: false,
    });
    const lines = told.items.map((one) => {
      const logs = isDecoded
        ? one.log_events
        : (one.log_events?.map((log) => ({ ...log, decoded: null })) ?? null);
      const { chainId: chain_id, name: chain_name } = chain;
      return JSON.stringify({ ...one, log_events: logs, chain_id, chain_name });
    });
    return { json: JSON.stringify(lines) };
  });
}

async function writeTransactions(
  question: TransactionsQuestion,
  context: AnswerContext,
): Promise<string> {
  const { chains, addresses, side, cursor, limit, currency } = question;
  checkChains(chains);
  const list = `${chains.map(({ chainId }) => chainId)} ${addresses}`;
  const cuts = cursor === undefined ? new Map<number, ChainCut>() : readCuts(list, cursor);
  const page = await readMerged(chains, { addresses, side, cuts, limit }, context);
  const lines = new Map<ChainData, string[]>();
  for (const one of page.chains) {
    lines.set(one.chain, await writeItems(one, page, question, context));
  }
  const items = page.places.map(({ chain }) => lines.get(chain)?.shift() as string);
  const write = (way: 'before' | 'after') =>
    writeCuts(
      list,
      page.chains.map((one) => ({ chainId: one.chain.chainId, head: one.at, cut: one[way] })),
    );
  const before = {
    updated_at: new Date().toISOString(),
    // Older ones than what stands behind a page of newer ones have been seen.
    cursor_before: side === 'newer' || page.hasMore ? write('before') : null,
    cursor_after: write('after'),
    quote_currency: currency,
    chains: page.chains.map(({ chain, at }) => toChainBlock(chain, at)),
  };
  return new PieceWriter(context.pause).list(before, ['items', items], (line) => line);
}

export const allTransactions: DataRoute = ({ served }) =>
  defineRoute<ChainData | undefined>()({
    title: 'transactions on several chains',
    path: '/v1/allchains/transactions/',
    summary: 'The transactions of several addresses on several chains',
    description,
    query: {
      chains: chainsParameter(served),
      'quote-currency': quoteCurrency,
      limit: numberRule(() => [1, mostItems], {
        description: `Transactions of a page: 1 to ${mostItems}; ${usualItems} if it is not given`,
      }),
      before: cursor.openapi({ description: '`cursor_before` of an answer' }),
      after,
      'with-logs': flagParameter.openapi({ description: 'Whether `log_events` is given' }),
      'with-decoded-logs': flagParameter.openapi({
        description: 'Whether it is given with `decoded`, too',
      }),
      // The last one, so that what is wrong besides is told, too.
      addresses,
    },
    answer: enveloped({
      name: 'AllTransactions',
      description: 'A page of transactions',
      data: z.object({
        updated_at: z.string(),
        cursor_before: text,
        cursor_after: text,
        quote_currency: z.string(),
        chains: z.array(chainBlock),
        items: z.array(item),
      }),
    }),
    question: ({ chains, addresses, before, after, limit = usualItems, ...read }) => ({
      ...{ chains, addresses, limit, currency: read['quote-currency'] ?? 'USD' },
      ...{ side: after === undefined ? ('older' as const) : ('newer' as const) },
      ...{ cursor: before ?? after },
      ...{ withLogs: read['with-logs'], isDecoded: read['with-decoded-logs'] },
    }),
    cost: ({ limit }) => limit,
    peek: () => undefined,
    answerTo: async (_, question: TransactionsQuestion, context) =>
      toAnswer(await writeTransactions(question, context)),
  });
