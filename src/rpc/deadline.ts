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

/**
 * Starts the clock.
 *
 * A listener of our own takes the place of `AbortSignal.any` and `AbortSignal.timeout`: both hold on to a caller's
 * long-lived signal until it is collected.
 *
 * @param time ms
 * @param signal the caller's
 */
export function startDeadline(time: number, signal?: AbortSignal): Deadline {
  const end = performance.now() + time;
  let controller: AbortController | undefined;
  let isOver = false;
  let ring: () => void = () => {};
  const stop = () => {
    isOver = true;
    controller?.abort(signal?.reason);
    ring();
  };
  const timer = setTimeout(stop, time);
  if (signal?.aborted) isOver = true;
  signal?.addEventListener('abort', stop);
  return {
    get isLate() {
      return performance.now() >= end;
    },
    get signal() {
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
      signal?.removeEventListener('abort', stop);
    },
  };
}
