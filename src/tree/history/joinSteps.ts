/**
 * Joins the steps between two final blocks to one. There may be thousands of them, so their old
 * values are read a few chunks at a time, and only those that stay.
 */
import { bytesToText, compareBytes, isBytes } from '../../bytes.js';
import { pastKey } from '../layout/layout.js';
import { type Changed, type OldPlace, oldIn } from '../layout/stepTable.js';
import { type Reading, readValues } from '../store/reading.js';
import type { Step } from './stepRuns.js';
import { rowsIn, type StepRecord } from './steps.js';

/** Chunks that are read in one go. */
const chunksPerPage = 256;

/** A value that stays, and where it lies. */
interface Placed {
  readonly key: Uint8Array;
  readonly block: number;
  readonly place: OldPlace;
}

/** The old values of all keys that steps name: those in the tables, and the places of others. */
function earliestOf(steps: readonly Step[]): { inline: Changed[]; placed: Placed[] } {
  const inline: Changed[] = [];
  const placed: Placed[] = [];
  const seen = new Set<string>();
  for (const step of steps) {
    for (const { key, old } of rowsIn(step)) {
      const text = bytesToText(key);
      // The earliest of the overwritten values is the one that the final block before held.
      if (seen.has(text)) continue;
      seen.add(text);
      if (isBytes(old)) inline.push({ key, old });
      else placed.push({ key, block: step.block, place: old });
    }
  }
  return { inline, placed };
}

/** Chunks that are at hand, by name. */
type Chunks = Map<string, Uint8Array | undefined>;

const nameOf = (block: number, chunk: number): string => `${block} ${chunk}`;

/** Reads the chunks of some values. */
function* readChunks(some: readonly Placed[], own: StepRecord | undefined): Reading<Chunks> {
  const chunks: Chunks = new Map();
  const asked = new Map<string, Uint8Array>();
  for (const { block, place } of some) {
    const name = nameOf(block, place.chunk);
    if (block === own?.block) chunks.set(name, own.chunks.at(place.chunk));
    else asked.set(name, pastKey(block, place.chunk));
  }
  const values = yield* readValues([...asked.values()]);
  for (const [i, name] of [...asked.keys()].entries()) chunks.set(name, values[i]);
  return chunks;
}

/** Cuts values that lie side by side into pieces of a few chunks each. */
function* piecesOf(placed: readonly Placed[]): Generator<Placed[]> {
  let piece: Placed[] = [];
  let chunks = 0;
  let last: Placed | undefined;
  for (const one of placed) {
    const isSame = last?.block === one.block && last.place.chunk === one.place.chunk;
    if (!isSame) chunks++;
    last = one;
    if (chunks > chunksPerPage) {
      yield piece;
      piece = [];
      chunks = 1;
    }
    piece.push(one);
  }
  if (piece.length > 0) yield piece;
}

/**
 * What several steps change together, sorted by key.
 *
 * @param steps by ascending block
 * @param own the last of them, if the store does not hold it yet
 */
export function* joinSteps(
  steps: readonly Step[],
  own: StepRecord | undefined,
): Reading<Changed[]> {
  const { inline, placed } = earliestOf(steps);
  const joined = inline;
  for (const piece of piecesOf(placed)) {
    const chunks = yield* readChunks(piece, own);
    for (const { key, block, place } of piece) {
      // A copy: else each value would keep its chunk in memory.
      const old = new Uint8Array(oldIn(chunks.get(nameOf(block, place.chunk)), place));
      joined.push({ key, old });
    }
  }
  return joined.sort((a, b) => compareBytes(a.key, b.key));
}
