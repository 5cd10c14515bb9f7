/** A bound on how long something may take, whether or not it heeds a signal. */

/** Ends what takes too long. */
export interface Deadline {
  /** Whether time is up. */
  readonly isLate: boolean;
  /** Aborted when time is up or the caller gives up. Made when it is first asked for: most requests need none. */
  readonly signal: AbortSignal;
  /**
   * The promise, or a rejection: with what `late` returns as soon as time is up, with the reason of the caller's signal
   * as soon as that is aborted. One race runs at a time.
   */
  race<T>(promise: Promise<T>, late: () => Error): Promise<T>;
  /** Lets go of the timer and of the caller's signal. */
  stop(): void;
}

/** The actions of a deadline, beside telling the time. */
interface Race extends Pick<Deadline, 'race' | 'stop'> {
  /** As {@link Deadline.signal}. */
  aborted(): AbortSignal;
}

/** Its getters are those of a class: to make an object with getters of its own takes five times as long. */
class Clock implements Deadline {
  readonly #end: number;
  readonly #race: Race;

  constructor(end: number, race: Race) {
    this.#end = end;
    this.#race = race;
  }

  get isLate(): boolean {
    return performance.now() >= this.#end;
  }

  get signal(): AbortSignal {
    return this.#race.aborted();
  }

  race<T>(promise: Promise<T>, late: () => Error): Promise<T> {
    return this.#race.race(promise, late);
  }

  stop(): void {
    this.#race.stop();
  }
}

/**
 * Starts the clock.
 *
 * A listener of our own takes the place of `AbortSignal.any` and `AbortSignal.timeout`: both hold on to a caller's
 * long-lived signal until it is collected.
 *
 * @param time ms; undefined: it ends with the signal alone
 * @param signal the caller's
 */
export function startDeadline(time: number | undefined, signal?: AbortSignal): Deadline {
  const end = time === undefined ? Number.POSITIVE_INFINITY : performance.now() + time;
  let controller: AbortController | undefined;
  let isOver = false;
  // Variables, not members: with members, V8 came to keep what each request consists of until a full collection.
  let ring: () => void = () => {};
  const endRace = () => {
    isOver = true;
    controller?.abort(signal?.reason);
    ring();
  };
  const timer = time === undefined ? undefined : setTimeout(endRace, time);
  if (signal?.aborted) isOver = true;
  signal?.addEventListener('abort', endRace);
  return new Clock(end, {
    aborted() {
      controller ??= new AbortController();
      if (isOver) controller.abort(signal?.reason);
      return controller.signal;
    },
    race: (promise, late) =>
      new Promise((resolve, reject) => {
        ring = () => reject(signal?.aborted ? signal.reason : late());
        promise.then(resolve, reject);
        if (isOver) ring();
      }),
    stop() {
      clearTimeout(timer);
      // It holds on to the promise that was raced, and so to a whole answer, for as long as this object lives.
      ring = () => {};
      signal?.removeEventListener('abort', endRace);
    },
  });
}

/** The promise, or a rejection as soon as the signal is aborted; nobody hears what the promise comes to then. */
export async function untilAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (signal === undefined) return promise;
  // One for each promise: a race against one promise for all would keep every value for as long as the signal.
  const deadline = startDeadline(undefined, signal);
  try {
    return await deadline.race(promise, () => signal.reason);
  } finally {
    deadline.stop();
  }
}
