/**
 * `l2proof/pool`: verification over worker threads, with the answers of one thread.
 *
 * @example
 * ```ts
 * import type { ProofItem } from 'l2proof';
 * import { createPool } from 'l2proof/pool';
 *
 * declare const items: ProofItem[];
 * const pool = await createPool(); // one worker per core
 * console.log((await pool.verifyProofs(items)).filter(({ ok }) => ok).length);
 * await pool.close();
 * ```
 *
 * @module l2proof/pool
 */
import { untilAborted } from '../deadline.js';
import { shown } from '../errors.js';
import { ownMembers } from '../foreign/argument.js';
import { type ProofItem, type ProofOutcome, verifyProofs } from '../index.js';
import { type ChunkReader, readItemChunks } from './chunks.js';
import { openNodeThreads } from './node.js';
import { jobsPerWorker, type Threads } from './threads.js';
import { openWebThreads } from './web.js';

export { PoolError, type PoolErrorCode } from './errors.js';

/** Most workers: more are a mistake in the unit, not a wish. */
const maxWorkers = 1024;

/** Workers that verify proofs. */
export interface Pool {
  /**
   * Verifies many answers, as `verifyProofs` of `l2proof` does, on all workers. Items are read as their turn comes and
   * must not be changed before the call ends.
   *
   * @returns one outcome per item, in order; a failing item does not affect the others
   * @throws the signal's reason once it is aborted; the pool stays usable
   * @throws PoolError `WORKER_DIED`, `CLOSED`, or `NO_WORKERS` if the file of the Web Workers is not found
   */
  verifyProofs(
    items: readonly ProofItem[],
    options?: { signal?: AbortSignal },
  ): Promise<ProofOutcome[]>;
  /**
   * Verifies a stream of answers. The source is read a bounded number of items ahead of the outcomes taken, about 32
   * per worker, so that memory stays constant; an item is never held back to wait for the next.
   *
   * @returns one outcome per item, in order
   * @throws what {@link Pool.verifyProofs} and the source throw
   */
  verifyStream(
    items: AsyncIterable<ProofItem> | Iterable<ProofItem>,
    options?: { signal?: AbortSignal },
  ): AsyncGenerator<ProofOutcome, void, undefined>;
  /** Ends all workers. Calls that have not ended fail with PoolError `CLOSED`. */
  close(): Promise<void>;
}

/**
 * Outcomes chunk by chunk, in order, with a bounded number of chunks under way. Whatever ends it, jobs that are not
 * sent yet never are, and answers to the others are dropped.
 */
async function* verifyChunks(
  threads: Threads,
  reader: ChunkReader,
  signal: AbortSignal | undefined,
): AsyncGenerator<ProofOutcome[], void, undefined> {
  const window = jobsPerWorker * threads.size;
  const running: Promise<ProofOutcome[]>[] = [];
  let reading: Promise<void> | undefined;
  let done = false;
  const push = (outcomes: Promise<ProofOutcome[]>) => {
    // A chunk still running when the call ends must not cause an unhandled rejection.
    outcomes.catch(() => {});
    running.push(outcomes);
  };
  const readOne = async () => {
    try {
      const chunk = await reader.read();
      if (chunk === undefined) done = true;
      else push((async () => chunk.finish(chunk.job ? await threads.run(chunk.job) : []))());
    } catch (error) {
      // The source failed: that takes its turn behind the items before it.
      done = true;
      push(Promise.reject(error));
    }
    reading = undefined;
  };
  try {
    while (!done || running.length > 0) {
      signal?.throwIfAborted();
      if (!done && running.length < window) {
        reading ??= readOne();
        // While workers want more, outcomes wait for nothing but a source that is ready.
        const first = await untilAborted(Promise.race([reading, ...running.slice(0, 1)]), signal);
        if (first === undefined) continue;
      }
      const head = running.shift();
      if (head !== undefined) yield await untilAborted(head, signal);
    }
  } finally {
    await reader.end();
  }
}

/**
 * Opens a pool: worker threads on Node, which needs the package piscina, and Web Workers on platforms that have them.
 * Idle workers do not keep a Node process alive.
 *
 * @param options.workers how many, 1 to 1024; default one per core
 * @throws PoolError `MISSING_PEER` with the line that installs it, or `NO_WORKERS` with what to configure
 * @throws RangeError if `workers` is out of range
 */
export async function createPool(options: { workers?: number } = {}): Promise<Pool> {
  const { workers } = ownMembers(options, ['workers'], 'options');
  if (
    workers !== undefined &&
    !(Number.isSafeInteger(workers) && workers >= 1 && workers <= maxWorkers)
  ) {
    throw new RangeError(`"workers" expected a whole number from 1 to ${maxWorkers}`);
  }
  const threads =
    typeof Worker === 'undefined' ? await openNodeThreads(workers) : openWebThreads(workers);
  return {
    async verifyProofs(items, options = {}) {
      const { signal } = ownMembers(options, ['signal'], 'options');
      // As one thread says it.
      if (!Array.isArray(items)) verifyProofs(items);
      const all: ProofOutcome[] = [];
      for await (const outcomes of verifyChunks(threads, readItemChunks(items), signal)) {
        all.push(...outcomes);
      }
      return all;
    },
    async *verifyStream(items, options = {}) {
      const { signal } = ownMembers(options, ['signal'], 'options');
      const { [Symbol.asyncIterator]: later, [Symbol.iterator]: now } = Object(items);
      if (typeof (later ?? now) !== 'function') {
        throw new TypeError(`"items" expected something to iterate over, got ${shown(items)}`);
      }
      for await (const outcomes of verifyChunks(threads, readItemChunks(items), signal))
        yield* outcomes;
    },
    close: () => threads.close(),
  };
}
