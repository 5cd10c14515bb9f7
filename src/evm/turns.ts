/** Turns of the event loop while a call runs, which by itself takes none. */
import { yieldToEventLoop } from '../concurrent.js';

/** Ms of work after which the event loop has a turn. */
const slice = 20;

export interface Turns {
  /** To be awaited often: it gives a turn if it is time for one. @throws what the check throws */
  tick(): Promise<void> | undefined;
}

/** @param check throws if the work is to end; called with each turn */
export function createTurns(check: () => void): Turns {
  let last = performance.now();
  async function take(): Promise<void> {
    await yieldToEventLoop();
    check();
    last = performance.now();
  }
  return {
    tick: () => (performance.now() - last < slice ? undefined : take()),
  };
}
