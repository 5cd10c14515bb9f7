/** What is known of the contracts in a transaction: from token lists, remembered, or asked of the node. */
import type { Hex } from '../../bytes.js';
import type { MissingMetadata, PoolTokens, TokenMetadata } from '../../decode/index.js';
import { RpcError } from '../../rpc/index.js';
import { type Cache, createCache } from './cache.js';
import { type Contracts, isTold } from './contracts.js';
import { type BlockId, type FinalHead, newer } from './finalHead.js';
import type { DecoderNode } from './node.js';
import type { Records } from './records.js';
import { readToken } from './tokenRecord.js';

/** Tokens of one chain by address in lower case, as the operator has them. */
export type ListedTokens = ReadonlyMap<string, TokenMetadata>;

export interface Known {
  readonly tokens: readonly TokenMetadata[];
  readonly pools: readonly PoolTokens[];
  /** The newest final block that any of it rests on; undefined if all of it is from lists. */
  readonly block: BlockId | undefined;
  /** Whether all of it may be remembered. */
  readonly isFinal: boolean;
}

export interface TokenBook {
  /** @param isFinal whether the contracts have been there in a final block @throws RpcError or NodeError */
  learn(missing: MissingMetadata, isFinal: boolean): Promise<Known>;
}

/** Longest text that is kept; decoding shows less. */
const longestText = 256;

const cut = (token: TokenMetadata): TokenMetadata => ({
  ...token,
  name: token.name?.slice(0, longestText),
  symbol: token.symbol?.slice(0, longestText),
});

const unknownToken = (address: Hex): TokenMetadata => ({
  address,
  name: undefined,
  symbol: undefined,
  decimals: undefined,
  logo: undefined,
  standards: undefined,
});

/** Bytes in memory, roughly. */
const tokenWeight = 600;
const poolWeight = 300;

/** Contracts of one transaction that the node is asked about; the others stay without a name. */
const mostAsked = 200;

export interface TokenOptions {
  readonly node: DecoderNode;
  readonly contracts: Contracts;
  readonly head: FinalHead;
  readonly chainId: number;
  readonly records: Records | undefined;
  readonly listed: ListedTokens;
  /** Bytes in memory. */
  readonly room: number;
}

/** What the newest block says. @returns nothing if the node cannot say either */
async function askNewest(contracts: Contracts, tokens: readonly Hex[], pools: readonly Hex[]) {
  if (tokens.length + pools.length === 0) return { tokens: [], pools: [] };
  try {
    return await contracts.ask({ tokens, pools, block: undefined });
  } catch (error) {
    if (!(error instanceof RpcError && error.code === 'SERVER_ERROR')) throw error;
    return { tokens: tokens.map(unknownToken), pools: [] };
  }
}

/** Asks at the final block, so that the answer may be kept. @returns undefined if the node cannot */
async function askFinal(
  { head, contracts }: Pick<TokenOptions, 'head' | 'contracts'>,
  tokens: readonly Hex[],
  pools: readonly Hex[],
) {
  const final = await head.newest();
  if (final === undefined) return undefined;
  const era = head.knownEra;
  try {
    const answers = await contracts.ask({ tokens, pools, block: final.number });
    return { ...answers, final, era };
  } catch (error) {
    // It does not hold that state.
    if (error instanceof RpcError && error.code === 'SERVER_ERROR') return undefined;
    throw error;
  }
}

export function createTokenBook(options: TokenOptions): TokenBook {
  const { node, contracts, head, chainId, records, listed, room } = options;
  const tokenCache: Cache<TokenMetadata> = createCache({
    head,
    node,
    room,
    weigh: () => tokenWeight,
    ...(records && {
      database: { records, keyOf: (token) => ({ chainId, token: token as Hex }), read: readToken },
    }),
  });
  const poolCache: Cache<PoolTokens> = createCache({ head, node, room, weigh: () => poolWeight });

  async function ask(
    tokens: readonly Hex[],
    pools: readonly Hex[],
    isFinal: boolean,
  ): Promise<Known> {
    const answers = await askFinal({ head, contracts }, tokens, pools);
    if (answers === undefined) {
      const newest = await askNewest(contracts, tokens, pools);
      return { ...newest, block: undefined, isFinal: false };
    }
    const { final, era } = answers;
    // A contract that was not there yet in the final block may say more by now.
    const told = answers.tokens.filter((token) => isFinal || isTold(token));
    for (const token of told)
      tokenCache.set(token.address, { value: cut(token), block: final }, era);
    for (const pool of answers.pools) {
      poolCache.set(pool.address, { value: pool, block: final }, era);
    }
    if (isFinal) return { tokens: told, pools: answers.pools, block: final, isFinal };
    const silent = tokens.filter((address) => !told.some((token) => token.address === address));
    const away = pools.filter((address) => !answers.pools.some((pool) => pool.address === address));
    const newest = await askNewest(contracts, silent, away);
    return {
      tokens: [...told, ...newest.tokens],
      pools: [...answers.pools, ...newest.pools],
      block: final,
      isFinal: false,
    };
  }

  return {
    async learn(missing, isFinal) {
      const tokens: TokenMetadata[] = [];
      const pools: PoolTokens[] = [];
      let block: BlockId | undefined;
      const remember = async <T>(cache: Cache<T>, address: Hex, list: T[]) => {
        const entry = await cache.get(address);
        if (entry === undefined) return false;
        list.push(entry.value);
        block = newer(block, entry.block);
        return true;
      };
      const [askedTokens, askedPools]: [Hex[], Hex[]] = [[], []];
      for (const address of missing.tokens) {
        const own = listed.get(address);
        if (own) tokens.push(own);
        else if (!(await remember(tokenCache, address, tokens))) askedTokens.push(address);
      }
      for (const address of missing.pools) {
        if (!(await remember(poolCache, address, pools))) askedPools.push(address);
      }
      if (askedTokens.length + askedPools.length === 0) {
        return { tokens, pools, block, isFinal: true };
      }
      const answers = await ask(
        askedTokens.slice(0, mostAsked),
        askedPools.slice(0, mostAsked),
        isFinal,
      );
      const unasked = askedTokens.slice(mostAsked).map(unknownToken);
      return {
        tokens: [...tokens, ...answers.tokens, ...unasked],
        pools: [...pools, ...answers.pools],
        block: newer(block, answers.block),
        isFinal: answers.isFinal,
      };
    },
  };
}
