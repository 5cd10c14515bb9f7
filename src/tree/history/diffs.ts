/**
 * The diffs that a store holds: from each block to the next one held, what the later one changed.
 * An entry that was last written at or before a block is as it was then. The value of any other is
 * in the first diff after the block that names the entry.
 *
 * Tables of diffs are kept in memory as they were read, so that a new block costs one small read.
 * They hold as long as no diff is taken back or merged with others, which the store counts.
 */
import { isBytes } from '../../bytes.js';
import { type Changed, DiffTable, type OldValue, oldIn } from '../layout/diffTable.js';
import {
  allDiffs,
  allPasts,
  decodeNumber,
  diffBlockOf,
  diffKey,
  droppedKind,
  encodeNumber,
  lastNumberOf,
  pastKey,
  rewritesKey,
} from '../layout/layout.js';
import { known, type Reading, readAll, readValue, turnAfter } from '../store/reading.js';
import { endOf, readWhole } from '../store/scan.js';
import type { Entry } from '../store/store.js';
import { addRun, type BlockDiff, DiffRun } from './diffRuns.js';

/** Diffs that were read, to be kept. */
export interface LoadedDiffs {
  /** The store's count of rewrites at that time. */
  readonly rewrites: number;
  /** All diffs to blocks above this one are here. */
  readonly after: number;
  /** By ascending block. */
  readonly runs: readonly DiffRun[];
  /** Whether the diffs of older blocks were left out, because no more are kept. */
  readonly isFull?: boolean;
}

/**
 * Bytes of tables that are kept, of about a million changed entries: beyond them, those of old blocks are read anew.
 */
const maxKept = 2 ** 25;

/** Rows that are joined to runs before others have their turn: some milliseconds of work. */
const rowsPerTurn = 1 << 14;

/** How often diffs were merged or taken back. */
export function* readRewrites(): Reading<number> {
  const value = yield* readValue(rewritesKey);
  return value ? decodeNumber(value) : 0;
}

/** The entry that makes readers read their diffs anew. */
export const rewritesEntry = (rewrites: number): Entry => ({
  key: rewritesKey,
  value: encodeNumber(rewrites + 1),
});

/** Diffs from their entries. */
function diffsIn(entries: readonly Entry[]): BlockDiff[] {
  const diffs: { block: number; tables: DiffTable[] }[] = [];
  for (const { key, value } of entries) {
    const block = diffBlockOf(key);
    const last = diffs.at(-1);
    const table = new DiffTable(value);
    if (last?.block === block) last.tables.push(table);
    else diffs.push({ block, tables: [table] });
  }
  return diffs;
}

/** The blocks between which diffs lie. */
interface BlockSpan {
  readonly after: number;
  /** The last block; undefined: the newest. */
  readonly upTo: number | undefined;
}

/** The diffs to blocks of a span. */
export function* readDiffs({ after, upTo }: BlockSpan): Reading<BlockDiff[]> {
  const to = upTo === undefined ? endOf(allDiffs) : diffKey(upTo + 1);
  return diffsIn(yield* readWhole({ from: diffKey(after + 1), to }));
}

const lastOf = ({ after, runs }: LoadedDiffs): number => runs.at(-1)?.last ?? after;

/** The diffs of the newest blocks, as many as are kept. */
function bounded(loaded: LoadedDiffs): LoadedDiffs {
  let bytes = 0;
  for (let i = loaded.runs.length - 1; i >= 0; i--) {
    const run = loaded.runs[i] as DiffRun;
    bytes += run.bytes;
    if (bytes > maxKept) {
      return { ...loaded, after: run.last, runs: loaded.runs.slice(i + 1), isFull: true };
    }
  }
  return loaded;
}

const toRuns = (diffs: readonly BlockDiff[]): DiffRun[] => diffs.map((diff) => DiffRun.of(diff));

