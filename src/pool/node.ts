/** Worker threads of Node, through piscina. */
import { loadPeer, type PeerUser } from '../peer.js';
import { closedError, diedError, PoolError, unloadedError } from './errors.js';
import type { Job } from './job.js';
import { jobsPerWorker, type Threads } from './threads.js';

const pool: PeerUser<'piscina'> = {
  title: 'the pool',
  needs: ['piscina'],
  fail: (message, options) => new PoolError('MISSING_PEER', message, options),
};

/** Held as variables: bundlers for browsers would follow literals, and fail on what only Node has. */
const peer: string = 'piscina';
const file: string = 'thread.cjs';

/**
 * Where the file lies that piscina loads in each thread. Piscina would try to load a missing one for ever.
 *
 * @throws PoolError `NO_WORKERS`
 */
function findFile(): string {
  try {
    const url = new URL(file, import.meta.url);
    process.getBuiltinModule('node:fs').accessSync(url);
    return url.href;
  } catch (cause) {
    throw unloadedError(file, 'tell the bundler to leave l2proof external', cause);
  }
}

/**
 * Starts worker threads.
 *
 * @param workers how many; default one per core
 * @throws PoolError `MISSING_PEER` or `NO_WORKERS`
 */
export async function openNodeThreads(workers?: number): Promise<Threads> {
  const module: Promise<typeof import('piscina')> = import(
    /* @vite-ignore */ /* webpackIgnore: true */ peer
  );
  const { Piscina } = await loadPeer(pool, 'piscina', module);
  const size = workers ?? process.getBuiltinModule('node:os').availableParallelism();
  const piscina = new Piscina({
    filename: findFile(),
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
