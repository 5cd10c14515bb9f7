/** The units that each key may still spend. */
import { codes, HttpError } from '../http/httpError.js';
import { createBucket } from './limits.js';

export interface Rates {
  /** @throws HttpError if nothing may be taken yet */
  check(keyIndex: number): void;
  /** Takes the cost of a request. @throws HttpError if nothing may be taken yet */
  charge(keyIndex: number, cost: number): void;
  /** Takes a cost that became known only after the request was let through. */
  owe(keyIndex: number, cost: number): void;
}

interface RatesOptions {
  /** How many keys there are. */
  readonly keyCount: number;
  /** Units of cost that a key may ask for in a second. */
  readonly unitsPerSecond: number;
  /** The message to a key that asks for more. */
  readonly refusal: string;
}

export function createRates({ keyCount, unitsPerSecond, refusal }: RatesOptions): Rates {
  const buckets = Array.from({ length: keyCount }, () => createBucket(unitsPerSecond));

  /** @param seconds after which something may be taken */
  function checkWait(seconds: number): void {
    if (seconds === 0) return;
    const retryAfter = Math.ceil(seconds);
    throw new HttpError(codes.limitExceeded, refusal, { status: 429, retryAfter });
  }

  return {
    check: (keyIndex) => checkWait(buckets[keyIndex]?.wait() ?? 0),
    charge: (keyIndex, cost) => checkWait(buckets[keyIndex]?.take(cost) ?? 0),
    owe: (keyIndex, cost) => buckets[keyIndex]?.owe(cost),
  };
}
