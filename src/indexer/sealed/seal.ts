/** Seals: a checksum of key and value behind each value of an index, which is looked at whenever the value is read. */
import zlib from 'node:zlib';
import type { Entry } from '../../tree/index.js';
import { crc32 } from '../../tree/store/crc32.js';
import { readNumber, writeNumber } from '../../tree/store/numbers.js';
import { IndexError } from '../layout/errors.js';

/** Bytes of a seal. */
export const sealWidth = 4;

/** Bytes of a value from which the checksum of Node is faster than ours: a call out of the engine costs as much as 300 of them. */
const longValue = 256;

/** CRC-32 of a key and its value. */
export function sealOf(key: Uint8Array, value: Uint8Array): number {
  const before = crc32(key);
  return value.length < longValue ? crc32(value, before) : zlib.crc32(value, before);
}

/** Writes the value of an entry with its seal. @returns where it ends */
export function writeSealed({ key, value }: Entry, out: Uint8Array, at: number): number {
  const end = at + value.length;
  out.set(value, at);
  writeNumber(out, end, sealOf(key, value), sealWidth);
  return end + sealWidth;
}

/** The value in sealed bytes; no buffer of Node, even if a store gives one: to take records out of one costs twice as much. */
function valueIn(bytes: Uint8Array): Uint8Array {
  const end = Math.max(bytes.length - sealWidth, 0);
  if (end >= longValue) return new Uint8Array(bytes.buffer, bytes.byteOffset, end);
  // A copy: for a view of few bytes, the engine first moves them out of its heap, which takes longer.
  const value = new Uint8Array(end);
  for (let i = 0; i < end; i++) value[i] = bytes[i] as number;
  return value;
}

/** The value without its seal. @throws IndexError `DAMAGED` if it is not the one that was written at this key */
export function unseal(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const value = valueIn(bytes);
  const isWhole =
    bytes.length >= sealWidth && readNumber(bytes, value.length, sealWidth) === sealOf(key, value);
  if (isWhole) return value;
  throw new IndexError('DAMAGED', 'an entry of the index is not as it was written');
}
