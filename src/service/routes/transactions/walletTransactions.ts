/** The transactions of a wallet: the newest page, or a page by its number. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { ChainData } from '../../data/chainData.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { address, flag, numberRule } from '../../rest/table.js';
import { finalHash, findFinal } from '../common/blocks.js';
import { chainName, type DataRoute, defineChainRoute, enveloped } from '../common/dataRoute.js';
import { toHead, writeList } from '../common/json.js';
import { type Links, links } from '../common/links.js';
import { count, head, hex } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findIndexed } from '../items/indexed.js';
import { transactionItem } from '../items/transactionItem.js';
import {
  partsKey,
  type TransactionParts,
  toParts,
  toTransactionItems,
  transactionQuery,
} from '../items/transactions.js';
import { pageSize, readWalletPage } from './walletPages.js';

interface PageQuestion {
  readonly address: Hex;
  /** Undefined: the newest. */
  readonly page: number | undefined;
  readonly isAscending: boolean;
  readonly parts: TransactionParts;
  readonly base: string;
}

const query = {
  ...transactionQuery,
  'block-signed-at-asc': flag.openapi({ description: 'Whether a page begins with its oldest one' }),
};

const page = z.object({
  ...head,
  address: hex(20),
  quote_currency: z.string(),
  current_page: count,
  links,
  items: z.array(transactionItem),
});

const keyOf = ({ address, page, isAscending, parts, base }: PageQuestion) =>
  `transactions ${address} ${page} ${isAscending} ${partsKey(parts)} ${base}`;

const answerPage = (chain: ChainData, question: PageQuestion, context: AnswerContext) =>
  chain.answerNewest(keyOf(question), async (access) => {
    const { address, isAscending, parts, base } = question;
    await context.pause();
    const final = await findFinal(access);
    const { at, found } = await readSettled(access, () =>
      readWalletPage(access, address, question.page),
    );
    const { places, page, newest, isFollowed } = found;
    const mined = await findIndexed(places, access, context, parts);
    const last = mined.at(-1)?.block;
    const isFinal = last !== undefined && last.number <= final;
    const ordered = isAscending ? mined : [...mined].reverse();
    const told = await toTransactionItems(ordered, parts, { access, context, isFinal });
    const linkTo = (number: number) =>
      `${base}/v1/${chain.name}/address/${address}/transactions_v3/page/${number}/`;
    const around: Links = {
      prev: page > 0 ? linkTo(Math.min(page - 1, newest)) : null,
      next: page < newest ? linkTo(page + 1) : null,
    };
    const isKept = told.isFinal && isFollowed && question.page !== undefined;
    const of = isKept ? { number: last?.number ?? 0, hash: last?.hash } : at;
    const before = {
      ...toHead(access.chain, of),
      ...{ address, quote_currency: parts.quoteCurrency, current_page: page, links: around },
    };
    return {
      ...{ json: await writeList(before, told.items, context.pause), of: at },
      final: isKept && last ? finalHash(last, final) : undefined,
    };
  });

const description = `Transactions that the wallet sent or received, that created it, that moved a token of it, or in which it approved
something. Pages hold ${pageSize} and are numbered from the oldest, which is on page 0: a full page of final blocks never changes. \`prev\` leads to
the page of older ones.`;

export const walletTransactions: DataRoute = (data) =>
  defineChainRoute({
    title: 'transactions of a wallet',
    path: '/v1/{chain_name}/address/{address}/transactions_v3/',
    summary: 'The newest transactions of a wallet',
    description,
    params: { chain_name: chainName(data), address },
    query,
    answer: enveloped({
      name: 'WalletTransactions',
      description: 'The newest page',
      data: page,
    }),
    question: (
      { address, 'block-signed-at-asc': isAscending, ...read },
      { base },
    ): PageQuestion => ({
      ...{ address, page: undefined, isAscending, parts: toParts(read), base },
    }),
    cost: () => 1,
    peek: (chain, question) => chain.peek(keyOf(question)),
    answerTo: answerPage,
  });

export const walletTransactionsPage: DataRoute = (data) =>
  defineChainRoute({
    title: 'transactions of a wallet',
    path: '/v1/{chain_name}/address/{address}/transactions_v3/page/{page_number}/',
    summary: 'The transactions of a wallet, a page at a time',
    description,
    params: {
      chain_name: chainName(data),
      address,
      page_number: numberRule(() => [0, 10 ** 9 - 1], { description: 'From 0, the oldest' }),
    },
    query,
    answer: enveloped({ name: 'WalletTransactionsPage', description: 'The page', data: page }),
    question(read, { base }): PageQuestion {
      const { address, page_number: page, 'block-signed-at-asc': isAscending } = read;
      return { address, page: page as number, isAscending, parts: toParts(read), base };
    },
    cost: () => 1,
    peek: (chain, question) => chain.peek(keyOf(question)),
    answerTo: answerPage,
  });
