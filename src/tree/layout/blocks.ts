/**
 * The records of a store about its blocks, besides their states: which blocks there are, which are
 * final, and the hashes that the caller gave.
 */
import { isZero } from '../../bytes.js';
import { blockWidth } from '../../hash/family.js';
import { TreeError } from '../store/errors.js';
import { maxBlock } from '../store/numbers.js';
import { type Reading, readRange, readValue } from '../store/reading.js';
import { type Bounds, endOf } from '../store/scan.js';
import type { Entry } from '../store/store.js';
import { allBlocks, allFinals, blockKey, lastNumberOf } from './layout.js';

/** The entry at one end of a range. */
function* endEntry(
  { from, to }: Bounds,
  { reverse }: { reverse: boolean },
): Reading<Entry | undefined> {
  const entries = yield* readRange({ from, to, limit: 1, reverse });
  return entries.at(0);
}

/** The number of a block, from an entry about it. */
export const blockNumberIn = (entry: Entry | undefined): number | undefined =>
  entry && lastNumberOf(entry.key);

/** The summary of the newest block held at or below a height, with its number in the key. */
export const newestSummary = (atMost: number = maxBlock): Reading<Entry | undefined> =>
  endEntry({ from: allBlocks, to: blockKey(atMost + 1) }, { reverse: true });

/** The newest block held at or below a height. */
export function* readNewestBlock(atMost?: number): Reading<number | undefined> {
  return blockNumberIn(yield* newestSummary(atMost));
}

/** The summary of the oldest block held. */
export const oldestSummary = (): Reading<Entry | undefined> =>
  endEntry({ from: allBlocks, to: endOf(allBlocks) }, { reverse: false });

/** The oldest block held. */
export function* readOldestBlock(): Reading<number | undefined> {
  return blockNumberIn(yield* oldestSummary());
}

/** The entry of the newest block that was named final. */
export const newestFinalEntry = (): Reading<Entry | undefined> =>
  endEntry({ from: allFinals, to: endOf(allFinals) }, { reverse: true });

/** The newest block that was named final. */
export function* readNewestFinal(): Reading<number | undefined> {
  return blockNumberIn(yield* newestFinalEntry());
}

/**
 * The record of a block besides the state: its state root, and its hash and its header's root if the caller gave them.
 */
function* readSummary(block: number): Reading<Uint8Array> {
  const summary = yield* readValue(blockKey(block));
  if (summary === undefined) throw new TreeError('BLOCK_MISSING', `block ${block} is not held`);
  return summary;
}

/** The state root in a block's summary: a copy, as it is kept for long. */
export const stateRootIn = (summary: Uint8Array): Uint8Array =>
  new Uint8Array(summary.subarray(0, blockWidth));

/** State root of a block held. @throws TreeError `BLOCK_MISSING` */
export function* readStateRoot(block: number): Reading<Uint8Array> {
  return stateRootIn(yield* readSummary(block));
}

/**
 * A word behind the state root; undefined if the caller gave none. Zeros stand for a missing word
 * that another one follows.
 */
function* readWord(block: number, index: number): Reading<Uint8Array | undefined> {
  const summary = yield* readSummary(block);
  const word = summary.subarray(blockWidth * index, blockWidth * (index + 1));
  return isZero(word) ? undefined : word;
}

/** Hash of a block held; undefined if it was applied without one. @throws TreeError `BLOCK_MISSING` */
export const readBlockHash = (block: number): Reading<Uint8Array | undefined> => readWord(block, 1);

/** Merkle-Patricia root of a block held; undefined if it was applied without one. @throws TreeError `BLOCK_MISSING` */
export const readHeaderRoot = (block: number): Reading<Uint8Array | undefined> =>
  readWord(block, 2);
