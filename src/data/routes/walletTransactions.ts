/** The transactions of a wallet: by pages, by time, and in sum. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type SummaryItem,
  summaryItem,
  type TransactionItem,
  transactionSchema,
} from '../items/transactionItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { countMember, flagMember } from '../wire/members.js';
import {
  type ListPage,
  mostWalkedPages,
  provableList,
  toListPage,
  tooManyPages,
} from '../wire/pages.js';
import type { Query } from '../wire/query.js';
import {
  type Asked,
  addressRule,
  askedRules,
  flagRule,
  optionalRule,
  type Read,
  readRequest,
  textRule,
  wholeNumberRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';
import {
  linksSchema,
  partsRules,
  type TransactionParts,
  toPartsQuery,
  toWanted,
} from './transactionParts.js';

/** Whose transactions are wanted. */
export interface TransactionsRequest extends TransactionParts, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
}

/** Which transactions of a wallet are wanted. */
export interface TransactionsPageRequest extends TransactionsRequest {
  /** Number of the page, from 0, which has the oldest. Default: the newest page. */
  page?: number | undefined;
}

/** Which transactions of a wallet are wanted, by their time. */
export interface TransactionBucketsRequest extends TransactionsRequest {
  /** The first quarter of an hour: seconds since 1970, divided by 900. Default: that of the first transaction. */
  bucket?: number | undefined;
}

/** What is wanted of all transactions of a wallet. */
export interface TransactionsSummaryRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Whether `gas_summary` is given. Default false. */
  gas?: boolean | undefined;
  /** Whether `transfer_count` is given. Default false. */
  transferCount?: boolean | undefined;
}

/** A page of the transactions of a wallet. */
export interface TransactionsPage extends ListPage<TransactionItem> {
  /** Its number, from 0, which has the oldest. */
  readonly page: number;
}

/** The transactions of a wallet in a quarter of an hour. */
export interface TransactionBucket extends ListPage<TransactionItem> {
  /** Its number: seconds since 1970, divided by 900. */
  readonly bucket: number;
  /** Whether the server says that none will be added. */
  readonly isComplete: boolean;
}

/**
 * Questions about the transactions of a wallet. All answers are claims of the server, but for what a request with an `anchor` has
 * verified: that each transaction is as it says, and that the wallet has a part in it.
 */
export interface WalletTransactionRoutes {
  /** The transactions of a wallet, a page at a time, the newest first. @throws as `transaction` */
  transactions(request: TransactionsRequest): AsyncGenerator<TransactionsPage, void, undefined>;
  /** One page of the transactions of a wallet. @throws as `transaction` */
  transactionsPage(request: TransactionsPageRequest): Promise<TransactionsPage>;
  /** How many transactions a wallet has, the first and the last. @throws as `decodeTransaction` */
  transactionsSummary(request: TransactionsSummaryRequest): Promise<SummaryItem>;
  /**
   * The transactions of a wallet by quarters of an hour, the oldest first; quarters without any are passed over.
   *
   * @throws as `decodeTransaction`
   */
  transactionBuckets(
    request: TransactionBucketsRequest,
  ): AsyncGenerator<TransactionBucket, void, undefined>;
}

const walletRules = { ...partsRules, address: addressRule, ...trustRules };
const pageRules = { ...walletRules, page: optionalRule(wholeNumberRule(0)) };
const bucketsRules = { ...walletRules, bucket: optionalRule(wholeNumberRule(0)) };
const summaryRules = {
  ...askedRules,
  address: addressRule,
  quoteCurrency: optionalRule(textRule),
  gas: optionalRule(flagRule),
  transferCount: optionalRule(flagRule),
};

const pageData = provableList(transactionSchema, {
  address: z.string(),
  current_page: countMember,
  links: linksSchema,
});
const bucketData = provableList(transactionSchema, {
  address: z.string(),
  current_bucket: countMember,
  complete: flagMember,
  links: linksSchema,
});
const summaryData = z.looseObject({ address: z.string(), items: z.array(summaryItem) });

/** The number at the end of a link. The link itself is not followed: a key must not travel to a place that the server names. */
const numberIn = (link: string | null | undefined): number | undefined => {
  const [, digits] = /\/(\d{1,15})\/?$/.exec(link ?? '') ?? [];
  return digits === undefined ? undefined : Number(digits);
};

/** Milliseconds of a quarter of an hour. */
const bucketLength = 900_000;

