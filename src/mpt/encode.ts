/** RLP, written: the encoding of all that L1 hashes, byte strings and lists of them, nested. */
import { keccak_256 } from '@noble/hashes/sha3.js';
import { concatBytes, integerToBytes, joinBytes } from '../bytes.js';

/** Bytes behind a head that says their length, and by `offset` whether they are a string or a list. */
function withHead(bytes: Uint8Array, offset: number): Uint8Array {
  const { length } = bytes;
  if (length < 56) return concatBytes(Uint8Array.of(offset + length), bytes);
  const size = trim(integerToBytes(BigInt(length), 8));
  return concatBytes(Uint8Array.of(offset + 55 + size.length), size, bytes);
}

/** Bytes of a string or list in RLP. @param length of its content, from 2 bytes on */
export const encodedLength = (length: number): number =>
  length < 56 ? 1 + length : 1 + Math.ceil(Math.log2(length + 1) / 8) + length;

/** Big-endian bytes without leading zeros. */
export function trim(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? new Uint8Array(0) : bytes.subarray(first);
}

export const encodeString = (bytes: Uint8Array): Uint8Array =>
  bytes.length === 1 && (bytes[0] as number) < 0x80 ? bytes : withHead(bytes, 0x80);

/** An integer from its big-endian bytes. */
export const encodeInteger = (bytes: Uint8Array): Uint8Array => encodeString(trim(bytes));

/** @param items encoded */
export const encodeList = (...items: readonly Uint8Array[]): Uint8Array =>
  withHead(joinBytes(items), 0xc0);

/** A byte string, or a list of items. */
export type Item = Uint8Array | readonly Item[];

/** Whether an item is a list. */
export const isList = (item: Item): item is readonly Item[] => Array.isArray(item);

export const encodeRlp = (item: Item): Uint8Array =>
  isList(item) ? withHead(joinBytes(item.map(encodeRlp)), 0xc0) : encodeString(item);

/** The only node of a trie without entries: an empty byte string. */
export const emptyNode: Uint8Array = Uint8Array.of(0x80);

/** The root of a trie without entries. */
export const emptyTrieRoot: Uint8Array = keccak_256(emptyNode);
