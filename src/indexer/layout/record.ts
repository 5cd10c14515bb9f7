/**
 * Records: what events leave, a key and a value each. In memory and in pages they lie back to back, each behind two bytes
 * with the widths of its key and value. A value says whether the record is there or gone, which block wrote it, and then
 * what its kind says.
 */
import type { Entry } from '../../tree/index.js';
import { readNumber } from '../../tree/store/numbers.js';
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

export const isThere = (bytes: Uint8Array, at: number): boolean =>
  bytes[at + headWidth + keyWidth(bytes, at)] === states.there;

/** Which block wrote a record. */
export const blockIn = (value: Uint8Array): number => blockAt(value, 0);

/** The same of the value at an offset. */
export const blockAt = (bytes: Uint8Array, at: number): number =>
  readNumber(bytes, at + 1, blockNumberWidth);

/** What a value says behind its state, as its kind defines it. */
export const bodyIn = (value: Uint8Array): Uint8Array => value.subarray(stateWidth);

/**
 * Order of two keys of records: below, equal or above 0. Keys that differ in width differ before the shorter one ends.
 *
 * @param known first bytes that both keys are known to share
 */
export function compareRecordKeys(
  a: Uint8Array,
  atA: number,
  b: Uint8Array,
  atB: number,
  known = 0,
): number {
  const end = headWidth + (a[atA] as number);
  for (let i = headWidth + known; i < end; i++) {
    const difference = (a[atA + i] as number) - (b[atB + i] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/**
 * Up to so many bytes an engine keeps in its heap. A view of them moves them out first, which takes ten times as long as to copy
 * them.
 */
const shortBytes = 64;

/** Records back to back, as they are read, and as they are copied: several bytes at a time. */
export class Records {
  readonly bytes: Uint8Array;
  #view: DataView | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Made when it is first asked for: who only reads needs none. Undefined for few bytes. */
  get view(): DataView | undefined {
    const { bytes } = this;
    if (this.#view === undefined && bytes.length > shortBytes) {
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    }
    return this.#view;
  }
}

/** Bytes that are copied or compared at a time. */
const wordWidth = 4;

/**
 * The same as `compareRecordKeys`, several bytes at a time if there are views: where many records are put into order, most keys
 * that are compared are the same up to their last bytes.
 */
export function compareRecords(
  a: Records,
  atA: number,
  b: Records,
  atB: number,
  known = 0,
): number {
  const viewA = a.view;
  const viewB = b.view;
  let same = known;
  if (viewA && viewB) {
    // A damaged page may end behind a shorter key that is the beginning of the other one.
    const width = Math.min(keyWidth(a.bytes, atA), keyWidth(b.bytes, atB));
    for (; same + wordWidth <= width; same += wordWidth) {
      const wordA = viewA.getUint32(atA + headWidth + same);
      const wordB = viewB.getUint32(atB + headWidth + same);
      if (wordA !== wordB) return wordA < wordB ? -1 : 1;
    }
  }
  return compareRecordKeys(a.bytes, atA, b.bytes, atB, same);
}

/** Whether two records have one key. */
export const isSameKey = (a: Records, atA: number, b: Records, atB: number): boolean =>
  a.bytes[atA] === b.bytes[atB] && compareRecords(a, atA, b, atB) === 0;

/** Copies the record at an offset. @returns where it ends */
export function copyRecord(source: Records, at: number, target: Records, offset: number): number {
  const width = recordWidth(source.bytes, at);
  const from = source.view;
  const to = target.view;
  let i = 0;
  // Loops: for so few bytes, `set` takes longer. A loop by bytes alone takes twice as long.
  if (from && to) {
    for (; i + wordWidth <= width; i += wordWidth) {
      to.setInt32(offset + i, from.getInt32(at + i, true), true);
    }
  }
  for (; i < width; i++) target.bytes[offset + i] = source.bytes[at + i] as number;
  return offset + width;
}

/** Takes records, one after the other. */
export interface RecordSink {
  /** Copies the record at an offset. */
  add(records: Records, at: number): void;
}

/**
 * A record on a page, in the form of an entry. A view of bytes takes longer than to read them, so it makes one if it is asked
 * for. They may not be changed: the page may be kept for others.
 */
export class PageRecord implements Entry {
  readonly bytes: Uint8Array;
  /** Offsets of the key and the value, and behind the value. */
  readonly keyFrom: number;
  readonly valueFrom: number;
  readonly end: number;

  constructor(bytes: Uint8Array, at: number) {
    this.bytes = bytes;
    this.keyFrom = at + headWidth;
    this.valueFrom = this.keyFrom + keyWidth(bytes, at);
    this.end = at + recordWidth(bytes, at);
  }

  get key(): Uint8Array {
    return this.bytes.subarray(this.keyFrom, this.valueFrom);
  }

  get value(): Uint8Array {
    return this.bytes.subarray(this.valueFrom, this.end);
  }
}
