/** One block on top of the newest one. */
import { finalizeBatch } from '../history/finalize.js';
import { StateReader, type TreeContext } from '../history/stateReader.js';
import type { RunReading } from '../history/storeAccess.js';
import {
  BlockBatch,
  type BlockWords,
  type FinishedBlock,
  type PassedBlocks,
} from '../layout/blockBatch.js';
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

/** How a block is applied. */
interface ApplyOptions {
  readonly read: RunReading;
  /** Blocks before it that are not held. */
  readonly passed?: PassedBlocks;
}

/** Works out a block. @returns the state root after it, and its changes of the state */
async function editBlock(
  context: TreeContext,
  { number, changes }: Pick<CheckedBlock, 'number' | 'changes'>,
  { read, passed }: ApplyOptions,
): Promise<{ hasEarlier: boolean; blockBatch: BlockBatch; stateRoot: Uint8Array }> {
  const state = new StateReader(context, undefined);
  // In two parts, so that what the first one read is no longer in memory when all is hashed.
  const [hasEarlier, edit] = await read(
    readAll([hasBlockBefore(number), BlockEdit.open(state, changes)]),
  );
  edit.write();
  await read(edit.readOld());
  const blockBatch = new BlockBatch({ number, hasEarlier, passed });
  const stateRoot = edit.finish(blockBatch);
  return { hasEarlier, blockBatch, stateRoot };
}

/** The batch of a block that is not held, and the state root after it. @throws TreeError `BLOCK_MISSING` if no block is held */
export async function passBatch(
  context: TreeContext,
  block: Pick<CheckedBlock, 'number' | 'changes'>,
  options: Required<ApplyOptions>,
): Promise<{ batch: Batch; stateRoot: Uint8Array }> {
  const { hasEarlier, blockBatch, stateRoot } = await editBlock(context, block, options);
  // Nothing would note the trees that it destroys, and their entries would stay for ever.
  if (!hasEarlier) throw new TreeError('BLOCK_MISSING', 'the first block of a state is held');
  return { batch: blockBatch.pass(), stateRoot };
}

/** The batch to write for a block, and the state root after it. @param options.keep final blocks that stay */
export async function applyBatch(
  context: TreeContext,
  block: CheckedBlock,
  { keep, ...options }: ApplyOptions & { keep: number },
): Promise<{ batch: Batch; applied: FinishedBlock; stateRoot: Uint8Array }> {
  const { blockBatch, stateRoot } = await editBlock(context, block, options);
  const finished = blockBatch.finish(stateRoot, block);
  const { finalBlock } = block;
  const final =
    finalBlock === undefined
      ? null
      : (await options.read(finalizeBatch(finalBlock, { keep, upcoming: finished }))).batch;
  const batch = final ? mergeBatches(finished.batch, final) : finished.batch;
  return { batch, applied: finished, stateRoot };
}
