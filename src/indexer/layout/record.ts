/**
 * Records: what events leave, a key and a value each. In memory and in pages they lie back to back, each behind two bytes
 * with the widths of its key and value. A value says whether the record is there or gone, which block wrote it, and then
 * what its kind says.
 */
import { readNumber } from '../../tree/store/numbers.js';
import { IndexError } from './errors.js';
import { blockNumberWidth } from './layout.js';

/** Bytes of both widths. */
export const headWidth = 2;

/** First byte of a value. */
export const states = { gone: 0, there: 1 } as const;

/** Bytes of a value before what its kind says. */
export const stateWidth: number = 1 + blockNumberWidth;

/** Bytes of the longest record: its key is as long as a store's may be, its body that of a sale or a move. */
export const maxRecord: number = headWidth + 64 + stateWidth + 92;

const keyWidth = (bytes: Uint8Array, at: number): number => bytes[at] as number;

/** Bytes of the record at an offset. */
export const recordWidth = (bytes: Uint8Array, at: number): number =>
  headWidth + (bytes[at] as number) + (bytes[at + 1] as number);

export const keyAt = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.subarray(at + headWidth, at + headWidth + keyWidth(bytes, at));

export const valueAt = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.subarray(at + headWidth + keyWidth(bytes, at), at + recordWidth(bytes, at));

export const isThere = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + headWidth + keyWidth(bytes, at)] === states.there;

/** Which block wrote a record. */
export const blockIn = (value: Uint8Array): number => blockAt(value, 0);

/** The same of the value at an offset. */
export const blockAt = (bytes: Uint8Array, at: number): number =>
  readNumber(bytes, at + 1, blockNumberWidth);

/** What a value says behind its state, as its kind defines it. */
export const bodyIn = (value: Uint8Array): Uint8Array => value.subarray(stateWidth);

/** Order of two keys of records: below, equal or above 0. Keys that differ in width differ before the shorter one ends. */
export function compareRecordKeys(a: Uint8Array, atA: number, b: Uint8Array, atB: number): number {
  const width = a[atA] as number;
  for (let i = headWidth; i < headWidth + width; i++) {
    const difference = (a[atA + i] as number) - (b[atB + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether two records have one key. */
export const isSameKey = (a: Uint8Array, atA: number, b: Uint8Array, atB: number): boolean =>
  a[atA] === b[atB] && compareRecordKeys(a, atA, b, atB) === 0;

/** Copies the record at an offset. @returns where it ends */
export function copyRecord(
  source: Uint8Array,
  at: number,
  target: Uint8Array,
  offset: number,
): number {
  const width = recordWidth(source, at);
  // A loop: for so few bytes, `set` takes longer.
  for (let i = 0; i < width; i++) target[offset + i] = source[at + i] as number;
  return offset + width;
}

/** Refuses a page that does not hold records from its beginning to its end. */
export function checkPage(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < bytes.length && bytes[at] !== 0 && (bytes[at + 1] as number) >= stateWidth) {
    at += recordWidth(bytes, at);
  }
  if (at === bytes.length) return bytes;
  throw new IndexError('DAMAGED', 'the index holds a malformed page');
}
