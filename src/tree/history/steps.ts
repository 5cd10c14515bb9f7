/**
 * The steps that a store holds: from each block to the next one held, what the later one changed.
 * An entry that was last written at or before a block is as it was then. The value of any other is
 * in the first step after the block that names the entry.
 *
 * Tables of steps are kept in memory as they were read, so that a new block costs one small read.
 * They hold as long as no step is taken back or joined with others, which the store counts.
 */
import { isBytes } from '../../bytes.js';
import {
  allPasts,
  allSteps,
  decodeNumber,
  droppedKind,
  encodeNumber,
  lastNumberOf,
  pastKey,
  rewritesKey,
  stepBlockOf,
  stepKey,
} from '../layout/layout.js';
import { type Changed, type Old, oldIn, StepTable } from '../layout/stepTable.js';
import { known, type Reading, readAll, readValue, turnAfter } from '../store/reading.js';
import { endOf, readWhole } from '../store/scan.js';
import type { Entry } from '../store/store.js';
import { addRun, type Step, StepRun } from './stepRuns.js';

/** Steps that were read, to be kept. */
export interface HeldSteps {
  /** The store's count of rewrites at that time. */
  readonly rewrites: number;
  /** All steps to blocks above this one are here. */
  readonly after: number;
  /** By ascending block. */
  readonly runs: readonly StepRun[];
  /** Whether the steps of older blocks were left out, because no more are kept. */
  readonly isFull?: boolean;
}

/**
 * Bytes of tables that are kept, of about a million changed entries: beyond them, those of old
 * blocks are read anew.
 */
const maxKept = 2 ** 25;

/** Rows that are joined to runs before others have their turn: some milliseconds of work. */
const rowsPerTurn = 1 << 14;

/** How often steps were joined or taken back. */
export function* readRewrites(): Reading<number> {
  const value = yield* readValue(rewritesKey);
  return value ? decodeNumber(value) : 0;
}

/** The entry that makes readers read their steps anew. */
export const rewritesEntry = (rewrites: number): Entry => ({
  key: rewritesKey,
  value: encodeNumber(rewrites + 1),
});

/** Steps from their entries. */
function stepsIn(entries: readonly Entry[]): Step[] {
  const steps: { block: number; tables: StepTable[] }[] = [];
  for (const { key, value } of entries) {
    const block = stepBlockOf(key);
    const last = steps.at(-1);
    const table = new StepTable(value);
    if (last?.block === block) last.tables.push(table);
    else steps.push({ block, tables: [table] });
  }
  return steps;
}

/** The blocks between which steps lie. */
export interface Stretch {
  readonly after: number;
  /** The last block; undefined: the newest. */
  readonly upTo: number | undefined;
}

/** The steps to blocks of a stretch. */
export function* readSteps({ after, upTo }: Stretch): Reading<Step[]> {
  const to = upTo === undefined ? endOf(allSteps) : stepKey(upTo + 1);
  return stepsIn(yield* readWhole({ from: stepKey(after + 1), to }));
}

const lastOf = ({ after, runs }: HeldSteps): number => runs.at(-1)?.last ?? after;

/** The steps of the newest blocks, as many as are kept. */
function bounded(held: HeldSteps): HeldSteps {
  let bytes = 0;
  for (let i = held.runs.length - 1; i >= 0; i--) {
    const run = held.runs[i] as StepRun;
    bytes += run.bytes;
    if (bytes > maxKept) {
      return { ...held, after: run.last, runs: held.runs.slice(i + 1), isFull: true };
    }
  }
  return held;
}

const runsOf = (steps: readonly Step[]): StepRun[] => steps.map((step) => StepRun.of(step));

/** Some runs, and others behind them. */
function* joinRuns(lists: readonly (readonly StepRun[])[]): Reading<StepRun[]> {
  const runs: StepRun[] = [];
  let rows = 0;
  for (const run of lists.flat()) {
    const last = addRun(runs, run);
    // A run that is not joined takes no time, and most that were read before are not.
    if (last !== run) rows += last.size;
    if (rows < rowsPerTurn) continue;
    rows = 0;
    yield turnAfter(0);
  }
  return runs;
}

