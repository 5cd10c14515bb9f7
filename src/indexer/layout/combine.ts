/**
 * Kinds of records that add. Each record holds a difference, and what counts is what all records of one key add up to: in
 * the changes of some blocks, over loose records and over all segments. However a history is cut, the sums are the same.
 */
import { numberWidth, readNumber } from '../../tree/store/numbers.js';
import { type RecordKind, recordKinds } from './layout.js';
import { blockAt, headWidth, isThere, recordWidth, stateWidth } from './record.js';

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

const adding = {
  sum: { width: sumWidth, add: addSigned, startOf: shortestFrom },
  total: { width: totalWidth, add: addTotals, startOf: () => 0 },
} satisfies Partial<Record<RecordKind, Adding>>;

const byFirstByte: (Adding | undefined)[] = [];
for (const [kind, of] of Object.entries(adding)) byFirstByte[recordKinds[kind as RecordKind]] = of;

/** Whether records of such a key add. */
export const isAdding = (firstByte: number): boolean => byFirstByte[firstByte] !== undefined;

/** Copies bytes. A loop: for so few, `set` takes longer. @returns where they end */
function copyBytes(
  source: Uint8Array,
  { from, to }: { from: number; to: number },
  target: Uint8Array,
  offset: number,
): number {
  const shift = offset - from;
  for (let i = from; i < to; i++) target[i + shift] = source[i] as number;
  return to + shift;
}

/** Values of one key that add, worked out in place: an array for each step, or each key, would cost several times as much. */
class ValueSum {
  #of: Adding = adding.sum;
  #body = new Uint8Array(this.#of.width);
  /** Its state and block are those of the newest value; undefined before the first one. */
  #newest: Uint8Array | undefined;
  #newestAt = 0;

  /** Forgets what was added, for values of another key. @param firstByte of the key */
  begin(firstByte: number): void {
    const of = byFirstByte[firstByte] as Adding;
    if (of === this.#of) this.#body.fill(0);
    else this.#body = new Uint8Array(of.width);
    this.#of = of;
    this.#newest = undefined;
  }

  /** Adds the value between two offsets of an array. Nobody may change it before the sum is written. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const newest = this.#newest;
    if (newest === undefined || blockAt(bytes, from) >= blockAt(newest, this.#newestAt)) {
      this.#newest = bytes;
      this.#newestAt = from;
    }
    this.#of.add(this.#body, bytes, from + stateWidth, to);
  }

  get width(): number {
    return stateWidth + this.#of.width - this.#of.startOf(this.#body);
  }

  /** @returns where it ends */
  write(out: Uint8Array, at: number): number {
    const from = this.#newestAt;
    const state = { from, to: from + stateWidth };
    const end = copyBytes(this.#newest as Uint8Array, state, out, at);
    const body = { from: this.#of.startOf(this.#body), to: this.#of.width };
    return copyBytes(this.#body, body, out, end);
  }
}

/** Two values of one key, put together; the block of the newer one is kept. */
export function combineValues(firstByte: number, a: Uint8Array, b: Uint8Array): Uint8Array {
  const sum = new ValueSum();
  sum.begin(firstByte);
  sum.add(a, 0, a.length);
  sum.add(b, 0, b.length);
  const value = new Uint8Array(sum.width);
  sum.write(value, 0);
  return value;
}

const nothing = new Uint8Array(0);

/** Records of a kind that adds: those of one key, and then of another. */
export class RecordSum {
  readonly #values = new ValueSum();
  /** A record of the key. */
  #bytes: Uint8Array = nothing;
  #at = 0;

  /** Begins with the record at an offset. Nobody may change it, nor those that are added, before the sum is written. */
  begin(bytes: Uint8Array, at: number): void {
    this.#bytes = bytes;
    this.#at = at;
    this.#values.begin(bytes[at + headWidth] as number);
    this.add(bytes, at);
  }

  /** Adds another record of the key. */
  add(bytes: Uint8Array, at: number): void {
    const from = at + headWidth + (bytes[at] as number);
    this.#values.add(bytes, from, at + recordWidth(bytes, at));
  }

  /** Writes the record that they add up to. @returns where it ends */
  write(out: Uint8Array, at: number): number {
    const { width } = this.#values;
    const keyWidth = this.#bytes[this.#at] as number;
    out[at] = keyWidth;
    out[at + 1] = width;
    const from = this.#at + headWidth;
    const value = copyBytes(this.#bytes, { from, to: from + keyWidth }, out, at + headWidth);
    return this.#values.write(out, value);
  }

  /** The record that they add up to, in an array of its own. */
  record(): Uint8Array {
    const record = new Uint8Array(
      headWidth + (this.#bytes[this.#at] as number) + this.#values.width,
    );
    this.write(record, 0);
    return record;
  }
}

/** Whether a record says that there is something. One that is gone, or a sum of 0, only changes older ones. */
export const isPresent = (bytes: Uint8Array, at: number): boolean =>
  isThere(bytes, at) &&
  (bytes[at + headWidth] !== recordKinds.sum || (bytes[at + 1] as number) > stateWidth);
