/** Words of Solidity's ABI, and the numbers and bytes that they point at. Foreign data: nothing is read past its end. */
import { type Hex, integerToBytes } from '../bytes.js';

/** Bytes of a word. */
export const wordWidth = 32;

/** The word of a number of at most 256 bits; an address is one of 160. */
export const encodeWord = (value: number | bigint | Hex): Uint8Array =>
  integerToBytes(BigInt(value), wordWidth);

/** The number at an offset, if a whole word is there and it is below 2^32: a length, an offset or a flag. */
export function numberAt(data: Uint8Array, at: number): number | undefined {
  if (at + wordWidth > data.length) return undefined;
  const last = at + wordWidth - 4;
  for (let i = at; i < last; i++) if (data[i] !== 0) return undefined;
  return new DataView(data.buffer, data.byteOffset + last, 4).getUint32(0);
}

/** `bytes` or `string` whose length stands at an offset. */
export function bytesAt(data: Uint8Array, at: number): Uint8Array | undefined {
  const length = numberAt(data, at);
  const start = at + wordWidth;
  if (length === undefined || start + length > data.length) return undefined;
  return data.subarray(start, start + length);
}
