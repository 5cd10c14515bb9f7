/** What stood in an entry after an older block. */
import { isBytes } from '../../bytes.js';
import { isStampedAt, pastKey } from '../layout/layout.js';
import { oldIn } from '../layout/stepTable.js';
import { TreeError } from '../store/errors.js';
import { type Reading, readValues } from '../store/reading.js';
import type { Facts } from './facts.js';
import { type Found, firstNaming, type StepRun } from './stepRuns.js';
import { heldSteps } from './steps.js';

/** Which state is read, and how. */
export interface Moment {
  /**
   * The state after this block; undefined: the state as it is. Becomes undefined during a reading
   * that finds the block to be the newest one.
   */
  block: number | undefined;
  /** Whether a step also reads what may be needed next: that saves steps. */
  readonly readsAhead: boolean;
  /** The known facts about the store that is read. */
  readonly facts: Facts;
}

/**
 * Whether there was an entry after a block.
 *
 * @param then the entry at that time, behind its stamp; undefined or no bytes if there was no entry
 * @throws TreeError `DAMAGED` if it was written later
 */
export function isThere(then: Uint8Array | undefined, block: number): then is Uint8Array {
  if (then === undefined || then.length === 0) return false;
  if (isStampedAt(then, block)) return true;
  throw new TreeError('DAMAGED', `the history of an entry lacks its value at block ${block}`);
}

/** Chunks by their names; undefined for one that the store has lost. */
type Chunks = Map<string, Uint8Array | undefined>;

const nameOf = (step: number, chunk: number): string => `${step} ${chunk}`;

/** Adds the keys of the chunks that old values lie in, each once. */
function addChunks(
  found: readonly (Found | undefined)[],
  { keys, chunks }: { keys: Uint8Array[]; chunks: Chunks },
): void {
  for (const one of found) {
    if (one === undefined || isBytes(one.old)) continue;
    const name = nameOf(one.step, one.old.chunk);
    if (chunks.has(name)) continue;
    chunks.set(name, undefined);
    keys.push(pastKey(one.step, one.old.chunk));
  }
}

/** Takes up the values of the chunks that were added last. */
function takeChunks(chunks: Chunks, values: readonly (Uint8Array | undefined)[]): void {
  const names = [...chunks.keys()].slice(chunks.size - values.length);
  for (const [i, value] of values.entries()) chunks.set(names[i] as string, value);
}

/** The value that a step says, once its chunk was read. @throws TreeError `DAMAGED` */
const oldOf = ({ step, old }: Found, chunks: Chunks): Uint8Array =>
  isBytes(old) ? old : oldIn(chunks.get(nameOf(step, old.chunk)), old);

/** What one step has read of entries. */
export interface Seen {
  readonly keys: readonly Uint8Array[];
  /** What stands there now, behind its stamp. */
  readonly nows: readonly (Uint8Array | undefined)[];
}

/**
 * What stood in entries after the moment's block, behind their stamps. It takes another step for
 * entries that changed since and whose old values lie in chunks.
 */
export function* resolvePast(
  { block: asked, facts }: Moment,
  block: number,
  { keys, nows }: Seen,
): Reading<readonly (Uint8Array | undefined)[]> {
  if (asked === undefined) return nows;
  // Most entries were last written before the block, as their stamps say: they need no step.
  const changed = [...keys.keys()].filter((i) => !isStampedAt(nows[i], block));
  if (changed.length === 0) return nows;
  const { runs } = yield* heldSteps(facts, block);
  const found = changed.map((i) => firstNaming(runs, block, keys[i] as Uint8Array));
  const missing: Uint8Array[] = [];
  const chunks: Chunks = new Map();
  addChunks(found, { keys: missing, chunks });
  if (missing.length > 0) takeChunks(chunks, yield* readValues(missing));
  const thens = [...nows];
  for (const [j, i] of changed.entries()) {
    const one = found[j];
    const then = one ? oldOf(one, chunks) : nows[i];
    thens[i] = isThere(then, block) ? then : undefined;
  }
  return thens;
}

/**
 * Reads what stood in entries after a block, if all steps since are at hand: each from the step that
 * names it first or, if none does, from its place.
 */
function* readKnown(
  runs: readonly StepRun[],
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
    const then = one ? oldOf(one, chunks) : values[next++];
    return isThere(then, block) ? then : undefined;
  });
}

/**
 * Reads what stands in entries at a moment, behind their stamps; undefined for an entry that was
 * not there.
 */
export function* readAt(
  moment: Moment,
  keys: readonly Uint8Array[],
): Reading<readonly (Uint8Array | undefined)[]> {
  const { block, facts } = moment;
  if (block === undefined || keys.length === 0) return yield* readValues(keys);
  const { steps } = facts;
  if (steps && steps.after <= block) return yield* readKnown(steps.runs, block, keys);
  return yield* resolvePast(moment, block, { keys, nows: yield* readValues(keys) });
}
