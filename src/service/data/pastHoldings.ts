/** What the index knows that a wallet held at an older block. */
import type { Hex } from '../../bytes.js';
import type { Holding } from '../../indexer/index.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { ChainContext } from './balances.js';

/** A holding as it was at a block. */
interface PastHolding extends Holding {
  /** Whether `lastBlock` is the last transfer up to the block; else that is not known. */
  readonly isKnown: boolean;
}

/** Holdings by the transfers up to a block; a token that came later only is none. */
export async function findPastHoldings(
  { index }: ChainContext,
  holdings: readonly Holding[],
  { wallet, block, context }: { wallet: Hex; block: number; context: AnswerContext },
): Promise<PastHolding[]> {
  const past: PastHolding[] = [];
  for (const holding of holdings) {
    const { contract, standard, lastBlock } = holding;
    if (lastBlock <= block) {
      past.push({ ...holding, isKnown: true });
      continue;
    }
    await context.pause();
    const [moved] = await index.moved(wallet, { contract, toBlock: block, limit: 1 });
    if (moved !== undefined) past.push({ ...holding, lastBlock: moved.block, isKnown: true });
    // Tokens that came in a run have no transfer of their own, and an index of tokens alone has none at all.
    else if (standard === 'erc721' || index.only !== undefined) {
      past.push({ ...holding, isKnown: false });
    }
  }
  return past;
}
