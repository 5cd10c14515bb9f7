/** The transactions of a wallet: the newest page, or a page by its number. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import { addressParameter, flagParameter, numberRule } from '../../rest/table.js';
import { finalHash, findFinal } from '../common/blocks.js';
import { createCursors, keyWidths } from '../common/cursor.js';
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
import { links, type PageLinks } from '../common/links.js';
import { cursor } from '../common/parameters.js';
import {
  citeEach,
  historicItems,
  proofsQuery,
  toProofs,
  transactionPlace,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { count, cursorPagination, head, hex } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findIndexed } from '../items/indexed.js';
import { transactionItem } from '../items/transactionItem.js';
import {
  partsKey,
  toParts,
  toTransactionItems,
  transactionQuery,
  type WantedParts,
} from '../items/transactions.js';
import { readPageBefore, readWalletPage, type WalletPage, walletPageSize } from './walletPages.js';

interface PageQuestion extends ProofsQuestion {
  readonly address: Hex;
  /** Undefined: the newest. */
  readonly page: number | undefined;
  /** What an answer gave; the page counts for nothing then. */
  readonly cursor: string | undefined;
  readonly isAscending: boolean;
  readonly parts: WantedParts;
  readonly base: string;
}

const query = {
  ...transactionQuery,
  ...proofsQuery,
  cursor,
  'block-signed-at-asc': flagParameter.openapi({
    description: 'Whether a page begins with its oldest one',
  }),
};

/** What both routes read. */
type PageRead = Parameters<typeof toParts>[0] &
  Parameters<typeof toProofs>[0] & {
    readonly address: Hex;
    readonly cursor: string | undefined;
    readonly 'block-signed-at-asc': boolean;
  };

const toQuestion = (
  read: PageRead,
  { base, page }: Pick<PageQuestion, 'base' | 'page'>,
): PageQuestion => ({
  address: read.address,
  page,
  cursor: read.cursor,
  isAscending: read['block-signed-at-asc'],
  parts: toParts(read),
  base,
  ...toProofs(read),
});

const page = z.object({
  ...head,
  address: hex(20),
  quote_currency: z.string(),
  current_page: count,
  links,
  pagination: cursorPagination,
  ...historicItems(transactionItem),
});

const keyOf = ({ address, page, cursor, isAscending, parts, base }: PageQuestion) =>
  `transactions ${address} ${page} ${cursor} ${isAscending} ${partsKey(parts)} ${base}`;

/** The key of a cursor: the oldest transaction of the page that gave it. */
const cursors = createCursors('transactions', [keyWidths.block, keyWidths.place]);

const listOfCursor = ({ chain }: ChainContext, address: Hex) => `${chain.id} ${address}`;

/** @throws HttpError, RpcError, NodeError */
async function findPage(
  { address, page, cursor }: PageQuestion,
  place: { access: ChainContext; at: BalanceBlock },
): Promise<WalletPage> {
  const { access } = place;
  if (cursor === undefined) return readWalletPage(access, address, page);
  const list = listOfCursor(access, address);
  const { page: number, after } = await cursors.open(list, cursor, place);
  const [block, transaction] = after.map(Number) as [number, number];
  return readPageBefore(access, address, { page: number, before: { block, transaction } });
}

async function writePage(question: PageQuestion, { access, ...working }: Working) {
  const { name, context } = working;
  const { address, isAscending, parts, base } = question;
  await context.pause();
  const final = await findFinal(access);
  const { at, found } = await readSettled(access, (top) => findPage(question, { access, at: top }));
  const { places, page, newest, isFollowed } = found;
  const mined = await findIndexed(places, access, context, parts);
  const last = mined.at(-1)?.block;
  const isFinal = last !== undefined && last.number <= final;
  const ordered = isAscending ? mined : [...mined].reverse();
  const told = await toTransactionItems(ordered, parts, { access, context, isFinal });
  const linkTo = (number: number) =>
    `${base}/v1/${name}/address/${address}/transactions_v3/page/${number}/`;
  const around: PageLinks = {
    prev: page > 0 ? linkTo(Math.min(page - 1, newest)) : null,
    next: page < newest ? linkTo(page + 1) : null,
  };
  const isNumbered = question.page !== undefined || question.cursor !== undefined;
  const kept = told.isFinal && isFollowed && isNumbered ? last : undefined;
  const of = kept ?? at;
  const [oldest] = places;
  const cursor =
    page > 0 && oldest
      ? cursors.write(listOfCursor(access, address), {
          ...{ head: of, page: page - 1 },
          after: [oldest.block, oldest.transaction],
        })
      : undefined;
  const before = {
    ...toHead(access.chain, of),
    ...{ address, quote_currency: parts.quoteCurrency, current_page: page, links: around },
    pagination: toPagination({ number: page, size: walletPageSize, total: undefined, cursor }),
  };
  const cited = await citeEach(told.items, working, transactionPlace, wholeTransaction);
  return {
    ...{ json: await writeProvenList(before, cited, working), of: at },
    final: kept && finalHash(kept, final),
  };
}

const answers = provable(keyOf, writePage, 'answerNewest');

const description = `Transactions that the wallet sent or received, that created it, that moved a token of it, or in which it approved
something. Pages hold ${walletPageSize} and are numbered from the oldest, which is on page 0: a full page of final blocks never changes. \`prev\` leads to
the page of older ones, and so does \`pagination.cursor\`, from anywhere in a long list: with it, the number in the path counts for nothing.`;

export const walletTransactions: DataRoute = (data) =>
  defineChainRoute({
    title: 'transactions of a wallet',
    path: '/v1/{chain_name}/address/{address}/transactions_v3/',
    summary: 'The newest transactions of a wallet',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query,
    answer: enveloped({
      name: 'WalletTransactions',
      description: 'The newest page',
      data: page,
    }),
    question: (read, { base }) => toQuestion(read, { base, page: undefined }),
    cost: () => 1,
    ...answers,
  });

export const walletTransactionsPage: DataRoute = (data) =>
  defineChainRoute({
    title: 'transactions of a wallet',
    path: '/v1/{chain_name}/address/{address}/transactions_v3/page/{page_number}/',
    summary: 'The transactions of a wallet, a page at a time',
    description,
    params: {
      chain_name: chainName(data),
      address: addressParameter,
      page_number: numberRule(() => [0, 10 ** 9 - 1], { description: 'From 0, the oldest' }),
    },
    query,
    answer: enveloped({ name: 'WalletTransactionsPage', description: 'The page', data: page }),
    question: (read, { base }) => toQuestion(read, { base, page: read.page_number as number }),
    cost: () => 1,
    ...answers,
  });
