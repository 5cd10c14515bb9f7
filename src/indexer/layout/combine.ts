/**
 * Kinds of records that add. Each record holds a difference, and what counts is what all records of one key add up to: in
 * the changes of some blocks, over loose records and over all segments. However a history is cut, the sums are the same.
 */
import { numberWidth, readNumber } from '../../tree/store/numbers.js';
import { type RecordKind, recordKinds } from './layout.js';
import { blockAt, headWidth, isThere, keyAt, recordWidth, stateWidth } from './record.js';

/** What stands before the first byte of a signed number. */
const signOf = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) >= 0x80 ? 0xff : 0);

/** Where the shortest form of a signed number begins: no byte from there on can go without a change of the value. */
function shortestFrom(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && bytes[at] === signOf(bytes, at + 1)) at++;
  return at;
}

/**
 * Adds a signed number, big-endian, in two's complement, to one that fills an array: bytes, for bigints would take several
 * times as long.
 */
function addSigned(sum: Uint8Array, bytes: Uint8Array, from: number, to: number): void {
  let at = sum.length - 1;
  let carry = 0;
  for (let i = to - 1; i >= from; i--, at--) {
    const byte = (sum[at] as number) + (bytes[i] as number) + carry;
    sum[at] = byte;
    carry = byte >> 8;
  }
  const sign = from < to ? signOf(bytes, from) : 0;
  // A carry onto the bytes of a negative number, or none onto zeros, changes nothing further on.
  for (; at >= 0 && carry !== (sign & 1); at--) {
    const byte = (sum[at] as number) + sign + carry;
    sum[at] = byte;
    carry = byte >> 8;
  }
}

/**
 * Writes an unsigned number, big-endian, of any width as a signed one in its shortest form, or the same number below zero.
 *
 * @returns where it ends; of 0 it has no byte
 */
export function writeSigned(
  amount: Uint8Array,
  isNegative: boolean,
  { out, at }: { out: Uint8Array; at: number },
): number {
  let first = 0;
  while (first < amount.length && amount[first] === 0) first++;
  if (first === amount.length) return at;
  let last = amount.length - 1;
  while (amount[last] === 0) last--;
  // A first byte of 0x80 with zeros behind it is the one number below zero that has no more bytes than the one above.
  const isLeast = isNegative && first === last && amount[first] === 0x80;
  let end = at;
  if ((amount[first] as number) >= 0x80 && !isLeast) out[end++] = isNegative ? 0xff : 0;
  // In two's complement all bytes before the last one that is not 0 are turned round, and that one is negated.
  for (let i = first; i < amount.length; i++) {
    const byte = amount[i] as number;
    if (isNegative) out[end++] = i < last ? ~byte : -byte;
    else out[end++] = byte;
  }
  return end;
}

/** The value of an unsigned number, big-endian, of the bytes between two offsets; of none it is 0. */
export function unsignedIn(bytes: Uint8Array, from = 0, to: number = bytes.length): bigint {
  // By six bytes, which a number holds: a bigint for each byte would cost several times as much.
  let at = from + ((to - from) % numberWidth);
  let value = BigInt(readNumber(bytes, from, at - from));
  for (; at < to; at += numberWidth) {
    value = (value << 48n) | BigInt(readNumber(bytes, at, numberWidth));
  }
  return value;
}

/** The value of a signed number; of no bytes it is 0. */
export const signedIn = (bytes: Uint8Array): bigint =>
  BigInt.asIntN(8 * bytes.length, unsignedIn(bytes));

/** Bytes of a `total`'s members: transactions, those sent, fees in wei. */
export const totalWidths = { transactions: 6, sent: 6, fees: 16 } as const;
const totalParts = Object.values(totalWidths);
export const totalWidth: number = totalParts.reduce((sum, width) => sum + width, 0);

/** Adds members side by side, each within its width. */
function addTotals(sum: Uint8Array, bytes: Uint8Array, from: number): void {
  let end = 0;
  for (const width of totalParts) {
    end += width;
    let carry = 0;
    for (let at = end - 1; at >= end - width; at--) {
      const byte = (sum[at] as number) + (bytes[from + at] ?? 0) + carry;
      sum[at] = byte;
      carry = byte >> 8;
    }
  }
}

