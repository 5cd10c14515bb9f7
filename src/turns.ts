/** Turns of the event loop during work that by itself takes none. */
import { yieldToEventLoop } from './concurrent.js';

/** Ms of work after which the event loop has a turn. */
const slice = 20;

/** To be awaited often: it gives a turn if it is time for one. */
export type Tick = () => Promise<void> | undefined;

export interface Turns {
  /** @throws any error of the check */
  readonly tick: Tick;
}

/** When the turn of the event loop began that all work is counted in: whoever works, the loop is kept. */
let began = Number.NEGATIVE_INFINITY;

/** Those who wait for a turn: each has one of its own. */
let waiting: Promise<void> = Promise.resolve();

function nextTurn(): Promise<void> {
  waiting = waiting.then(async () => {
    await yieldToEventLoop();
    began = performance.now();
  });
  return waiting;
}

/** @param check throws if the work is to end; called with each turn */
export function createTurns(check: () => void): Turns {
  async function take(): Promise<void> {
    await nextTurn();
    check();
  }
  return { tick: () => (performance.now() - began < slice ? undefined : take()) };
}
