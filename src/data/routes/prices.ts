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
import { toListPage, toLoneItems } from '../wire/pages.js';
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
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';

/** Which prices are wanted. */
export interface TokenPricesRequest extends Asked, Trusting {
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
export interface PoolPricesRequest extends Asked, Trusting {
  /** 20 bytes. */
  pool: Hex;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
}

/** Questions about prices. All answers are claims of the server, but for what a request with an `anchor` has verified. */
export interface PriceRoutes {
  /** What tokens were worth day by day, in the order in which they are asked for. @throws as `decodeTransaction` */
  tokenPrices(request: TokenPricesRequest): Promise<readonly TokenPricesItem[]>;
  /**
   * What the two tokens of a pool are worth in one another. With an anchor, it says what of it is not proven: without
   * `verified`, everything.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the pool
   */
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
  ...trustRules,
};
const poolRules = {
  ...askedRules,
  pool: addressRule,
  quoteCurrency: optionalRule(textRule),
  ...trustRules,
};

const tokenData = z.array(tokenPricesItem);
const poolData = z.array(poolPricesItem);

/** The name of a chain, in paths that do not begin with it. */
const segmentOf = (path: string): string => path.slice('/v1/'.length);

export const createPriceRoutes = ({ pathOf, ask, trustOf }: Routes): PriceRoutes => ({
  async tokenPrices(request) {
    const given = readRequest(request, tokenRules, trustNames);
    const { chainName, tokens, quoteCurrency = 'USD', fromDay, toDay, signal } = given;
    const chain = segmentOf(pathOf(chainName));
    const trust = await trustOf(given);
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
    return trust ? items.map((item) => ({ ...item, assumed: ['everything'] })) : items;
  },

  async poolPrices(request) {
    const given = readRequest(request, poolRules, trustNames);
    const { chainName, pool, quoteCurrency, signal } = given;
    const path = `/v1/pricing/spot_prices/${segmentOf(pathOf(chainName))}pools/${pool}/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/pools.js')).createPoolVerifier(pool, trust);
    const query = { 'quote-currency': quoteCurrency, ...toProofsQuery(trust) };
    const [found] = await ask({ path, query, schema: poolData, signal });
    checkAbout('pool', found?.pool_address, pool);
    const { proof, proofs, ...more } = found as typeof found & {
      proof?: unknown;
      proofs?: unknown;
    };
    const item = more as PoolPricesItem;
    if (!verifier) return item;
    const lists = proof === undefined ? { items: [], unproven: [item] } : { items: [item] };
    const data = { ...lists, block_height: item.block_height, proofs };
    return toLoneItems(await verifier.verified(toListPage(data)))[0] as PoolPricesItem;
  },
});