/** Some runs, and others behind them. */
function* joinRuns(lists: readonly (readonly DiffRun[])[]): Reading<DiffRun[]> {
  const runs: DiffRun[] = [];
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

/** Reads all diffs after a block. @param earlier diffs read from an earlier version of the store */
function* loadAfter(after: number, earlier: LoadedDiffs | undefined): Reading<LoadedDiffs> {
  const reach = earlier ? { after: lastOf(earlier), upTo: undefined } : { after, upTo: undefined };
  const [rewrites, older, newer] = yield* readAll([
    readRewrites(),
    earlier && after < earlier.after ? readDiffs({ after, upTo: earlier.after }) : known([]),
    readDiffs(reach),
  ]);
  if (earlier && earlier.rewrites !== rewrites) return yield* loadAfter(after, undefined);
  const runs = yield* joinRuns([toRuns(older), earlier?.runs ?? [], toRuns(newer)]);
  return { rewrites, after: Math.min(after, earlier?.after ?? after), runs };
}

/** Diffs that are kept between readings. */
export interface KeptDiffs {
  /** The diffs as of the moment that is read; undefined until they are read. */
  diffs: LoadedDiffs | undefined;
  /** The diffs as of an earlier moment. */
  readonly earlierDiffs: LoadedDiffs | undefined;
}

/** All diffs after a block, and maybe some before. */
export function* loadDiffs(kept: KeptDiffs, after: number): Reading<LoadedDiffs> {
  const { diffs } = kept;
  if (diffs && diffs.after <= after) return diffs;
  const loaded = yield* loadAfter(after, diffs ?? kept.earlierDiffs);
  kept.diffs = bounded(loaded);
  return loaded;
}

/**
 * Diffs with the one that a block has just added.
 *
 * @param applied.diff its entries; undefined for the first block of a store: nothing was there before
 */
export function withDiff(
  earlier: LoadedDiffs | undefined,
  { number, diff }: { number: number; diff: readonly Entry[] | undefined },
): LoadedDiffs | undefined {
  if (diff === undefined) return { rewrites: 0, after: number, runs: [] };
  // A reader may have read the diff before the write of it resolved.
  if (earlier === undefined || lastOf(earlier) >= number) return earlier;
  const runs = [...earlier.runs];
  addRun(runs, DiffRun.of(toDiffRecord(number, diff)));
  return bounded({ ...earlier, runs });
}

/** The diffs after a block among those held. */
export const diffsAfter = ({ runs }: LoadedDiffs, block: number): BlockDiff[] =>
  runs.flatMap((run) => run.diffs.slice(run.positionAfter(block)));

/** A diff with all that it says. */
export interface DiffRecord extends BlockDiff {
  readonly chunks: readonly Uint8Array[];
}

/** Diffs of a stretch with all that they say, by ascending block. */
export function* readDiffRecords(span: BlockSpan): Reading<DiffRecord[]> {
  const { after, upTo } = span;
  const to = upTo === undefined ? endOf(allPasts) : pastKey(upTo + 1);
  const [diffs, entries] = yield* readAll([
    readDiffs(span),
    readWhole({ from: pastKey(after + 1), to }),
  ]);
  const chunks = new Map<number, Uint8Array[]>();
  for (const { key, value } of entries) {
    const block = diffBlockOf(key);
    const some = chunks.get(block);
    if (some) some.push(value);
    else chunks.set(block, [value]);
  }
  return diffs.map((diff) => ({ chunks: chunks.get(diff.block) ?? [], ...diff }));
}

/** The rows of a diff, by ascending key. */
export function* rowsIn({ tables }: BlockDiff): Generator<{ key: Uint8Array; old: OldValue }> {
  for (const { sections } of tables) {
    for (const section of sections) {
      for (let i = 0; i < section.count; i++) {
        yield { key: section.keyAt(i), old: section.oldAt(i) };
      }
    }
  }
}

/** All that a diff says, by ascending key. @throws TreeError `DAMAGED` */
export function* changesIn(record: DiffRecord): Generator<Changed> {
  for (const { key, old } of rowsIn(record)) {
    const isInline = isBytes(old);
    yield { key, old: isInline ? old : oldIn(record.chunks.at(old.chunk), old) };
  }
}

/** A diff from its own entries, in their order. */
export function toDiffRecord(block: number, entries: readonly Entry[]): DiffRecord {
  const isPart = ({ key }: Entry) => key[0] === allDiffs[0];
  const tables = entries.filter(isPart).map(({ value }) => new DiffTable(value));
  const chunks = entries.filter((one) => !isPart(one)).map(({ value }) => value);
  return { block, tables, chunks };
}

/** The trees of accounts that were destroyed in a diff. */
export const droppedTrees = ({ tables }: BlockDiff): number[] =>
  tables.flatMap((table) => {
    const section = table.section(droppedKind);
    if (section === undefined) return [];
    return Array.from({ length: section.count }, (_, i) => lastNumberOf(section.keyAt(i)));
  });

/** The keys of a diff's entries. */
export const diffKeys = ({ block, tables }: BlockDiff): Uint8Array[] => [
  ...tables.map((_, part) => diffKey(block, part)),
  ...Array.from({ length: tables[0]?.chunks ?? 0 }, (_, chunk) => pastKey(block, chunk)),
];
