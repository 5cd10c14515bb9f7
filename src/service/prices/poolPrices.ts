/** A source of prices that reads them from pools on the chain, which the operator names. */

import { decodeUint256 } from '../../abi/answers.js';
import {
  type AskContracts,
  type Fraction,
  invert,
  multiply,
  readDecimals,
  readPool,
  toDigits,
  toWhole,
} from '../../abi/pools.js';
import { holdingCalls } from '../../abi/tokens.js';
import type { Hex } from '../../bytes.js';
import { nativeAddress } from '../../decode/context/input.js';
import type { TokenPrice } from '../../decode/index.js';
import { wrongType } from '../../errors.js';
import { ownMembers } from '../../foreign/argument.js';
import { createReader } from '../../foreign/reader.js';
import { entryBytes, LruCache } from '../../lru.js';
import { createNodeAmounts } from '../chain/amounts.js';
import { createFinalizedHead } from '../chain/finalizedHead.js';
import { createDecoderNode, type NodeOptions } from '../chain/node.js';
import { namedSource, type PriceQuestion, type PriceSource } from '../chain/prices.js';
import { findFirstFrom } from '../ledger/blockTime.js';
import { createLedger, type Ledger } from '../ledger/ledger.js';
import type { LedgerBlock } from '../ledger/types.js';

/** Awaited between pieces of work. */
type Pause = () => Promise<void>;

/** A pool by which a token is worth something. */
interface NamedPool {
  /** The token that has the price; {@link nativeAddress}: the native one, by a pool of a token that wraps it. */
  readonly token: Hex;
  readonly pool: Hex;
  /** The other token of the pool. */
  readonly quote: Hex;
  /** What the pool's other tokens must be worth at least, in US dollars. */
  readonly leastLiquidity: Fraction;
}

interface NamedPools {
  /** Tokens that count as a US dollar each. */
  readonly dollars: ReadonlySet<Hex>;
  readonly pools: readonly NamedPool[];
}

const { openObject, read, as, asHex, asList } = createReader(wrongType);

const readAddress = asHex(20);
const readAmount = as((value): Fraction | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  const [, whole = '', behind = ''] = /^(\d{1,30})(?:\.(\d{1,30}))?$/.exec(String(text)) ?? [];
  if (whole === '') return undefined;
  return { above: BigInt(whole + behind), below: 10n ** BigInt(behind.length) };
}, 'a number from 0, or its digits');

function readNamedPool(entry: unknown, at: string): NamedPool {
  const source = openObject(entry, at);
  return {
    token: read(source, 'token', readAddress),
    pool: read(source, 'pool', readAddress),
    quote: read(source, 'quote', readAddress),
    leastLiquidity: read(source, 'leastLiquidity', readAmount),
  };
}

function readNamedPools(entry: unknown, at: string): NamedPools {
  const source = openObject(entry, at);
  return {
    dollars: new Set(read(source, 'dollars', asList(readAddress))),
    pools: read(source, 'pools', asList(readNamedPool)),
  };
}

/** Options of {@link poolPrices}. */
export interface PoolPricesOptions {
  /**
   * Parsed JSON: chain names, and for each `dollars`, addresses of tokens that count as a US dollar, and `pools`, a list of
   * `{ token, pool, quote, leastLiquidity }`: the pool of `token` and `quote` counts if it has `quote` worth so many US
   * dollars. The native token is `0xeeee...eeee`, by a pool of a token that wraps it.
   */
  file: unknown;
  /** The nodes of these chains, as those of a decoder. */
  chains: readonly ({
    /** As the file and the service have it. */
    readonly name: string;
  } & NodeOptions)[];
}

const chainNames = ['name', 'url', 'fetch', 'headers', 'timeout'] as const;

/** Pools between a token and a dollar. */
const mostHops = 2;

/** Ms for which an answer about the newest final block is good, and that one is waited for. */
const recheck = 1000;
const patience = 2000;

/** Bytes in memory of prices. */
const maxBytes = 4 * 2 ** 20;

const one: Fraction = { above: 1n, below: 1n };

const isBelow = (a: Fraction, b: Fraction): boolean => a.above * b.below < b.above * a.below;

