/** One block on top of the newest one. */
import { finalizeBatch } from '../history/finalize.js';
import { StateReader, type TreeContext } from '../history/stateReader.js';
import type { RunReading } from '../history/storeAccess.js';
import { BlockBatch, type BlockWords, type FinishedBlock } from '../layout/blockBatch.js';
import { readNewestBlock } from '../layout/blocks.js';
import { mergeBatches } from '../store/batchBuilder.js';
import { TreeError } from '../store/errors.js';
import { type Reading, readAll } from '../store/reading.js';
import type { Batch } from '../store/store.js';
import { BlockEdit } from './blockEdit.js';
import type { CheckedChange } from './changes.js';

/**
 * Whether there is a block that a new one follows.
 *
 * @throws TreeError `BLOCK_ORDER` if the newest one is not below it
 */
function* hasBlockBefore(number: number): Reading<boolean> {
  const newest = yield* readNewestBlock();
  if (number <= (newest ?? -1)) {
    throw new TreeError('BLOCK_ORDER', `block ${number} does not follow block ${newest}`);
  }
  return newest !== undefined;
}

/** A checked block, as it is applied. */
export interface CheckedBlock extends BlockWords {
  readonly number: number;
  readonly changes: readonly CheckedChange[];
  /** The block that becomes final with it, if one does. */
  readonly finalBlock: number | undefined;
}

/** The state root after a block, and the entries to write for it, apart from its finality. */
async function editBlock(
  context: TreeContext,
  block: CheckedBlock,
  read: RunReading,
): Promise<{ finished: FinishedBlock; stateRoot: Uint8Array }> {
  const { number, changes } = block;
  const state = new StateReader(context, undefined);
  // In two parts, so that what the first one read is no longer in memory when all is hashed.
  const [hasEarlier, edit] = await read(
    readAll([hasBlockBefore(number), BlockEdit.open(state, changes)]),
  );
  edit.write();
  await read(edit.readOld());
  const blockBatch = new BlockBatch({ number, hasEarlier });
  const stateRoot = edit.finish(blockBatch);
  return { finished: blockBatch.finish(stateRoot, block), stateRoot };
}

/** The batch to write for a block, and the state root after it. @param keep final blocks that stay */
export async function applyBatch(
  context: TreeContext,
  block: CheckedBlock,
  { read, keep }: { read: RunReading; keep: number },
): Promise<{ batch: Batch; applied: FinishedBlock; stateRoot: Uint8Array }> {
  const { finished, stateRoot } = await editBlock(context, block, read);
  const { finalBlock } = block;
  const final =
    finalBlock === undefined
      ? null
      : (await read(finalizeBatch(finalBlock, { keep, upcoming: finished }))).batch;
  const batch = final ? mergeBatches(finished.batch, final) : finished.batch;
  return { batch, applied: finished, stateRoot };
}
