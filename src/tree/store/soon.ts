/**
 * Results that are there at once or come later. A store in memory or on the same machine answers at
 * once, and a promise for each step of an answer would cost more than the step.
 */

/** A value, or a promise of it. */
export type Soon<T> = T | Promise<T>;

/** Stores of other authors may give promises of their own kind. */
const isLater = <T>(value: Soon<T>): value is Promise<T> =>
  typeof (value as Promise<T> | undefined)?.then === 'function';

/** Goes on with a value, at once if it is there. */
export const andThen = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  isLater(value) ? value.then(next) : next(value);

/** Does some work, and ends it when its result is there or it has failed. */
export function lastly<T>(work: () => Soon<T>, end: () => void): Soon<T> {
  let result: Soon<T>;
  try {
    result = work();
  } catch (error) {
    end();
    throw error;
  }
  if (isLater(result)) return Promise.resolve(result).finally(end);
  end();
  return result;
}
