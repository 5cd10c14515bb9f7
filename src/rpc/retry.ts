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
type RetryPolicy = (error: unknown, attempt: number) => number | undefined;

/** Pauses that double from `first` up to `longest`, in ms. */
export const doubling =
  (first: number, longest: number) =>
  (attempt: number): number =>
    Math.min(first * 2 ** (attempt - 1), longest);

/** The verdict of an error on whether another try may help. */
interface Failure {
  readonly code: string;
  /** HTTP status. */
  readonly status: number | undefined;
  /** Seconds that the server asks for. */
  readonly retryAfter: number | undefined;
}

/** Longest wait that a server may ask for, in seconds. With more, the caller is told instead. */
const longestWait = 60;

const pauseAfter = doubling(250, 10_000);

/**
 * Waits for what may pass: a rate limit as long as the server says, and else what lies between us and the server.
 *
 * @param kind the errors that are looked at
 * @param maxTries in all
 */
export const patientPolicy =
  (kind: new (...args: never[]) => Failure, maxTries: number): RetryPolicy =>
  (error, attempt) => {
    if (!(error instanceof kind) || attempt >= maxTries) return undefined;
    const { code, status = 0, retryAfter = 0 } = error;
    const passes =
      code === 'RATE_LIMITED' || code === 'NETWORK' || (status >= 502 && status <= 504);
    if (!passes || retryAfter > longestWait) return undefined;
    // Spread, so that clients that failed together do not come back together.
    return Math.max(pauseAfter(attempt) * (1 + Math.random()), 1000 * retryAfter);
  };

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
