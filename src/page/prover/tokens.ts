/** What a wallet holds, as a server lists it; each amount is verified. */
import type { BalanceItem } from '../../data/index.js';
import type { Hex } from '../../index.js';
import type { Means } from './means.js';
import type { Session } from './session.js';

/** Tokens of the first page. */
const pageSize = 50;

export async function answerTokens(
  session: Session,
  { address }: { address: Hex },
  { signal, say }: Means,
) {
  const data = await session.data();
  say('Finding the state root on L1');
  const anchor = await session.anchor();
  say(`Proving what the address holds in L2 block ${anchor.l2BlockNumber}`);
  const pages = data.balances({ address, pageSize, anchor, network: session.network, signal });
  const { value: page } = await pages.next();
  const none: readonly BalanceItem[] = [];
  return {
    anchor,
    items: page?.items ?? none,
    unproven: page?.unproven ?? none,
    assumed: page?.assumed ?? [],
    hasMore: page?.hasMore ?? false,
  };
}
