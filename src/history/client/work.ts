/** One question of a caller, while it is worked on. */
import { createTurns, type Tick } from '../../turns.js';

export interface Work {
  readonly signal: AbortSignal | undefined;
  /** To be awaited often: it gives others a turn of the event loop. @throws the reason of the signal */
  readonly tick: Tick;
}

export const startWork = (signal: AbortSignal | undefined): Work => ({
  signal,
  tick: createTurns(() => signal?.throwIfAborted()).tick,
});
