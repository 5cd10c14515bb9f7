/** Items with their proofs, as answers list them. */
import type { Hex } from '../../bytes.js';
import type { AnswerContext } from '../jsonrpc/method.js';
import type { HistoryPlace, HistoryProver } from './history.js';
import type { Prover } from './prover.js';

/** An item, and the accounts that prove it. */
export interface Cited<T> {
  readonly item: T;
  /** Undefined: it cannot be proven. */
  readonly accounts: readonly Hex[] | undefined;
  /** What of a block it rests on, if it is of the chain's history. */
  readonly history?: HistoryPlace;
}

/**
 * Proves what items rest on. Items that cannot be proven are listed apart.
 *
 * @throws RpcError, NodeError, and what the pause throws
 */
export async function withProofs<T>(
  cited: readonly Cited<T>[],
  {
    prover,
    history,
    context,
  }: { prover: Prover; history?: HistoryProver | undefined; context: AnswerContext },
) {
  context.charge(prover.size);
  const proofs = await prover.prove(context.pause);
  const { block, stateRoot } = proofs;
  return {
    items: cited.flatMap(({ item, accounts, history: place }) =>
      accounts
        ? [{ ...item, proof: { block, stateRoot, accounts, ...(place && { history: place }) } }]
        : [],
    ),
    unproven: cited.flatMap(({ item, accounts }) => (accounts ? [] : [item])),
    proofs,
    // Items of the state alone have no need of it.
    ...(history?.isUsed && { history: history.history }),
  };
}
