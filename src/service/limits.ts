/** How much is taken on: per request, per caller, and at once. */

/** Bounds of one service. */
export interface ServiceLimits {
  /** Longest request body, in bytes; default 65,536. */
  readonly bodyBytes: number;
  /** Most storage keys in a call; default 256. */
  readonly storageKeys: number;
  /** Most entries of the store that one proof may take; default 5,000,000. */
  readonly reads: number;
  /** Requests per second and key; as many may come at once after a pause. Default 1,000; `Infinity` for no bound. */
  readonly requestsPerSecond: number;
  /** Requests whose proofs are being made at once; more are shed. Default 256. */
  readonly concurrent: number;
  /** Ms in which a request must have come in whole, and be answered; default 10,000. */
  readonly time: number;
}

const defaults: ServiceLimits = {
  bodyBytes: 65_536,
  storageKeys: 256,
  reads: 5_000_000,
  requestsPerSecond: 1000,
  concurrent: 256,
  time: 10_000,
};

/** The limits with defaults filled in. @throws RangeError */
export function readLimits(given: Partial<ServiceLimits> = {}): ServiceLimits {
  const limits = { ...defaults, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (name === 'requestsPerSecond' && value === Infinity) continue;
    if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1) {
      throw new RangeError(`"limits.${name}" expected a whole number from 1 to ${2 ** 31 - 1}`);
    }
  }
  return limits;
}

/** Lets a steady rate through, and a burst of one second's worth. */
export interface Bucket {
  /** Takes one. @returns 0, or the seconds after which there is one to take */
  take(): number;
}

/** A full bucket. Time is read when something is taken: no timer runs for those who do not ask. */
export function createBucket(perSecond: number): Bucket {
  if (perSecond === Infinity) return { take: () => 0 };
  let tokens = perSecond;
  let last = performance.now();
  return {
    take() {
      const now = performance.now();
      tokens = Math.min(perSecond, tokens + ((now - last) / 1000) * perSecond);
      last = now;
      if (tokens < 1) return (1 - tokens) / perSecond;
      tokens -= 1;
      return 0;
    },
  };
}

/** Ends a turn of the event loop, where the platform lets us: what has come in meanwhile is then counted. */
export const nextTurn: () => Promise<void> =
  typeof setImmediate === 'function'
    ? () =>
        new Promise((resolve) => {
          setImmediate(resolve);
        })
    : () => Promise.resolve();

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