/** How bodies of a kind add up; in any order and any grouping the result is the same. */
interface Adding {
  /** Bytes in which they are added up, from zeros on. */
  readonly width: number;
  /** Adds the body that stands between two offsets. */
  add(sum: Uint8Array, bytes: Uint8Array, from: number, to: number): void;
  /** Where the body begins in these bytes. */
  startOf(sum: Uint8Array): number;
}

/** Transfers of a chain are far too few for a sum of that many bytes. */
const sumWidth = 48;

const adding: Partial<Record<RecordKind, Adding>> = {
  sum: { width: sumWidth, add: addSigned, startOf: shortestFrom },
  total: { width: totalWidth, add: addTotals, startOf: () => 0 },
};

const byFirstByte: (Adding | undefined)[] = [];
for (const [kind, of] of Object.entries(adding)) byFirstByte[recordKinds[kind as RecordKind]] = of;

/** Whether records of such a key add. */
export const isAdding = (firstByte: number): boolean => byFirstByte[firstByte] !== undefined;

/** Values of one key that add, worked out in place: an array for each step would cost several times as much. */
class ValueSum {
  readonly #of: Adding;
  readonly #body: Uint8Array;
  /** Its state and block are those of the newest value. */
  #newest: Uint8Array = new Uint8Array(0);
  #newestAt = 0;

  /** @param firstByte of the key */
  constructor(firstByte: number) {
    this.#of = byFirstByte[firstByte] as Adding;
    this.#body = new Uint8Array(this.#of.width);
  }

  /** Adds the value between two offsets of an array that nobody changes. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const isFirst = this.#newest.length === 0;
    if (isFirst || blockAt(bytes, from) >= blockAt(this.#newest, this.#newestAt)) {
      this.#newest = bytes;
      this.#newestAt = from;
    }
    this.#of.add(this.#body, bytes, from + stateWidth, to);
  }

  get width(): number {
    return stateWidth + this.#of.width - this.#of.startOf(this.#body);
  }

  write(out: Uint8Array, at: number): void {
    const from = this.#newestAt;
    out.set(this.#newest.subarray(from, from + stateWidth), at);
    out.set(this.#body.subarray(this.#of.startOf(this.#body)), at + stateWidth);
  }
}

/** Two values of one key, put together; the block of the newer one is kept. */
export function combineValues(firstByte: number, a: Uint8Array, b: Uint8Array): Uint8Array {
  const sum = new ValueSum(firstByte);
  sum.add(a, 0, a.length);
  sum.add(b, 0, b.length);
  const value = new Uint8Array(sum.width);
  sum.write(value, 0);
  return value;
}

/** Records of one key of a kind that adds. */
export class RecordSum {
  readonly #key: Uint8Array;
  readonly #values: ValueSum;

  /** Begins with the record at an offset. */
  constructor(bytes: Uint8Array, at: number) {
    this.#key = keyAt(bytes, at);
    this.#values = new ValueSum(this.#key[0] as number);
    this.add(bytes, at);
  }

  add(bytes: Uint8Array, at: number): void {
    const from = at + headWidth + this.#key.length;
    this.#values.add(bytes, from, at + recordWidth(bytes, at));
  }

  /** The record that they add up to, in an array of its own. */
  record(): Uint8Array {
    const { width } = this.#values;
    const from = headWidth + this.#key.length;
    const record = new Uint8Array(from + width);
    record[0] = this.#key.length;
    record[1] = width;
    record.set(this.#key, headWidth);
    this.#values.write(record, from);
    return record;
  }
}

/** Whether a record says that there is something. One that is gone, or a sum of 0, only changes older ones. */
export const isPresent = (bytes: Uint8Array, at: number): boolean =>
  isThere(bytes, at) &&
  (bytes[at + headWidth] !== recordKinds.sum || (bytes[at + 1] as number) > stateWidth);
