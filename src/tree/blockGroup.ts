/** Several blocks in one write. */
import { encodeHex } from '../bytes.js';
import { ownMembers } from '../codec/argument.js';
import { createTurns } from '../turns.js';
import { checkClaimQuestion } from '../verify/claim.js';
import { applyBatch, passBatch } from './apply/applyBlock.js';
import { checkBlockNumber, checkChanges } from './apply/changes.js';
import { checkBlock } from './apply/checkBlock.js';
import { StateReader, type TreeContext } from './history/stateReader.js';
import type { RunReading, WriteStep, Written } from './history/storeAccess.js';
import { PassedBlocks } from './layout/blockBatch.js';
import { readState } from './prove/readState.js';
import type { BlockGroup } from './stateTree.js';
import { TreeError } from './store/errors.js';

/** The means of a group. */
interface GroupContext {
  readonly context: TreeContext;
  /** Works on the state with all that the group has changed. */
  readonly step: WriteStep;
  /** Final blocks that stay. */
  readonly keep: number;
}

/** Does something now. @returns a function that gives its result, or throws its error */
function attempt<T>(work: () => T): () => T {
  try {
    const result = work();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** The calls of a group, one after the other. */
class GroupTurns {
  readonly #step: WriteStep;
  /** No block waits for anything in memory, so that other work has its turn between two blocks. */
  readonly #tick = createTurns(() => {}).tick;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;

  constructor(step: WriteStep) {
    this.#step = step;
  }

  /**
   * Carries out a call.
   *
   * @param check of what the caller gave, which is done and copied at once
   */
  async take<C, T extends Written>(
    check: () => C,
    work: (checked: C, read: RunReading) => Promise<T>,
  ): Promise<T> {
    if (this.#isOver) throw new TreeError('CLOSED', 'the group of blocks is over');
    const checked = attempt(check);
    // After a call that failed, no other is carried out: the caller may have gone on without its error.
    const done = this.#last.then(async () => {
      await this.#tick();
      const given = checked();
      return this.#step((read) => work(given, read));
    });
    this.#last = done;
    done.catch(() => {});
    return done;
  }

  /** Waits for all calls. @throws what the first that failed threw */
  async end(): Promise<void> {
    this.#isOver = true;
    await this.#last;
  }
}

/** Work may fail with an error of its own about a call that failed: that one counts. */
async function endAfter<T>(
  turns: GroupTurns,
  work: (group: BlockGroup) => Promise<T>,
  group: BlockGroup,
): Promise<T> {
  let result: T;
  try {
    result = await work(group);
  } catch (error) {
    await turns.end().catch(() => {});
    throw error;
  }
  await turns.end();
  return result;
}

/** Does the work of a group. @returns what it returns, once all calls of the group are over */
export async function workInGroup<T>(
  work: (group: BlockGroup) => Promise<T>,
  { context, step, keep }: GroupContext,
): Promise<T> {
  const { spec } = context.empty;
  const turns = new GroupTurns(step);
  const passed = new PassedBlocks();
  /** The newest block, if it is not held. */
  let passing: number | undefined;

  function checkOrder(number: number): void {
    if (passing === undefined || number > passing) return;
    throw new TreeError('BLOCK_ORDER', `block ${number} does not follow block ${passing}`);
  }

  const checkPassed = (given: Parameters<BlockGroup['passBlock']>[0]) => {
    const own = ownMembers(given, ['number', 'changes'], 'block');
    const number = checkBlockNumber(own.number, 'number');
    return { number, changes: checkChanges(spec, own.changes) };
  };

  const group: BlockGroup = {
    async applyBlock(given) {
      const { number, stateRoot } = await turns.take(
        () => checkBlock(spec, given),
        async ({ number, block }, read) => {
          checkOrder(block.number);
          const applied = await applyBatch(context, block, { read, passed, keep });
          passing = undefined;
          return { ...applied, number };
        },
      );
      return { number, stateRoot: encodeHex(stateRoot) };
    },
    async passBlock(given) {
      const { stateRoot } = await turns.take(
        () => checkPassed(given),
        async (block, read) => {
          checkOrder(block.number);
          const one = await passBatch(context, block, { read, passed });
          passing = block.number;
          return one;
        },
      );
      return encodeHex(stateRoot);
    },
    async read(address, storageKeys = []) {
      const { value } = await turns.take(
        () => checkClaimQuestion({ address, storageKeys }),
        async (question, read) => {
          const value = await read(readState(new StateReader(context, undefined), question));
          return { batch: null, value };
        },
      );
      return value;
    },
  };

  const result = await endAfter(turns, work, group);
  if (passing !== undefined) {
    throw new RangeError(
      `the last block of the group, ${passing}, is not held; apply one behind it`,
    );
  }
  return result;
}
