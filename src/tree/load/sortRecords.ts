/** Sorts records in memory by their keys, without an object for each. */

/** Bytes of a key that a number holds beside an index. */
const digitWidth = 4;

/** An index is below this, so that both are below 2^53: more records than that are not sorted at a time. */
const size = 2 ** 21;

/** Records so few that they are compared one by one: sorting so few numbers takes longer. */
const few = 16;

/** Where records have their keys. */
export interface Keys {
  readonly bytes: Uint8Array;
  /** Bytes of a record before its key. */
  readonly ahead: number;
  /** Bytes of a key; undefined: the first byte of a record says it. */
  readonly width: number | undefined;
}

const widthAt = ({ bytes, width }: Keys, start: number): number =>
  width ?? (bytes[start] as number);

/** How many first bytes all keys of a run share. */
function commonWidth(keys: Keys, run: Uint32Array, known: number): number {
  const { bytes, ahead } = keys;
  const first = run[0] as number;
  let common = widthAt(keys, first);
  for (let i = 1; i < run.length && common > known; i++) {
    const other = run[i] as number;
    let at = known;
    while (at < common && bytes[other + ahead + at] === bytes[first + ahead + at]) at++;
    common = at;
  }
  return common;
}

/** Whether a key is below another; from some byte on, before which they are the same. */
function isBelow(keys: Keys, a: number, b: number, from: number): boolean {
  const { bytes, ahead } = keys;
  const end = ahead + widthAt(keys, a);
  for (let i = ahead + from; i < end; i++) {
    const difference = (bytes[a + i] as number) - (bytes[b + i] as number);
    if (difference !== 0) return difference < 0;
  }
  return false;
}

/** Sorts a part of a run in its place: most parts have two records or three, and an array of its own for each would cost more. */
function sortFew(
  keys: Keys,
  run: Uint32Array,
  { known, from, to }: { known: number; from: number; to: number },
): void {
  for (let i = from + 1; i < to; i++) {
    const start = run[i] as number;
    let at = i;
    for (; at > from && isBelow(keys, start, run[at - 1] as number, known); at--) {
      run[at] = run[at - 1] as number;
    }
    run[at] = start;
  }
}

/** The first bytes in which keys differ, as a number above an index: numbers are sorted without a function of ours. */
function headsOf(keys: Keys, run: Uint32Array, from: number): Float64Array {
  const { bytes, ahead } = keys;
  const heads = new Float64Array(run.length);
  // Loops: in arrays of this length, iterators and callbacks take several times as long.
  for (let i = 0; i < run.length; i++) {
    const start = run[i] as number;
    const end = widthAt(keys, start);
    let head = 0;
    for (let at = from; at < from + digitWidth; at++) {
      head = (head << 8) | (at < end ? (bytes[start + ahead + at] as number) : 0);
    }
    heads[i] = (head >>> 0) * size + i;
  }
  return heads.sort();
}

const headAt = (heads: Float64Array, at: number): number =>
  Math.floor((heads[at] as number) / size);

/**
 * Sorts records by four bytes of their keys at a time, and those with equal ones by the next in which they differ; those of
 * one key stay in the order in which they are. A function that compares records would take ten times as long.
 *
 * @param run where each record begins, at most 2^21 of them; put into order
 * @param known first bytes that all keys are known to share. Keys that share their first byte are of one width
 */
export function sortRecords(keys: Keys, run: Uint32Array, known = 0): void {
  if (run.length <= few) {
    sortFew(keys, run, { known, from: 0, to: run.length });
    return;
  }
  const start = commonWidth(keys, run, known);
  // All keys are the same.
  if (start === widthAt(keys, run[0] as number)) return;
  const heads = headsOf(keys, run, start);
  const unsorted = run.slice();
  let from = 0;
  let last = headAt(heads, 0);
  for (let at = 0; at <= run.length; at++) {
    const head = at < run.length ? headAt(heads, at) : -1;
    if (head !== last) {
      const told = start + digitWidth;
      if (at - from > few) sortRecords(keys, run.subarray(from, at), told);
      else if (at - from > 1) sortFew(keys, run, { known: told, from, to: at });
      from = at;
      last = head;
    }
    if (at < run.length) run[at] = unsorted[(heads[at] as number) - head * size] as number;
  }
}