/** A chain's pools, read. */
class PoolReader {
  readonly #pools: NamedPools;
  readonly #node: ReturnType<typeof createDecoderNode>;
  readonly #amounts: ReturnType<typeof createNodeAmounts>;
  readonly #ledger: Ledger;
  /** Prices by the hash of a block and the token; null: it has none there. */
  readonly #known = new LruCache<string, Fraction | null>(
    maxBytes,
    (_, key) => entryBytes + 200 + 2 * key.length,
  );

  constructor(pools: NamedPools, options: NodeOptions) {
    this.#pools = pools;
    this.#node = createDecoderNode(options);
    this.#amounts = createNodeAmounts(this.#node);
    const head = createFinalizedHead({ node: this.#node, recheck, patience, onError: () => {} });
    this.#ledger = createLedger(this.#node.client, head);
  }

  /** The newest block, or the last one that is no younger than a time; undefined if there is none. */
  async #blockAt(timestamp: number | undefined, pause: Pause) {
    const newest = await this.#node.newestNumber();
    if (timestamp === undefined) return this.#ledger.block(newest);
    const number = (await findFirstFrom(this.#ledger, timestamp + 1, { newest, pause })) - 1;
    return number < 0 ? undefined : this.#ledger.block(number);
  }

  async #priceByPool(
    { token, pool, quote, leastLiquidity }: NamedPool,
    { hash, number }: LedgerBlock,
    hops: number,
    pause: Pause,
  ): Promise<Fraction | undefined> {
    const worth = await this.#price(quote, { hash, number } as LedgerBlock, hops + 1, pause);
    if (worth === undefined) return undefined;
    const ask: AskContracts = (calls) => this.#amounts.call(calls, number, pause);
    const state = await readPool(pool, ask);
    if (state?.ratio === undefined) return undefined;
    const side = state.tokens.indexOf(quote);
    const other = state.tokens[1 - side];
    // A token that wraps the native one is the operator's word.
    const isOfToken = other === token || token === nativeAddress;
    if (side < 0 || !isOfToken) return undefined;
    const [first, second] = await readDecimals(state.tokens, ask);
    if (first === undefined || second === undefined) return undefined;
    const price = toWhole(state.ratio, [first, second]);
    const calls = holdingCalls('erc20', { contract: quote, wallet: pool }, []);
    const [held] = await ask(calls);
    const decimals = side === 0 ? first : second;
    const liquidity = multiply(worth, {
      above: decodeUint256(held) ?? 0n,
      below: 10n ** BigInt(decimals),
    });
    if (isBelow(liquidity, leastLiquidity)) return undefined;
    return multiply(side === 1 ? price : invert(price), worth);
  }

  /** The price by the first of its pools that counts. */
  async #price(
    token: Hex,
    block: LedgerBlock,
    hops: number,
    pause: Pause,
  ): Promise<Fraction | undefined> {
    if (this.#pools.dollars.has(token)) return one;
    if (hops >= mostHops) return undefined;
    const key = `${block.hash} ${hops} ${token}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known ?? undefined;
    let found: Fraction | undefined;
    for (const pool of this.#pools.pools) {
      if (pool.token !== token) continue;
      found = await this.#priceByPool(pool, block, hops, pause);
      if (found !== undefined) break;
    }
    this.#known.set(key, found ?? null);
    return found;
  }

  /** @throws RpcError or NodeError, also if the node does not hold the state */
  async prices({ addresses, timestamp, signal }: PriceQuestion): Promise<TokenPrice[]> {
    const named = addresses.filter(
      (token) =>
        this.#pools.dollars.has(token) || this.#pools.pools.some((one) => one.token === token),
    );
    if (named.length === 0) return [];
    const pause = async () => signal.throwIfAborted();
    const block = await this.#blockAt(timestamp, pause);
    if (block === undefined) return [];
    // A call that fails may be the contract's fault, this cannot be.
    await this.#amounts.balanceAt(named[0] as Hex, block.number);
    const prices: TokenPrice[] = [];
    for (const address of named) {
      const price = await this.#price(address, block, 0, pause);
      if (price !== undefined) prices.push({ address, usd: toDigits(price) });
    }
    return prices;
  }
}

/**
 * A source of prices by pools of Uniswap v2 and v3, at the time that is asked for: a token is worth what the first of its pools
 * that has enough in it says, over two pools at most. One transaction can move the price of a pool. Old times need a node
 * that holds old state.
 *
 * @throws TypeError that says what is wrong, and at which member; TypeError or RangeError for a wrong node
 */
export function poolPrices(options: PoolPricesOptions): PriceSource {
  const { file, chains } = ownMembers(options, ['file', 'chains'], 'options');
  if (!Array.isArray(chains)) throw wrongType('chains', 'expected an array');
  for (const [i, chain] of chains.entries()) ownMembers(chain, chainNames, `chains[${i}]`);
  const source = openObject(file, 'prices');
  const readers = new Map<string, PoolReader>();
  for (const name of Object.keys(source.target)) {
    const pools = read(source, name, readNamedPools);
    const chain = chains.find((one) => one.name === name);
    if (chain === undefined) throw wrongType('prices', `"${name}" is no chain here`);
    const { name: _, ...options } = chain;
    readers.set(name, new PoolReader(pools, options));
  }
  return namedSource(
    'pools',
    async (question) => (await readers.get(question.chainName)?.prices(question)) ?? [],
  );
}
