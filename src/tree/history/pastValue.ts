/** Values of entries after an older block. */
import { isBytes } from '../../bytes.js';
import { oldIn } from '../layout/diffTable.js';
import { isStampedAt, pastKey } from '../layout/layout.js';
import { TreeError } from '../store/errors.js';
import { type Reading, readValues } from '../store/reading.js';
import { type DiffRun, type FoundValue, firstNaming } from './diffRuns.js';
import { loadDiffs } from './diffs.js';
import type { VersionCache } from './storeCache.js';

/** Which state is read, and how. */
export interface ReadPoint {
  /**
   * The state after this block; undefined: the state as it is. Becomes undefined during a reading
   * that finds the block to be the newest one.
   */
  block: number | undefined;
  /** Whether a step also reads what may be needed next: that saves steps. */
  readonly readsAhead: boolean;
  /** The cache of the store's version that is read. */
  readonly cache: VersionCache;
}

/**
 * Whether there was an entry after a block.
 *
 * @param then the entry at that time, behind its stamp; undefined or no bytes if there was no entry
 * @throws TreeError `DAMAGED` if it was written later
 */
export function wasThere(then: Uint8Array | undefined, block: number): then is Uint8Array {
  if (then === undefined || then.length === 0) return false;
  if (isStampedAt(then, block)) return true;
  throw new TreeError('DAMAGED', `the history of an entry lacks its value at block ${block}`);
}

/** Chunks by their names; undefined for one that the store has lost. */
export type Chunks = Map<string, Uint8Array | undefined>;

export const chunkName = (block: number, chunk: number): string => `${block} ${chunk}`;

/** Adds the keys of the chunks that old values lie in, each once. */
function addChunks(
  found: readonly (FoundValue | undefined)[],
  { keys, chunks }: { keys: Uint8Array[]; chunks: Chunks },
): void {
  for (const one of found) {
    if (one === undefined || isBytes(one.old)) continue;
    const name = chunkName(one.block, one.old.chunk);
    if (chunks.has(name)) continue;
    chunks.set(name, undefined);
    keys.push(pastKey(one.block, one.old.chunk));
  }
}

/** Takes up the values of the chunks that were added last. */
function takeChunks(chunks: Chunks, values: readonly (Uint8Array | undefined)[]): void {
  const names = [...chunks.keys()].slice(chunks.size - values.length);
  for (const [i, value] of values.entries()) chunks.set(names[i] as string, value);
}

/** The value that a diff says, once its chunk was read. @throws TreeError `DAMAGED` */
const oldValueIn = ({ block, old }: FoundValue, chunks: Chunks): Uint8Array =>
  isBytes(old) ? old : oldIn(chunks.get(chunkName(block, old.chunk)), old);

/** Entries that one step has read. */
interface ReadEntries {
  readonly keys: readonly Uint8Array[];
  /** The values of now, behind their stamps. */
  readonly nows: readonly (Uint8Array | undefined)[];
}

/**
 * The values of entries after the read point's block, behind their stamps. It takes another step for
 * entries that changed since and whose old values lie in chunks.
 */
export function* resolvePast(
  { block: asked, cache }: ReadPoint,
  block: number,
  { keys, nows }: ReadEntries,
): Reading<readonly (Uint8Array | undefined)[]> {
  if (asked === undefined) return nows;
  // Most entries were last written before the block, as their stamps say: they need no diff.
  const changed = [...keys.keys()].filter((i) => !isStampedAt(nows[i], block));
  if (changed.length === 0) return nows;
  const { runs } = yield* loadDiffs(cache, block);
  const found = changed.map((i) => firstNaming(runs, block, keys[i] as Uint8Array));
  const missing: Uint8Array[] = [];
  const chunks: Chunks = new Map();
  addChunks(found, { keys: missing, chunks });
  if (missing.length > 0) takeChunks(chunks, yield* readValues(missing));
  const thens = [...nows];
  for (const [j, i] of changed.entries()) {
    const one = found[j];
    const then = one ? oldValueIn(one, chunks) : nows[i];
    thens[i] = wasThere(then, block) ? then : undefined;
  }
  return thens;
}

/**
 * Reads the values of entries after a block, if all diffs since are at hand: each from the diff that
 * names it first or, if no diff does, from its present value.
 */
function* readKnown(
  runs: readonly DiffRun[],
  block: number,
  keys: readonly Uint8Array[],
): Reading<readonly (Uint8Array | undefined)[]> {
  const found = keys.map((key) => firstNaming(runs, block, key));
  const asked = keys.filter((_, i) => found[i] === undefined);
  const unchanged = asked.length;
  const chunks: Chunks = new Map();
  addChunks(found, { keys: asked, chunks });
  const values = yield* readValues(asked);
  takeChunks(chunks, values.slice(unchanged));
  let next = 0;
  return found.map((one) => {
    const then = one ? oldValueIn(one, chunks) : values[next++];
    return wasThere(then, block) ? then : undefined;
  });
}

/** Reads the values of entries at a read point, behind their stamps; undefined for an entry that was not there. */
export function* readAt(
  point: ReadPoint,
  keys: readonly Uint8Array[],
): Reading<readonly (Uint8Array | undefined)[]> {
  const { block, cache } = point;
  if (block === undefined || keys.length === 0) return yield* readValues(keys);
  const { diffs } = cache;
  if (diffs && diffs.after <= block) return yield* readKnown(diffs.runs, block, keys);
  return yield* resolvePast(point, block, { keys, nows: yield* readValues(keys) });
}
