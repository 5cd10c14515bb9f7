/** Long work in steps: it yields to the event loop every few milliseconds. */
import type { Tick } from './turns.js';

/** Work that yields between its steps. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does work at once, without yielding to the event loop. */
export function runSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Does work, and yields between its steps. @param tick is awaited between two steps @throws errors of the work and of a tick */
export async function runStepsInTurns<T>(steps: Steps<T>, tick: Tick): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await tick();
    step = steps.next();
  }
  return step.value;
}
