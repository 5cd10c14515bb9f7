/** The group Wallet: what an address held at an older block, or day by day. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type HistoricalBalanceItem,
  historicalBalanceItem,
  type PortfolioItem,
  portfolioItem,
} from '../items/portfolioItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import {
  type ListPage,
  listMembers,
  provableList,
  toListPage,
  unprovable,
  walkPages,
} from '../wire/pages.js';
import { type PastBlock, pastRules, toPastQuery } from '../wire/pastBlock.js';
import {
  type Asked,
  addressRule,
  askedRules,
  optionalRule,
  pageSizeRule,
  readRequest,
  textRule,
  wholeNumberRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, trustNames, trustRules } from '../wire/trust.js';
import { verifiedPages } from '../wire/verifiedPages.js';

/** Whose older balances are wanted. Without a block or a day: at the newest block of the server. */
export interface HistoricalBalancesRequest extends Asked, PastBlock {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Holdings in a page, 1 to 1,000, or 100 with an anchor; default: the server's. */
  pageSize?: number | undefined;
}

/** Whose balances are wanted day by day. */
export interface PortfolioRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** How many days up to now, from 1; default: the server's. */
  days?: number | undefined;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Holdings in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Questions about what wallets held. */
export interface WalletHistoryRoutes {
  /** What a wallet held at an older block, a page at a time: the server's claims, or verified as `balances` are. @throws as `balances` */
  historicalBalances(
    request: HistoricalBalancesRequest,
  ): AsyncGenerator<ListPage<HistoricalBalanceItem>, void, undefined>;
  /**
   * What a wallet had of its native and ERC-20 tokens day by day, a page of tokens at a time: the server's claims, with an
   * anchor too.
   *
   * @throws as `balances`
   */
  portfolio(request: PortfolioRequest): AsyncGenerator<ListPage<PortfolioItem>, void, undefined>;
}

const shared = {
  ...askedRules,
  address: addressRule,
  quoteCurrency: optionalRule(textRule),
  pageSize: optionalRule(pageSizeRule),
};

const historyRules = { ...shared, ...pastRules };
const portfolioRules = { ...shared, days: optionalRule(wholeNumberRule(1)), ...trustRules };

const historyData = provableList(historicalBalanceItem, { address: z.string() });
const portfolioData = z.looseObject({
  ...listMembers,
  address: z.string(),
  items: z.array(portfolioItem),
});

export const createWalletHistoryRoutes = ({
  pathOf,
  ask,
  trustOf,
}: Routes): WalletHistoryRoutes => ({
  async *historicalBalances(request) {
    const given = readRequest(request, historyRules, trustNames);
    const { chainName, address, block, quoteCurrency, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/historical_balances/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/balances.js')).createHistoryVerifier(address, trust);
    const query = { 'quote-currency': quoteCurrency, ...toPastQuery(given, trust) };
    const isOther = ({ block_height: height }: HistoricalBalanceItem) =>
      block !== undefined && (height ?? block) !== block;
    yield* verifiedPages(ask, {
      ...{ path, query, schema: historyData, signal, pageSize, verifier },
      check(data) {
        checkAbout('address', data.address, address);
        if (data.items.some(isOther)) throw aboutOther('block');
      },
    });
  },

  async *portfolio(request) {
    const given = readRequest(request, portfolioRules, trustNames);
    const { chainName, address, days, quoteCurrency, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/portfolio_v2/`;
    const query = { 'quote-currency': quoteCurrency, days };
    const trust = await trustOf(given);
    const pages = walkPages(pageSize, (place) =>
      ask({ path, query: { ...query, ...place }, schema: portfolioData, signal }),
    );
    for await (const data of pages) {
      checkAbout('address', data.address, address);
      yield unprovable(toListPage(data), trust);
    }
  },
});
