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
import { type ListPage, listMembers, toListPage, walkPages } from '../wire/pages.js';
import {
  type Asked,
  addressRule,
  askedRules,
  blockRule,
  optionalRule,
  pageSizeRule,
  readRequest,
  textRule,
  timeRule,
  wholeNumberRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';

/** Whose older balances are wanted. */
export interface HistoricalBalancesRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Number of the block whose state counts; default: the newest of the server. */
  block?: number | undefined;
  /** A day, in UTC, whose last block counts, in place of `block`. */
  day?: Date | undefined;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Holdings in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Whose balances are wanted day by day. */
export interface PortfolioRequest extends Asked {
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
  /** What a wallet held at an older block, a page at a time: the server's claims. @throws as `decodeTransaction` */
  historicalBalances(
    request: HistoricalBalancesRequest,
  ): AsyncGenerator<ListPage<HistoricalBalanceItem>, void, undefined>;
  /**
   * What a wallet had of its native and ERC-20 tokens day by day, a page of tokens at a time: the server's claims.
   *
   * @throws as `decodeTransaction`
   */
  portfolio(request: PortfolioRequest): AsyncGenerator<ListPage<PortfolioItem>, void, undefined>;
}

const shared = {
  ...askedRules,
  address: addressRule,
  quoteCurrency: optionalRule(textRule),
  pageSize: optionalRule(pageSizeRule),
};

const historyRules = { ...shared, block: optionalRule(blockRule), day: optionalRule(timeRule) };
const portfolioRules = { ...shared, days: optionalRule(wholeNumberRule(1)) };

const members = { ...listMembers, address: z.string() };
const historyData = z.looseObject({ ...members, items: z.array(historicalBalanceItem) });
const portfolioData = z.looseObject({ ...members, items: z.array(portfolioItem) });

export const createWalletHistoryRoutes = ({ pathOf, ask }: Routes): WalletHistoryRoutes => ({
  async *historicalBalances(request) {
    const given = readRequest(request, historyRules);
    const { chainName, address, block, day, quoteCurrency, pageSize, signal } = given;
    if (block !== undefined && day !== undefined) {
      throw new TypeError('the request expected "block" or "day", not both');
    }
    const path = `${pathOf(chainName)}address/${address}/historical_balances/`;
    const query = {
      'quote-currency': quoteCurrency,
      'block-height': block,
      date: day?.slice(0, 10),
    };
    const pages = walkPages(pageSize, (place) =>
      ask({ path, query: { ...query, ...place }, schema: historyData, signal }),
    );
    for await (const data of pages) {
      checkAbout('address', data.address, address);
      const isOther = ({ block_height: height }: HistoricalBalanceItem) =>
        block !== undefined && (height ?? block) !== block;
      if (data.items.some(isOther)) throw aboutOther('block');
      yield toListPage(data);
    }
  },

  async *portfolio(request) {
    const given = readRequest(request, portfolioRules);
    const { chainName, address, days, quoteCurrency, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/portfolio_v2/`;
    const query = { 'quote-currency': quoteCurrency, days };
    const pages = walkPages(pageSize, (place) =>
      ask({ path, query: { ...query, ...place }, schema: portfolioData, signal }),
    );
    for await (const data of pages) {
      checkAbout('address', data.address, address);
      yield toListPage(data);
    }
  },
});
