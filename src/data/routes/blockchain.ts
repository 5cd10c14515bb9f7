/** The group Blockchain: blocks, gas, and the chains that are served; its logs stand in a file of their own. */
import * as z from 'zod/mini';
import type { Hex } from '../../bytes.js';
import { wrongRange } from '../../errors.js';
import {
  type BlockItem,
  blockSchema,
  type ChainItem,
  type ChainStatus,
  chainItem,
  chainStatus,
  type GasPrices,
  gasPricesSchema,
  type ResolvedAddress,
  resolvedAddress,
} from '../items/chainItem.js';
import { aboutOther, checkAbout } from '../wire/answer.js';
import { allItems, type ListPage, provableList } from '../wire/pages.js';
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
} from '../wire/request.js';
import type { Routes } from '../wire/routes.js';
import { type Trusting, toProofsQuery, trustNames, trustRules } from '../wire/trust.js';
import { verifiedItems, verifiedPages } from '../wire/verifiedPages.js';
import { createLogRoutes, type LogRoutes } from './logs.js';

/** Which block is wanted. */
export interface BlockRequest extends Asked, Trusting {
  /** Its number; default: the newest of the server, or the newest whose header `anchor` proves. */
  block?: number | undefined;
}

/** The blocks of which time are wanted. */
export interface BlocksRequest extends Asked, Trusting {
  /** No block is older; in whole seconds. */
  fromTime: Date;
  /** Each block is older. Default: now. */
  toTime?: Date | undefined;
  /** Blocks in a page, 1 to 1,000; default: the server's. */
  pageSize?: number | undefined;
}

/** What gas prices are asked about. */
export interface GasPricesRequest extends Asked, Trusting {
  /** Transfers of ERC-20 tokens, of native tokens, or swaps of Uniswap v3. */
  kind: 'erc20' | 'nativetokens' | 'uniswapv3';
  /** Such as `USD`; default: the server's. */
  quoteCurrency?: string | undefined;
}

/** Whose name is wanted. */
export interface ResolveAddressRequest extends Asked {
  /** 20 bytes. */
  address: Hex;
}

/** Questions about a chain. All answers are claims of the server, but for what a request with an `anchor` has verified. */
export interface BlockchainRoutes extends LogRoutes {
  /**
   * A block. With an anchor, it says what of it is not proven: without `verified`, everything.
   *
   * @throws as `decodeTransaction`, and DataError `NOT_VERIFIED` that names the block
   */
  block(request?: BlockRequest): Promise<BlockItem>;
  /**
   * The blocks of a time, a page at a time, the oldest first. Of verified ones none is left out between the first and the last.
   *
   * @throws as `block`
   */
  blocks(request: BlocksRequest): AsyncGenerator<ListPage<BlockItem>, void, undefined>;
  /** What transactions of a kind paid for gas in the last minutes. @throws as `decodeTransaction` */
  gasPrices(request: GasPricesRequest): Promise<GasPrices>;
  /** The chains that the server answers about. @throws as `decodeTransaction` */
  chains(request?: Pick<Asked, 'signal'>): Promise<readonly ChainItem[]>;
  /** How far each of them has come. @throws as `decodeTransaction` */
  chainsStatus(request?: Pick<Asked, 'signal'>): Promise<readonly ChainStatus[]>;
  /** The name of an address; null without a name service. @throws as `decodeTransaction` */
  resolveAddress(request: ResolveAddressRequest): Promise<ResolvedAddress>;
}

const kinds = ['erc20', 'nativetokens', 'uniswapv3'] as const;

const kind = (value: unknown, name: string): (typeof kinds)[number] => {
  const known = kinds.find((one) => one === value);
  if (known === undefined) throw wrongRange(name, `expected one of ${kinds.join(', ')}`);
  return known;
};

const blockRules = { ...askedRules, block: optionalRule(blockRule), ...trustRules };

