/** How much the service takes on: per request, per caller, and at once. */
import { wrongRange } from '../../errors.js';
import { ownOptions } from '../../foreign/argument.js';

/** Bounds of one service. */
export interface ServiceLimits {
  /** Longest request body, in bytes; default 65,536. */
  readonly bodyBytes: number;
  /** Most calls in a batch; default 100. */
  readonly batchCalls: number;
  /** Most storage keys in a request: in its call, or in all calls of its batch together; default 256. */
  readonly storageKeys: number;
  /** Most entries of the store that one proof may take; default 5,000,000. */
  readonly reads: number;
  /**
   * Units of cost that a key may ask for in a second: a call is one, and so is each of its storage keys. After a pause,
   * as many may come at once. Default 10,000; `Infinity` for no bound.
   */
  readonly requestsPerSecond: number;
  /**
   * Requests that are being worked on at once; more are shed. Default 256. If there are several keys, one of them has at
   * most as many as it leaves to the others.
   */
  readonly concurrent: number;
  /** Ms in which a request must have come in whole, and be answered; default 10,000. */
  readonly time: number;
}

const defaults: ServiceLimits = {
  bodyBytes: 65_536,
  batchCalls: 100,
  storageKeys: 256,
  reads: 5_000_000,
  requestsPerSecond: 10_000,
  concurrent: 256,
  time: 10_000,
};

/**
 * The limits with defaults filled in.
 *
 * @param others defaults that differ
 * @throws TypeError or RangeError
 */
export function readLimits(
  given: Partial<ServiceLimits> = {},
  others: Partial<ServiceLimits> = {},
): ServiceLimits {
  const names = Object.keys(defaults) as (keyof ServiceLimits)[];
  const limits = { ...defaults, ...others, ...ownOptions(given, names, 'limits', names) };
  for (const [name, value] of Object.entries(limits)) {
    if (name === 'requestsPerSecond' && value === Infinity) continue;
    if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1) {
      throw wrongRange(`limits.${name}`, `expected a whole number from 1 to ${2 ** 31 - 1}`);
    }
  }
  return limits;
}

/** Lets a steady rate of cost through, and a burst of one second's worth. */
interface Bucket {
  /** Seconds after which something may be taken; 0 if it may now. */
  wait(): number;
  /**
   * Takes a cost if something may be taken. A cost above the rest is taken too, and the difference is owed: the next
   * cost waits for longer.
   *
   * @returns 0, or the seconds after which something may be taken
   */
  take(cost: number): number;
  /** Takes a cost that became known only after the request was let through, whatever is left. */
  owe(cost: number): void;
}

/** A full bucket. The clock is read with each request, so an idle key needs no timer. */
export function createBucket(perSecond: number): Bucket {
  if (perSecond === Infinity) return { wait: () => 0, take: () => 0, owe: () => {} };
  let units = perSecond;
  let last = performance.now();
  const wait = () => {
    const now = performance.now();
    units = Math.min(perSecond, units + ((now - last) / 1000) * perSecond);
    last = now;
    return units < 1 ? (1 - units) / perSecond : 0;
  };
  return {
    wait,
    take(cost) {
      const seconds = wait();
      if (seconds === 0) units -= cost;
      return seconds;
    },
    owe(cost) {
      units -= cost;
    },
  };
}
