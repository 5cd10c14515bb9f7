/** What proves the holdings of a wallet: the calls that each rests on. */
import type { Hex } from '../../bytes.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { Prover } from '../proving/prover.js';
import { attemptDecimals, citeScaled } from '../proving/scaled.js';
import type { Cited } from '../proving/withProofs.js';
import { type HeldBalance, toBalanceCalls } from './held.js';

/** What a wallet holds, as its items say it. */
interface HeldItems<T> {
  readonly wallet: Hex;
  /** Undefined: the native balance. */
  readonly held: readonly (HeldBalance | undefined)[];
  /** In the same order. */
  readonly items: readonly T[];
}

/** The accounts that prove a holding, and its decimals if they can be proven, too. */
function citeOne(prover: Prover, held: HeldBalance | undefined, wallet: Hex) {
  if (held === undefined) return prover.citeAccount(wallet);
  const calls = toBalanceCalls(held, wallet);
  if (held.tokens !== undefined) return prover.cite(calls);
  return citeScaled(prover, held.holding.contract, calls);
}

/**
 * Cites what each holding rests on: calls that were made before, and decimals, which are asked for here.
 *
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function citeHeld<T>(
  { wallet, held, items }: HeldItems<T>,
  { prover, context }: { prover?: Prover | undefined; context: AnswerContext },
): Promise<Cited<T>[]> {
  if (!prover) return items.map((item) => ({ item, accounts: undefined }));
  const scaled = held.flatMap((one) =>
    one && one.tokens === undefined ? [one.holding.contract] : [],
  );
  await attemptDecimals(scaled, { prover, context });
  return items.map((item, i) => ({ item, accounts: citeOne(prover, held[i], wallet) }));
}
