/** A bound on the time of one request. */
export interface Clock {
  /** Whether time is up. */
  readonly isLate: boolean;
  /** The promise, or a rejection with what `late` returns as soon as time is up. */
  race<T>(promise: Promise<T>, late: () => Error): Promise<T>;
  stop(): void;
}

/** Starts the clock. @param time ms */
export function startClock(time: number): Clock {
  const end = performance.now() + time;
  let ring: () => void = () => {};
  const timer = setTimeout(() => ring(), time);
  return {
    get isLate() {
      return performance.now() >= end;
    },
    race: (promise, late) =>
      new Promise((resolve, reject) => {
        ring = () => reject(late());
        promise.then(resolve, reject);
      }),
    stop: () => clearTimeout(timer),
  };
}
