/** Who may ask, and for how much. */

import { isSentToLoopback } from '../../loopback.js';
import type { HttpRequest } from '../http/http.js';
import { codes, HttpError } from '../http/httpError.js';
import { wrongHost } from '../http/loopback.js';
import type { KeyRing } from '../limits/keys.js';
import { createRates } from '../limits/rates.js';

interface Admission {
  /** @param key the segment of the path @returns the index of the key @throws HttpError */
  admit(request: HttpRequest, key: string): number;
  /** Takes a cost from what the key may ask for, before the work. @throws HttpError */
  charge(keyIndex: number, cost: number): void;
  /** Takes the rest of a cost, which is known only once the body was read. */
  owe(keyIndex: number, cost: number): void;
}

/** @param unitsPerSecond what a key may ask for in a second */
export function createAdmission(keys: KeyRing, unitsPerSecond: number): Admission {
  const rates = createRates({
    keyCount: keys.size,
    unitsPerSecond,
    refusal: `more than ${unitsPerSecond} units of cost per second; a call costs 1, and 1 for each storage key`,
  });
  return {
    admit(request, key) {
      if (keys.isOpen && !isSentToLoopback(request.header('host'))) throw wrongHost();
      const keyIndex = keys.find(key);
      if (keyIndex === undefined) {
        const text = 'unknown or missing API key; the path is /v3/<API_KEY>';
        throw new HttpError(codes.invalidRequest, text, { status: 401 });
      }
      if (request.method !== 'POST') {
        throw new HttpError(codes.invalidRequest, 'expected POST', { status: 405 });
      }
      rates.check(keyIndex);
      return keyIndex;
    },
    charge: rates.charge,
    owe: rates.owe,
  };
}
