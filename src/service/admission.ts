/** Who may ask, and for how much. */
import type { KeyRing } from './keys.js';
import { createBucket } from './limits.js';
import { codes, Refusal } from './refusal.js';

export interface Admission {
  /** @param key the segment of the path @returns the place of the key, its lane @throws Refusal */
  admit(request: Request, key: string): number;
  /** Takes the cost of a request from what the key may ask for. @throws Refusal */
  charge(lane: number, cost: number): void;
}

/** @param unitsPerSecond what a key may ask for in a second */
export function createAdmission(keys: KeyRing, unitsPerSecond: number): Admission {
  const buckets = Array.from({ length: keys.size }, () => createBucket(unitsPerSecond));

  /** @param seconds after which something may be taken */
  function checkRate(seconds: number): void {
    if (seconds === 0) return;
    const text = `more than ${unitsPerSecond} units of cost per second; a call costs 1, and 1 for each storage key`;
    const retryAfter = Math.ceil(seconds);
    throw new Refusal(codes.limitExceeded, text, { status: 429, retryAfter });
  }

  return {
    admit(request, key) {
      const lane = keys.find(key);
      if (lane === undefined) {
        const text = 'unknown or missing API key; the path is /v3/<API_KEY>';
        throw new Refusal(codes.invalidRequest, text, { status: 401 });
      }
      if (request.method !== 'POST') {
        throw new Refusal(codes.invalidRequest, 'expected POST', { status: 405 });
      }
      checkRate(buckets[lane]?.wait() ?? 0);
      return lane;
    },
    charge: (lane, cost) => checkRate(buckets[lane]?.take(cost) ?? 0),
  };
}
