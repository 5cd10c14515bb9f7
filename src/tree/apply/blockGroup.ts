/** Several blocks in one write. */
import { encodeHex } from '../../bytes.js';
import { createTurns } from '../../turns.js';
import { checkClaimQuestion } from '../../verify/claim.js';
import { StateReader, type TreeContext } from '../history/stateReader.js';
import type { WriteStep } from '../history/storeAccess.js';
import { readState } from '../prove/readState.js';
import type { BlockGroup } from '../stateTree.js';
import { TreeError } from '../store/errors.js';
import { applyBatch } from './applyBlock.js';
import { checkBlock } from './checkBlock.js';

/** The means of a group. */
interface GroupContext {
  readonly context: TreeContext;
  /** Works on the state with all that the group has changed. */
  readonly step: WriteStep;
  /** Final blocks that stay. */
  readonly keep: number;
}

/** Does the work of a group. @returns what it returns, once all calls of the group are over */
export async function workInGroup<T>(
  work: (group: BlockGroup) => Promise<T>,
  { context, step, keep }: GroupContext,
): Promise<T> {
  // In memory, no block waits for anything: others have their turn between two of them.
  const { tick } = createTurns(() => {});
  let last: Promise<unknown> = Promise.resolve();
  let isOver = false;
  async function inTurn<R>(call: () => Promise<R>): Promise<R> {
    if (isOver) throw new TreeError('CLOSED', 'the group of blocks is over');
    const done = last.then(async () => {
      await tick();
      return call();
    });
    last = done.catch(() => {});
    return done;
  }
  try {
    return await work({
      async applyBlock(given) {
        const { number, block } = checkBlock(context.empty.spec, given);
        const { stateRoot } = await inTurn(() =>
          step((read) => applyBatch(context, block, { read, keep })),
        );
        return { number, stateRoot: encodeHex(stateRoot) };
      },
      async read(address, storageKeys = []) {
        const question = checkClaimQuestion({ address, storageKeys });
        const { value } = await inTurn(() =>
          step(async (read) => {
            const value = await read(readState(new StateReader(context, undefined), question));
            return { batch: null, value };
          }),
        );
        return value;
      },
    });
  } finally {
    isOver = true;
    await last;
  }
}