/** Reads all steps after a block. @param earlier steps read from an earlier version of the store */
function* readHeld(after: number, earlier: HeldSteps | undefined): Reading<HeldSteps> {
  const reach = earlier ? { after: lastOf(earlier), upTo: undefined } : { after, upTo: undefined };
  const [rewrites, older, newer] = yield* readAll([
    readRewrites(),
    earlier && after < earlier.after ? readSteps({ after, upTo: earlier.after }) : known([]),
    readSteps(reach),
  ]);
  if (earlier && earlier.rewrites !== rewrites) return yield* readHeld(after, undefined);
  const runs = yield* joinRuns([runsOf(older), earlier?.runs ?? [], runsOf(newer)]);
  return { rewrites, after: Math.min(after, earlier?.after ?? after), runs };
}

/** Steps that are kept between readings. */
export interface KeptSteps {
  /** The steps as of the moment that is read; undefined until they are read. */
  steps: HeldSteps | undefined;
  /** The steps as of an earlier moment. */
  readonly earlierSteps: HeldSteps | undefined;
}

/** All steps after a block, and maybe some before. */
export function* heldSteps(kept: KeptSteps, after: number): Reading<HeldSteps> {
  const { steps } = kept;
  if (steps && steps.after <= after) return steps;
  const held = yield* readHeld(after, steps ?? kept.earlierSteps);
  kept.steps = bounded(held);
  return held;
}

/**
 * Steps with the one that a block has just added.
 *
 * @param applied.step its entries; undefined for the first block of a store: nothing was there
 *   before
 */
export function withStep(
  earlier: HeldSteps | undefined,
  { number, step }: { number: number; step: readonly Entry[] | undefined },
): HeldSteps | undefined {
  if (step === undefined) return { rewrites: 0, after: number, runs: [] };
  // A reader may have read the step before the write of it resolved.
  if (earlier === undefined || lastOf(earlier) >= number) return earlier;
  const runs = [...earlier.runs];
  addRun(runs, StepRun.of(recordOf(number, step)));
  return bounded({ ...earlier, runs });
}

/** The steps after a block among those held. */
export const stepsAfter = ({ runs }: HeldSteps, block: number): Step[] =>
  runs.flatMap((run) => run.steps.slice(run.positionAfter(block)));

/** A step with all that it says. */
export interface StepRecord extends Step {
  readonly chunks: readonly Uint8Array[];
}

/** Steps of a stretch with all that they say, by ascending block. */
export function* readRecords(stretch: Stretch): Reading<StepRecord[]> {
  const { after, upTo } = stretch;
  const to = upTo === undefined ? endOf(allPasts) : pastKey(upTo + 1);
  const [steps, entries] = yield* readAll([
    readSteps(stretch),
    readWhole({ from: pastKey(after + 1), to }),
  ]);
  const chunks = new Map<number, Uint8Array[]>();
  for (const { key, value } of entries) {
    const block = stepBlockOf(key);
    const some = chunks.get(block);
    if (some) some.push(value);
    else chunks.set(block, [value]);
  }
  return steps.map((step) => ({ ...step, chunks: chunks.get(step.block) ?? [] }));
}

/** The rows of a step, by ascending key. */
export function* rowsIn({ tables }: Step): Generator<{ key: Uint8Array; old: Old }> {
  for (const { sections } of tables) {
    for (const section of sections) {
      for (let i = 0; i < section.count; i++) {
        yield { key: section.keyAt(i), old: section.oldAt(i) };
      }
    }
  }
}

/** All that a step says, by ascending key. @throws TreeError `DAMAGED` */
export function* changesIn(record: StepRecord): Generator<Changed> {
  for (const { key, old } of rowsIn(record)) {
    const isInline = isBytes(old);
    yield { key, old: isInline ? old : oldIn(record.chunks.at(old.chunk), old) };
  }
}

/** A step from its own entries, in their order. */
export function recordOf(block: number, entries: readonly Entry[]): StepRecord {
  const isPart = ({ key }: Entry) => key[0] === allSteps[0];
  const tables = entries.filter(isPart).map(({ value }) => new StepTable(value));
  const chunks = entries.filter((one) => !isPart(one)).map(({ value }) => value);
  return { block, tables, chunks };
}

/** The trees of accounts that were destroyed in a step. */
export const droppedTrees = ({ tables }: Step): number[] =>
  tables.flatMap((table) => {
    const section = table.section(droppedKind);
    if (section === undefined) return [];
    return Array.from({ length: section.count }, (_, i) => lastNumberOf(section.keyAt(i)));
  });

/** The keys of a step's entries. */
export const stepKeys = ({ block, tables }: Step): Uint8Array[] => [
  ...tables.map((_, part) => stepKey(block, part)),
  ...Array.from({ length: tables[0]?.chunks ?? 0 }, (_, chunk) => pastKey(block, chunk)),
];
