/** The seam between the pool and the platform's threads. */
// @ts-nocheck

import type { Job } from './job.js';
import type { Reply } from './reply.js';

/** Jobs that a worker holds at a time: one that runs and one that waits, so that it never idles between two. */
export const jobsPerWorker = 2;

/** Worker threads that take one job each and answer it. */
export interface Threads {
  /** Workers that run. */
  readonly size: number;
  /** Runs a job on a free worker, or as soon as one is. @throws PoolError `NO_WORKERS`, `WORKER_DIED` or `CLOSED` */
  run(job: Job): Promise<Reply>;
  /** Ends all workers; jobs that are not answered yet fail with `CLOSED`. */
  close(): Promise<void>;
}
