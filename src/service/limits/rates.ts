/** What each key may still ask for. */
import { codes, HttpError } from '../http/httpError.js';
import { createBucket } from './limits.js';

export interface Rates {
  /** @throws HttpError if nothing may be taken yet */
  check(lane: number): void;
  /** Takes the cost of a request. @throws HttpError if nothing may be taken yet */
  charge(lane: number, cost: number): void;
  /** Takes a cost that became known only after the request was let through. */
  owe(lane: number, cost: number): void;
}

interface RatesOptions {
  /** How many keys there are. */
  readonly lanes: number;
  /** Units of cost that a key may ask for in a second. */
  readonly unitsPerSecond: number;
  /** The message to a key that asks for more. */
  readonly refusal: string;
}

export function createRates({ lanes, unitsPerSecond, refusal }: RatesOptions): Rates {
  const buckets = Array.from({ length: lanes }, () => createBucket(unitsPerSecond));

  /** @param seconds after which something may be taken */
  function checkWait(seconds: number): void {
    if (seconds === 0) return;
    const retryAfter = Math.ceil(seconds);
    throw new HttpError(codes.limitExceeded, refusal, { status: 429, retryAfter });
  }

  return {
    check: (lane) => checkWait(buckets[lane]?.wait() ?? 0),
    charge: (lane, cost) => checkWait(buckets[lane]?.take(cost) ?? 0),
    owe: (lane, cost) => buckets[lane]?.owe(cost),
  };
}
