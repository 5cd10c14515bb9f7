/**
 * Kinds of records that add. Each record holds a difference, and what counts is what all records of one key add up to: in
 * the changes of some blocks, over loose records and over all segments. However a history is cut, the sums are the same.
 */
import { type RecordKind, recordKinds } from './layout.js';
import { blockIn, headWidth, isThere, keyAt, stateWidth, valueAt } from './record.js';

/** Puts two bodies of one key together; in any order and any grouping the result is the same. */
type Combine = (a: Uint8Array, b: Uint8Array) => Uint8Array;

/** The byte that extends a signed number to the left. */
const signOf = (bytes: Uint8Array): number => ((bytes[0] ?? 0) >= 0x80 ? 0xff : 0);

/** The shortest form of a signed number: none of the first bytes can go without a change of the value. */
function shortest(bytes: Uint8Array): Uint8Array {
  let at = 0;
  while (at < bytes.length) {
    const rest = (bytes[at + 1] ?? 0) >= 0x80 ? 0xff : 0;
    if (bytes[at] !== rest) break;
    at++;
  }
  return bytes.subarray(at);
}

/** Adds signed numbers, big-endian, in two's complement: bytes, for bigints would take several times as long. */
export const addSigned: Combine = (a, b) => {
  const width = Math.max(a.length, b.length) + 1;
  const out = new Uint8Array(width);
  const [signA, signB] = [signOf(a), signOf(b)];
  let carry = 0;
  for (let i = 1; i <= width; i++) {
    const byteA = i <= a.length ? (a[a.length - i] as number) : signA;
    const byteB = i <= b.length ? (b[b.length - i] as number) : signB;
    const sum = byteA + byteB + carry;
    out[width - i] = sum;
    carry = sum >> 8;
  }
  return shortest(out);
};

/** The same number below zero. */
export function negated(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + 1).fill(signOf(bytes) ^ 0xff);
  for (let i = 0; i < bytes.length; i++) out[i + 1] = ~(bytes[i] as number);
  return addSigned(out, Uint8Array.of(1));
}

/** The signed number of an unsigned one, big-endian, of any width. */
export function toSigned(unsigned: Uint8Array): Uint8Array {
  let at = 0;
  while (at < unsigned.length && unsigned[at] === 0) at++;
  const isLow = (unsigned[at] ?? 0) < 0x80;
  const out = new Uint8Array(unsigned.length - at + (isLow ? 0 : 1));
  out.set(unsigned.subarray(at), isLow ? 0 : 1);
  return out;
}

/** The value of an unsigned number, big-endian, of any width; of no bytes it is 0. */
export function unsignedIn(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
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
const addTotals: Combine = (a, b) => {
  const out = new Uint8Array(totalWidth);
  let end = 0;
  for (const width of totalParts) {
    end += width;
    let carry = 0;
    for (let at = end - 1; at >= end - width; at--) {
      const sum = (a[at] ?? 0) + (b[at] ?? 0) + carry;
      out[at] = sum;
      carry = sum >> 8;
    }
  }
  return out;
};

const combining: Partial<Record<RecordKind, Combine>> = { sum: addSigned, total: addTotals };

const byFirstByte = new Map<number, Combine>(
  (Object.keys(combining) as (keyof typeof combining)[]).map((kind) => [
    recordKinds[kind],
    combining[kind] as Combine,
  ]),
);

/** How bodies of a kind are put together; undefined for a kind of which the last one counts. */
export const combine = (kind: RecordKind): Combine | undefined => combining[kind];

/** Whether records of such a key add. */
export const isAdding = (firstByte: number): boolean => byFirstByte.has(firstByte);

/** Two values of one key, put together; the block of the newer one is kept. */
export function combineValues(firstByte: number, newer: Uint8Array, older: Uint8Array): Uint8Array {
  const bodies = byFirstByte.get(firstByte) as Combine;
  const body = bodies(newer.subarray(stateWidth), older.subarray(stateWidth));
  const value = new Uint8Array(stateWidth + body.length);
  value.set((blockIn(newer) >= blockIn(older) ? newer : older).subarray(0, stateWidth));
  value.set(body, stateWidth);
  return value;
}

/** Two records of one key of a kind that adds, put together: a record of its own. */
export function combineRecords(
  newer: Uint8Array,
  atNewer: number,
  older: Uint8Array,
  atOlder: number,
): Uint8Array {
  const key = keyAt(newer, atNewer);
  const kind = key[0] as number;
  const value = combineValues(kind, valueAt(newer, atNewer), valueAt(older, atOlder));
  const record = new Uint8Array(headWidth + key.length + value.length);
  record[0] = key.length;
  record[1] = value.length;
  record.set(key, headWidth);
  record.set(value, headWidth + key.length);
  return record;
}

/** Whether a record says that there is something. One that is gone, or a sum of 0, only changes older ones. */
export const isPresent = (bytes: Uint8Array, at: number): boolean =>
  isThere(bytes, at) &&
  (bytes[at + headWidth] !== recordKinds.sum || valueAt(bytes, at).length > stateWidth);
