/** Answers from proofs, all of one block. */
import type { AnchoredRoot } from '../anchor/index.js';
import { RpcError } from '../rpc/index.js';
import type { Anchors } from './anchors.js';
import type { Codes } from './codes.js';
import { notVerified } from './errors.js';
import type { Question } from './methods.js';
import type { View } from './view.js';

/** An answer, and what it rests on. */
export interface Explained {
  /** The answer, as `request` gives it. */
  readonly result: unknown;
  /** Whether it follows from proofs, the anchor and the options alone. */
  readonly proven: boolean;
  /** What the proofs were held against; undefined if the answer is about no block. */
  readonly anchor: AnchoredRoot | undefined;
  /** What had to be believed beside it: `result`, the whole answer; `broadcast`, that the transaction is passed on. */
  readonly assumed: readonly string[];
}

export interface ProverOptions {
  readonly anchors: Anchors;
  readonly viewOf: (anchor: AnchoredRoot) => View;
  readonly codes: Codes;
}

const isNotHeld = (error: unknown): boolean =>
  error instanceof RpcError && error.code === 'BLOCK_NOT_HELD';

/** Answers a question from one block. If the server has dropped that, all of it once more from a newer one. */
export function createProver({ anchors, viewOf, codes }: ProverOptions) {
  /** @throws ProviderError `-32001` */
  return async (method: string, { block, answer }: Question): Promise<Explained> => {
    let number = block === 'latest' ? undefined : block;
    const run = async (anchor: AnchoredRoot): Promise<Explained> => {
      number = anchor.l2BlockNumber;
      return { result: await answer(viewOf(anchor), codes), proven: true, anchor, assumed: [] };
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