/** How the pages of one question are asked for and read. */
interface Reading {
  readonly query: Query;
  readonly read: (page: ListPage<TransactionItem>) => Promise<ListPage<TransactionItem>>;
}

/** How the pages of one request are read. @throws as `Routes.trustOf` */
async function readingOf(
  given: Read<typeof walletRules>,
  trustOf: Routes['trustOf'],
): Promise<Reading> {
  const query = toPartsQuery(given);
  const trust = await trustOf(given);
  if (trust === undefined) return { query, read: async (page) => page };
  const proofs = await import('../proofs/mined/walletTransactions.js');
  const wanted = toWanted(given);
  const { verified } = proofs.createWalletTransactionVerifier(given.address, trust, wanted);
  return { query: { ...query, ...toProofsQuery(trust) }, read: verified };
}

export const createWalletTransactionRoutes = ({
  pathOf,
  ask,
  trustOf,
  unprovableItem,
}: Routes): WalletTransactionRoutes => {
  async function askPage(
    { chainName, address, page, signal }: Read<typeof pageRules>,
    { query, read }: Reading,
    place: Query = {},
  ) {
    const path = `${pathOf(chainName)}address/${address}/transactions_v3/`;
    const data = await ask({
      path: page === undefined ? path : `${path}page/${page}/`,
      ...{ query: { ...query, ...place }, schema: pageData, signal },
    });
    checkAbout('address', data.address, address);
    const { current_page: current, pagination } = data;
    if (current !== (page ?? current)) throw aboutOther('page');
    const claimed = toListPage(data, current > 0);
    const found: TransactionsPage = { ...(await read(claimed)), page: current };
    return { found, cursor: pagination?.cursor ?? undefined };
  }

  async function askBucket(
    { chainName, address, bucket, signal }: Read<typeof bucketsRules>,
    { query, read }: Reading,
  ) {
    const path = `${pathOf(chainName)}bulk/transactions/${address}/`;
    const data = await ask({
      path: bucket === undefined ? path : `${path}${bucket}/`,
      ...{ query, schema: bucketData, signal },
    });
    checkAbout('address', data.address, address);
    const { current_bucket: current, links } = data;
    const later = numberIn(links?.next);
    // One that leads back would lead round for ever.
    if (current !== (bucket ?? current) || (later ?? Infinity) <= current) {
      throw aboutOther('bucket');
    }
    const page = await read(toListPage(data, later !== undefined));
    // After they are verified: an item may leave its time to what is proven.
    for (const { block_signed_at: time } of [...page.items, ...page.unproven]) {
      if (time != null && Math.floor(Date.parse(time) / bucketLength) !== current) {
        throw aboutOther('bucket');
      }
    }
    return { later, page: { ...page, bucket: current, isComplete: data.complete === true } };
  }

  return {
    async *transactions(request) {
      const given = { ...readRequest(request, walletRules, trustNames), page: undefined };
      const reading = await readingOf(given, trustOf);
      let { found, cursor } = await askPage(given, reading);
      if (found.page >= mostWalkedPages) throw tooManyPages();
      yield found;
      while (found.page > 0) {
        // The server sees by the cursor whether it still has the block of the page before.
        ({ found, cursor } = await askPage({ ...given, page: found.page - 1 }, reading, {
          cursor,
        }));
        yield found;
      }
    },

    async transactionsPage(request) {
      const given = readRequest(request, pageRules, trustNames);
      return (await askPage(given, await readingOf(given, trustOf))).found;
    },

    async transactionsSummary(request) {
      const { chainName, address, quoteCurrency, gas, transferCount, signal } = readRequest(
        request,
        summaryRules,
      );
      const { address: named, items } = await ask({
        path: `${pathOf(chainName)}address/${address}/transactions_summary/`,
        query: {
          'quote-currency': quoteCurrency,
          'with-gas': gas || undefined,
          'with-transfer-count': transferCount || undefined,
        },
        ...{ schema: summaryData, signal },
      });
      checkAbout('address', named, address);
      const [item] = items;
      if (item === undefined) throw aboutOther('address');
      return unprovableItem(item);
    },

    async *transactionBuckets(request) {
      let given = readRequest(request, bucketsRules, trustNames);
      const reading = await readingOf(given, trustOf);
      for (let pages = 0; pages < mostWalkedPages; pages++) {
        const { page, later } = await askBucket(given, reading);
        yield page;
        if (later === undefined) return;
        given = { ...given, bucket: later };
      }
      throw tooManyPages();
    },
  };
};
