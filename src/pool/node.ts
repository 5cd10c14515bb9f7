/** Worker threads of Node, through piscina. */
import { closedError, diedError, PoolError } from './errors.js';
import type { Job } from './job.js';
import { jobsPerWorker, type Threads } from './threads.js';

/** Held as a variable: bundlers for browsers would follow a literal, and fail on what only Node has. */
const peer: string = 'piscina';
const installLine = 'npm install piscina@5.3.2';

async function loadPiscina(): Promise<typeof import('piscina')> {
  try {
    return await import(/* @vite-ignore */ /* webpackIgnore: true */ peer);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
    throw new PoolError('MISSING_PEER', `the pool needs piscina on Node; run: ${installLine}`, {
      cause,
    });
  }
}

/**
 * Starts worker threads.
 *
 * @param workers how many; default one per core
 * @throws PoolError `MISSING_PEER`
 */
export async function openNodeThreads(workers?: number): Promise<Threads> {
  const { Piscina } = await loadPiscina();
  const size = workers ?? process.getBuiltinModule('node:os').availableParallelism();
  const piscina = new Piscina({
    filename: new URL('./worker.js', import.meta.url).href,
    minThreads: size,
    maxThreads: size,
    concurrentTasksPerWorker: jobsPerWorker,
    recordTiming: false,
  });
  // A worker that dies idle is replaced and no job is lost; without a listener the process would end.
  piscina.on('error', () => {});
  let closed = false;
  return {
    size,
    async run(job: Job) {
      if (closed) throw closedError();
      try {
        return await piscina.run(job);
      } catch (cause) {
        throw closed ? closedError() : diedError(cause);
      }
    },
    async close() {
      closed = true;
      await piscina.destroy();
    },
  };
}
