/**
 * The blocks that a store holds. Each block leaves what it overwrote, so that any block held can be
 * read and the newest ones taken back. Once a block is named final, those between it and the final
 * one before are dropped: what they overwrote is merged into one diff from the one to the other.
 */
import { readNewestFinal, readStateRoot } from '../layout/blocks.js';
import { indexKeys } from '../layout/hashIndex.js';
import { allBlocks, blockKey, isDroppedKey } from '../layout/layout.js';
import { BatchBuilder } from '../store/batchBuilder.js';
import { TreeError } from '../store/errors.js';
import { type Reading, readAll } from '../store/reading.js';
import { endOf, readWhole } from '../store/scan.js';
import type { Batch } from '../store/store.js';
import { changesIn, diffKeys, readDiffRecords, readRewrites, rewritesEntry } from './diffs.js';

/** Drops a block's records besides the state: its summary, and its entry in the index by hash. */
export function dropBlock(
  builder: BatchBuilder,
  key: Uint8Array,
  summary: Uint8Array | undefined,
): void {
  for (const indexed of indexKeys(summary)) builder.delete(indexed);
  builder.delete(key);
}

/** The error about a lost diff: no older state can be read, nor its block taken back. */
export const lostError = (): TreeError =>
  new TreeError('DAMAGED', 'the store has lost what a block overwrote');

/** Refuses to take back a block that is final. @throws TreeError `BLOCK_ORDER` */
function* checkRevertible(block: number): Reading<void> {
  const final = yield* readNewestFinal();
  if (block < (final ?? -1)) {
    throw new TreeError('BLOCK_ORDER', `block ${final} is final and cannot be taken back`);
  }
}

/** The batch that takes back all blocks after `block`. */
export function* revertBatch(block: number): Reading<{ batch: Batch }> {
  const [, , records, summaries, rewrites] = yield* readAll([
    readStateRoot(block),
    checkRevertible(block),
    readDiffRecords({ after: block, upTo: undefined }),
    readWhole({ from: blockKey(block + 1), to: endOf(allBlocks) }),
    readRewrites(),
  ]);
  if (records.length !== summaries.length) throw lostError();
  const builder = new BatchBuilder();
  for (const { key, value } of summaries) dropBlock(builder, key, value);
  // Newest first, so that the last change of an entry is its value before the earliest block.
  for (const record of records.reverse()) {
    for (const { key, old } of changesIn(record)) {
      if (isDroppedKey(key)) continue;
      if (old.length > 0) builder.put(key, old);
      else builder.delete(key);
    }
    for (const key of diffKeys(record)) builder.delete(key);
  }
  const { key, value } = rewritesEntry(rewrites);
  if (records.length > 0) builder.put(key, value);
  return { batch: builder.toBatch() };
}
