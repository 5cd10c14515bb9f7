/** One block on top of the newest one. */
import { applyChanges } from './apply.js';
import { newestBlock } from './blocks.js';
import type { CheckedChange } from './changes.js';
import { TreeError } from './errors.js';
import { appendBatch, type NewBlock } from './history.js';
import { type Reading, readAll } from './reading.js';
import { StateReader, type StateSource } from './stateReader.js';
import type { Batch } from './store.js';

/**
 * Whether there is a block that a new one follows.
 *
 * @throws TreeError `BLOCK_ORDER` if the newest one is not below it
 */
function* hasBlockBefore(number: number): Reading<boolean> {
  const newest = yield* newestBlock();
  if (newest !== undefined && number <= newest) {
    throw new TreeError('BLOCK_ORDER', `block ${number} does not follow block ${newest}`);
  }
  return newest !== undefined;
}

/** What to write for a block, and the state root after it. */
export function* applyBatch(
  source: StateSource,
  block: Omit<NewBlock, 'hasEarlier'> & { readonly changes: readonly CheckedChange[] },
): Reading<{ batch: Batch; stateRoot: Uint8Array }> {
  const [hasEarlier, change] = yield* readAll([
    hasBlockBefore(block.number),
    applyChanges(new StateReader(source, undefined), block.changes),
  ]);
  return { batch: appendBatch({ ...block, hasEarlier }, change), stateRoot: change.stateRoot };
}
