/** The group Wallet: what an address holds and moves, and who holds a token. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import {
  type BalancePage,
  balancesData,
  type NativeBalanceItem,
  nativeBalanceItem,
} from '../items/balanceItem.js';
import { type HolderItem, holderItem } from '../items/holderItem.js';
import { type TransfersItem, transfersItem } from '../items/transferItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { type ListPage, listMembers, toListPage, walkPages } from '../wire/pages.js';
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
  timeRule,
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';

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
export interface NativeBalanceRequest extends Asked {
  /** The wallet, 20 bytes. */
  address: Hex;
  /** Number of the block whose state counts; default: the newest of the server. */
  block?: number | undefined;
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
}

/** Whose transfers are wanted. */
export interface TransfersRequest extends Asked {
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
  /** Transactions in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Whose holders are wanted. */
export interface HoldersRequest extends Asked {
  /** The token, 20 bytes. */
  token: Hex;
  /** Number of the block whose balances count; default: the newest that the server has ranked holders at. */
  block?: number | undefined;
  /** A day, in UTC, whose last block counts, in place of `block`. */
  day?: Date | undefined;
  /** Whether the server ranks the holders anew, at its newest block. Default false. */
  anew?: boolean | undefined;
  /** Holders in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** Questions about wallets and tokens. */
export interface WalletRoutes {
  /**
   * The holdings of a wallet, a page at a time; a page is asked for when it is needed. The items are the server's
   * claims, unless the request has an `anchor`: then the items of a page are verified. That nothing is left out is
   * never proven.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the balance
   */
  balances(request: BalancesRequest): AsyncGenerator<BalancePage, void, undefined>;
  /** The native balance of a wallet, which is the server's claim. @throws as `decodeTransaction` */
  nativeBalance(request: NativeBalanceRequest): Promise<NativeBalanceItem>;
  /**
   * The transfers of a wallet by transactions, a page at a time, the newest first: the server's claims.
   *
   * @throws as `decodeTransaction`
   */
  transfers(request: TransfersRequest): AsyncGenerator<ListPage<TransfersItem>, void, undefined>;
  /**
   * The holders of a token, a page at a time, the largest first: the server's claims. `total` counts all that it has ranked.
   *
   * @throws as `decodeTransaction`
   */
  holders(request: HoldersRequest): AsyncGenerator<ListPage<HolderItem>, void, undefined>;
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
  block: optionalRule(blockRule),
  quoteCurrency: optionalRule(textRule),
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
};

const holdersRules = {
  ...askedRules,
  token: addressRule,
  block: optionalRule(blockRule),
  day: optionalRule(timeRule),
  anew: optionalRule(flagRule),
  pageSize: optionalRule(pageSizeRule),
};

const nativeBalanceData = z.looseObject({ address: z.string(), items: z.array(nativeBalanceItem) });
const transfersData = z.looseObject({
  ...listMembers,
  address: z.string(),
  items: z.array(transfersItem),
});
const holdersData = z.looseObject({ ...listMembers, items: z.array(holderItem) });

/** @throws DataError `BAD_ANSWER` */
function checkTransfers(
  { address: named, items }: z.infer<typeof transfersData>,
  wallet: Hex,
  token: Hex | undefined,
): void {
  checkAbout('address', named, wallet);
  for (const { from_address: from, to_address: to, contract_address: contract } of items.flatMap(
    ({ transfers }) => transfers,
  )) {
    if (token !== undefined) checkAbout('token', contract, token);
    if (![from, to].some((side) => side.toLowerCase() === wallet)) throw aboutOther('address');
  }
}

export const createWalletRoutes = ({ pathOf, ask, trustOf }: Routes): WalletRoutes => ({
  async *balances(request) {
    const given = readRequest(request, balancesRules, trustNames);
    const { chainName, address, quoteCurrency, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/balances_v2/`;
    const trust = await trustOf(given);
    // The engine and the proofs are loaded only if they are needed.
    const verifier =
      trust && (await import('../proofs/balances.js')).createBalanceVerifier(address, trust);
    const query = { 'quote-currency': quoteCurrency, ...toProofsQuery(trust) };
    const pages = walkPages(pageSize, (place) =>
      ask({ path, schema: balancesData, signal, query: { ...query, ...place } }),
    );
    for await (const data of pages) {
      checkAbout('address', data.address, address);
      const page = toListPage(data);
      yield verifier ? await verifier.verified(page) : page;
    }
  },

  async nativeBalance(request) {
    const { chainName, address, block, quoteCurrency, signal } = readRequest(
      request,
      nativeBalanceRules,
    );
    const { address: named, items } = await ask({
      path: `${pathOf(chainName)}address/${address}/balances_native/`,
      query: { 'quote-currency': quoteCurrency, 'block-height': block },
      ...{ schema: nativeBalanceData, signal },
    });
    checkAbout('address', named, address);
    const [item] = items;
    if (item === undefined || item.block_height !== (block ?? item.block_height)) {
      throw aboutOther('block');
    }
    return item;
  },

  async *transfers(request) {
    const given = readRequest(request, transfersRules);
    const { chainName, address, token, fromBlock, toBlock, pageSize, signal } = given;
    const path = `${pathOf(chainName)}address/${address}/transfers_v2/`;
    const query = {
      'quote-currency': given.quoteCurrency,
      'contract-address': token,
      'starting-block': fromBlock,
      'ending-block': toBlock,
      'block-signed-at-asc': given.oldestFirst || undefined,
    };
    const pages = walkPages(pageSize, (place) =>
      ask({ path, query: { ...query, ...place }, schema: transfersData, signal }),
    );
    for await (const data of pages) {
      checkTransfers(data, address, token);
      yield toListPage(data);
    }
  },

  async *holders(request) {
    const given = readRequest(request, holdersRules);
    const { chainName, token, block, day, anew, pageSize, signal } = given;
    if (block !== undefined && day !== undefined) {
      throw new TypeError('the request expected "block" or "day", not both');
    }
    const path = `${pathOf(chainName)}tokens/${token}/token_holders_v2/`;
    let isAnew = anew || undefined;
    const pages = walkPages(pageSize, (place) => {
      const query = {
        'block-height': block,
        date: day?.slice(0, 10),
        'no-snapshot': isAnew,
        ...place,
      };
      // Later pages are of the ranking that the first one made.
      isAnew = undefined;
      return ask({ path, query, schema: holdersData, signal });
    });
    for await (const data of pages) {
      for (const item of data.items) {
        checkAbout('token', item.contract_address, token);
        if (block !== undefined && item.block_height !== block) throw aboutOther('block');
      }
      yield toListPage(data);
    }
  },
});
