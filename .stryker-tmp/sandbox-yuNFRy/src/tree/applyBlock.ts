/** One block on top of the newest one. */
// @ts-nocheck

import { BlockDraft, type BlockWords } from './blockDraft.js';
import { BlockEdit } from './blockEdit.js';
import { newestBlock } from './blocks.js';
import type { CheckedChange } from './changes.js';
import { TreeError } from './errors.js';
import { type Reading, readAll } from './reading.js';
import { StateReader, type StateSource } from './stateReader.js';
import type { Batch } from './store.js';
import type { Read } from './storeAccess.js';

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

/** A checked block, as it is applied. */
export interface CheckedBlock extends BlockWords {
  readonly number: number;
  readonly changes: readonly CheckedChange[];
}

/** What to write for a block, and the state root after it. */
export async function applyBatch(
  source: StateSource,
  block: CheckedBlock,
  read: Read,
): Promise<{ batch: Batch; stateRoot: Uint8Array }> {
  const { number, changes } = block;
  const state = new StateReader(source, undefined);
  // In two parts: what the first has asked and read is no longer in memory when all is hashed.
  const [hasEarlier, edit] = await read(
    readAll([hasBlockBefore(number), BlockEdit.open(state, changes)]),
  );
  edit.write();
  await read(edit.readOld());
  const draft = new BlockDraft({ number, hasEarlier });
  const stateRoot = edit.finish(draft);
  return { batch: draft.toBatch(stateRoot, block), stateRoot };
}
