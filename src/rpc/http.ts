/** The shared parts of all HTTP clients here: the checks of their options, and the reading of small things. */

import { wrongRange, wrongType } from '../errors.js';
import { isShownNumber, type Redact } from './redact.js';

/** The URL of a server. @throws TypeError, which does not hold the text: there may be a key in it */
export function parseUrl(text: string): URL {
  if (!URL.canParse(text)) {
    throw wrongType('url', `expected a URL${text === '' ? ', got an empty text' : ''}`);
  }
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw wrongType('url', 'expected http: or https:');
  }
  if (url.username !== '' || url.password !== '') {
    throw wrongType('url', 'expected no user or password; pass a header');
  }
  return url;
}

/** @throws RangeError */
export function checkLimit(name: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > 2 ** 31 - 1) {
    throw wrongRange(name, `expected a whole number from 1 to ${2 ** 31 - 1}`);
  }
}

/** Longest wait, in seconds, that a client may heed: no number up to it is taken for a key. */
const heeded = 60;

/** Seconds that the server names in `Retry-After`, as a number or as a date; undefined if they are a key. */
export function readRetryAfter({ headers }: Response, redact: Redact): number | undefined {
  const text = headers.get('retry-after') ?? '';
  const isNumber = /^\d{1,9}$/.test(text);
  const until = Math.ceil((Date.parse(text) - Date.now()) / 1000);
  const seconds = isNumber ? Number(text) : Math.max(0, until);
  if (Number.isNaN(seconds)) return undefined;
  return seconds <= heeded || isShownNumber(seconds, redact) ? seconds : undefined;
}

/** The code of a failed fetch, such as ECONNREFUSED. Its message may hold the URL, so it is never repeated. */
export function toReason(error: unknown, redact: Redact): string {
  const { code, cause } = Object(error) as { code?: unknown; cause?: unknown };
  const word = code ?? (Object(cause) as { code?: unknown }).code;
  const isCode = typeof word === 'string' && /^[A-Z_0-9]{1,40}$/.test(word);
  return isCode && redact(word) === word ? `: ${word}` : '';
}
