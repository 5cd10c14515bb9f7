/** Web Workers, for browsers and the runtimes that have them. */
import { diedError, poolClosedError, unloadedError } from './errors.js';
import type { Job } from './job.js';
import type { Reply } from './reply.js';
import { jobsPerWorker, type Threads } from './threads.js';

interface Task {
  readonly job: Job;
  readonly resolve: (reply: Reply) => void;
  readonly reject: (error: Error) => void;
}

/** A worker and the tasks that it holds, oldest first: it answers in order. */
interface Seat {
  readonly worker: Worker;
  readonly tasks: Task[];
  /** Whether it has answered anything: one that never does could not be loaded. */
  works: boolean;
}

const cure =
  "with Vite, set optimizeDeps.exclude to ['l2proof']; with esbuild, bundle node_modules/l2proof/dist/pool/worker.js " +
  'as worker.js beside the script';

const unloaded = (cause: unknown) => unloadedError('worker.js', cure, cause);

/** Starts module workers. @param size how many; default one per core */
export function openWebThreads(size: number = navigator.hardwareConcurrency): Threads {
  const waiting: Task[] = [];
  const seats = new Set<Seat>();
  let closed = false;

  function assign(): void {
    while (waiting.length > 0) {
      let best: Seat | undefined;
      for (const seat of seats) {
        if (best === undefined || seat.tasks.length < best.tasks.length) best = seat;
      }
      if (best === undefined || best.tasks.length >= jobsPerWorker) return;
      const task = waiting.shift() as Task;
      best.tasks.push(task);
      best.worker.postMessage(task.job);
    }
  }

  /** Starts a worker. @throws any error of the platform, under a policy that forbids workers for example */
  function open(): void {
    // Bundlers know a worker by this form, all of it.
    const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
    const seat: Seat = { worker, tasks: [], works: false };
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      seat.works = true;
      seat.tasks.shift()?.resolve(data);
      assign();
    };
    const fail = (event: Event) => {
      seats.delete(seat);
      worker.terminate();
      const cause = new Error('message' in event ? String(event.message) : '');
      const lost = seat.tasks;
      // If no worker can be loaded, those that wait would wait for ever.
      if (!seat.works && seats.size === 0) lost.push(...waiting.splice(0));
      const error = seat.works ? diedError(cause) : unloaded(cause);
      for (const { reject } of lost) reject(error);
      if (seat.works) fill();
      else assign();
    };
    worker.onerror = fail;
    worker.onmessageerror = fail;
    seats.add(seat);
  }

  /** Starts the workers that are missing, and gives them the waiting jobs. */
  function fill(): void {
    try {
      while (seats.size < size) open();
    } catch (cause) {
      const lost = seats.size === 0 ? waiting.splice(0) : [];
      for (const { reject } of lost) reject(unloaded(cause));
    }
    assign();
  }

  return {
    size,
    run(job) {
      if (closed) return Promise.reject(poolClosedError());
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        fill();
      });
    },
    async close() {
      closed = true;
      for (const { worker, tasks } of seats) {
        worker.terminate();
        waiting.push(...tasks);
      }
      seats.clear();
      for (const { reject } of waiting.splice(0)) reject(poolClosedError());
    },
  };
}
