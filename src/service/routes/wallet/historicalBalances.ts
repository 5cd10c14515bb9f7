/** `GET /v1/{chain_name}/address/{address}/historical_balances/`: what a wallet held at an older block. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { nativeAddress } from '../../../decode/index.js';
import { heldAt } from '../../data/held.js';
import { type FormatContext, nativeItem, tokenItem } from '../../data/items.js';
import { learnTokens } from '../../data/names.js';
import { findPastHoldings } from '../../data/pastHoldings.js';
import { findPastState } from '../../data/pastState.js';
import { citeHeld } from '../../data/provenHeld.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { addressParameter, flagParameter } from '../../rest/table.js';
import { finalHash, findFinal } from '../common/blocks.js';
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
import {
  type PageQuestion,
  quoteCurrency,
  toWholePage,
  wholePageQuery,
} from '../common/parameters.js';
import { findPast, type PastQuestion, pastQuery, toPast } from '../common/pastBlock.js';
import { proofsAlone, provenItems, toProofs, writeProvenList } from '../common/proofs.js';
import {
  amount,
  count,
  cursorPagination,
  head,
  heldToken,
  hex,
  number,
  text,
} from '../common/schemas.js';
import { readHoldingPage } from '../items/holdingPages.js';
import { findPastPrices } from '../items/pastPrices.js';
import { nft } from './balances.js';

const description = `What \`balances_v2\` says, at an older block: \`block-height\`, or the last block of \`date\`. The contracts say the amounts at that block, so its
state must be held: by the node, which is an archive node then, or by a state of the service's own. Which contracts are asked is what the index knows of transfers up to
that block. Quotes are by the prices of that block's day. \`nft_data\` lists at most 100 tokens of a contract, those that the wallet still has first: it may lack some
that were sent away since, and the \`balance\` of an ERC-721 contract counts all. Ours are \`block_hash\` and paging: a page is made of so many holdings, and so may be short or empty.
Ours too: with \`proofs=true\`, if the service has a state of its own that holds the block, items carry proofs as those of \`balances_v2\` do.`;

const item = z.object({
  ...heldToken,
  block_height: count,
  last_transferred_block_height: count.nullable().openapi({
    description: 'The last block up to then with a transfer; null if the index does not know it',
  }),
  last_transferred_at: text,
  native_token: z.boolean(),
  type: z.string().openapi({ description: '`cryptocurrency` or `nft`', examples: ['nft'] }),
  is_spam: z.boolean(),
  balance: amount,
  quote_rate: number,
  quote: number,
  pretty_quote: text,
  protocol_metadata: z.null(),
  nft_data: z.array(nft).nullable(),
});

interface HistoryQuestion extends PastQuestion, ProofsQuestion {
  readonly wallet: Hex;
  readonly currency: string;
  readonly page: PageQuestion;
}

async function writeBalances(question: HistoryQuestion, working: Working) {
  const { access, at, context } = working;
  const { chain, index, ledger } = access;
  const { wallet, currency, page: asked } = question;
  const final = await findFinal(access);
  const past = await findPast(question, access, at);
  const { number: block, hash } = past ?? at;
  const list = { wallet, of: `${question.block} ${question.day}`, standard: undefined };
  const page = await readHoldingPage(list, asked, working, { number: block, hash });
  context.charge(1);
  const { amounts, balance } = await findPastState(access, wallet, block);
  const holdings = await findPastHoldings(access, page.holdings, { wallet, block, context });
  const held = await heldAt(
    holdings,
    { wallet, block, pause: context.pause },
    { index, amounts, charge: context.charge },
  );
  const contracts = held.map(({ holding }) => holding.contract);
  const isFinal = block <= final;
  const named = await learnTokens(contracts, {
    ...{ book: access.tokens, isFinal, pause: context.pause },
  });
  const of = await heldBlock(ledger, block);
  const { timestamp } = of;
  const tokens: Hex[] = [nativeAddress, ...contracts];
  const prices = await findPastPrices(access, currency, [{ timestamp, tokens }]);
  const known = new Set(holdings.filter(({ isKnown }) => isKnown).map((one) => one.lastBlock));
  const times = new Map<number, number>();
  for (const number of known) {
    const time = await index.blockTime(number);
    if (time !== undefined) times.set(number, time);
  }
  const format: FormatContext = {
    ...{ chain, tokens: named.tokens, times, block },
    prices: new Map(
      tokens.flatMap((token) => {
        const price = prices.at(timestamp, token);
        return price === undefined ? [] : [[token, price] as const];
      }),
    ),
  };
  const items = [
    ...(page.hasNative ? [toItem(nativeItem(balance, format), { block, last: undefined })] : []),
    ...held.map((one) => {
      const { lastBlock } = one.holding;
      const last = lastBlock <= block ? lastBlock : undefined;
      return toItem(tokenItem(one, wallet, format), { block, last });
    }),
  ];
  const listed = { wallet, held: [...(page.hasNative ? [undefined] : []), ...held], items };
  const cited = await citeHeld(listed, working);
  const before = {
    ...toHead(chain, of),
    ...{ address: wallet, quote_currency: currency, pagination: page.pagination },
  };
  // Events may still show that the wallet had a token then of which no transfer up to then is known.
  const isSure = page.isWhole && holdings.every(({ isKnown }) => isKnown);
  const isKept = past !== undefined && isFinal && isSure && named.isFinal && prices.isWhole;
  return {
    json: await writeProvenList(before, cited, working),
    final: isKept ? finalHash(of, final) : undefined,
  };
}

/** A balance of today's form. */
type Balance = ReturnType<typeof nativeItem> | ReturnType<typeof tokenItem>;

function toItem(
  balance: Balance,
  { block, last }: { readonly block: number; readonly last: number | undefined },
): z.input<typeof item> {
  const { balance_24h, quote_rate_24h, quote_24h, pretty_quote_24h, logo_urls, ...rest } = balance;
  return { ...rest, block_height: block, last_transferred_block_height: last ?? null };
}

const keyOf = (question: HistoryQuestion) => `history ${JSON.stringify(question)}`;

export const historicalBalances: DataRoute = (data) =>
  defineChainRoute({
    title: 'historical balances',
    path: '/v1/{chain_name}/address/{address}/historical_balances/',
    summary: 'What a wallet held at an older block',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query: {
      'quote-currency': quoteCurrency,
      // Nothing here is known to be spam, so there is nothing to leave out.
      'no-spam': flagParameter,
      ...proofsAlone,
      ...pastQuery,
      ...wholePageQuery,
    },
    answer: enveloped({
      name: 'HistoricalBalances',
      description: 'A page of balances',
      data: z.object({
        ...head,
        address: hex(20),
        quote_currency: z.string(),
        pagination: cursorPagination,
        ...provenItems(item),
      }),
    }),
    question: ({ address: wallet, ...read }): HistoryQuestion => ({
      ...{ wallet, currency: read['quote-currency'] ?? 'USD' },
      ...{ ...toPast(read), ...toProofs(read), page: toWholePage(read) },
    }),
    cost: () => 1,
    ...provable(keyOf, writeBalances),
  });
