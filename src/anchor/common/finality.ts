/** How far L1 has finalized the L2 chain, remembered between requests. */
import { Poll } from '../../poll.js';

/** Highest L2 block that is finalized on L1. */
export type Finality = () => Promise<number>;

/** Always the same height. @throws RangeError */
export function fixedFinality(height: number): Finality {
  if (!Number.isSafeInteger(height) || height < 0) {
    throw new RangeError('"height" expected a block number');
  }
  return async () => height;
}

/** Options of {@link rememberedFinality}. */
interface RememberedFinalityOptions {
  /** Asks L1. */
  readonly ask: Finality;
  /** Ms for which an answer is good. */
  readonly maxAge: number;
  /** Told of an L1 endpoint that fails while an older answer still stands. */
  readonly onError: (error: unknown) => void;
}

/**
 * Asks at most once in `maxAge`, for all callers together. A final block stays final: the height never goes down, and
 * while L1 fails the last height stands.
 *
 * @returns a function that throws any error of `ask` as long as no answer ever came
 */
export function rememberedFinality(options: RememberedFinalityOptions): Finality {
  const { ask, maxAge, onError } = options;
  const poll = new Poll(async (): Promise<number> => {
    const known = poll.last;
    try {
      return Math.max(known ?? 0, await ask());
    } catch (error) {
      if (known === undefined) throw error;
      onError(error);
      return known;
    }
  }, maxAge);
  return () => poll.get();
}
