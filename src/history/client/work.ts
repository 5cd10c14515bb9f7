/** One question of a caller, while it is worked on. */
import { createTurns, type Tick } from '../../turns.js';

export interface Work {
  /** Aborted when the question ends, so that no request outlives it. */
  readonly signal: AbortSignal;
  /** To be awaited often: it gives others a turn of the event loop. @throws the reason of the signal */
  readonly tick: Tick;
}

/** Works on a question. @param outer the caller's signal @throws its reason */
export async function whileAsked<T>(
  outer: AbortSignal | undefined,
  use: (work: Work) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted();
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(outer?.reason);
  outer?.addEventListener('abort', abort);
  try {
    const { tick } = createTurns(() => signal.throwIfAborted());
    return await use({ signal, tick });
  } finally {
    outer?.removeEventListener('abort', abort);
    controller.abort();
  }
}
