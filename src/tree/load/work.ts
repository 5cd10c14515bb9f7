/** The manners of a long load: it yields to the event loop, reports progress, and ends when asked. */
import { yieldToEventLoop } from '../../concurrent.js';
import type { Abort } from '../store/abort.js';

/** How far a load has come. */
export interface BulkProgress {
  /** `read`: what is loaded comes in; `build`: it is sorted and hashed; `write`: into the store. */
  readonly stage: 'read' | 'build' | 'write';
  /** In leaf indices, and in bytes of entries while they are written. */
  readonly done: number;
  /** What `done` comes to at the stage's end; undefined if that is not known. */
  readonly total: number | undefined;
}

/** How a long load is watched and ended. */
export interface BulkWork {
  /** Told how far the load has come, several times a second. */
  onProgress?: ((progress: BulkProgress) => void) | undefined;
  /** Its reason is thrown once it is aborted. */
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

  /** Lets others have their turn. @throws the signal's reason */
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
