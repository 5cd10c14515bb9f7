/** The transactions of a block: a page of them by its number, or all by its hash. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import type { LedgerBlock } from '../../ledger/types.js';
import { numberRule } from '../../rest/table.js';
import { badRequest, finalHash, findBlock, findFinal, notFound } from '../common/blocks.js';
import { createCursors, cursorOffChain } from '../common/cursor.js';
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
import { blockName, cursor, hashParameter, type NumberOrLatest } from '../common/parameters.js';
import {
  citeEach,
  historicItems,
  proofsQuery,
  toProofs,
  transactionPlace,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { cursorPagination, head } from '../common/schemas.js';
import { transactionItem } from '../items/transactionItem.js';
import {
  partsKey,
  toParts,
  toTransactionItems,
  transactionQuery,
  type WantedParts,
} from '../items/transactions.js';

/** Transactions of a page, and in one answer at most. */
const pageSize = 100;
const mostTransactions = 10_000;

interface Wanted {
  readonly block: LedgerBlock;
  readonly final: number;
  readonly from: number;
  readonly to: number;
  readonly parts: WantedParts;
  /** Further members of the answer. */
  readonly more: object;
}

async function writeTransactions(
  { block, final, from, to, parts, more }: Wanted,
  { access, ...working }: Working,
) {
  const { context, history } = working;
  context.charge(1);
  await context.pause();
  const pairs = await access.ledger.transactionsOf(block);
  const mined = pairs.slice(from, to).map((pair) => ({ ...pair, block }));
  const isFinal = block.number <= final;
  const told = await toTransactionItems(mined, parts, { access, context, isFinal });
  // A block without transactions is proven as well.
  await history?.cite({ block: block.number }, wholeTransaction, context);
  const cited = await citeEach(told.items, working, transactionPlace, wholeTransaction);
  const before = { ...toHead(access.chain, block), ...more };
  return {
    json: await writeProvenList(before, cited, working),
    final: told.isFinal ? finalHash(block, final) : undefined,
  };
}

interface PageQuestion extends ProofsQuestion {
  readonly height: NumberOrLatest;
  /** From 0. */
  readonly page: number;
  /** What an answer gave; the page counts for nothing then. */
  readonly cursor: string | undefined;
  readonly parts: WantedParts;
  readonly base: string;
}

const keyOf = ({ height, page, cursor, parts, base }: PageQuestion) =>
  `in block ${height} ${page} ${cursor} ${partsKey(parts)} ${base}`;

/** The number of its page says all of a cursor: a block never gets another transaction. */
const cursors = createCursors('transactions of a block', []);

/** The block of a question, and which page of it is wanted. @throws HttpError, RpcError, NodeError */
async function findPage(
  { height, page, cursor }: PageQuestion,
  { access, at }: { access: ChainContext; at: Pick<BalanceBlock, 'number'> },
) {
  const list = `${access.chain.id} ${height}`;
  if (cursor === undefined) return { list, block: await findBlock(access, height, at), page };
  // The newest block of the first page may be another one by now.
  const { head, page: number } = cursors.read(list, cursor);
  const block = await access.ledger.blockOf(head.hash);
  if (block?.number !== head.number) throw cursorOffChain();
  return { list, block, page: number };
}

async function writePage(question: PageQuestion, working: Working) {
  const { access, name, context, history } = working;
  const at = history ? { number: history.newest } : working.at;
  const { height, parts, base } = question;
  await context.pause();
  const final = await findFinal(access);
  const { list, block, page } = await findPage(question, { access, at });
  const from = pageSize * page;
  const to = from + pageSize;
  const total = block.transactions.length;
  const linkTo = (number: number) =>
    `${base}/v1/${name}/block/${block.number}/transactions_v3/page/${number}/`;
  const around: PageLinks = {
    prev: page > 0 && from <= total ? linkTo(page - 1) : null,
    next: to < total ? linkTo(page + 1) : null,
  };
  const next =
    to < total ? cursors.write(list, { head: block, page: page + 1, after: [] }) : undefined;
  const pagination = toPagination({ number: page, size: pageSize, total, cursor: next });
  const wanted = { block, final, from, to, parts, more: { links: around, pagination } };
  const found = await writeTransactions(wanted, working);
  return height === 'latest' ? { json: found.json } : found;
}

export const blockTransactions: DataRoute = (data) =>
  defineChainRoute({
    title: 'transactions of a block',
    path: '/v1/{chain_name}/block/{block_height}/transactions_v3/page/{page_number}/',
    summary: 'The transactions of a block, a page at a time',
    description: `Pages hold ${pageSize} transactions, in the order of the block; the first page is 0. \`prev\` leads to the page of
earlier places in the block, \`next\` to that of later ones, as \`pagination.cursor\` does: with it, the number in the path counts for nothing, and
\`latest\` is the block that the cursor is of.`,
    params: {
      chain_name: chainName(data),
      block_height: blockName,
      page_number: numberRule(() => [0, 10 ** 6], { description: 'From 0' }),
    },
    query: { ...transactionQuery, cursor, ...proofsQuery },
    answer: enveloped({
      name: 'BlockTransactions',
      description: 'A page of transactions',
      data: z.object({
        ...head,
        links,
        pagination: cursorPagination,
        ...historicItems(transactionItem),
      }),
    }),
    question: (read, { base }) => ({
      height: read.block_height,
      page: read.page_number as number,
      cursor: read.cursor,
      base,
      parts: toParts(read),
      ...toProofs(read),
    }),
    cost: () => 1,
    ...provable(keyOf, writePage),
  });

interface HashQuestion extends ProofsQuestion {
  readonly hash: Hex;
  readonly parts: WantedParts;
}

export const blockHashTransactions: DataRoute = (data) =>
  defineChainRoute({
    title: 'transactions of a block',
    path: '/v1/{chain_name}/block_hash/{block_hash}/transactions_v3/',
    summary: 'All transactions of a block',
    description: `In the order of the block; of a block with more than ${mostTransactions}, pages have to be asked for.`,
    params: { chain_name: chainName(data), block_hash: hashParameter },
    query: { ...transactionQuery, ...proofsQuery },
    answer: enveloped({
      name: 'BlockHashTransactions',
      description: 'The transactions',
      data: z.object({ ...head, ...historicItems(transactionItem) }),
    }),
    question: (read) => ({ hash: read.block_hash, parts: toParts(read), ...toProofs(read) }),
    cost: () => 1,
    ...provable(
      ({ hash, parts }: HashQuestion) => `in block ${hash} ${partsKey(parts)}`,
      async ({ hash, parts }, working) => {
        const { access, context } = working;
        await context.pause();
        const final = await findFinal(access);
        const block = await access.ledger.blockOf(hash);
        if (block === undefined) throw notFound('The chain has no block of this hash');
        const to = block.transactions.length;
        if (to > mostTransactions) {
          throw badRequest(`The block has ${to} transactions; ask for its pages by its number`);
        }
        const wanted = { block, final, from: 0, to, parts, more: {} };
        return writeTransactions(wanted, working);
      },
    ),
  });
