/**
 * `GET /v1/{chain_name}/nft_market/{contract_address}/floor_price/`, `volume/` and `sale_count/`: what the tokens of a contract were
 * sold for, by days.
 */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { toNumber, worthOf } from '../../../decode/context/quote.js';
import { nativeAddress } from '../../../decode/index.js';
import type { ChainContext } from '../../data/balances.js';
import { toPretty } from '../../data/items.js';
import { learnTokens } from '../../data/names.js';
import { heldBlock } from '../../ledger/blockTime.js';
import { type DayOfSales, readSales } from '../../nfts/market.js';
import { addressParameter, numberRule } from '../../rest/table.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
  type Working,
} from '../common/dataRoute.js';
import { toHead, toTime, writeList } from '../common/json.js';
import { quoteCurrency } from '../common/parameters.js';
import { head, hex, number, text } from '../common/schemas.js';
import { readSettled } from '../common/settled.js';
import { findPastPrices } from '../items/pastPrices.js';

const zero = `0x${'0'.repeat(40)}`;

/** Days in an answer. */
const mostDays = 366;
const usualDays = 30;

const of = `Of the sales on Seaport 1.1, 1.4, 1.5 and 1.6, by days in UTC that have one, the newest first. A bundle of several tokens is one sale, without a price; the
price of an ERC-1155 sale is that of all that was sold in it.`;

const inNative = `Sales for native or wrapped native tokens count; those for other tokens only with a price of both. Quotes are by the prices of the day, in USD, and null without a source of prices.`;

const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);
const native = { native_ticker_symbol: text, native_name: text };

const floorItem = z.object({
  ...{ date, ...native },
  floor_price_native_quote: number,
  floor_price_quote: number,
  pretty_floor_price_quote: text,
});
const volumeItem = z.object({
  ...{ date, ...native },
  volume_quote: number,
  volume_native_quote: number,
  pretty_volume_quote: text,
});
const countItem = z.object({ date, sales_count: z.string().regex(/^\d+$/) });

interface MarketQuestion {
  readonly contract: Hex;
  readonly days: number;
  readonly quoteCurrency: string;
}

/** What the sales of a day were worth; null without a price. */
interface DayWorth {
  readonly date: string;
  readonly count: number;
  readonly floor: Worth;
  readonly volume: Worth;
}

/** In whole native tokens, and in USD. */
interface Worth {
  readonly native: number | null;
  readonly usd: number | null;
}

const least = (numbers: readonly number[]) =>
  numbers.length === 0 ? null : numbers.reduce((lowest, one) => Math.min(lowest, one));
const total = (numbers: readonly number[]) =>
  numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0);

/** The tokens in which sales were paid, other than native ones. */
const currenciesOf = (days: readonly DayOfSales[], isNative: (currency: Hex) => boolean) => [
  ...new Set(days.flatMap(({ paid }) => [...paid.keys()].filter((one) => !isNative(one)))),
];

/** Says what sales were worth. @throws RpcError, NodeError, and what the pause throws */
async function findWorth(
  days: readonly DayOfSales[],
  currency: string,
  { access, pause }: { access: ChainContext; pause: Working['context']['pause'] },
): Promise<DayWorth[]> {
  const { chain, tokens: book } = access;
  const wrapped = new Set(chain.contracts.wrappedNative?.map((one) => one.toLowerCase()));
  const isNative = (one: Hex) => one === zero || wrapped.has(one);
  const others = currenciesOf(days, isNative);
  const { tokens } = await learnTokens(others, { book, isFinal: false, pause });
  const wanted = days.map(({ start, paid }) => ({
    timestamp: start,
    tokens: [nativeAddress as Hex, ...[...paid.keys()].filter((one) => !isNative(one))],
  }));
  const prices = await findPastPrices(access, currency, wanted);
  return days.map(({ start, count, paid }) => {
    const base = prices.at(start, nativeAddress);
    const worthOne = (amount: bigint, one: Hex): Worth => {
      const { decimals } = isNative(one) ? chain.nativeToken : (tokens.get(one) ?? {});
      const price = isNative(one) ? base : prices.at(start, one);
      const isKnown = price !== undefined && decimals !== undefined;
      const usd = isKnown ? toNumber(worthOf(amount, decimals, price)) : null;
      if (isNative(one)) return { usd, native: toNumber({ units: amount, scale: decimals ?? 0 }) };
      const rate = base === undefined ? 0 : toNumber(base);
      return { usd, native: usd === null || rate === 0 ? null : usd / rate };
    };
    const join = (worths: readonly Worth[], by: typeof least): Worth => ({
      native: by(worths.flatMap((one) => one.native ?? [])),
      usd: by(worths.flatMap((one) => one.usd ?? [])),
    });
    const all = [...paid];
    return {
      date: toTime(start).slice(0, 10),
      count,
      floor: join(
        all.map(([one, { least: amount }]) => worthOne(amount, one)),
        least,
      ),
      volume: join(
        all.map(([one, { sum }]) => worthOne(sum, one)),
        total,
      ),
    };
  });
}

