/** Turns of the event loop while a call runs, which by itself takes none. */
// @ts-nocheck


/** Ms of work after which the event loop has a turn. */
const slice = 20;

export interface Turns {
  /** To be awaited often: it gives a turn if it is time for one. @throws the signal's reason */
  tick(): Promise<void> | undefined;
  /** @throws the signal's reason */
  check(): void;
}

const turn = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

export function createTurns(signal: AbortSignal | undefined): Turns {
  let last = performance.now();
  const check = () => signal?.throwIfAborted();
  async function take(): Promise<void> {
    await turn();
    check();
    last = performance.now();
  }
  return {
    check,
    tick: () => (performance.now() - last < slice ? undefined : take()),
  };
}
