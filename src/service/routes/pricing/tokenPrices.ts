/** `GET /v1/pricing/historical_by_addresses_v2/{chain_name}/{quote_currency}/{contract_addresses}/`: prices of tokens by days. */
import { z } from '@hono/zod-openapi';
import type { Hex } from '../../../bytes.js';
import { type Chain, nativeAddress, type TokenMetadata } from '../../../decode/index.js';
import { cleanName, cleanUrl } from '../../../decode/receipt/text.js';
import { sourceName } from '../../chain/prices.js';
import { unknownToken } from '../../chain/tokens.js';
import { toRate } from '../../data/items.js';
import { learnTokens } from '../../data/names.js';
import { addressParameter, flagParameter, type Rule } from '../../rest/table.js';
import { badRequest } from '../common/blocks.js';
import {
  chainName,
  type DataRoute,
  defineChainRoute,
  enveloped,
  remembered,
  type Working,
} from '../common/dataRoute.js';
import { PieceWriter } from '../common/json.js';
import { dayText, quoteCurrencyName } from '../common/parameters.js';
import { secondsADay } from '../common/pastBlock.js';
import { hex, number, text } from '../common/schemas.js';
import { findPastPrices } from '../items/pastPrices.js';

const description = `A price for each token and day in UTC, as the service's source of prices has it: null without one. The newest day comes first. Without \`from\` and \`to\`, it is today.
The native token is 0x and forty times e. Ours is \`source\`: \`pools\` if the price was read from a pool on the chain.`;

const mostTokens = 50;
const mostDays = 366;

const addressesWords = `must be 1 to ${mostTokens} addresses of 0x and 40 hex digits, with commas between them`;

const contracts = z
  .string()
  .refine((text) => {
    const all = text.split(',');
    return all.length <= mostTokens && all.every((one) => addressParameter.safeParse(one).success);
  }, addressesWords)
  .transform((text) => [...new Set(text.toLowerCase().split(',') as Hex[])]);

const from = dayText.optional().openapi({ description: 'The first day. Default: `to`' });
const lastDay = dayText.optional().openapi({ description: 'The last day. Default: today' });

const to: Rule<typeof lastDay> = {
  schema: lastDay,
  fault: (value, before) =>
    value !== undefined && Number(before.from ?? value) > value
      ? 'must not be before from'
      : undefined,
};

const metadata = {
  contract_decimals: number,
  contract_name: text,
  contract_ticker_symbol: text,
  contract_address: hex(20),
  supports_erc: z.array(z.string()).nullable(),
  logo_url: text,
};

const item = z.object({
  ...metadata,
  update_at: z.string(),
  quote_currency: z.string(),
  logo_urls: z.object({ token_logo_url: text, protocol_logo_url: text, chain_logo_url: text }),
  items: z.array(
    z.object({
      contract_metadata: z.object(metadata),
      date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
      price: number,
      pretty_price: text,
      source: text,
    }),
  ),
});

interface PricesQuestion {
  readonly tokens: readonly Hex[];
  readonly currency: string;
  /** Seconds at which days begin; undefined: today. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly isAscending: boolean;
}

const dateOf = (seconds: number): string => new Date(1000 * seconds).toISOString().slice(0, 10);

/** The days, the newest first, as the seconds at which they begin. @throws HttpError */
function toDays({ from, to }: PricesQuestion): number[] {
  const today = Math.floor(Date.now() / 1000 / secondsADay) * secondsADay;
  const last = to ?? today;
  const first = from ?? last;
  if (first > last) throw badRequest('from must not be after today');
  const days = (last - first) / secondsADay + 1;
  if (days > mostDays) throw badRequest(`from and to must be at most ${mostDays} days`);
  return Array.from({ length: days }, (_, i) => last - i * secondsADay);
}

function describeToken(token: Hex, chain: Chain, known: ReadonlyMap<string, TokenMetadata>) {
  const isNative = token === nativeAddress;
  const { name, symbol, decimals, logo, standards } = isNative
    ? { ...chain.nativeToken, standards: undefined }
    : (known.get(token) ?? unknownToken(token));
  return {
    contract_decimals: decimals ?? null,
    contract_name: cleanName(name) ?? null,
    contract_ticker_symbol: cleanName(symbol) ?? null,
    contract_address: token,
    supports_erc: standards ? [...standards] : null,
    logo_url: cleanUrl(logo) ?? null,
  };
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

async function writePrices(question: PricesQuestion, { access, context }: Working) {
  const { chain, tokens: book, prices: source } = access;
  const { tokens, currency, isAscending } = question;
  const { pause, charge } = context;
  await pause();
  const days = toDays(question);
  charge(days.length);
  // Nobody knows the prices of days to come.
  const begun = days.filter((day) => day <= Date.now() / 1000);
  const prices = await findPastPrices(
    access,
    currency,
    begun.map((timestamp) => ({ timestamp, tokens })),
  );
  const contracts = tokens.filter((token) => token !== nativeAddress);
  const named = await learnTokens(contracts, { book, isFinal: false, pause });
  const listed = isAscending ? [...days].reverse() : days;
  const last = new Set(begun);
  const writer = new PieceWriter(pause);
  const texts: string[] = [];
  for (const token of tokens) {
    const described = describeToken(token, chain, named.tokens);
    const { logo_url } = described;
    const items = listed.map((day) => {
      const rate = last.has(day) ? toRate(prices.at(day, token)) : null;
      return {
        contract_metadata: described,
        date: dateOf(day),
        price: rate,
        pretty_price: rate === null ? null : dollars.format(rate),
        source: rate === null ? null : (sourceName(source) ?? null),
      };
    });
    const before = {
      ...described,
      update_at: new Date().toISOString(),
      quote_currency: currency,
      logo_urls: { token_logo_url: logo_url, protocol_logo_url: null, chain_logo_url: null },
    };
    texts.push(await writer.list(before, ['items', items]));
  }
  return { json: `[${texts.join(',')}]` };
}

const keyOf = (question: PricesQuestion) => `prices ${JSON.stringify(question)}`;

export const tokenPrices: DataRoute = (data) =>
  defineChainRoute({
    title: 'prices of tokens',
    path: '/v1/pricing/historical_by_addresses_v2/{chain_name}/{quote_currency}/{contract_addresses}/',
    summary: 'Prices of tokens by days',
    description,
    params: {
      chain_name: chainName(data),
      quote_currency: quoteCurrencyName,
      contract_addresses: contracts,
    },
    query: {
      from,
      to,
      'prices-at-asc': flagParameter.openapi({ description: 'Whether the oldest day comes first' }),
    },
    answer: enveloped({
      name: 'TokenPrices',
      description: 'The tokens, in the order that they were asked for in',
      data: z.array(item),
    }),
    question: ({ quote_currency: currency, contract_addresses: tokens, from, to, ...read }) => ({
      ...{ tokens, currency, from, to, isAscending: read['prices-at-asc'] },
    }),
    cost: () => 1,
    ...remembered<PricesQuestion>(keyOf, writePrices, 'answerNewest'),
  });
