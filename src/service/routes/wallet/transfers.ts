/** `GET /v1/{chain_name}/address/{address}/transfers_v2/`: the transfers of a wallet's ERC-20 tokens. */
import { z } from '@hono/zod-openapi';
import type { ChainContext } from '../../data/balances.js';
import type { BalanceBlock } from '../../data/indexHead.js';
import type { AnswerContext } from '../../jsonrpc/method.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
import { findFinal } from '../common/blocks.js';
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
import { PieceWriter, toHead, toPagination } from '../common/json.js';
import { type PageQuestion, pageQuery, quoteCurrency, toPage } from '../common/parameters.js';
import {
  citeEach,
  historicItems,
  proofsQuery,
  toProofs,
  transactionPlace,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { cursorPagination, head, hex } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import {
  type BlockSpan,
  type NamedSpan,
  provableSpan,
  spanQuery,
  toNamedSpan,
  toSpan,
} from '../common/span.js';
import { type TransferWish, toTransferItems, transferItem } from './transferItems.js';
import { readTransferPage, type TransferKey, type TransferList } from './transferPages.js';

interface TransfersQuestion extends TransferWish, ProofsQuestion {
  readonly span: NamedSpan;
  readonly page: PageQuestion;
}

const cursors = createCursors('transfers', [
  ...[keyWidths.block, keyWidths.place, keyWidths.place],
]);

/** All that decides what is listed, for cursors and bookmarks. */
const nameOf = ({ chain }: ChainContext, question: TransfersQuestion) => {
  const { wallet, contract, isAscending, span } = question;
  return JSON.stringify([chain.id, wallet, contract ?? null, isAscending, span.from, span.to]);
};

/** Where a cursor leads; undefined without one. @throws HttpError, RpcError, NodeError */
async function findBegin(
  question: TransfersQuestion,
  { from, to }: BlockSpan,
  place: { access: ChainContext; at: BalanceBlock },
) {
  const { cursor } = question.page;
  if (cursor === undefined) return undefined;
  const { page, after } = await cursors.open(nameOf(place.access, question), cursor, place);
  const key = after.map(Number) as [number, number, number];
  if (key[0] < from || key[0] > to) throw wrongCursor();
  return { page, key: key as TransferKey };
}

/** A page of the list at a block. */
async function findPage(
  question: TransfersQuestion,
  { access, at }: { access: ChainContext; at: HashedBlock },
  context: AnswerContext,
) {
  const { bookmarks } = access;
  const { wallet, contract, isAscending, page } = question;
  const span = toSpan(question.span, at);
  const begin = await findBegin(question, span, { access, at });
  const order = isAscending ? 'oldest' : 'newest';
  const list: TransferList = { wallet, contract, span, order };
  const name = `transfers ${nameOf(access, question)} ${page.size} ${at.hash}`;
  const known = begin ? undefined : bookmarks.find<TransferKey>(name, page.number);
  const after = begin?.key ?? known;
  const skip = after === undefined ? page.number : 0;
  const found = await readTransferPage(access, list, { size: page.size, after, skip }, context);
  const { places, end } = found;
  // A client may have made up a cursor: no other one may come upon its pages by their numbers.
  if (begin !== undefined) return { span, places, end, total: undefined, number: begin.page };
  const total = found.total ?? bookmarks.find<number>(name, 'total');
  if (end !== undefined) bookmarks.note(name, page.number + 1, end);
  if (total !== undefined) bookmarks.note(name, 'total', total);
  return { span, places, end, total, number: page.number };
}

async function writePage(asked: TransfersQuestion, { access, ...working }: Working) {
  const { context, history } = working;
  const question = { ...asked, span: provableSpan(asked.span, history?.newest) };
  const { wallet, quoteCurrency, page } = question;
  const final = await findFinal(access);
  const { at, found } = await readSettled(access, (top) =>
    findPage(question, { access, at: top }, context),
  );
  const { span, places, end, total, number } = found;
  const isFinal = span.to <= final;
  const told = await toTransferItems(places, question, { access, context, isFinal });
  // Nothing comes into a range that ends with a final block.
  const isKept = told.isFinal && question.span.to !== 'latest';
  const of = isKept ? await heldBlock(access.ledger, span.to) : at;
  const before = {
    ...toHead(access.chain, of),
    ...{ address: wallet, quote_currency: quoteCurrency },
    pagination: toPagination({
      ...{ number, size: page.size, total },
      cursor:
        end && cursors.write(nameOf(access, question), { head: of, page: number + 1, after: end }),
    }),
  };
  const writer = new PieceWriter(context.pause);
  const cited = await citeEach(told.items, working, transactionPlace, wholeTransaction);
  const json = await writeProvenList(before, cited, working, ({ transfers, ...item }) =>
    writer.list(item, ['transfers', transfers]),
  );
  return { json, of: at, final: isKept ? of.hash : undefined };
}

const keyOf = (question: TransfersQuestion) => `transfers ${JSON.stringify(question)}`;

const description = `Transfers of ERC-20 tokens that the wallet sent or received, and wrapped native tokens that it made or gave back: those of one
contract or, ours, of all. An item is a transaction, with its transfers of the wallet in it, the newest first; a transfer to oneself has two
entries. Without \`contract-address\`, a page may have fewer items than \`page-size\`, or none: transactions that moved only tokens with ids are
left out of it; \`has_more\` says whether there is another one. While blocks come, pages by their numbers begin further on: go on by cursor, or
name \`ending-block\`. A page has at most 20000 transfers, unless they are of one transaction.`;

export const transfers: DataRoute = (data) =>
  defineChainRoute({
    title: 'transfers of a wallet',
    path: '/v1/{chain_name}/address/{address}/transfers_v2/',
    summary: 'The transfers of ERC-20 tokens of a wallet',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query: {
      'quote-currency': quoteCurrency,
      'contract-address': addressParameter
        .optional()
        .openapi({ description: 'Default: all contracts' }),
      ...spanQuery,
      'block-signed-at-asc': flagParameter.openapi({
        description: 'Whether the oldest comes first',
      }),
      ...proofsQuery,
      ...pageQuery,
    },
    answer: enveloped({
      name: 'Transfers',
      description: 'A page of transactions',
      data: z.object({
        ...head,
        address: hex(20),
        quote_currency: z.string(),
        pagination: cursorPagination,
        ...historicItems(transferItem),
      }),
    }),
    question: ({ address: wallet, ...read }): TransfersQuestion => ({
      wallet,
      contract: read['contract-address'],
      quoteCurrency: read['quote-currency'] ?? 'USD',
      isAscending: read['block-signed-at-asc'],
      span: toNamedSpan(read),
      page: toPage(read),
      ...toProofs(read),
    }),
    cost: () => 1,
    ...provable(keyOf, writePage, 'answerNewest'),
  });
