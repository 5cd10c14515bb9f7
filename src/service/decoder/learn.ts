/** Finds out what decoding would like to know of the contracts in a transaction, and remembers it. */
import type { Hex } from '../../bytes.js';
import { type Abis, type Chain, missingInPieces } from '../../decode/index.js';
import { createCache } from '../chain/cache.js';
import { type FinalizedHead, type HeadNode, newer } from '../chain/finalizedHead.js';
import { type Known, sizeOfTexts, type TokenRegistry } from '../chain/tokens.js';
import type { FoundSource } from './source.js';

/** Metadata of the contracts in a receipt, and the tokens whose prices would be used. */
interface Metadata extends Known {
  readonly prices: readonly Hex[];
}

/** A transaction, and the parts of it that matter. */
interface MetadataRequest {
  readonly txHash: Hex;
  readonly unknown: boolean;
  readonly rawLogs: boolean;
}

export interface MetadataResolver {
  /** The remembered metadata, if any. @throws RpcError */
  recall(request: MetadataRequest): Promise<Metadata | undefined>;
  /**
   * @param pause awaited every few milliseconds of work; what it throws ends the work
   * @throws RpcError, NodeError, DecodeError
   */
  learn(
    request: MetadataRequest,
    found: FoundSource,
    pause: () => Promise<void>,
  ): Promise<Metadata>;
}

interface MetadataResolverOptions {
  readonly book: TokenRegistry;
  readonly node: Pick<HeadNode, 'hashAt'>;
  readonly head: FinalizedHead;
  readonly chain: Chain;
  readonly abis: Abis | undefined;
  /** Bytes in memory. */
  readonly maxBytes: number;
}

/** How often contracts are asked: tokens, pools, and the tokens of those pools. */
const rounds = 3;

const keyOf = ({ txHash, unknown, rawLogs }: MetadataRequest) => `${txHash} ${unknown} ${rawLogs}`;

/** Bytes in memory, roughly; the token book may have forgotten the tokens by now. */
const sizeOf = ({ tokens, pools, prices }: Metadata) =>
  500 +
  200 * (tokens.length + pools.length + prices.length) +
  tokens.reduce((sum, token) => sum + sizeOfTexts(token), 0);

export function createMetadataResolver({
  book,
  node,
  head,
  chain,
  abis,
  maxBytes,
}: MetadataResolverOptions): MetadataResolver {
  const cache = createCache<Metadata>({ head, node, maxBytes, sizeOf });

  async function ask(
    { unknown, rawLogs }: MetadataRequest,
    found: FoundSource,
    pause: () => Promise<void>,
  ): Promise<Metadata> {
    const { receipt } = found.source;
    let known: Known = { tokens: [], pools: [], block: undefined, isFinal: true };
    for (let round = 0; ; round++) {
      const { tokens, pools } = known;
      const logs = { receipt, chain, tokens, pools, abis, unknown, rawLogs, prices: undefined };
      const missing = await missingInPieces(logs, pause);
      const isWhole = missing.tokens.length + missing.pools.length === 0;
      if (isWhole || round === rounds) return { ...known, prices: missing.prices };
      const more = await book.learn(missing, found.isFinal);
      known = {
        tokens: [...tokens, ...more.tokens],
        pools: [...pools, ...more.pools],
        block: newer(known.block, more.block),
        isFinal: known.isFinal && more.isFinal,
      };
    }
  }

  return {
    recall: async (request) => (await cache.get(keyOf(request)))?.value,
    async learn(request, found, pause) {
      const reorgCount = head.knownReorgCount;
      const learnt = await ask(request, found, pause);
      if (found.isFinal && learnt.isFinal) {
        const block = newer(learnt.block, found.block) ?? found.block;
        cache.set(keyOf(request), { value: learnt, block }, reorgCount);
      }
      return learnt;
    },
  };
}
