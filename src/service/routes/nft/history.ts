/** `GET /v1/{chain_name}/tokens/{contract_address}/nft_transactions/{token_id}/`: the transactions that moved a token. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { cleanUrl } from '../../../decode/receipt/text.js';
import { unknownToken } from '../../chain/tokens.js';
import { learnTokens } from '../../data/names.js';
import { type ItemTransaction, readItemHistory } from '../../nfts/itemHistory.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
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
import { PieceWriter, toHead } from '../common/json.js';
import { type KeyedList, readKeyedPage } from '../common/keyedPages.js';
import {
  type PageQuestion,
  quoteCurrency,
  tokenIdParameter,
  toWholePage,
  wholePageQuery,
} from '../common/parameters.js';
import {
  citeEach,
  pageHistory,
  proofsQuery,
  provenItems,
  toProofs,
  transactionPlace,
  wholeTransaction,
  writeProvenList,
} from '../common/proofs.js';
import { cursorPagination, head, number, text } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findIndexed } from '../items/indexed.js';
import { transactionItem } from '../items/transactionItem.js';
import { toTransactionItems } from '../items/transactions.js';
import { contractMembers, toContractMembers } from './nftItem.js';

const description = `Transactions that moved the tokens of one id, the newest first: at most 1,000, \`cursor\` leads on. They are what the events of the contract say; tokens that came together
(ERC-2309) have the transaction that made all of them. A token that never moved has no item.`;

const item = z.object({
  ...contractMembers,
  contract_decimals: number,
  logo_url: text,
  supports_erc: z.array(z.string()).nullable(),
  nft_transactions: z.array(transactionItem),
});

interface HistoryQuestion extends ProofsQuestion {
  readonly contract: Hex;
  /** In decimal. */
  readonly id: string;
  readonly noLogs: boolean;
  readonly quoteCurrency: string;
  readonly page: PageQuestion;
}

const cursors = createCursors('nft transactions', [
  ...[keyWidths.block, keyWidths.place, keyWidths.place],
]);

function listOf(
  { contract, id }: HistoryQuestion,
  { access: { index }, context }: Working,
): KeyedList<ItemTransaction, ItemTransaction> {
  const of = { contract, id: BigInt(id) };
  return {
    ...{ name: 'nft transactions', of: `${contract} ${id}`, cursors },
    toNumbers: ({ block, transaction, log }) => [block, transaction, log],
    fromNumbers: (numbers) => {
      const [block, transaction, log] = numbers.map(Number) as [number, number, number];
      return { block, transaction, log };
    },
    read: (part) => readItemHistory(index, of, part, context),
    count: async (limit) =>
      (await readItemHistory(index, of, { after: undefined, limit }, context)).length,
  };
}

async function writeHistory(question: HistoryQuestion, working: Working) {
  const { access, context, prover } = working;
  const { contract, noLogs, quoteCurrency, page } = question;
  const list = listOf(question, working);
  const { at, found } = await readSettled(access, (top) =>
    readKeyedPage(list, page, { access, at: top, context }),
  );
  const mined = await findIndexed(found.items, access, context, { noLogs });
  const wanted = { quoteCurrency, noLogs, internal: false, state: false, input: false };
  const told = await toTransactionItems(mined, wanted, { access, context, isFinal: false });
  const { pause } = context;
  const names = await learnTokens([contract], { book: access.tokens, isFinal: false, pause });
  const token = names.tokens.get(contract) ?? unknownToken(contract);
  const { decimals, logo, standards } = token;
  const members = {
    ...toContractMembers(contract, token),
    contract_decimals: decimals ?? null,
    logo_url: cleanUrl(logo) ?? null,
    supports_erc: standards ?? null,
  };
  const cited = await citeEach(told.items, working, transactionPlace, wholeTransaction);
  const isProven = ({ accounts }: { accounts: unknown }) => accounts !== undefined;
  // All in one item, but those that cannot be proven are in one of their own.
  const parts = prover ? [cited.filter(isProven), cited.filter((one) => !isProven(one))] : [cited];
  const items = parts
    .filter((part) => part.length > 0)
    .map((part) => ({
      item: { ...members, nft_transactions: part.map(({ item }) => item) },
      accounts: part[0]?.accounts,
    }));
  const writer = new PieceWriter(pause);
  const json = await writeProvenList(
    { ...toHead(access.chain, at), pagination: found.pagination },
    items,
    working,
    ({ nft_transactions: transactions, ...rest }) =>
      writer.list(rest, ['nft_transactions', transactions]),
  );
  return { json, of: at };
}

const keyOf = (question: HistoryQuestion) => `nft transactions ${JSON.stringify(question)}`;

export const tokenHistory: DataRoute = (data) =>
  defineChainRoute({
    title: 'transactions of a token',
    path: '/v1/{chain_name}/tokens/{contract_address}/nft_transactions/{token_id}/',
    summary: 'The transactions that moved an ERC-721 or ERC-1155 token',
    description,
    params: {
      ...{ chain_name: chainName(data), contract_address: addressParameter },
      token_id: tokenIdParameter,
    },
    query: {
      // Nothing here is known to be spam, so there is nothing to leave out.
      'no-spam': flagParameter,
      'no-logs': flagParameter.openapi({ description: 'Whether `log_events` is null' }),
      'quote-currency': quoteCurrency,
      ...proofsQuery,
      ...wholePageQuery,
    },
    answer: enveloped({
      name: 'TokenTransactions',
      description: 'A page of transactions',
      data: z.object({
        ...head,
        pagination: cursorPagination,
        ...provenItems(item),
        history: pageHistory,
      }),
    }),
    question: ({ contract_address: contract, token_id: id, ...read }): HistoryQuestion => ({
      ...{ contract, id, noLogs: read['no-logs'], page: toWholePage(read), ...toProofs(read) },
      quoteCurrency: read['quote-currency'] ?? 'USD',
    }),
    cost: () => 1,
    ...provable(keyOf, writeHistory, 'answerNewest'),
  });
