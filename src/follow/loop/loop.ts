/** The loop of every follower: passes to the newest block, over restarts, reorgs and nodes that are away. */
import { wait } from '../../rpc/retry.js';
import { FollowError } from '../node/errors.js';
import { type Patience, untilAnswered } from '../node/patience.js';
import { catchUp, type FollowProgress, type FollowSession, type Target } from './catchUp.js';
import { RefusedBlock } from './refusedBlock.js';

export interface LoopOptions {
  readonly target: Target;
  /** Begins a run, and another one after each pass that failed: what was fetched ahead has failed with it. */
  openSession(signal: AbortSignal | undefined): FollowSession;
  /** Reacts to a refused block. @returns ms until the next try; undefined if there is none */
  readonly onRefused?: (refused: RefusedBlock) => Promise<number | undefined>;
  readonly onProgress: (progress: FollowProgress) => void;
  readonly onWarning: (text: string) => void;
  /** Ms between two looks for a new block. */
  readonly interval: number;
  readonly patience: Patience;
}

interface RunOptions {
  once?: boolean | undefined;
  signal?: AbortSignal | undefined;
}

/** How often the chain may change before a block is applied. Beyond this, the node contradicts itself. */
const maxChanges = 50;

/** Follows the node until something is wrong or it is stopped. @param once ends at the node's newest block */
export async function follow(options: LoopOptions, { once, signal }: RunOptions): Promise<void> {
  const { target, openSession, onRefused, onProgress, onWarning, interval } = options;
  const { delay } = options.patience;
  let session = openSession(signal);
  const look = () =>
    catchUp(target, session, onProgress).catch((error) => {
      session = openSession(signal);
      throw error;
    });
  const lookAgain = async (): Promise<boolean> => {
    for (;;) {
      try {
        return await (once ? look() : untilAnswered(look, { delay, onWarning, signal }));
      } catch (error) {
        if (!(error instanceof RefusedBlock)) throw error;
        const pause = await onRefused?.(error);
        if (pause === undefined) throw error.failure;
        await wait(pause, signal);
      }
    }
  };
  for (let changes = 0, last = await target.newestBlock(); ; ) {
    const isThere = await lookAgain();
    if (isThere && once) return;
    const block = await target.newestBlock();
    changes = isThere || block > last ? 0 : changes + 1;
    last = block;
    if (changes > maxChanges) {
      const text = `the L2 node names another parent of block ${block + 1} than its block ${block}`;
      throw new FollowError('BAD_ANSWER', text);
    }
    // A chain that has just changed is looked at again at once, but not without a pause.
    await wait(isThere ? interval : Math.min(interval, 100), signal);
  }
}

/** Keeps a follower from running twice at a time, and its last failure. */
interface Runner {
  run(work: () => Promise<void>): Promise<void>;
  readonly failure: unknown;
}

/** @param failureOf turns the error of a run into the one to throw */
export function createRunner(failureOf: (error: unknown) => unknown = (error) => error): Runner {
  let isRunning = false;
  let failure: unknown;
  return {
    async run(work) {
      if (isRunning) throw new TypeError('the follower is running already');
      isRunning = true;
      failure = undefined;
      try {
        await work();
      } catch (error) {
        failure = failureOf(error);
        throw failure;
      } finally {
        isRunning = false;
      }
    },
    get failure() {
      return failure;
    },
  };
}
