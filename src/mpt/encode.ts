/** RLP, written: byte strings and lists of what is encoded already. */
import { concatBytes, integerToBytes } from '../bytes.js';

/** Bytes behind a head that says their length, and by `offset` whether they are a string or a list. */
function withHead(bytes: Uint8Array, offset: number): Uint8Array {
  const { length } = bytes;
  if (length < 56) return concatBytes(Uint8Array.of(offset + length), bytes);
  const size = trim(integerToBytes(BigInt(length), 8));
  return concatBytes(Uint8Array.of(offset + 55 + size.length), size, bytes);
}

/** Big-endian bytes without leading zeros. */
function trim(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array(0) : bytes.subarray(first);
}

export const encodeString = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 1 && (bytes[0] as number) < 0x80 ? bytes : withHead(bytes, 0x80);

/** An integer from its big-endian bytes. */
export const encodeInteger = (bytes: Uint8Array): Uint8Array => encodeString(trim(bytes));

/** @param items encoded */
export const encodeList = (...items: readonly Uint8Array[]): Uint8Array =>
  withHead(concatBytes(...items), 0xc0);
