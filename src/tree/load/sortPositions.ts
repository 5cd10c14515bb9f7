/** Sorts records of one width in memory, without an object for each. */

/** Bits of a record's position, beside 32 of its key in one number: below 2^53. */
const positionBits = 20;

/** Most records that are sorted at a time. */
export const maxRecords: number = 2 ** positionBits;

/** Records so few that they are compared one by one. */
const few = 24;

/** Records to sort, back to back, each with its key in front. */
export interface RecordBuffer {
  readonly bytes: Uint8Array;
  /** Bytes of a record. */
  readonly width: number;
  /** Of them, those that they are sorted by. */
  readonly keyWidth: number;
}

/** Four bytes of a key, fewer at its end, as a number. */
function digitAt({ bytes, width, keyWidth }: RecordBuffer, record: number, offset: number): number {
  let digit = 0;
  for (let i = offset; i < offset + 4; i++) {
    digit = digit * 256 + (i < keyWidth ? (bytes[record * width + i] as number) : 0);
  }
  return digit;
}

function isBelow(
  { bytes, width, keyWidth }: RecordBuffer,
  a: number,
  b: number,
  from: number,
): boolean {
  for (let i = from; i < keyWidth; i++) {
    const difference = (bytes[a * width + i] as number) - (bytes[b * width + i] as number);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

function insertEach(records: RecordBuffer, order: Uint32Array, offset: number): void {
  for (let i = 1; i < order.length; i++) {
    const record = order[i] as number;
    let at = i;
    for (; at > 0 && isBelow(records, record, order[at - 1] as number, offset); at--) {
      order[at] = order[at - 1] as number;
    }
    order[at] = record;
  }
}

/**
 * Sorts by four bytes at a time, and records with equal ones by the next four. Numbers sort fast;
 * a function that compares records would take ten times as long.
 */
function sortFrom(records: RecordBuffer, order: Uint32Array, offset: number): void {
  if (order.length <= few || offset >= records.keyWidth) {
    insertEach(records, order, offset);
    return;
  }
  const keyed = new Float64Array(order.length);
  for (let i = 0; i < order.length; i++) {
    keyed[i] = digitAt(records, order[i] as number, offset) * maxRecords + i;
  }
  keyed.sort();
  const before = order.slice();
  let begin = 0;
  for (let i = 0; i < order.length; i++) {
    order[i] = before[(keyed[i] as number) % maxRecords] as number;
    const digit = Math.floor((keyed[i] as number) / maxRecords);
    const next = i + 1 < order.length ? Math.floor((keyed[i + 1] as number) / maxRecords) : -1;
    if (next === digit) continue;
    if (i > begin) sortFrom(records, order.subarray(begin, i + 1), offset + 4);
    begin = i + 1;
  }
}

/** The positions of records in the order of their keys. @param count at most {@link maxRecords} */
export function sortPositions(records: RecordBuffer, count: number): Uint32Array {
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  sortFrom(records, order, 0);
  return order;
}
