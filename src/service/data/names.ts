/** Names of tokens, asked for a few at a time. */
import type { Hex } from '../../bytes.js';
import type { TokenMetadata } from '../../decode/index.js';
import type { TokenRegistry } from '../chain/tokens.js';
import type { Pause } from '../jsonrpc/method.js';

/** Tokens whose names are asked for at a time. */
const namesAtOnce = 100;

/** The names that are known of tokens. */
interface LearntNames {
  /** By address; all members are null for a token of which nothing is known. */
  readonly tokens: ReadonlyMap<string, TokenMetadata>;
  /** Whether all of it may be remembered for ever. */
  readonly isFinal: boolean;
}

/** @param isFinal whether the contracts have been there in a final block @throws RpcError, NodeError */
export async function learnTokens(
  contracts: Iterable<Hex>,
  { book, isFinal, pause }: { book: TokenRegistry; isFinal: boolean; pause: Pause },
): Promise<LearntNames> {
  const known = new Map<string, TokenMetadata>();
  const all = [...new Set(contracts)];
  let isAllFinal = true;
  for (let from = 0; from < all.length; from += namesAtOnce) {
    await pause();
    const tokens = all.slice(from, from + namesAtOnce);
    const learnt = await book.learn({ tokens, pools: [], prices: [] }, isFinal);
    for (const token of learnt.tokens) known.set(token.address, token);
    isAllFinal &&= learnt.isFinal;
  }
  return { tokens: known, isFinal: isAllFinal };
}