const blocksData = provableList(blockSchema);
const chainsData = z.looseObject({ items: z.array(chainItem) });
const statusData = z.looseObject({ items: z.array(chainStatus) });
const resolvedData = z.looseObject({ items: z.array(resolvedAddress) });

const createBlockRoutes = ({
  pathOf,
  ask,
  trustOf,
  unprovableItem,
}: Routes): Omit<BlockchainRoutes, keyof LogRoutes> => ({
  async block(request = {}) {
    const given = readRequest(request, blockRules, trustNames);
    const { chainName, signal } = given;
    const chain = pathOf(chainName);
    const trust = await trustOf(given);
    const verifier =
      trust && (await import('../proofs/mined/blocks.js')).createBlockVerifier(trust);
    const height = given.block ?? verifier?.newest;
    const path = `${chain}block_v2/${height ?? 'latest'}/`;
    const isOther = (item: BlockItem | undefined) => item?.height !== (height ?? item?.height);
    const [item] = await verifiedItems(ask, {
      ...{ path, query: toProofsQuery(trust), schema: blocksData, signal, verifier },
      check(data) {
        if (allItems(data).some(isOther)) throw aboutOther('block');
      },
    });
    if (item === undefined) throw aboutOther('block');
    return item;
  },

  async *blocks(request) {
    const rules = {
      ...{ ...askedRules, fromTime: timeRule, toTime: optionalRule(timeRule) },
      ...{ pageSize: optionalRule(pageSizeRule), ...trustRules },
    };
    const given = readRequest(request, rules, trustNames);
    const { chainName, fromTime, toTime, pageSize, signal } = given;
    const path = `${pathOf(chainName)}block_v2/${fromTime}/${toTime ?? 'latest'}/`;
    const trust = await trustOf(given);
    const span = { from: fromTime, to: toTime };
    const verifier =
      trust && (await import('../proofs/mined/blocks.js')).createBlockListVerifier(span, trust);
    yield* verifiedPages(ask, {
      ...{ path, query: toProofsQuery(trust), schema: blocksData, signal, pageSize, verifier },
      check() {
        // A verifier holds their times against the span.
      },
    });
  },

  async gasPrices(request) {
    const rules = { ...askedRules, kind, quoteCurrency: optionalRule(textRule), ...trustRules };
    const given = readRequest(request, rules, trustNames);
    const { chainName, kind: wanted, quoteCurrency, signal } = given;
    const path = `${pathOf(chainName)}event/${wanted}/gas_prices/`;
    const trust = await trustOf(given);
    const prices = await ask({
      path,
      query: { 'quote-currency': quoteCurrency },
      ...{ schema: gasPricesSchema, signal },
    });
    checkAbout('kind', prices.event_type, wanted);
    return trust ? { ...prices, assumed: ['everything'] } : prices;
  },

  async chains(request = {}) {
    const { signal } = readRequest(request, { signal: askedRules.signal });
    const { items } = await ask({ path: '/v1/chains/', schema: chainsData, signal });
    return items.map(unprovableItem);
  },

  async chainsStatus(request = {}) {
    const { signal } = readRequest(request, { signal: askedRules.signal });
    const { items } = await ask({ path: '/v1/chains/status/', schema: statusData, signal });
    return items.map(unprovableItem);
  },

  async resolveAddress(request) {
    const {
      chainName,
      address: wanted,
      signal,
    } = readRequest(request, { ...askedRules, address: addressRule });
    const path = `${pathOf(chainName)}address/${wanted}/resolve_address/`;
    const [item] = (await ask({ path, schema: resolvedData, signal })).items;
    checkAbout('address', item?.address, wanted);
    return unprovableItem(item as ResolvedAddress);
  },
});

export const createBlockchainRoutes = (routes: Routes): BlockchainRoutes => ({
  ...createBlockRoutes(routes),
  ...createLogRoutes(routes),
});
