/** Asks again. Whether and when is each user's own policy; this is the one mechanism. */

/** Waits. @param delay ms @throws the signal's reason */
export function wait(delay: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, delay);
    signal?.addEventListener('abort', abort);
  });
}

/**
 * Whether a failed try is followed by another.
 *
 * @param attempt how many tries failed, from 1
 * @returns ms until the next try; undefined if there is no other try
 */
export type RetryPolicy = (error: unknown, attempt: number) => number | undefined;

/** Pauses that double from `first` up to `longest`, in ms. */
export const doubling =
  (first: number, longest: number) =>
  (attempt: number): number =>
    Math.min(first * 2 ** (attempt - 1), longest);

/**
 * Does work until it succeeds or the policy ends it.
 *
 * @throws what the last try threw
 * @throws the signal's reason if it is aborted before another try
 */
export async function retry<T>(
  work: () => Promise<T>,
  policy: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const pause = policy(error, attempt);
      if (pause === undefined) throw error;
      await wait(pause, signal);
    }
  }
}
