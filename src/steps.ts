/** Long work in steps: it yields where others may have a turn of the event loop, a few milliseconds of work apart. */
import type { Tick } from './turns.js';

/** Work that yields between its steps. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does work without a turn for others. */
export function runSteps<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Does work with turns for others. @param tick is awaited between two steps @throws what a tick throws, too */
export async function runStepsInTurns<T>(steps: Steps<T>, tick: Tick): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await tick();
    step = steps.next();
  }
  return step.value;
}
