/** Web Workers, for browsers and the runtimes that have them. */
import { closedError, diedError } from './errors.js';
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

  function open(): void {
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
      const message = event instanceof ErrorEvent ? event.message : '';
      const error = diedError(new Error(message || 'the worker could not be loaded or run'));
      const lost = seat.tasks;
      if (seat.works) open();
      // Where no worker can be loaded, those that wait would wait for ever.
      else if (seats.size === 0) lost.push(...waiting.splice(0));
      for (const { reject } of lost) reject(error);
      assign();
    };
    worker.onerror = fail;
    worker.onmessageerror = fail;
    seats.add(seat);
  }

  return {
    size,
    run(job) {
      if (closed) return Promise.reject(closedError());
      while (seats.size < size) open();
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        assign();
      });
    },
    async close() {
      closed = true;
      for (const { worker, tasks } of seats) {
        worker.terminate();
        waiting.push(...tasks);
      }
      seats.clear();
      for (const { reject } of waiting.splice(0)) reject(closedError());
    },
  };
}
