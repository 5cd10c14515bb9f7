/** Sorts records by their keys. */
import { compareKeys, headWidth, keyWidth } from './record.js';

/** Bytes of a key that a number holds beside an index. */
const width = 4;

/** An index is below this: more records than that are not sorted at a time. */
const size = 2 ** 21;

/** Up to this many records are compared one by one: sorting so few numbers takes longer. */
const few = 8;

/** How many first bytes all keys of a run share. */
function commonWidth(bytes: Uint8Array, run: Int32Array, known: number): number {
  const first = run[0] as number;
  let common = keyWidth(bytes, first);
  for (let i = 1; i < run.length && common > known; i++) {
    const other = run[i] as number;
    let at = known;
    while (at < common && bytes[other + headWidth + at] === bytes[first + headWidth + at]) at++;
    common = at;
  }
  return common;
}

function sortFew(bytes: Uint8Array, run: Int32Array): void {
  for (let i = 1; i < run.length; i++) {
    const start = run[i] as number;
    let at = i;
    for (; at > 0; at--) {
      const before = run[at - 1] as number;
      if (compareKeys(bytes, before, bytes, start) <= 0) break;
      run[at] = before;
    }
    run[at] = start;
  }
}

/** The first bytes in which keys differ, as a number above an index: numbers are sorted without a function of ours. */
function headsOf(bytes: Uint8Array, run: Int32Array, from: number): Float64Array {
  const heads = new Float64Array(run.length);
  // Loops: in arrays of this length, iterators and callbacks take several times as long.
  for (let i = 0; i < run.length; i++) {
    const start = run[i] as number;
    const end = keyWidth(bytes, start);
    let head = 0;
    for (let at = from; at < from + width; at++) {
      head = (head << 8) | (at < end ? (bytes[start + headWidth + at] as number) : 0);
    }
    heads[i] = (head >>> 0) * size + i;
  }
  return heads.sort();
}

/**
 * Sorts records by their keys; those of one key stay in the order in which they are.
 *
 * @param bytes the records
 * @param run where each begins; put into order
 * @param known first bytes that all keys are known to share. Keys that share some are of one kind, so of one width
 */
export function sortRecords(bytes: Uint8Array, run: Int32Array, known = 0): void {
  if (run.length <= few) {
    sortFew(bytes, run);
    return;
  }
  const start = commonWidth(bytes, run, known);
  // All keys are the same.
  if (start === keyWidth(bytes, run[0] as number)) return;
  const heads = headsOf(bytes, run, start);
  const unsorted = run.slice();
  const headAt = (at: number) => Math.floor((heads[at] as number) / size);
  let from = 0;
  let last = headAt(0);
  for (let at = 0; at <= run.length; at++) {
    const head = at < run.length ? headAt(at) : -1;
    if (head !== last) {
      if (at - from > 1) sortRecords(bytes, run.subarray(from, at), start + width);
      from = at;
      last = head;
    }
    if (at < run.length) run[at] = unsorted[(heads[at] as number) - head * size] as number;
  }
}
