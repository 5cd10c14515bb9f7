/** Answers from proofs, all of one block. */
import type { AnchoredRoot } from '../../anchor/index.js';
import { RpcError } from '../../rpc/index.js';
import { notVerified } from '../params/errors.js';
import type { Anchors } from '../state/anchors.js';
import type { View } from '../state/view.js';
import type { Means, ParsedRequest } from './methods.js';

/** An answer, and what it rests on. */
export interface Explained {
  /** The answer, as `request` gives it. */
  readonly result: unknown;
  /** Whether it follows from proofs and the caller's own values alone: no server was believed. */
  readonly proven: boolean;
  /** The root that the proofs were held against; undefined if the answer is about no block. */
  readonly anchor: AnchoredRoot | undefined;
  /**
   * What had to be believed besides: `result`, the whole answer; `broadcast`, that the transaction is passed on. For a
   * call, the unproven values of the block's header that it read, such as `timestamp`, `blockHash` (the operator's
   * word) or those that the caller supplied. `fork` is listed if the rules of the block follow from an unproven time.
   */
  readonly assumed: readonly string[];
}

interface AnswererOptions {
  readonly anchors: Anchors;
  readonly viewOf: (anchor: AnchoredRoot) => View;
  readonly means: Omit<Means, 'signal'>;
}

const isNotHeld = (error: unknown): boolean =>
  error instanceof RpcError && error.code === 'BLOCK_NOT_HELD';

/** Answers a question from one block. If the server has dropped that, all of it once more from a newer one. */
export function createAnswerer({ anchors, viewOf, means }: AnswererOptions) {
  /** @throws ProviderError an `UnverifiedCode`, and what the question itself refuses */
  return async (
    method: string,
    { block, answer }: ParsedRequest,
    signal: AbortSignal | undefined,
  ): Promise<Explained> => {
    let number = block === 'latest' ? undefined : block;
    const run = async (anchor: AnchoredRoot): Promise<Explained> => {
      number = anchor.l2BlockNumber;
      const { result, assumed } = await answer(viewOf(anchor), { ...means, signal });
      return { result, proven: assumed.length === 0, anchor, assumed };
    };
    try {
      if (block !== 'latest') return await run(await anchors.at(block));
      const anchor = await anchors.latest();
      try {
        return await run(anchor);
      } catch (error) {
        const newer = isNotHeld(error) ? await anchors.after(anchor) : undefined;
        if (newer === undefined) throw error;
        return await run(newer);
      }
    } catch (error) {
      throw notVerified(method, error, number);
    }
  };
}
