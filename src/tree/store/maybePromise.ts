/**
 * Results that are there at once or come later. A store in memory or on the same machine answers at
 * once, and a promise for each step of an answer would cost more than the step.
 */

/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Stores of other authors may give promises of their own kind. */
export const isPromise = <T>(value: MaybePromise<T>): value is Promise<T> =>
  typeof (value as Promise<T> | undefined)?.then === 'function';

/** Goes on with a value, at once if it is there. */
export const chain = <T, R>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<R>,
): MaybePromise<R> => (isPromise(value) ? value.then(next) : next(value));

/** Does some work, and ends it when its result is there or it has failed. */
export function finallyDo<T>(work: () => MaybePromise<T>, end: () => void): MaybePromise<T> {
  let result: MaybePromise<T>;
  try {
    result = work();
  } catch (error) {
    end();
    throw error;
  }
  if (isPromise(result)) return Promise.resolve(result).finally(end);
  end();
  return result;
}
