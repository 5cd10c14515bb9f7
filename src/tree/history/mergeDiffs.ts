/**
 * Merges the diffs between two final blocks into one. There may be thousands of them, so their old
 * values are read a few chunks at a time, and only those that stay.
 */
import { bytesToText, compareBytes, isBytes } from '../../bytes.js';
import { type Changed, type OldLocation, oldIn } from '../layout/diffTable.js';
import { pastKey } from '../layout/layout.js';
import { type Reading, readValues } from '../store/reading.js';
import type { BlockDiff } from './diffRuns.js';
import { type DiffRecord, rowsIn } from './diffs.js';
import { type Chunks, chunkName } from './pastValue.js';

/** Chunks that are read in one go. */
const chunksPerPage = 256;

/** A value that stays, and its location. */
interface Placed {
  readonly key: Uint8Array;
  readonly block: number;
  readonly location: OldLocation;
}

/** The old values of all keys that diffs name: those in the tables, and the locations of others. */
function findEarliest(diffs: readonly BlockDiff[]): { inline: Changed[]; placed: Placed[] } {
  const inline: Changed[] = [];
  const placed: Placed[] = [];
  const seen = new Set<string>();
  for (const diff of diffs) {
    for (const { key, old } of rowsIn(diff)) {
      const text = bytesToText(key);
      // The earliest of the overwritten values is the one that the final block before held.
      if (seen.has(text)) continue;
      seen.add(text);
      if (isBytes(old)) inline.push({ key, old });
      else placed.push({ key, block: diff.block, location: old });
    }
  }
  return { inline, placed };
}

/** Reads the chunks of some values. */
function* readChunks(some: readonly Placed[], own: DiffRecord | undefined): Reading<Chunks> {
  const chunks: Chunks = new Map();
  const asked = new Map<string, Uint8Array>();
  for (const { block, location } of some) {
    const name = chunkName(block, location.chunk);
    if (block === own?.block) chunks.set(name, own.chunks.at(location.chunk));
    else asked.set(name, pastKey(block, location.chunk));
  }
  const values = yield* readValues([...asked.values()]);
  for (const [i, name] of [...asked.keys()].entries()) chunks.set(name, values[i]);
  return chunks;
}

/** Cuts values that lie side by side into pieces of a few chunks each. */
function* cutIntoPieces(placed: readonly Placed[]): Generator<Placed[]> {
  let piece: Placed[] = [];
  let chunks = 0;
  let last: Placed | undefined;
  for (const one of placed) {
    const isSame = last?.block === one.block && last.location.chunk === one.location.chunk;
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
 * The changes of several diffs together, sorted by key.
 *
 * @param diffs by ascending block
 * @param own the last of them, if the store does not hold it yet
 */
export function* mergeDiffs(
  diffs: readonly BlockDiff[],
  own: DiffRecord | undefined,
): Reading<Changed[]> {
  const { inline, placed } = findEarliest(diffs);
  const joined = inline;
  for (const piece of cutIntoPieces(placed)) {
    const chunks = yield* readChunks(piece, own);
    for (const { key, block, location } of piece) {
      // A copy: else each value would keep its chunk in memory.
      const old = new Uint8Array(oldIn(chunks.get(chunkName(block, location.chunk)), location));
      joined.push({ key, old });
    }
  }
  return joined.sort((a, b) => compareBytes(a.key, b.key));
}
