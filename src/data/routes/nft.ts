/** Contracts of tokens with ids, of the group NFT: which tokens there are, who has them, and what became of them. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type CollectionItem,
  collectionItem,
  type NftOwnerItem,
  type NftTokenItem,
  type NftTransactionsItem,
  nftOwnerItem,
  nftTokenItem,
  nftTransactionsItem,
} from '../items/nftItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import {
  allItems,
  type ListData,
  type ListPage,
  listMembers,
  provableList,
  toListPage,
  unprovable,
  walkPages,
} from '../wire/pages.js';
import {
  type Asked,
  addressRule,
  askedRules,
  flagRule,
  optionalRule,
  pageSizeRule,
  readRequest,
  tokenIdRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';
import { verifiedItems, verifiedPages } from '../wire/verifiedPages.js';
import { createWalletNftRoutes, type WalletNftRoutes } from './walletNfts.js';

/** Which page of collections is wanted. */
export interface CollectionsRequest extends Asked, Trusting {
  /** Contracts in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** The contract whose tokens are wanted. */
export interface NftTokensRequest extends Asked, Trusting {
  /** The contract, 20 bytes. */
  contract: Hex;
  /** Whether `token_url` is left out, which is faster. Default false. */
  withoutUrls?: boolean | undefined;
  /** Tokens in a page, 1 to 1,000, with an `anchor` to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** Which token is wanted. */
export interface NftTokenRequest extends Asked, Trusting {
  /** The contract, 20 bytes. */
  contract: Hex;
  /** The id, below 2^256. */
  tokenId: bigint;
}

/** The token whose owners are wanted. */
export interface NftOwnersRequest extends NftTokenRequest {
  /** Owners in a page, 1 to 1,000, with an `anchor` to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** The token whose transactions are wanted. */
export interface NftTransactionsRequest extends NftTokenRequest {
  /** Whether `log_events` is left out. Default false. */
  withoutLogs?: boolean | undefined;
  /** Transactions in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

type Pages<T> = AsyncGenerator<ListPage<T>, void, undefined>;

/**
 * Questions about contracts of tokens with ids. Tokens and owners are the server's claims, unless the request or the client
 * has an `anchor`: then they are verified. That nothing is left out is never proven. Collections are the server's claims always.
 */
export interface NftRoutes extends WalletNftRoutes {
  /** The ERC-721 and ERC-1155 contracts of the chain, a page at a time. @throws as `decodeTransaction` */
  collections(request?: CollectionsRequest): Pages<CollectionItem>;
  /**
   * The tokens of a contract, a page at a time.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the token
   */
  nftTokens(request: NftTokensRequest): Pages<NftTokenItem>;
  /**
   * One token; undefined if nobody has such a token, which is the server's claim always. With an anchor, it says what of it is
   * not proven: without `verified`, everything.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the token
   */
  nftToken(request: NftTokenRequest): Promise<NftTokenItem | undefined>;
  /** The transactions that moved a token, a page at a time, the newest first. @throws as `decodeTransaction` */
  nftTransactions(request: NftTransactionsRequest): Pages<NftTransactionsItem>;
  /**
   * Who has a token, a page at a time, those with most first; not all servers know.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the owner
   */
  nftOwners(request: NftOwnersRequest): Pages<NftOwnerItem>;
}

const rules = { ...askedRules, pageSize: optionalRule(pageSizeRule), ...trustRules };
const nftTokensRules = { ...rules, contract: addressRule, withoutUrls: optionalRule(flagRule) };
const nftTokenRules = {
  ...{ ...askedRules, contract: addressRule, tokenId: tokenIdRule },
  ...trustRules,
};
const ownersRules = { ...rules, contract: addressRule, tokenId: tokenIdRule };
const transactionsRules = { ...ownersRules, withoutLogs: optionalRule(flagRule) };

const listOf = <T extends z.core.$ZodType>(item: T) =>
  z.looseObject({ ...listMembers, items: z.array(item) });
const collectionsData = listOf(collectionItem);
const tokensData = provableList(nftTokenItem);
const transactionsData = provableList(nftTransactionsItem);
const ownersData = provableList(nftOwnerItem);

/** @throws DataError `BAD_ANSWER` */
function checkId(given: string, wanted: bigint): void {
  if (BigInt(given) !== wanted) throw aboutOther('token');
}

/** @throws DataError `BAD_ANSWER` */
function checkContract(data: ListData<{ readonly contract_address: string }>, wanted: Hex): void {
  for (const item of allItems(data)) checkAbout('contract', item.contract_address, wanted);
}

const createContractRoutes = ({
  pathOf,
  ask,
  trustOf,
}: Routes): Omit<NftRoutes, keyof WalletNftRoutes> => ({
  async *collections(request = {}) {
    const given = readRequest(request, rules, trustNames);
    const { chainName, pageSize, signal } = given;
    const trust = await trustOf(given);
    const path = `${pathOf(chainName)}nft/collections/`;
    const pages = walkPages(pageSize, (query) =>
      ask({ path, query, schema: collectionsData, signal }),
    );
    for await (const data of pages) yield unprovable(toListPage(data), trust);
  },

  async *nftTokens(request) {
    const given = readRequest(request, nftTokensRules, trustNames);
    const { chainName, contract, withoutUrls, pageSize, signal } = given;
    const path = `${pathOf(chainName)}nft/${contract}/metadata/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/nfts.js')).createNftTokensVerifier(trust);
    const query = { 'no-metadata': withoutUrls || undefined, ...toProofsQuery(trust) };
    yield* verifiedPages(ask, {
      ...{ path, query, schema: tokensData, signal, pageSize, verifier },
      check: (data) => checkContract(data, contract),
    });
  },

  async nftToken(request) {
    const given = readRequest(request, nftTokenRules, trustNames);
    const { chainName, contract, tokenId, signal } = given;
    const path = `${pathOf(chainName)}nft/${contract}/metadata/${tokenId}/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/nfts.js')).createNftTokensVerifier(trust);
    const [item] = await verifiedItems(ask, {
      ...{ path, query: toProofsQuery(trust), schema: tokensData, signal, verifier },
      check(data) {
        checkContract(data, contract);
        for (const one of allItems(data)) checkId(one.nft_data.token_id, tokenId);
      },
    });
    return item;
  },

  async *nftTransactions(request) {
    const given = readRequest(request, transactionsRules, trustNames);
    const { chainName, contract, tokenId, withoutLogs, pageSize, signal } = given;
    const path = `${pathOf(chainName)}tokens/${contract}/nft_transactions/${tokenId}/`;
    const trust = await trustOf(given);
    const token = { contract, id: tokenId };
    const wanted = { logs: !withoutLogs, input: false };
    const proofs = trust && (await import('../proofs/mined/nftTransactions.js'));
    const verifier = trust && proofs?.createNftTransactionsVerifier(token, trust, wanted);
    const query = { 'no-logs': withoutLogs || undefined, ...toProofsQuery(trust) };
    yield* verifiedPages(ask, {
      ...{ path, query, schema: transactionsData, signal, pageSize, verifier },
      check: (data) => checkContract(data, contract),
    });
  },

  async *nftOwners(request) {
    const given = readRequest(request, ownersRules, trustNames);
    const { chainName, contract, tokenId, pageSize, signal } = given;
    const path = `${pathOf(chainName)}nft/${contract}/owners/${tokenId}/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/nfts.js')).createNftOwnersVerifier(trust);
    const query = toProofsQuery(trust);
    yield* verifiedPages(ask, {
      ...{ path, query, schema: ownersData, signal, pageSize, verifier },
      check(data) {
        checkContract(data, contract);
        for (const one of allItems(data)) checkId(one.token_id, tokenId);
      },
    });
  },
});

export const createNftRoutes = (routes: Routes): NftRoutes => ({
  ...createWalletNftRoutes(routes),
  ...createContractRoutes(routes),
});
