/** What a wallet has of tokens with ids, of the group NFT. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type WalletNftsItem,
  type WalletTokenItem,
  walletNftsItem,
  walletTokenItem,
} from '../items/nftItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { allItems, type ListPage, provableList } from '../wire/pages.js';
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

/** Whose tokens are wanted. */
export interface NftsRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Whether `token_url` is left out, which is faster. Default false. */
  withoutUrls?: boolean | undefined;
  /** Contracts in a page, 1 to 1,000, with an `anchor` to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** Whose tokens of a contract are wanted. */
export interface WalletTokensRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** The contract, 20 bytes. */
  contract: Hex;
  /** Tokens in a page, 1 to 1,000, with an `anchor` to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** A token that a wallet may have. */
export interface WalletTokenRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** The contract, 20 bytes. */
  contract: Hex;
  /** The id, below 2^256. */
  tokenId: bigint;
}

type Pages<T> = AsyncGenerator<ListPage<T>, void, undefined>;

/**
 * Questions about the tokens with ids of a wallet. The items are the server's claims, unless the request or the client has an
 * `anchor`: then they are verified. That nothing is left out is never proven, and so nothing is by an answer without items.
 */
export interface WalletNftRoutes {
  /**
   * The ERC-721 and ERC-1155 contracts of which a wallet has tokens, a page at a time.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the contract
   */
  nfts(request: NftsRequest): Pages<WalletNftsItem>;
  /**
   * The tokens of a contract that a wallet has, a page at a time.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the token
   */
  walletTokens(request: WalletTokensRequest): Pages<WalletTokenItem>;
  /**
   * A token, if a wallet has it; an item for each standard by which it does. With an anchor, each says what of it is not
   * proven: an item without `verified`, everything.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the token
   */
  walletToken(request: WalletTokenRequest): Promise<readonly WalletTokenItem[]>;
}

const rules = { ...askedRules, address: addressRule, ...trustRules };
const nftsRules = {
  ...rules,
  withoutUrls: optionalRule(flagRule),
  pageSize: optionalRule(pageSizeRule),
};
const walletTokenRules = { ...rules, contract: addressRule, tokenId: tokenIdRule };
const walletTokensRules = {
  ...rules,
  contract: addressRule,
  pageSize: optionalRule(pageSizeRule),
};

const nftsData = provableList(walletNftsItem, { address: z.string() });
const walletTokensData = provableList(walletTokenItem, {
  address: z.string(),
  collection: z.string(),
});

type WalletTokens = z.infer<typeof walletTokensData>;

/** @throws DataError `BAD_ANSWER` */
function checkTokens(
  data: WalletTokens,
  wanted: Pick<WalletTokensRequest, 'address' | 'contract'>,
): void {
  checkAbout('address', data.address, wanted.address);
  for (const given of [data.collection, ...allItems(data).map((item) => item.contract_address)]) {
    checkAbout('contract', given, wanted.contract);
  }
}

export const createWalletNftRoutes = ({ pathOf, ask, trustOf }: Routes): WalletNftRoutes => ({
  async *nfts(request) {
    const given = readRequest(request, nftsRules, trustNames);
    const { chainName, address, withoutUrls, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/balances_nft/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/nfts.js')).createWalletNftsVerifier(address, trust);
    const query = { 'no-nft-asset-metadata': withoutUrls || undefined, ...toProofsQuery(trust) };
    yield* verifiedPages(ask, {
      ...{ path, query, schema: nftsData, signal, pageSize, verifier },
      check: (data) => checkAbout('address', data.address, address),
    });
  },

  async *walletTokens(request) {
    const given = readRequest(request, walletTokensRules, trustNames);
    const { chainName, address, contract, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/collection/${contract}/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/nfts.js')).createWalletTokensVerifier(address, trust);
    const query = toProofsQuery(trust);
    yield* verifiedPages(ask, {
      ...{ path, query, schema: walletTokensData, signal, pageSize, verifier },
      check: (data) => checkTokens(data, given),
    });
  },

  async walletToken(request) {
    const given = readRequest(request, walletTokenRules, trustNames);
    const { chainName, address, contract, tokenId, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/collection/${contract}/token/${tokenId}/`;
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/held/nfts.js')).createWalletTokensVerifier(address, trust);
    const query = toProofsQuery(trust);
    return verifiedItems(ask, {
      ...{ path, query, schema: walletTokensData, signal, verifier },
      check(data) {
        checkTokens(data, given);
        const isOther = ({ token_id: id }: WalletTokenItem) => BigInt(id) !== tokenId;
        if (allItems(data).some(isOther)) throw aboutOther('token');
      },
    });
  },
});
