/** The knowledge of one decoding besides the log itself: the chain, the other logs, tokens, pools and prices. */
import type { Hex } from '../../bytes.js';
import { pickMembers } from '../../foreign/argument.js';
import {
  type Chain,
  checkAddress,
  checkCallerList,
  type Roles,
  readChain,
} from '../definition/chain.js';
import type { TokenStandard } from '../definition/definition.js';
import { maxDecimals } from '../receipt/limits.js';
import { nativeLogAddress } from '../receipt/nativeLogAddress.js';
import type { ReceiptLog } from '../receipt/receipt.js';
import { cleanName, cleanUrl } from '../receipt/text.js';
import { type Abis, registryOfAbis } from '../registry/abis.js';
import type { Registry } from '../registry/registry.js';
import { type Flows, toFlows } from './flows.js';
import {
  type MissingMetadata,
  nativeAddress,
  type PoolTokens,
  type TokenMetadata,
  type TokenPrice,
} from './input.js';
import { type Decimal, readDecimal } from './quote.js';

/** A token, its texts cleaned. Members that it did not answer are undefined. */
export interface Token {
  readonly address: Hex;
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly decimals: number | undefined;
  readonly logo: string | undefined;
  readonly standards: readonly TokenStandard[];
}

export interface DecodeContext {
  /** Base URLs of block explorers. */
  readonly explorers: readonly string[];
  readonly roles: Roles;
  readonly abis: Registry;
  readonly native: Token;
  /** The token at an address; undefined if nothing is known of it, which is noted. */
  token(address: Hex): Token | undefined;
  /** The tokens of a pool; undefined if they are not known. That is noted if `isWanted`. */
  pool(address: Hex, isWanted: boolean): readonly [Hex, Hex] | undefined;
  price(address: Hex): Decimal | undefined;
  flows(): Flows;
  /** Contracts that were asked for and not known. */
  missing(): MissingMetadata;
}

interface ContextInput {
  readonly chain: Chain;
  readonly logs: readonly ReceiptLog[];
  readonly tokens: readonly TokenMetadata[] | undefined;
  readonly pools: readonly PoolTokens[] | undefined;
  readonly prices: readonly TokenPrice[] | undefined;
  readonly abis: Abis | undefined;
}

/** A list of the caller's by address. @throws TypeError that names the fault */
function byAddress<T extends { readonly address: Hex }, R>(
  list: readonly T[] | undefined,
  {
    name,
    members,
    read,
  }: {
    name: string;
    members: readonly (keyof T & string)[];
    read: (item: Partial<T>, address: Hex, name: string) => R;
  },
): Map<Hex, R> {
  const map = new Map<Hex, R>();
  for (const [i, given] of checkCallerList(list, name).entries()) {
    const at = `${name}[${i}]`;
    const item = pickMembers(given, members, at) as Partial<T>;
    const address = checkAddress(item.address, `${at}.address`);
    map.set(address, read(item, address, at));
  }
  return map;
}

function readToken(given: Partial<TokenMetadata>, address: Hex): Token {
  const { decimals, standards } = given;
  const isCount = Number.isInteger(decimals) && (decimals as number) >= 0;
  return {
    address,
    name: cleanName(given.name),
    symbol: cleanName(given.symbol),
    decimals: isCount && (decimals as number) <= maxDecimals ? decimals : undefined,
    logo: cleanUrl(given.logo),
    standards: Array.isArray(standards) ? standards : [],
  };
}

/** @throws TypeError for a list that is not an array */
export function createContext({
  chain,
  logs,
  tokens,
  pools,
  prices,
  abis,
}: ContextInput): DecodeContext {
  const { native, explorers, roles } = readChain(chain);
  const known = byAddress(tokens, {
    name: 'tokens',
    members: ['address', 'name', 'symbol', 'decimals', 'logo', 'standards'],
    read: readToken,
  });
  const pairs = byAddress(pools, {
    name: 'pools',
    members: ['address', 'token0', 'token1'],
    read: ({ token0, token1 }, _, at) =>
      token0 === undefined || token1 === undefined
        ? undefined
        : ([checkAddress(token0, `${at}.token0`), checkAddress(token1, `${at}.token1`)] as const),
  });
  const quotes = byAddress(prices, {
    name: 'prices',
    members: ['address', 'usd'],
    read: ({ usd }) => readDecimal(usd),
  });
  const missing = { tokens: new Set<Hex>(), pools: new Set<Hex>(), prices: new Set<Hex>() };
  let flows: Flows | undefined;

  /** Looks an address up, and notes it if it is not there. */
  const look = <T>(map: ReadonlyMap<Hex, T>, notes: Set<Hex>, address: Hex): T | undefined => {
    // Nobody can answer for it, whatever a list says.
    if (address === nativeLogAddress) return undefined;
    if (!map.has(address)) notes.add(address);
    return map.get(address);
  };
  return {
    explorers,
    roles,
    abis: registryOfAbis(abis),
    native: readToken(native, nativeAddress),
    token: (address) => look(known, missing.tokens, address),
    pool: (address, isWanted) =>
      isWanted ? look(pairs, missing.pools, address) : pairs.get(address),
    price: (address) => look(quotes, missing.prices, address),
    flows() {
      flows ??= toFlows(logs);
      return flows;
    },
    missing: () => ({
      tokens: [...missing.tokens],
      pools: [...missing.pools],
      prices: [...missing.prices],
    }),
  };
}
