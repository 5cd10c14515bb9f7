/** The group NFT: who has which tokens with ids, and what became of them. */
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
  type WalletNftsItem,
  type WalletTokenItem,
  walletNftsItem,
  walletTokenItem,
} from '../items/nftItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { type ListData, type ListPage, listMembers, toListPage, walkPages } from '../wire/pages.js';
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
import type { RouteQuestion, Routes } from '../wire/routes.js';

/** Whose tokens are wanted. */
export interface NftsRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Whether `token_url` is left out, which is faster. Default false. */
  withoutUrls?: boolean | undefined;
  /** Contracts in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Whose tokens of a contract are wanted. */
export interface WalletTokensRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** The contract, 20 bytes. */
  contract: Hex;
  /** Tokens in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** A token that a wallet may have. */
export interface WalletTokenRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** The contract, 20 bytes. */
  contract: Hex;
  /** The id, below 2^256. */
  tokenId: bigint;
}

/** Which page of collections is wanted. */
export interface CollectionsRequest extends Asked {
  /** Contracts in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** The contract whose tokens are wanted. */
export interface NftTokensRequest extends Asked {
  /** The contract, 20 bytes. */
  contract: Hex;
  /** Whether `token_url` is left out, which is faster. Default false. */
  withoutUrls?: boolean | undefined;
  /** Tokens in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Which token is wanted. */
export interface NftTokenRequest extends Asked {
  /** The contract, 20 bytes. */
  contract: Hex;
  /** The id, below 2^256. */
  tokenId: bigint;
}

/** The token whose owners are wanted. */
export interface NftOwnersRequest extends NftTokenRequest {
  /** Owners in a page, 1 to 1,000; default: the server's. */
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

/** Questions about tokens with ids. All answers are the server's claims. */
export interface NftRoutes {
  /** The ERC-721 and ERC-1155 contracts of which a wallet has tokens, a page at a time. @throws as `decodeTransaction` */
  nfts(request: NftsRequest): Pages<WalletNftsItem>;
  /** The tokens of a contract that a wallet has, a page at a time. @throws as `decodeTransaction` */
  walletTokens(request: WalletTokensRequest): Pages<WalletTokenItem>;
  /** A token, if a wallet has it; an item for each standard by which it does. @throws as `decodeTransaction` */
  walletToken(request: WalletTokenRequest): Promise<readonly WalletTokenItem[]>;
  /** The ERC-721 and ERC-1155 contracts of the chain, a page at a time. @throws as `decodeTransaction` */
  collections(request?: CollectionsRequest): Pages<CollectionItem>;
  /** The tokens of a contract, a page at a time. @throws as `decodeTransaction` */
  nftTokens(request: NftTokensRequest): Pages<NftTokenItem>;
  /** One token; undefined if nobody has such a token. @throws as `decodeTransaction` */
  nftToken(request: NftTokenRequest): Promise<NftTokenItem | undefined>;
  /** The transactions that moved a token, a page at a time, the newest first. @throws as `decodeTransaction` */
  nftTransactions(request: NftTransactionsRequest): Pages<NftTransactionsItem>;
  /** Who has a token, a page at a time, those with most first; not all servers know. @throws as `decodeTransaction` */
  nftOwners(request: NftOwnersRequest): Pages<NftOwnerItem>;
}

const rules = { ...askedRules, pageSize: optionalRule(pageSizeRule) };
const nftsRules = { ...rules, address: addressRule, withoutUrls: optionalRule(flagRule) };
const walletTokenRules = {
  ...{ ...askedRules, address: addressRule, contract: addressRule },
  tokenId: tokenIdRule,
};
const walletTokensRules = { ...rules, address: addressRule, contract: addressRule };
const nftTokensRules = { ...rules, contract: addressRule, withoutUrls: optionalRule(flagRule) };
const nftTokenRules = { ...askedRules, contract: addressRule, tokenId: tokenIdRule };
const ownersRules = { ...rules, contract: addressRule, tokenId: tokenIdRule };
const transactionsRules = { ...ownersRules, withoutLogs: optionalRule(flagRule) };

const listOf = <T extends z.core.$ZodType>(item: T) =>
  z.looseObject({ ...listMembers, items: z.array(item) });
const nftsData = z.looseObject({
  ...{ ...listMembers, address: z.string() },
  items: z.array(walletNftsItem),
});
const walletTokensData = z.looseObject({
  ...{ ...listMembers, address: z.string(), collection: z.string() },
  items: z.array(walletTokenItem),
});
const collectionsData = listOf(collectionItem);
const tokensData = listOf(nftTokenItem);
const transactionsData = listOf(nftTransactionsItem);
const ownersData = listOf(nftOwnerItem);

/** @throws DataError `BAD_ANSWER` */
function checkId(given: string, wanted: bigint): void {
  if (BigInt(given) !== wanted) throw aboutOther('token');
}

/** @throws DataError `BAD_ANSWER` */
function checkWalletTokens(
  { address, collection, items }: z.infer<typeof walletTokensData>,
  wanted: Pick<WalletTokensRequest, 'address' | 'contract'>,
): void {
  checkAbout('address', address, wanted.address);
  for (const given of [collection, ...items.map((item) => item.contract_address)]) {
    checkAbout('contract', given, wanted.contract);
  }
}

/** The answers of a list, page by page. */
const walk = <T extends ListData<unknown>>(
  ask: Routes['ask'],
  { pageSize, query, ...question }: RouteQuestion<T> & { pageSize: number | undefined },
): AsyncGenerator<T, void, undefined> =>
  walkPages(pageSize, (place) => ask({ ...question, query: { ...query, ...place } }));

export const createNftRoutes = ({ pathOf, ask }: Routes): NftRoutes => ({
  async *nfts(request) {
    const given = readRequest(request, nftsRules);
    const { chainName, address, withoutUrls, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/balances_nft/`;
    const query = { 'no-nft-asset-metadata': withoutUrls || undefined };
    const pages = walk(ask, { path, query, schema: nftsData, signal, pageSize });
    for await (const data of pages) {
      checkAbout('address', data.address, address);
      yield toListPage(data);
    }
  },

  async *walletTokens(request) {
    const given = readRequest(request, walletTokensRules);
    const { chainName, address, contract, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/collection/${contract}/`;
    const pages = walk(ask, { path, schema: walletTokensData, signal, pageSize });
    for await (const data of pages) {
      checkWalletTokens(data, given);
      yield toListPage(data);
    }
  },

  async walletToken(request) {
    const given = readRequest(request, walletTokenRules);
    const { chainName, address, contract, tokenId, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/collection/${contract}/token/${tokenId}/`;
    const data = await ask({ path, schema: walletTokensData, signal });
    checkWalletTokens(data, given);
    for (const item of data.items) checkId(item.token_id, tokenId);
    return data.items;
  },

  async *collections(request = {}) {
    const { chainName, pageSize, signal } = readRequest(request, rules);
    const path = `${pathOf(chainName)}nft/collections/`;
    const pages = walk(ask, { path, schema: collectionsData, signal, pageSize });
    for await (const data of pages) yield toListPage(data);
  },

  async *nftTokens(request) {
    const given = readRequest(request, nftTokensRules);
    const { chainName, contract, withoutUrls, pageSize, signal } = given;
    const path = `${pathOf(chainName)}nft/${contract}/metadata/`;
    const query = { 'no-metadata': withoutUrls || undefined };
    const pages = walk(ask, { path, query, schema: tokensData, signal, pageSize });
    for await (const data of pages) {
      for (const item of data.items) checkAbout('contract', item.contract_address, contract);
      yield toListPage(data);
    }
  },

  async nftToken(request) {
    const { chainName, contract, tokenId, signal } = readRequest(request, nftTokenRules);
    const path = `${pathOf(chainName)}nft/${contract}/metadata/${tokenId}/`;
    const { items } = await ask({ path, schema: tokensData, signal });
    const [item] = items;
    if (item === undefined) return undefined;
    checkAbout('contract', item.contract_address, contract);
    checkId(item.nft_data.token_id, tokenId);
    return item;
  },

  async *nftTransactions(request) {
    const given = readRequest(request, transactionsRules);
    const { chainName, contract, tokenId, withoutLogs, pageSize, signal } = given;
    const path = `${pathOf(chainName)}tokens/${contract}/nft_transactions/${tokenId}/`;
    const query = { 'no-logs': withoutLogs || undefined };
    const pages = walk(ask, { path, query, schema: transactionsData, signal, pageSize });
    for await (const data of pages) {
      for (const item of data.items) checkAbout('contract', item.contract_address, contract);
      yield toListPage(data);
    }
  },

  async *nftOwners(request) {
    const given = readRequest(request, ownersRules);
    const { chainName, contract, tokenId, pageSize, signal } = given;
    const path = `${pathOf(chainName)}nft/${contract}/owners/${tokenId}/`;
    const pages = walk(ask, { path, schema: ownersData, signal, pageSize });
    for await (const data of pages) {
      for (const item of data.items) {
        checkAbout('contract', item.contract_address, contract);
        checkId(item.token_id, tokenId);
      }
      yield toListPage(data);
    }
  },
});
