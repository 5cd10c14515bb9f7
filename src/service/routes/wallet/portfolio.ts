/** `GET /v1/{chain_name}/address/{address}/portfolio_v2/`: what a wallet had day by day. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import type { Decimal } from '../../../decode/context/quote.js';
import { type Chain, nativeAddress, type TokenMetadata } from '../../../decode/index.js';
import { cleanName, cleanUrl } from '../../../decode/receipt/text.js';
import { unknownToken } from '../../chain/tokens.js';
import { learnNames } from '../../data/balances.js';
import { toQuote, toRate } from '../../data/items.js';
import {
  type Asset,
  type Day,
  type DayBalances,
  findDays,
  mostCalls,
  readPortfolio,
} from '../../data/portfolio.js';
import { addressParameter, numberRule } from '../../rest/table.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
  type Working,
} from '../common/dataRoute.js';
import { PieceWriter, toHead, toTime } from '../common/json.js';
import {
  type PageQuestion,
  quoteCurrency,
  toWholePage,
  wholePageQuery,
} from '../common/parameters.js';
import { amount, cursorPagination, head, hex, number, text, time } from '../common/schemas.js';
import { needReceipts } from '../common/settled.js';
import { readHoldingPage } from '../items/holdingPages.js';
import { findPastPrices } from '../items/pastPrices.js';

const description = `The native token and the ERC-20 tokens of a wallet, each with a holding for each day in UTC, the newest first. \`open\` and \`close\` are the balances
at the last block before the day begins and before it ends; the day that is not over ends with \`block_height\`. \`high\` and \`low\` also count the blocks of that day in which the wallet moved
the token (of the native token: had a part in a transaction), if they are at most 50. The contracts say all of it at these blocks, so their state must be held: by an archive node.
A \`balance\` is null if the contract does not say it. Quotes are by the price of the day. An answer takes at most ${mostCalls} balances, at a unit each.
Ours are \`block_height\`, \`block_hash\` and paging: a page is made of so many holdings of the index, and so may be short or empty.`;

const mostDays = 366;
const usualDays = 30;

const part = z.object({
  balance: amount.nullable(),
  quote: number,
  pretty_quote: text,
});

const item = z.object({
  contract_address: hex(20).openapi({ description: 'Of the native token: 0x and forty times e' }),
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  logo_url: text,
  holdings: z.array(
    z.object({
      timestamp: time.openapi({ description: 'At which the day begins' }),
      quote_rate: number,
      ...{ open: part, close: part, high: part, low: part },
    }),
  ),
});

interface PortfolioQuestion {
  readonly wallet: Hex;
  readonly currency: string;
  readonly days: number;
  readonly page: PageQuestion;
}

/** The members of an item about its token. */
function describeAsset(
  asset: Asset,
  { nativeToken }: Chain,
  tokens: ReadonlyMap<string, TokenMetadata>,
) {
  const token =
    asset === 'native'
      ? { ...nativeToken, address: nativeAddress }
      : (tokens.get(asset) ?? unknownToken(asset));
  const { name, symbol, decimals, logo, address } = token;
  return {
    contract_address: address,
    contract_decimals: decimals ?? null,
    contract_name: cleanName(name) ?? null,
    contract_ticker_symbol: cleanName(symbol) ?? null,
    logo_url: cleanUrl(logo) ?? null,
  };
}

function toHolding(
  { start }: Day,
  { open, close, high, low }: DayBalances,
  { decimals, price }: { decimals: number | null; price: Decimal | undefined },
) {
  const toPart = (balance: bigint | undefined) => {
    if (balance === undefined) return { balance: null, quote: null, pretty_quote: null };
    const { quote, pretty } = toQuote(balance, decimals ?? undefined, price);
    return { balance: String(balance), quote, pretty_quote: pretty };
  };
  return {
    timestamp: toTime(start),
    quote_rate: toRate(price),
    open: toPart(open),
    close: toPart(close),
    high: toPart(high),
    low: toPart(low),
  };
}

const addressOf = (asset: Asset): Hex => (asset === 'native' ? nativeAddress : asset);

async function writePortfolio(question: PortfolioQuestion, working: Working) {
  const { access, at, context } = working;
  const { chain, index } = access;
  const { wallet, currency, page: asked } = question;
  needReceipts(access);
  const days = await findDays(access, question.days, at, context);
  const list = { wallet, of: 'portfolio', standard: 'erc20' } as const;
  const page = await readHoldingPage(list, asked, working, at);
  const contracts = page.holdings.map(({ contract }) => contract);
  // Some ERC-721 contracts emit events of ERC-20 too: what they count are no amounts.
  const collections = await index.heldContracts(wallet, { standard: 'erc721', contracts });
  const fungible = contracts.filter((contract) => !collections.has(contract));
  const assets: Asset[] = [...(page.hasNative ? (['native'] as const) : []), ...fungible];
  const held = await readPortfolio(assets, days, { wallet, access, context });
  const listed = new Set(held.map(({ asset }) => asset));
  const seen = page.holdings.filter(({ contract }) => listed.has(contract));
  const tokens = await learnNames(access, seen, context);
  const priced = held.map(({ asset }) => addressOf(asset));
  const prices = await findPastPrices(
    access,
    currency,
    days.map(({ start }) => ({ timestamp: start, tokens: priced })),
  );
  const writer = new PieceWriter(context.pause);
  const before = {
    ...toHead(chain, at),
    ...{ address: wallet, quote_currency: currency, pagination: page.pagination },
  };
  const json = await writer.list(before, ['items', held], ({ asset, days: balances }) => {
    const described = describeAsset(asset, chain, tokens);
    const { contract_decimals: decimals } = described;
    const holdings = days.map((day, i) =>
      toHolding(day, balances[i] as DayBalances, {
        ...{ decimals, price: prices.at(day.start, addressOf(asset)) },
      }),
    );
    return writer.list(described, ['holdings', holdings]);
  });
  return { json };
}

const keyOf = (question: PortfolioQuestion) => `portfolio ${JSON.stringify(question)}`;

export const portfolio: DataRoute = (data) =>
  defineChainRoute({
    title: 'portfolio of a wallet',
    path: '/v1/{chain_name}/address/{address}/portfolio_v2/',
    summary: 'What a wallet had day by day',
    description,
    params: { chain_name: chainName(data), address: addressParameter },
    query: {
      'quote-currency': quoteCurrency,
      days: numberRule(() => [1, mostDays], {
        description: `How many days up to now: 1 to ${mostDays}; ${usualDays} if it is not given`,
      }),
      ...wholePageQuery,
    },
    answer: enveloped({
      name: 'Portfolio',
      description: 'A page of tokens, day by day',
      data: z.object({
        ...head,
        address: hex(20),
        quote_currency: z.string(),
        pagination: cursorPagination,
        items: z.array(item),
      }),
    }),
    question: ({ address: wallet, days = usualDays, ...read }): PortfolioQuestion => ({
      ...{ wallet, currency: read['quote-currency'] ?? 'USD', days },
      page: toWholePage(read),
    }),
    cost: () => 1,
    ...remembered(keyOf, writePortfolio),
  });
