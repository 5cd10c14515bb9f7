/** What a contract has returned, as one value. Foreign: undefined for anything that is no value of the type. */
import type { Hex as Digits } from '../../index.js';
import { mostUnitDecimals } from './numbers.js';

const wordDigits = 64;

/** Most characters of a text that are read: more than any figure shows. */
const mostText = 256;

/** A word of the data, as a whole number; undefined if the data ends before. */
function numberAt(digits: string, word: number): bigint | undefined {
  const text = digits.slice(word * wordDigits, (word + 1) * wordDigits);
  return text.length === wordDigits ? BigInt(`0x${text}`) : undefined;
}

function toText(digits: string): string {
  const bytes = Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  return new TextDecoder().decode(bytes).slice(0, mostText);
}

/** A `string`, or the `bytes32` that the first tokens have for a name. @param data hex of whole bytes */
export function readText(data: Digits | undefined): string | undefined {
  const digits = data?.slice(2) ?? '';
  if (digits.length === wordDigits) return toText(digits.replace(/(00)+$/, '')) || undefined;
  const length = numberAt(digits, 1);
  if (numberAt(digits, 0) !== 32n || length === undefined) return undefined;
  const start = 2 * wordDigits;
  if (BigInt(digits.length - start) < 2n * length) return undefined;
  // Four bytes a character at most.
  return toText(digits.slice(start, start + 2 * Math.min(Number(length), 4 * mostText)));
}

/** A number of 256 bits, and nothing else. */
export const readNumber = (data: Digits | undefined): bigint | undefined =>
  data?.length === 2 + wordDigits ? numberAt(data.slice(2), 0) : undefined;

/** Decimals of a token. */
export function readDecimals(data: Digits | undefined): number | undefined {
  const value = readNumber(data);
  return value !== undefined && value <= mostUnitDecimals ? Number(value) : undefined;
}

/** Whether a contract has returned true, and nothing else. */
export const isTrue = (data: Digits | undefined): boolean => readNumber(data) === 1n;

export const readAddress = (data: Digits | undefined): Digits | undefined =>
  data !== undefined && /^0x0{24}[0-9a-f]{40}$/.test(data) ? `0x${data.slice(26)}` : undefined;
