/** A wait that something else may end. */

/** Says `end` with the reason once the wait is over. What it gives back stops listening. */
export type Ending = (end: (reason: unknown) => void) => () => void;

/** The promise, or a rejection as soon as something ends the wait; nobody hears what the promise comes to then. */
export async function race<T>(promise: Promise<T>, listen: Ending): Promise<T> {
  let stop = () => {};
  const ended = new Promise<never>((_, reject) => {
    stop = listen(reject);
  });
  try {
    return await Promise.race([ended, promise]);
  } finally {
    stop();
  }
}

/** Ends a wait with the reason of a signal. */
export const onAbort =
  (signal: AbortSignal): Ending =>
  (end) => {
    const abort = () => end(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    return () => signal.removeEventListener('abort', abort);
  };

/**
 * The promise, or a rejection as soon as the signal is aborted. Listeners come and go with each promise: a race against
 * one promise for all would keep every value for as long as the signal.
 */
export const untilAborted = <T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> => (signal === undefined ? promise : race(promise, onAbort(signal)));
