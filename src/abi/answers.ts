/** The return values of contracts. Foreign: undefined for anything that is no value of the type. */
import { bytesToInteger, encodeHex, type Hex } from '../bytes.js';
import { bytesAt, numberAt, wordWidth } from './word.js';

const utf8 = new TextDecoder();

/**
 * Bytes of a text that are read: more than any use of it shows. A contract may return a megabyte as its name, and V8 keeps
 * all of a text in memory for as long as a part of it is kept.
 */
const textLimit = 1024;

/**
 * A text that a token returned as `string`, or as `bytes32` as the first tokens did. Not cleaned.
 *
 * @param limit bytes of it that are read
 */
export function decodeText(data: Uint8Array, limit: number = textLimit): string | undefined {
  if (data.length === wordWidth) {
    const end = data.indexOf(0);
    const text = utf8.decode(end < 0 ? data : data.subarray(0, end));
    return text === '' ? undefined : text;
  }
  const offset = numberAt(data, 0);
  const bytes = offset === undefined ? undefined : bytesAt(data, offset);
  return bytes && utf8.decode(bytes.subarray(0, limit));
}

/** A whole `string` of valid UTF-8. No `bytes32` passes for one. */
export function decodeString(data: Uint8Array): string | undefined {
  const offset = numberAt(data, 0);
  const bytes = offset === undefined ? undefined : bytesAt(data, offset);
  const text = bytes && utf8.decode(bytes);
  // It stands for bytes that are no UTF-8.
  return text?.includes('\ufffd') ? undefined : text;
}

/** A number of 256 bits. A call that failed has returned none. */
export const decodeUint256 = (data: Uint8Array | undefined): bigint | undefined =>
  data?.length === wordWidth ? bytesToInteger(data) : undefined;

/** A whole number that a token returned, if it is small enough to be its decimals. */
export function decodeDecimals(data: Uint8Array): number | undefined {
  const decimals = data.length === wordWidth ? numberAt(data, 0) : undefined;
  // 10^77 is the largest power of ten below 2^256.
  return decimals !== undefined && decimals <= 77 ? decimals : undefined;
}

/** Whether a contract returned true, and nothing else. */
export const decodeTrue = (data: Uint8Array): boolean =>
  data.length === wordWidth && numberAt(data, 0) === 1;

export function decodeAddress(data: Uint8Array): Hex | undefined {
  const isAddress = data.length === wordWidth && data.subarray(0, 12).every((byte) => byte === 0);
  return isAddress ? encodeHex(data.subarray(12)) : undefined;
}
