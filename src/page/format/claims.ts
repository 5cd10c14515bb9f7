/** Members of a server's answer, read only if they have their form: what has another one is shown as missing. */
import type { Hex } from '../../index.js';
import { mostUnitDecimals } from './numbers.js';

/** An amount in smallest units. */
export const parseAmount = (given: unknown): bigint | undefined =>
  typeof given === 'string' && /^\d{1,78}$/.test(given) ? BigInt(given) : undefined;

/** Decimals of a token. */
export const parseDecimals = (given: unknown): number | undefined =>
  typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= mostUnitDecimals
    ? given
    : undefined;

/** The number of a block. */
export const parseBlock = (given: unknown): number | undefined =>
  typeof given === 'number' && Number.isSafeInteger(given) && given >= 0 ? given : undefined;

/** 20 bytes, in lower case. */
export const parseAddress = (given: unknown): Hex | undefined =>
  typeof given === 'string' && /^0x[0-9a-f]{40}$/i.test(given)
    ? (given.toLowerCase() as Hex)
    : undefined;

/** 32 bytes, in lower case. */
export const parseHash = (given: unknown): Hex | undefined =>
  typeof given === 'string' && /^0x[0-9a-f]{64}$/i.test(given)
    ? (given.toLowerCase() as Hex)
    : undefined;

/** Seconds since 1970 of a time in ISO 8601. */
export function parseSeconds(given: unknown): number | undefined {
  const isTime = typeof given === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{5,20}Z$/.test(given);
  const milliseconds = isTime ? Date.parse(given) : Number.NaN;
  return milliseconds >= 0 ? Math.floor(milliseconds / 1000) : undefined;
}

/** Characters of a list of ids: a pattern that repeats has no room for megabytes. */
const mostIdText = 100_000;

/** Ids of tokens, joined by commas; `all` for each that there is. */
export function parseIds(given: unknown): 'all' | readonly bigint[] | undefined {
  if (given === 'ALL') return 'all';
  const isList =
    typeof given === 'string' && given.length <= mostIdText && /^\d{1,78}(,\d{1,78})*$/.test(given);
  return isList ? given.split(',').map(BigInt) : undefined;
}

/** Characters of a picture at most. */
const mostPicture = 512 * 1024;

/** A picture that stands in its own URL: any other would be fetched, and tell its server who looks. */
export const parsePicture = (given: unknown): string | undefined =>
  typeof given === 'string' &&
  given.length <= mostPicture &&
  /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)[;,]/i.test(given)
    ? given
    : undefined;
