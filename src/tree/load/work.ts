/** A long load yields to the event loop, reports progress, and ends when it is aborted. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Abort } from '../store/abort.js';

/** How far a load has come. */
export interface BulkProgress {
  /** `read`: the data comes in; `build`: it is sorted and hashed; `write`: it goes into the store. */
  readonly stage: 'read' | 'build' | 'write';
  /** In leaf indices, and in bytes of entries while they are written. */
  readonly done: number;
  /** The value of `done` at the end of the stage; undefined if it is not known. */
  readonly total: number | undefined;
}

/** How a long load is watched and ended. */
export interface BulkWork {
  /** Called with the progress of the load, several times a second. */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
  /** Ends the load, which then throws the reason of the signal. */
  signal?: Abort | undefined;
}

/** Leaves, or entries, between two turns of others: some milliseconds of work. */
export const leavesPerTurn = 1024;

/** Ms between two reports. */
const reportEvery = 200;

/** One stage of a load. */
export class Stage {
  readonly #work: BulkWork;
  readonly #stage: BulkProgress['stage'];
  readonly #total: number | undefined;
  #reportedAt = Number.NEGATIVE_INFINITY;

  constructor(work: BulkWork, stage: BulkProgress['stage'], total?: number) {
    this.#work = work;
    this.#stage = stage;
    this.#total = total;
  }

  /** Yields to the event loop. @throws the signal's reason */
  async turn(done: number): Promise<void> {
    const { signal, onProgress } = this.#work;
    await yieldToEventLoop();
    if (performance.now() - this.#reportedAt >= reportEvery) {
      this.#reportedAt = performance.now();
      onProgress?.({ stage: this.#stage, done, total: this.#total });
    }
    signal?.throwIfAborted();
  }
}
