/** The group Prices: what tokens were worth, and what the tokens of a pool are worth in one another. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import {
  type PoolPricesItem,
  poolPricesItem,
  type TokenPricesItem,
  tokenPricesItem,
} from '../items/portfolioItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import {
  type Asked,
  addressRule,
  askedRules,
  flagRule,
  optionalRule,
  readRequest,
  textRule,
  timeRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';

/** Which prices are wanted. */
export interface TokenPricesRequest extends Asked {
  /** Up to 50 tokens, 20 bytes each. */
  tokens: readonly Hex[];
  /** Default `USD`. */
  quoteCurrency?: string | undefined;
  /** The first day, in UTC. Default: `toDay`. */
  fromDay?: Date | undefined;
  /** The last day, in UTC. Default: today. */
  toDay?: Date | undefined;
  /** Whether the oldest day comes first. Default false. */
  oldestFirst?: boolean | undefined;
}

/** Which pool is asked about. */
export interface PoolPricesRequest extends Asked {
  /** 20 bytes. */
  pool: Hex;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
}

/** Questions about prices. All answers are claims of the server. */
export interface PriceRoutes {
  /** What tokens were worth day by day, in the order in which they are asked for. @throws as `decodeTransaction` */
  tokenPrices(request: TokenPricesRequest): Promise<readonly TokenPricesItem[]>;
  /** What the two tokens of a pool are worth in one another. @throws as `decodeTransaction` */
  poolPrices(request: PoolPricesRequest): Promise<PoolPricesItem>;
}

const mostTokens = 50;

const tokensRule = (value: unknown, name: string): readonly Hex[] => {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostTokens) {
    throw wrongRange(name, `expected a list of 1 to ${mostTokens}`);
  }
  return Array.from(value, (one, i) => addressRule(one, `${name}[${i}]`));
};

const tokenRules = {
  ...askedRules,
  tokens: tokensRule,
  quoteCurrency: optionalRule(textRule),
  fromDay: optionalRule(timeRule),
  toDay: optionalRule(timeRule),
  oldestFirst: optionalRule(flagRule),
};
const poolRules = { ...askedRules, pool: addressRule, quoteCurrency: optionalRule(textRule) };

const tokenData = z.array(tokenPricesItem);
const poolData = z.array(poolPricesItem);

/** The name of a chain, in paths that do not begin with it. */
const segmentOf = (path: string): string => path.slice('/v1/'.length);

export const createPriceRoutes = ({ pathOf, ask }: Routes): PriceRoutes => ({
  async tokenPrices(request) {
    const given = readRequest(request, tokenRules);
    const { chainName, tokens, quoteCurrency = 'USD', fromDay, toDay, signal } = given;
    const chain = segmentOf(pathOf(chainName));
    const currency = encodeURIComponent(quoteCurrency);
    const items = await ask({
      path: `/v1/pricing/historical_by_addresses_v2/${chain}${currency}/${tokens.join(',')}/`,
      query: {
        from: fromDay?.slice(0, 10),
        to: toDay?.slice(0, 10),
        'prices-at-asc': given.oldestFirst || undefined,
      },
      ...{ schema: tokenData, signal },
    });
    const isAsked = ({ contract_address: token }: TokenPricesItem) =>
      tokens.includes(token.toLowerCase() as Hex);
    if (!items.every(isAsked)) throw aboutOther('token');
    return items;
  },

  async poolPrices(request) {
    const { chainName, pool, quoteCurrency, signal } = readRequest(request, poolRules);
    const [item] = await ask({
      path: `/v1/pricing/spot_prices/${segmentOf(pathOf(chainName))}pools/${pool}/`,
      query: { 'quote-currency': quoteCurrency },
      ...{ schema: poolData, signal },
    });
    checkAbout('pool', item?.pool_address, pool);
    return item as PoolPricesItem;
  },
});
