/** The group Wallet: what an address holds and moves, and who holds a token. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type BalancePage,
  balancesData,
  type NativeBalanceItem,
  nativeBalanceData,
} from '../items/balanceItem.js';
import { type TransfersItem, transfersItem } from '../items/transferItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { allItems, type ListPage, provableList } from '../wire/pages.js';
import { type PastBlock, pastRules, toPastQuery } from '../wire/pastBlock.js';
import {
  type Asked,
  addressRule,
  askedRules,
  blockRule,
  flagRule,
  optionalRule,
  pageSizeRule,
  readRequest,
  textRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';
import { verifiedItems, verifiedPages } from '../wire/verifiedPages.js';
import { createHolderRoutes, type HolderRoutes } from './holders.js';

/** Whose balances are wanted. */
export interface BalancesRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Items in a page; default: the server's. */
  pageSize?: number | undefined;
}

/** Whose native balance is wanted. */
export interface NativeBalanceRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** As of `PastBlock`; default: the newest of the server, or that of `anchor`. */
  block?: PastBlock['block'];
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
}

/** Whose transfers are wanted. */
export interface TransfersRequest extends Asked, Trusting {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** The token, 20 bytes. Default: all ERC-20 tokens, which not all servers list. */
  token?: Hex | undefined;
  /** The first block. Default: that of the chain. */
  fromBlock?: number | undefined;
  /** The last block. Default: the newest. */
  toBlock?: number | undefined;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
  /** Whether the oldest come first. Default false. */
  oldestFirst?: boolean | undefined;
  /** Transactions in a page, 1 to 1,000, with an `anchor` to 100; default: the server's. */
  pageSize?: number | undefined;
}

/** Questions about wallets and tokens. */
export interface WalletRoutes extends HolderRoutes {
  /**
   * The holdings of a wallet, a page at a time; a page is asked for when it is needed. The items are the server's
   * claims, unless the request has an `anchor`: then the items of a page are verified. That nothing is left out is
   * never proven.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the balance
   */
  balances(request: BalancesRequest): AsyncGenerator<BalancePage, void, undefined>;
  /** The native balance of a wallet: the server's claim, or verified as `balances` are. @throws as `balances` */
  nativeBalance(request: NativeBalanceRequest): Promise<NativeBalanceItem>;
  /**
   * The transfers of a wallet by transactions, a page at a time, the newest first: the server's claims, unless there is an
   * `anchor`: then the items of a page are verified. That no transaction is left out is never proven.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the transaction
   */
  transfers(request: TransfersRequest): AsyncGenerator<ListPage<TransfersItem>, void, undefined>;
}

const balancesRules = {
  ...askedRules,
  address: addressRule,
  quoteCurrency: optionalRule(textRule),
  pageSize: optionalRule(pageSizeRule),
  ...trustRules,
};

const nativeBalanceRules = {
  ...askedRules,
  address: addressRule,
  block: pastRules.block,
  quoteCurrency: optionalRule(textRule),
  ...trustRules,
};

const transfersRules = {
  ...askedRules,
  address: addressRule,
  token: optionalRule(addressRule),
  fromBlock: optionalRule(blockRule),
  toBlock: optionalRule(blockRule),
  quoteCurrency: optionalRule(textRule),
  oldestFirst: optionalRule(flagRule),
  pageSize: optionalRule(pageSizeRule),
  ...trustRules,
};

const transfersData = provableList(transfersItem, { address: z.string() });

/** @throws DataError `BAD_ANSWER` */
function checkTransfers(
  { address: named, ...data }: z.infer<typeof transfersData>,
  wallet: Hex,
  {
    token,
    fromBlock = 0,
    toBlock = Infinity,
  }: Pick<TransfersRequest, 'token' | 'fromBlock' | 'toBlock'>,
): void {
  checkAbout('address', named, wallet);
  const items = allItems(data);
  if (items.some(({ block_height: height }) => height < fromBlock || height > toBlock)) {
    throw aboutOther('block');
  }
  for (const { from_address: from, to_address: to, contract_address: contract } of items.flatMap(
    ({ transfers }) => transfers,
  )) {
    if (token !== undefined) checkAbout('token', contract, token);
    if (![from, to].some((side) => side.toLowerCase() === wallet)) throw aboutOther('address');
  }
}

const createOwnRoutes = ({
  pathOf,
  ask,
  trustOf,
}: Routes): Omit<WalletRoutes, keyof HolderRoutes> => ({
  async *balances(request) {
    const given = readRequest(request, balancesRules, trustNames);
    const { chainName, address, quoteCurrency, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/balances_v2/`;
    const trust = await trustOf(given);
    // The engine and the proofs are loaded only if they are needed.
    const verifier =
      trust && (await import('../proofs/held/balances.js')).createBalanceVerifier(address, trust);
    const query = { 'quote-currency': quoteCurrency, ...toProofsQuery(trust) };
    yield* verifiedPages(ask, {
      ...{ path, query, schema: balancesData, signal, pageSize, verifier },
      check: (data) => checkAbout('address', data.address, address),
    });
  },

  async nativeBalance(request) {
    const given = readRequest(request, nativeBalanceRules, trustNames);
    const { chainName, address, block, quoteCurrency, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/balances_native/`;
    const trust = await trustOf(given);
    const verifier =
      trust &&
      (await import('../proofs/held/nativeBalance.js')).createNativeVerifier(address, trust);
    const query = { 'quote-currency': quoteCurrency, ...toPastQuery({ block }, trust) };
    const [item] = await verifiedItems(ask, {
      ...{ path, query, schema: nativeBalanceData, signal, verifier },
      check: (data) => checkAbout('address', data.address, address),
    });
    if (item === undefined || item.block_height !== (block ?? item.block_height)) {
      throw aboutOther('block');
    }
    return item;
  },

  async *transfers(request) {
    const given = readRequest(request, transfersRules, trustNames);
    const { chainName, address, token, fromBlock, toBlock, pageSize, signal } = given;
    const { oldestFirst: isAscending = false } = given;
    const path = `${pathOf(chainName)}address/${address}/transfers_v2/`;
    const trust = await trustOf(given);
    const wish = { wallet: address, contract: token, isAscending };
    const verifier =
      trust && (await import('../proofs/mined/transfers.js')).createTransferVerifier(wish, trust);
    const query = {
      'quote-currency': given.quoteCurrency,
      'contract-address': token,
      'starting-block': fromBlock,
      'ending-block': toBlock,
      'block-signed-at-asc': isAscending || undefined,
      ...toProofsQuery(trust),
    };
    yield* verifiedPages(ask, {
      ...{ path, query, schema: transfersData, signal, pageSize, verifier },
      check: (data) => checkTransfers(data, address, given),
    });
  },
});

export const createWalletRoutes = (routes: Routes): WalletRoutes => ({
  ...createOwnRoutes(routes),
  ...createHolderRoutes(routes),
});
