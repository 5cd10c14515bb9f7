/** Seals: a checksum of key and value behind each value of an index, which is looked at whenever the value is read. */
import zlib from 'node:zlib';
import { writeNumber } from '../../tree/store/numbers.js';
import { IndexError } from '../layout/errors.js';
import { numberIn } from '../layout/layout.js';

/** Bytes of a seal. */
export const sealWidth = 4;

/** CRC-32 of a key and its value. */
export const sealOf = (key: Uint8Array, value: Uint8Array): number =>
  zlib.crc32(value, zlib.crc32(key));

/** The value with its seal. */
export function seal(key: Uint8Array, value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(value.length + sealWidth);
  bytes.set(value);
  writeNumber(bytes, value.length, sealOf(key, value), sealWidth);
  return bytes;
}

/** The value without its seal. @throws IndexError `DAMAGED` if it is not the one that was written at this key */
export function unseal(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const end = bytes.length - sealWidth;
  // Of plain bytes, even if a store gives a buffer of Node: to take records out of one costs twice as much.
  const value = new Uint8Array(bytes.buffer, bytes.byteOffset, Math.max(end, 0));
  if (end >= 0 && numberIn(bytes.subarray(end)) === sealOf(key, value)) return value;
  throw new IndexError('DAMAGED', 'an entry of the index is not as it was written');
}
