/** Answers from proofs, all of one block. */
import type { AnchoredRoot } from '../../anchor/index.js';
import { isHeader } from '../../proven/index.js';
import { isNotHeld } from '../../rpc/errors.js';
import { notVerified } from '../params/errors.js';
import { type Current, type Currents, namingMissing } from '../state/current.js';
import type { AskHistory } from '../state/histories.js';
import type { View } from '../state/view.js';
import type { Means, ParsedRequest } from './methods.js';

/** An answer, and what it rests on. */
export interface Explained {
  /** The answer, as `request` gives it. */
  readonly result: unknown;
  /** Whether it follows from the caller's own values and proofs under the root of `anchor`; `anchor.how` says who is believed for that. */
  readonly proven: boolean;
  /** The root that the proofs were held against; undefined if the answer is about no block. */
  readonly anchor: AnchoredRoot | undefined;
  /**
   * `operator` if the answer hangs on a header: its hash is in the proven state because the operator has put it there
   * (EIP-2935). L1 has frozen it, and no validity proof is known to bind it: none binds what was put there before L1 held hashes
   * of blocks.
   */
  readonly restsOn?: 'operator' | undefined;
  /**
   * What had to be believed besides: `result`, the whole answer; `broadcast`, that the transaction is passed on; `absence`,
   * that there is no such thing. For a call, the unproven values of the block's header that it read, such as `timestamp`, `blockHash` (the operator's
   * word) or those that the caller supplied. `fork` is listed if the rules of the block follow from an unproven time.
   */
  readonly assumed: readonly string[];
}

interface AnswererOptions {
  readonly currents: Currents;
  readonly viewOf: (anchor: AnchoredRoot) => View;
  readonly askHistory: AskHistory;
  readonly means: Omit<Means, 'signal' | 'history' | 'header'>;
}

/** Answers a question from one block. If the server has dropped that, all of it once more from a newer one. */
export function createAnswerer({ currents, viewOf, askHistory, means }: AnswererOptions) {
  function meansOf(current: Current, signal: AbortSignal | undefined): Means {
    const { state, prover } = current;
    const history: Means['history'] = (use) => askHistory(current, signal, use);
    const header: Means['header'] = async () => {
      if (state.l2BlockNumber >= prover.l2BlockNumber && !isHeader(prover)) return undefined;
      return history(({ view, work }) => view.header({ number: state.l2BlockNumber }, work));
    };
    return { ...means, signal, history, header };
  }

  /** @throws ProviderError an `UnverifiedCode`, and what the question itself refuses */
  return async (
    method: string,
    { block, answer }: ParsedRequest,
    signal: AbortSignal | undefined,
  ): Promise<Explained> => {
    let number = block === 'latest' ? undefined : block;
    const run = async (current: Current): Promise<Explained> => {
      const { state, prover } = current;
      number = state.l2BlockNumber;
      const view = namingMissing(viewOf(state), current);
      const told = await answer(view, meansOf(current, signal));
      const { result, assumed, isOnBlockHashes, isOfHistory } = told;
      return {
        result,
        proven: assumed.length === 0,
        anchor: isOfHistory ? prover : state,
        ...(isOnBlockHashes && { restsOn: 'operator' }),
        assumed,
      };
    };
    try {
      if (block !== 'latest') return await run(await currents.at(block));
      const current = await currents.latest();
      try {
        return await run(current);
      } catch (error) {
        const newer = isNotHeld(error) ? await currents.after(current) : undefined;
        if (newer === undefined) throw error;
        return await run(newer);
      }
    } catch (error) {
      throw notVerified(method, error, number);
    }
  };
}
