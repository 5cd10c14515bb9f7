/**
 * Single foreign values: exact hex and the numbers of JSON. Each function gives undefined for anything else, and the
 * caller refuses with an error of its own.
 */
import { decodeHex, encodeHex, type Hex, integerToBytes, isLowerHex } from '../bytes.js';

/** Bytes of `0x` and exactly `width` bytes of digits, of either case. */
export function hexBytes(value: unknown, width: number): Uint8Array | undefined {
  // The length comes first: it is known without reading a huge string, or allocating for it.
  if (typeof value !== 'string' || value.length !== 2 + 2 * width) return undefined;
  const bytes = new Uint8Array(width);
  return decodeHex(value, width, bytes) ? bytes : undefined;
}

/** The same as text in lower case. Most texts are, and those are given back as they are: a feed reads millions of them. */
export function hexText(value: unknown, width: number): Hex | undefined {
  if (typeof value === 'string' && value.length === 2 + 2 * width && isLowerHex(value)) {
    return value;
  }
  const bytes = hexBytes(value, width);
  return bytes && encodeHex(bytes);
}

/** Bytes of `0x` and any whole number of them up to `maxWidth`. */
export function dataBytes(value: unknown, maxWidth: number): Uint8Array | undefined {
  const width = typeof value === 'string' ? (value.length - 2) / 2 : -1;
  const isWidth = Number.isSafeInteger(width) && width >= 0 && width <= maxWidth;
  return isWidth ? hexBytes(value, width) : undefined;
}

/** The same as text in lower case. */
export function dataText(value: unknown, maxWidth: number): Hex | undefined {
  const bytes = dataBytes(value, maxWidth);
  return bytes && encodeHex(bytes);
}

/** A JSON number that is a whole number from 0. */
export function parseWholeNumber(value: unknown): number | undefined {
  // -0 stands in JSON as a negative number or a fraction, which is no index and no quantity.
  const isWhole = Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0);
  return isWhole ? (value as number) : undefined;
}

/** `0x` and at least one digit. Leading zeros mean nothing else, and some servers send them. */
const quantityForm = /^0x[0-9a-fA-F]{1,64}$/;

/** A number as a JSON-RPC quantity: hex without leading zeros. @param value whole, from 0 */
export const toQuantity = (value: number | bigint): Hex => `0x${value.toString(16)}`;

/** A number below 2^`bits`: a JSON-RPC quantity, or a JSON number. */
export function parseQuantity(value: unknown, bits: number): bigint | undefined {
  const isText = typeof value === 'string' && quantityForm.test(value);
  const number = isText ? value : parseWholeNumber(value);
  if (number === undefined) return undefined;
  const whole = BigInt(number);
  return whole >> BigInt(bits) === 0n ? whole : undefined;
}

/** The word that hex of at most 64 digits names as a number, 32 bytes. */
export function toWord(text: unknown): Uint8Array | undefined {
  const value = typeof text === 'string' ? parseQuantity(text, 256) : undefined;
  return value === undefined ? undefined : integerToBytes(value, 32);
}
