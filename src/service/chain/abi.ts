/** The few ABI words that asking for token metadata takes. */
import { concatBytes, encodeHex, type Hex, integerToBytes } from '../../bytes.js';
import { hexBytes } from '../../foreign/values.js';

/** Call data of the questions that are put to contracts. */
export const questions = {
  name: '0x06fdde03',
  symbol: '0x95d89b41',
  decimals: '0x313ce567',
  /** `supportsInterface` of ERC-165, of the interface of ERC-721. */
  erc721: `0x01ffc9a780ac58cd${'00'.repeat(28)}`,
  /** The same of ERC-1155. */
  erc1155: `0x01ffc9a7d9b67a26${'00'.repeat(28)}`,
  token0: '0x0dfe1681',
  token1: '0xd21220a7',
} as const satisfies Record<string, Hex>;

export type Question = keyof typeof questions;

/** `aggregate3((address target, bool allowFailure, bytes callData)[])` of Multicall3. */
const aggregate3 = '0x82ad56cb';

/** A call of a contract. */
export interface AbiCall {
  readonly to: Hex;
  readonly data: Hex;
}

const word = (value: number) => integerToBytes(BigInt(value), 32);

/** A hex text of our own. */
const bytesOf = (hex: Hex) => hexBytes(hex, (hex.length - 2) / 2) as Uint8Array;

/** Target, allowFailure, offset of the call data, their length, and the data up to a whole word. */
function encodeCall({ to, data: text }: AbiCall): Uint8Array {
  const data = bytesOf(text);
  const padding = new Uint8Array((32 - (data.length % 32)) % 32);
  return concatBytes(
    new Uint8Array(12),
    bytesOf(to),
    word(1),
    word(96),
    word(data.length),
    data,
    padding,
  );
}

/** Call data of `aggregate3`; a call that fails does not fail the others. */
export function encodeAggregate(calls: readonly AbiCall[]): Hex {
  const elements = calls.map(encodeCall);
  let offset = 32 * elements.length;
  const offsets = elements.map((element) => {
    const own = word(offset);
    offset += element.length;
    return own;
  });
  const length = word(elements.length);
  return encodeHex(concatBytes(bytesOf(aggregate3), word(32), length, ...offsets, ...elements));
}

/** The number at a position, if it is there and below 2^32. */
function numberAt(data: Uint8Array, at: number): number | undefined {
  if (at + 32 > data.length) return undefined;
  for (let i = at; i < at + 28; i++) if (data[i] !== 0) return undefined;
  return new DataView(data.buffer, data.byteOffset + at + 28, 4).getUint32(0);
}

/** `bytes` or `string` whose length stands at a position. */
function bytesAt(data: Uint8Array, at: number): Uint8Array | undefined {
  const length = numberAt(data, at);
  if (length === undefined || at + 32 + length > data.length) return undefined;
  return data.subarray(at + 32, at + 32 + length);
}

/** One `(bool success, bytes returnData)`: what the call returned, or null if it failed. */
function resultAt(data: Uint8Array, at: number): Uint8Array | null | undefined {
  const success = numberAt(data, at);
  const offset = numberAt(data, at + 32);
  if (success === undefined || offset === undefined) return undefined;
  return success === 1 ? bytesAt(data, at + offset) : null;
}

/**
 * What each of `count` calls returned, null for one that failed.
 *
 * @returns undefined if the data are not an answer of `aggregate3` to so many calls
 */
export function decodeAggregate(
  data: Uint8Array,
  count: number,
): (Uint8Array | null)[] | undefined {
  const start = numberAt(data, 0);
  if (start === undefined || numberAt(data, start) !== count) return undefined;
  const elements = start + 32;
  const results: (Uint8Array | null)[] = [];
  for (let i = 0; i < count; i++) {
    const offset = numberAt(data, elements + 32 * i);
    const result = offset === undefined ? undefined : resultAt(data, elements + offset);
    if (result === undefined) return undefined;
    results.push(result);
  }
  return results;
}

const utf8 = new TextDecoder();

/**
 * Bytes of a text that are read: more than any use of it shows. A contract may return a megabyte as its name, and V8 keeps
 * all of a text in memory for as long as a part of it is kept.
 */
const textLimit = 1024;

/** A text that a token returned as `string`, or as `bytes32` as the first tokens did. Foreign, and not cleaned. */
export function decodeText(data: Uint8Array): string | undefined {
  if (data.length === 32) {
    const end = data.indexOf(0);
    const text = utf8.decode(end < 0 ? data : data.subarray(0, end));
    return text === '' ? undefined : text;
  }
  const offset = numberAt(data, 0);
  const bytes = offset === undefined ? undefined : bytesAt(data, offset);
  return bytes && utf8.decode(bytes.subarray(0, textLimit));
}

/** A whole number that a token returned, if it is small enough to be its decimals. */
export function decodeDecimals(data: Uint8Array): number | undefined {
  const decimals = data.length === 32 ? numberAt(data, 0) : undefined;
  // 10^77 is the largest power of ten below 2^256.
  return decimals !== undefined && decimals <= 77 ? decimals : undefined;
}

/** Whether a contract returned true, and nothing else. */
export const decodeTrue = (data: Uint8Array): boolean =>
  data.length === 32 && numberAt(data, 0) === 1;

/** An address that a contract returned. */
export function decodeAddress(data: Uint8Array): Hex | undefined {
  const isAddress = data.length === 32 && data.subarray(0, 12).every((byte) => byte === 0);
  return isAddress ? encodeHex(data.subarray(12)) : undefined;
}
