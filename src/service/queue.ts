/** Whose turn it is: work is done in small pieces, one a turn of the event loop, round robin over lanes. */

export interface Queue {
  /** Gives the turn back, and waits until it is this lane's again. */
  next(lane: number): Promise<void>;
}

/** Calls back in a later turn of the event loop, after timers and input and output had theirs. */
const later: (callback: () => void) => void =
  typeof setImmediate === 'function' ? setImmediate : (callback) => setTimeout(callback, 0);

/**
 * Makes a queue in which each lane has one turn while every other lane that waits has one; within a lane, turns go
 * around too. So a light request waits for one piece of each other lane, however much those have asked for.
 *
 * A piece that waits for input or output does not hold the others up: the turn goes on without it.
 */
export function createQueue(): Queue {
  /** Those that wait, in the order of their lanes' next turns. */
  const lanes = new Map<number, (() => void)[]>();
  let isRunning = false;

  function run(): void {
    const [first] = lanes;
    if (first === undefined) {
      isRunning = false;
      return;
    }
    const [lane, waiting] = first;
    lanes.delete(lane);
    const start = waiting.shift();
    if (waiting.length > 0) lanes.set(lane, waiting);
    // The piece itself runs after this callback, and before the next one.
    start?.();
    later(run);
  }

  return {
    next: (lane) =>
      new Promise((resolve) => {
        const waiting = lanes.get(lane);
        if (waiting) waiting.push(resolve);
        else lanes.set(lane, [resolve]);
        if (!isRunning) later(run);
        isRunning = true;
      }),
  };
}
