/** The group Cross-chain: questions about several chains at once. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import { wrongRange, wrongType } from '../../errors.js';
import {
  type ActivityItem,
  activityItem,
  type ChainBalanceItem,
  type ChainTransactionItem,
  chainBalanceItem,
  chainTransactionItem,
} from '../items/portfolioItem.js';
import { checkAbout } from '../wire/answer.js';
import { unverified } from '../wire/members.js';
import { cursorMember, type ListPage, mostWalkedPages, tooManyPages } from '../wire/pages.js';
import type { Query } from '../wire/query.js';
import {
  type Asked,
  addressRule,
  askedRules,
  flagRule,
  optionalRule,
  pageSizeRule,
  readRequest,
  textRule,
  timeRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trust, type Trusting, trustNames, trustRules } from '../wire/trust.js';
import { createWalletTransactionRoutes, type TransactionsPage } from './walletTransactions.js';

/** What a question about several chains may have besides. */
interface AskedOfChains extends Pick<Asked, 'signal'> {
  /** Names or numbers of chains; default: all of the server. */
  chains?: readonly string[] | undefined;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Items in a page, 1 to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** Whose chains are wanted. */
export interface ActivityRequest extends Pick<Asked, 'signal'>, Trusting {
  /** 20 bytes. */
  address: Hex;
  /** Whether testnets are listed. Default false. */
  testnets?: boolean | undefined;
}

/** Whose balances are wanted on several chains. */
export interface ChainsBalancesRequest extends AskedOfChains {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** The time whose last block counts, in whole seconds. Default: now. */
  time?: Date | undefined;
}

/** Whose transactions are wanted on several chains. */
export interface ChainsTransactionsRequest extends AskedOfChains {
  /** Up to ten, 20 bytes each. */
  addresses: readonly Hex[];
  /** Whether items have their logs, decoded. Default false. */
  withLogs?: boolean | undefined;
}

/** A page of a list over several chains. */
export interface ChainsPage<T>
  extends Omit<ListPage<T>, 'blockNumber' | 'blockHash' | 'total' | 'pageSize'> {}

/** Questions about several chains. All answers are claims of the server, and a chain may be left out. */
export interface CrossChainRoutes {
  /**
   * The chains on which an address has a transaction. With an anchor, the server is asked for the newest transactions on its
   * chain, too, which prove `last_seen_at` there; of other chains nothing is proven.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED`
   */
  activity(request: ActivityRequest): Promise<readonly ActivityItem[]>;
  /** What a wallet holds on several chains, a page at a time, chain after chain. @throws as `decodeTransaction` */
  chainsBalances(
    request: ChainsBalancesRequest,
  ): AsyncGenerator<ChainsPage<ChainBalanceItem>, void, undefined>;
  /** The transactions of addresses on several chains, a page at a time, the newest first. @throws as `decodeTransaction` */
  chainsTransactions(
    request: ChainsTransactionsRequest,
  ): AsyncGenerator<ChainsPage<ChainTransactionItem>, void, undefined>;
}

/** Addresses and chains of one question, as servers of this library take them. */
const most = 10;

const listRule =
  <T>(rule: (value: unknown, name: string) => T) =>
  (value: unknown, name: string): readonly T[] => {
    if (!Array.isArray(value)) throw wrongType(name, 'expected a list');
    if (value.length === 0 || value.length > most) {
      throw wrongRange(name, `expected a list of 1 to ${most}`);
    }
    return Array.from(value, (one, i) => rule(one, `${name}[${i}]`));
  };

const chainRule = (value: unknown, name: string): string => {
  const text = textRule(value, name);
  if (text.includes(',')) throw wrongRange(name, 'expected the name of a chain');
  return text;
};

const shared = {
  signal: askedRules.signal,
  chains: optionalRule(listRule(chainRule)),
  quoteCurrency: optionalRule(textRule),
  pageSize: optionalRule(pageSizeRule),
};

const activityRules = {
  signal: askedRules.signal,
  address: addressRule,
  testnets: optionalRule(flagRule),
  ...trustRules,
};
const balancesRules = { ...shared, address: addressRule, time: optionalRule(timeRule) };
const transactionsRules = {
  ...shared,
  addresses: listRule(addressRule),
  withLogs: optionalRule(flagRule),
};

const members = { cursor_before: cursorMember };
const activityData = z.looseObject({ address: z.string(), items: z.array(activityItem) });
const balancesData = z.looseObject({
  ...members,
  address: z.optional(z.string()),
  items: z.array(chainBalanceItem),
});
const transactionsData = z.looseObject({ ...members, items: z.array(chainTransactionItem) });

interface ChainsData {
  readonly items: readonly unknown[];
  readonly cursor_before?: string | null | undefined;
}

/** The answers of a list, each by the cursor of the one before it. */
async function* walkCursors<Data extends ChainsData>(
  size: number | undefined,
  ask: (page: Query) => Promise<Data>,
): AsyncGenerator<{ data: Data; page: ChainsPage<Data['items'][number]> }, void, undefined> {
  let before: string | undefined;
  for (let number = 0; number < mostWalkedPages; number++) {
    const data = await ask({ limit: size, before });
    const { items, cursor_before: cursor, ...more } = data;
    before = cursor ?? undefined;
    const page = {
      ...{ items, hasMore: before !== undefined },
      ...{ unproven: [], assumed: [], more: unverified(more) },
    };
    yield { data, page };
    if (before === undefined) return;
  }
  throw tooManyPages();
}

const common = ({
  chains,
  quoteCurrency,
}: {
  readonly chains: readonly string[] | undefined;
  readonly quoteCurrency: string | undefined;
}) => ({ chains: chains?.join(','), 'quote-currency': quoteCurrency });

/** The items of an activity, verified as far as a root proves them. @param wallet in lower case @throws DataError */
async function provenActivities(
  items: readonly ActivityItem[],
  { wallet, trust }: { readonly wallet: Hex; readonly trust: Trust },
  routes: Routes,
): Promise<ActivityItem[]> {
  const { anchor, network, fork, signal } = trust;
  const { provenActivity } = await import('../proofs/mined/activity.js');
  const { transactions } = createWalletTransactionRoutes(routes);
  const all: ActivityItem[] = [];
  for (const item of items) {
    if (Number(item.chain_id) !== anchor.l2ChainId) {
      all.push({ ...item, assumed: ['everything'] });
      continue;
    }
    const { value: page } = await transactions({
      ...{ address: wallet, chainName: String(anchor.l2ChainId), withoutLogs: true, signal },
      ...{ anchor, ...(network && { network }), ...(fork && { fork }) },
    }).next();
    all.push(provenActivity(item, page as TransactionsPage));
  }
  return all;
}

const createChainsRoutes = ({
  ask,
  unprovableItem,
}: Routes): Omit<CrossChainRoutes, 'activity'> => ({
  async *chainsBalances(request) {
    const given = readRequest(request, balancesRules);
    const { address, time, pageSize, signal } = given;
    const path = `/v1/allchains/address/${address}/balances/`;
    const cutoff = time === undefined ? undefined : Date.parse(time) / 1000;
    const query = { ...common(given), 'cutoff-timestamp': cutoff };
    const pages = walkCursors(pageSize, (place) =>
      ask({ path, query: { ...query, ...place }, schema: balancesData, signal }),
    );
    for await (const { data, page } of pages) {
      checkAbout('address', data.address ?? address, address);
      yield { ...page, ...unprovableItem({}) };
    }
  },

  async *chainsTransactions(request) {
    const given = readRequest(request, transactionsRules);
    const { addresses, withLogs, pageSize, signal } = given;
    const query = {
      ...{ ...common(given), addresses: addresses.join(',') },
      'with-decoded-logs': withLogs || undefined,
    };
    const pages = walkCursors(pageSize, (place) =>
      ask({
        path: '/v1/allchains/transactions/',
        query: { ...query, ...place },
        ...{ schema: transactionsData, signal },
      }),
    );
    for await (const { page } of pages) yield { ...page, ...unprovableItem({}) };
  },
});

export const createCrossChainRoutes = (routes: Routes): CrossChainRoutes => ({
  ...createChainsRoutes(routes),
  async activity(request) {
    const given = readRequest(request, activityRules, trustNames);
    const { address, testnets, signal } = given;
    const trust = await routes.trustOf(given);
    const path = `/v1/address/${address}/activity/`;
    const query = { testnets: testnets || undefined };
    const data = await routes.ask({ path, query, schema: activityData, signal });
    checkAbout('address', data.address, address);
    return trust ? provenActivities(data.items, { wallet: address, trust }, routes) : data.items;
  },
});
