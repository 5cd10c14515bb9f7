/**
 * Steps in a row, and which of them is the first to name an entry. There may be thousands, and a
 * look into each table would cost more than all the rest of an answer. So neighbours are joined to
 * runs that list the rows of all their tables by the hash of the key: one search a run.
 */
import type { Old, StepTable } from '../layout/stepTable.js';
import { keyHash } from '../store/keyHash.js';
import { firstWhere } from '../store/search.js';

/** One step. */
export interface Step {
  /** The later one of the two blocks. */
  readonly block: number;
  /** The parts of its table. */
  readonly tables: readonly StepTable[];
}

/** The old value of an entry, and the step that has it. */
export interface Found {
  readonly step: number;
  readonly old: Old;
}

/** Rows and steps of a run of several steps, at most: to join two takes less than a millisecond. */
const maxSize = 1 << 16;

/** A row in the list of a run: hash of its key, then the position of its step. Below 2^53. */
const positions = 1 << 20;

/** The part of a table that has a row about a key, if any has. */
function partOf(tables: readonly StepTable[], key: Uint8Array): StepTable | undefined {
  const behind = firstWhere(tables.length, (i) => (tables[i] as StepTable).isBehind(key));
  return behind > 0 ? tables[behind - 1] : undefined;
}

const oldOf = ({ tables }: Step, key: Uint8Array): Old | undefined =>
  partOf(tables, key)?.find(key);

/** The numbers of all rows of a step that is the first of its run. */
function numbersOf({ tables }: Step): Float64Array {
  const sections = tables.flatMap((table) => table.sections);
  const numbers = new Float64Array(sections.reduce((sum, { count }) => sum + count, 0));
  let at = 0;
  for (const section of sections) {
    for (let i = 0; i < section.count; i++) {
      numbers[at++] = keyHash(section.keyAt(i)) * positions;
    }
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

/** Steps in a row, at least one. */
export class StepRun {
  /** By ascending block. */
  readonly steps: readonly Step[];
  /** Bytes of their tables. */
  readonly bytes: number;
  /** Rows and steps. */
  readonly size: number;
  /** Undefined for a single step: a search of its table is as fast. */
  readonly #rows: Float64Array | undefined;

  private constructor(
    steps: readonly Step[],
    { bytes, size }: { bytes: number; size: number },
    rows?: Float64Array,
  ) {
    this.steps = steps;
    this.bytes = bytes;
    this.size = size;
    this.#rows = rows;
  }

  static of(step: Step): StepRun {
    let [bytes, size] = [0, 1];
    for (const table of step.tables) {
      bytes += table.size;
      for (const { count } of table.sections) size += count;
    }
    return new StepRun([step], { bytes, size });
  }

  /** Both as one. @param next the run behind this one */
  with(next: StepRun): StepRun {
    const rows = joined(this.#numbers(), next.#numbers(), this.steps.length);
    const sizes = { bytes: this.bytes + next.bytes, size: this.size + next.size };
    return new StepRun([...this.steps, ...next.steps], sizes, rows);
  }

  get last(): number {
    return (this.steps.at(-1) as Step).block;
  }

  /** Position of the first step after a block. */
  positionAfter(block: number): number {
    const { steps } = this;
    return firstWhere(steps.length, (i) => (steps[i] as Step).block > block);
  }

  /** The first step after a block that names an entry; undefined if none does. */
  find(key: Uint8Array, block: number): Found | undefined {
    const rows = this.#rows;
    const from = this.positionAfter(block);
    if (rows === undefined) return from === 0 ? this.#look(0, key) : undefined;
    const least = keyHash(key) * positions;
    const first = firstWhere(rows.length, (i) => (rows[i] as number) >= least + from);
    for (let i = first; i < rows.length; i++) {
      const position = (rows[i] as number) - least;
      if (position >= positions) return undefined;
      const found = this.#look(position, key);
      if (found) return found;
    }
    return undefined;
  }

  #look(position: number, key: Uint8Array): Found | undefined {
    const step = this.steps[position] as Step;
    const old = oldOf(step, key);
    return old && { step: step.block, old };
  }

  #numbers(): Float64Array {
    return this.#rows ?? numbersOf(this.steps[0] as Step);
  }
}

/**
 * Adds a run behind others. Neighbours are joined so that each run is at least twice as long as the
 * next one, unless it is full: there are few, and each step is joined few times.
 *
 * @returns the run that it became, or became a part of
 */
export function addRun(runs: StepRun[], next: StepRun): StepRun {
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

/** The first step after a block that names an entry; undefined if none does. */
export function firstNaming(
  runs: readonly StepRun[],
  block: number,
  key: Uint8Array,
): Found | undefined {
  for (const run of runs) {
    if (run.last <= block) continue;
    const found = run.find(key, block);
    if (found) return found;
  }
  return undefined;
}
