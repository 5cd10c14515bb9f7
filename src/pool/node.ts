/** Worker threads of Node, through piscina. */
import { loadPeer, type PeerUser } from '../peer.js';
import { diedError, PoolError, poolClosedError, unloadedError } from './errors.js';
import type { Job } from './job.js';
import { jobsPerWorker, type Threads } from './threads.js';

const pool: PeerUser<'piscina'> = {
  title: 'the pool',
  needs: ['piscina'],
  fail: (message, options) => new PoolError('MISSING_PEER', message, options),
};

/** Held as a variable: bundlers for browsers would follow a literal, and fail on what only Node has. */
const peer: string = 'piscina';

/**
 * Refuses platforms that have neither Web Workers nor worker threads. The runtime of Cloudflare's Workers has a class of
 * that name, whose constructor always throws.
 *
 * @throws PoolError `NO_WORKERS`
 */
function checkPlatform(): void {
  const { process, navigator } = globalThis;
  const threads = process?.getBuiltinModule?.('node:worker_threads');
  if (threads?.Worker && navigator?.userAgent !== 'Cloudflare-Workers') return;
  const cure = 'verifyProofs of l2proof gives the same answers without';
  throw new PoolError('NO_WORKERS', `this platform has no worker threads; ${cure}`);
}

/**
 * Where the file lies that piscina loads in each thread. Piscina would try to load a missing one for ever.
 *
 * @throws PoolError `NO_WORKERS`
 */
function findFile(): string {
  try {
    const url = new URL(
      /* webpackIgnore: true */ /* @vite-ignore */ './thread.cjs',
      import.meta.url,
    );
    process.getBuiltinModule('node:fs').accessSync(url);
    return url.href;
  } catch (cause) {
    throw unloadedError('thread.cjs', 'tell the bundler to leave l2proof external', cause);
  }
}

/**
 * Starts worker threads.
 *
 * @param workers how many; default one per core
 * @throws PoolError `MISSING_PEER` or `NO_WORKERS`
 */
export async function openNodeThreads(workers?: number): Promise<Threads> {
  checkPlatform();
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
      if (closed) throw poolClosedError();
      try {
        return await piscina.run(job);
      } catch (cause) {
        throw closed ? poolClosedError() : diedError(cause);
      }
    },
    async close() {
      closed = true;
      await piscina.destroy();
    },
  };
}
