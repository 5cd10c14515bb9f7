/** A bound on how long something may take, whether or not it heeds a signal. */

/** What ends a call early. */
export interface Deadline {
  /** Aborted when time is up or the caller gives up. */
  readonly signal: AbortSignal;
  /** Whether time was up. */
  readonly expired: boolean;
  /** The promise, or a rejection as soon as the signal is aborted. */
  race<T>(promise: Promise<T>): Promise<T>;
  /** Lets go of the timer and of the caller's signal. */
  end(): void;
}

/**
 * Starts the clock.
 *
 * An own listener stands in for `AbortSignal.any` and `AbortSignal.timeout`: both hold on to a caller's long-lived
 * signal until it is collected.
 *
 * @param timeout ms
 */
export function startDeadline(timeout: number, signal?: AbortSignal): Deadline {
  const controller = new AbortController();
  let expired = false;
  let fail: (reason: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Nobody may be racing when it fails.
  failed.catch(() => {});
  const stop = (reason: unknown) => {
    controller.abort(reason);
    fail(reason);
  };
  const abort = () => stop(signal?.reason);
  const timer = setTimeout(() => {
    expired = true;
    stop(new Error('time is up'));
  }, timeout);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    race: (promise) => Promise.race([promise, failed]),
    end() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    },
  };
}
