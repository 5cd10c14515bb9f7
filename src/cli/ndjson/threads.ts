/** Threads that verify batches of lines. */
import { Worker } from 'node:worker_threads';
import { PoolError } from '../../pool/index.js';
import type { BatchJob, BatchResult } from './batch.js';

/** Batches that a thread holds at a time: one that it works on and one that waits, so that it never idles between two. */
const jobsPerThread = 2;

/** A thread, and what waits for its answers, the oldest first: it answers in order. */
interface Seat {
  readonly worker: Worker;
  readonly waiting: {
    readonly resolve: (result: BatchResult) => void;
    readonly reject: (error: PoolError) => void;
  }[];
}

export interface Threads {
  /** Batches that are worked on at once, at most. */
  readonly room: number;
  /** @throws PoolError `WORKER_DIED` */
  run(job: BatchJob): Promise<BatchResult>;
  close(): Promise<void>;
}

const died = (cause: unknown) =>
  new PoolError('WORKER_DIED', `a thread ended before it answered: ${(cause as Error).message}`, {
    cause,
  });

/** @param file that answers each job with a result @param count of threads */
export function openThreads(file: URL, count: number): Threads {
  const seats = Array.from({ length: count }, (): Seat => {
    const worker = new Worker(file);
    const waiting: Seat['waiting'] = [];
    worker.on('message', (result: BatchResult) => waiting.shift()?.resolve(result));
    const fail = (cause: unknown) => {
      for (const { reject } of waiting.splice(0)) reject(died(cause));
    };
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`it ended with ${code}`)));
    return { worker, waiting };
  });
  return {
    room: jobsPerThread * count,
    run(job) {
      const [first, ...others] = seats as [Seat, ...Seat[]];
      const seat = others.reduce(
        (best, one) => (one.waiting.length < best.waiting.length ? one : best),
        first,
      );
      const { bytes } = job.batch;
      return new Promise((resolve, reject) => {
        seat.waiting.push({ resolve, reject });
        seat.worker.postMessage(job, bytes === null ? [] : [bytes.buffer]);
      });
    },
    async close() {
      await Promise.all(seats.map(({ worker }) => worker.terminate()));
    },
  };
}
