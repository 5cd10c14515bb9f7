/** Metadata of the contracts in a transaction: from token lists, remembered, or asked of the node. */
import type { Hex } from '../../bytes.js';
import type { MissingMetadata, PoolTokens, TokenMetadata } from '../../decode/index.js';
import { type Cache, createCache } from './cache.js';
import { type ContractAnswers, type Contracts, isTold } from './contracts.js';
import { type BlockId, type FinalizedHead, newer } from './finalizedHead.js';
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

export interface TokenRegistry {
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

export const unknownToken = (address: Hex): TokenMetadata => ({
  address,
  name: undefined,
  symbol: undefined,
  decimals: undefined,
  logo: undefined,
  standards: undefined,
});

/** Bytes in memory of a token's texts, roughly, with all that was read of one that is cut. */
export const sizeOfTexts = ({ name = '', symbol = '' }: TokenMetadata): number =>
  8 * (name.length + symbol.length);

/** Bytes in memory, roughly. */
const tokenBytes = 600;
const poolBytes = 300;

/** Contracts of one transaction that the node is asked about; the others stay without a name. */
const mostAsked = 200;

interface TokenOptions {
  readonly node: DecoderNode;
  readonly contracts: Contracts;
  readonly head: FinalizedHead;
  readonly chainId: number;
  readonly records: Records | undefined;
  readonly listed: ListedTokens;
  /** Bytes in memory. */
  readonly maxBytes: number;
}

const nothingAsked: ContractAnswers = { tokens: [], pools: [], unsure: new Set() };

/** Asks at the final block, so that the answer may be kept. @returns undefined if the node cannot */
async function askFinal(
  { head, contracts }: Pick<TokenOptions, 'head' | 'contracts'>,
  tokens: readonly Hex[],
  pools: readonly Hex[],
) {
  const final = await head.newest();
  if (final === undefined) return undefined;
  const reorgCount = head.knownReorgCount;
  const answers = await contracts.ask({ tokens, pools, block: final.number });
  // If no token gave an answer, the node does not hold that state.
  const isHeld = tokens.length === 0 || tokens.some((address) => !answers.unsure.has(address));
  return isHeld ? { ...answers, final, reorgCount } : undefined;
}

export function createTokenRegistry(options: TokenOptions): TokenRegistry {
  const { node, contracts, head, chainId, records, listed, maxBytes } = options;
  const tokenCache: Cache<TokenMetadata> = createCache({
    head,
    node,
    maxBytes,
    sizeOf: (token) => tokenBytes + sizeOfTexts(token),
    ...(records && {
      database: { records, keyOf: (token) => ({ chainId, token: token as Hex }), read: readToken },
    }),
  });
  const poolCache: Cache<PoolTokens> = createCache({
    head,
    node,
    maxBytes,
    sizeOf: () => poolBytes,
  });

  const askNewest = (tokens: readonly Hex[], pools: readonly Hex[]) =>
    tokens.length + pools.length === 0
      ? nothingAsked
      : contracts.ask({ tokens, pools, block: undefined });

  async function ask(
    tokens: readonly Hex[],
    pools: readonly Hex[],
    isFinal: boolean,
  ): Promise<Known> {
    const answers = await askFinal({ head, contracts }, tokens, pools);
    if (answers === undefined) {
      const newest = await askNewest(tokens, pools);
      return { ...newest, block: undefined, isFinal: false };
    }
    const { final, reorgCount, unsure } = answers;
    // A contract that was not there yet in the final block may say more by now.
    const isKept = (token: TokenMetadata) =>
      isTold(token) || (isFinal && !unsure.has(token.address));
    const kept = answers.tokens.filter(isKept);
    for (const token of kept)
      tokenCache.set(token.address, { value: cut(token), block: final }, reorgCount);
    for (const pool of answers.pools) {
      poolCache.set(pool.address, { value: pool, block: final }, reorgCount);
    }
    const silent = tokens.filter((address) => !kept.some((token) => token.address === address));
    const away = pools.filter((address) => !answers.pools.some((pool) => pool.address === address));
    const newest = await askNewest(silent, isFinal ? [] : away);
    return {
      tokens: [...kept, ...newest.tokens],
      pools: [...answers.pools, ...newest.pools],
      block: final,
      isFinal: isFinal && silent.length === 0,
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
