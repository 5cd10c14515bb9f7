/**
 * Diffs in a row, and which of them is the first to name an entry. There may be thousands, and a
 * look into each table would cost more than all the rest of an answer. So neighbours are joined to
 * runs that list the rows of all their tables by the hash of the key: one search a run.
 */
import { tableHash } from '../../bytes.js';
import type { DiffTable, OldValue } from '../layout/diffTable.js';
import { firstWhere } from '../store/search.js';

/** One diff. */
export interface BlockDiff {
  /** The later one of the two blocks. */
  readonly block: number;
  /** The parts of its table. */
  readonly tables: readonly DiffTable[];
}

/** The old value of an entry, and the diff that has it. */
export interface FoundValue {
  readonly block: number;
  readonly old: OldValue;
}

/** Rows and diffs of a run of several diffs, at most: to join two takes less than a millisecond. */
const maxSize = 1 << 16;

/**
 * A row in the list of a run: hash of its key, then the position of its diff. Below 2^53. Keys whose hashes are equal only
 * cost a look into a table.
 */
const positions = 1 << 20;

/** The part of a table that has a row about a key, if any has. */
function findTable(tables: readonly DiffTable[], key: Uint8Array): DiffTable | undefined {
  const behind = firstWhere(tables.length, (i) => (tables[i] as DiffTable).isBehind(key));
  return behind > 0 ? tables[behind - 1] : undefined;
}

const findOld = ({ tables }: BlockDiff, key: Uint8Array): OldValue | undefined =>
  findTable(tables, key)?.find(key);

/** The numbers of all rows of a diff that is the first of its run. */
function numbersOf({ tables }: BlockDiff): Float64Array {
  const sections = tables.flatMap((table) => table.sections);
  const numbers = new Float64Array(sections.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const section of sections) {
    for (let i = 0; i < section.count; i++) numbers[at++] = tableHash(section.keyAt(i)) * positions;
  }
  return numbers.sort();
}

/** Two ascending lists as one. @param shift what is added to each number of the second */
function joined(one: Float64Array, other: Float64Array, shift: number): Float64Array {
  const all = new Float64Array(one.length + other.length);
  let [i, j] = [0, 0];
  for (let at = 0; at < all.length; at++) {
    const mine = i < one.length ? (one[i] as number) : Infinity;
    const others = j < other.length ? (other[j] as number) + shift : Infinity;
    if (mine < others) i++;
    else j++;
    all[at] = Math.min(mine, others);
  }
  return all;
}

/** Diffs in a row, at least one. */
export class DiffRun {
  /** By ascending block. */
  readonly diffs: readonly BlockDiff[];
  /** Bytes of their tables. */
  readonly bytes: number;
  /** Rows and diffs. */
  readonly size: number;
  /** Undefined for a single diff: a search of its table is as fast. */
  readonly #rows: Float64Array | undefined;

  private constructor(
    diffs: readonly BlockDiff[],
    { bytes, size }: { bytes: number; size: number },
    rows?: Float64Array,
  ) {
    this.diffs = diffs;
    this.bytes = bytes;
    this.size = size;
    this.#rows = rows;
  }

  static of(block: BlockDiff): DiffRun {
    let [bytes, size] = [0, 1];
    for (const table of block.tables) {
      bytes += table.size;
      for (const { count } of table.sections) size += count;
    }
    return new DiffRun([block], { bytes, size });
  }

  /** Both as one. @param next the run behind this one */
  with(next: DiffRun): DiffRun {
    const rows = joined(this.#numbers(), next.#numbers(), this.diffs.length);
    const sizes = { bytes: this.bytes + next.bytes, size: this.size + next.size };
    return new DiffRun([...this.diffs, ...next.diffs], sizes, rows);
  }

  get last(): number {
    return (this.diffs.at(-1) as BlockDiff).block;
  }

  /** Position of the first diff after a block. */
  positionAfter(block: number): number {
    const { diffs } = this;
    return firstWhere(diffs.length, (i) => (diffs[i] as BlockDiff).block > block);
  }

  /** The first diff after a block that names an entry; undefined if none does. */
  find(key: Uint8Array, block: number): FoundValue | undefined {
    const rows = this.#rows;
    const from = this.positionAfter(block);
    if (rows === undefined) return from === 0 ? this.#look(0, key) : undefined;
    const least = tableHash(key) * positions;
    const first = firstWhere(rows.length, (i) => (rows[i] as number) >= least + from);
    for (let i = first; i < rows.length; i++) {
      const position = (rows[i] as number) - least;
      if (position >= positions) return undefined;
      const found = this.#look(position, key);
      if (found) return found;
    }
    return undefined;
  }

  #look(position: number, key: Uint8Array): FoundValue | undefined {
    const block = this.diffs[position] as BlockDiff;
    const old = findOld(block, key);
    return old && { block: block.block, old };
  }

  #numbers(): Float64Array {
    return this.#rows ?? numbersOf(this.diffs[0] as BlockDiff);
  }
}

/**
 * Adds a run behind others. Neighbours are joined so that each run is at least twice as long as the
 * next one, unless it is full: there are few, and each diff is joined few times.
 *
 * @returns the run that it became, or became a part of
 */
export function addRun(runs: DiffRun[], next: DiffRun): DiffRun {
  let last = next;
  for (let before = runs.at(-1); before; before = runs.at(-1)) {
    const isFull = before.size + last.size > maxSize;
    if (isFull || before.size >= 2 * last.size) break;
    last = before.with(last);
    runs.pop();
  }
  runs.push(last);
  return last;
}

/** The first diff after a block that names an entry; undefined if none does. */
export function firstNaming(
  runs: readonly DiffRun[],
  block: number,
  key: Uint8Array,
): FoundValue | undefined {
  for (const run of runs) {
    if (run.last <= block) continue;
    const found = run.find(key, block);
    if (found) return found;
  }
  return undefined;
}