/** How one of the three routes words a day. */
interface MarketKind {
  readonly name: string;
  readonly title: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly item: z.ZodType;
  toItem(day: DayWorth, native: { native_ticker_symbol: string; native_name: string }): object;
}

const kinds = {
  floor: {
    ...{ name: 'FloorPrices', title: 'floor prices', path: 'floor_price/' },
    summary: 'The least price of a token of a contract, by days',
    description: `The least price of one sale of a day. ${of} ${inNative}`,
    item: floorItem,
    toItem: ({ date, floor }, own) => ({
      ...{ date, ...own, floor_price_native_quote: floor.native },
      floor_price_quote: floor.usd,
      pretty_floor_price_quote: floor.usd === null ? null : toPretty(floor.usd),
    }),
  },
  volume: {
    ...{ name: 'Volumes', title: 'volumes', path: 'volume/' },
    summary: 'What the tokens of a contract were sold for, by days',
    description: `What all sales of a day with a price add up to. ${of} ${inNative}`,
    item: volumeItem,
    toItem: ({ date, volume }, own) => ({
      ...{ date, ...own, volume_quote: volume.usd, volume_native_quote: volume.native },
      pretty_volume_quote: volume.usd === null ? null : toPretty(volume.usd),
    }),
  },
  count: {
    ...{ name: 'SalesCounts', title: 'counts of sales', path: 'sale_count/' },
    summary: 'How often tokens of a contract were sold, by days',
    description: of,
    item: countItem,
    toItem: ({ date, count }) => ({ date, sales_count: String(count) }),
  },
} as const satisfies Record<string, MarketKind>;

async function writeMarket(
  { toItem }: MarketKind,
  { contract, days, quoteCurrency: currency }: MarketQuestion,
  { access, context }: Working,
) {
  const { chain, index, ledger } = access;
  const { pause } = context;
  const { at, found } = await readSettled(access, async ({ number }) => {
    const { timestamp: time } = await heldBlock(ledger, number);
    return readSales(index, { contract, days, newest: { number, time } }, context);
  });
  const worths = await findWorth(found, currency, { access, pause });
  const { symbol, name } = chain.nativeToken;
  const own = { native_ticker_symbol: symbol, native_name: name };
  const before = {
    ...{ ...toHead(chain, at), address: contract, quote_currency: currency },
  };
  const items = worths.map((day) => toItem(day, own));
  return { json: await writeList(before, items, pause), of: at };
}

const marketRoute =
  (kind: MarketKind): DataRoute =>
  (data) =>
    defineChainRoute({
      title: kind.title,
      path: `/v1/{chain_name}/nft_market/{contract_address}/${kind.path}`,
      summary: kind.summary,
      description: kind.description,
      params: { chain_name: chainName(data), contract_address: addressParameter },
      query: {
        days: numberRule(() => [1, mostDays], {
          description: `The last days, that of the newest block among them: 1 to ${mostDays}; ${usualDays} if it is not given`,
        }),
        'quote-currency': quoteCurrency,
      },
      answer: enveloped({
        name: kind.name,
        description: 'Days with a sale',
        data: z.object({
          ...head,
          address: hex(20),
          quote_currency: z.string(),
          items: z.array(kind.item),
        }),
      }),
      question: ({ contract_address: contract, days, ...read }): MarketQuestion => ({
        ...{ contract, days: days ?? usualDays },
        quoteCurrency: read['quote-currency'] ?? 'USD',
      }),
      cost: () => 1,
      ...remembered(
        (question: MarketQuestion) => `${kind.name} ${JSON.stringify(question)}`,
        (question, working) => writeMarket(kind, question, working),
        'answerNewest',
      ),
    });

export const floorPrices: DataRoute = marketRoute(kinds.floor);
export const volumes: DataRoute = marketRoute(kinds.volume);
export const saleCounts: DataRoute = marketRoute(kinds.count);
