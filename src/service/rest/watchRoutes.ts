/** The routes for operators: whether the process answers, whether it is ready, and its figures. */
import type { Hono } from 'hono';
import { startDeadline } from '../../deadline.js';
import { TreeError } from '../../tree/index.js';
import { overloaded, toHttpError } from '../http/httpError.js';
import type { ServiceLog } from '../http/log.js';
import type { ServiceLimits } from '../limits/limits.js';
import { type AnyFinality, newestFinalized, type ProvingTree } from '../proofs/block.js';
import { type ServiceMetrics, shareScrapes } from '../watch/metrics.js';

interface WatchOptions {
  /** Where proofs come from; undefined if none are made. */
  readonly state: { readonly tree: ProvingTree; readonly finality: AnyFinality } | undefined;
  readonly limits: Pick<ServiceLimits, 'time'>;
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
}

interface Watch {
  /** Adds `/health`, `/ready` and, if there are metrics, `/metrics`. */
  mount(app: Hono): void;
  /** From now on `/ready` says 503. */
  drain(): void;
}

/** Ms that `/metrics` waits for finality: a scrape must not fail because L1 does not answer. */
const scrapeTime = 1000;

export function createWatch({ state, limits, log, metrics }: WatchOptions): Watch {
  let draining = false;

  /** The newest block that is answered, if it is known in time. @throws HttpError */
  async function newest(time: number): Promise<number | undefined> {
    const clock = startDeadline(time);
    try {
      const found = state && newestFinalized(state.tree, state.finality);
      const block = await clock.race(Promise.resolve(found), () => overloaded('late'));
      if (block !== undefined) metrics?.newestBlock(block);
      return block;
    } finally {
      clock.stop();
    }
  }

  async function ready(): Promise<Response> {
    try {
      if (draining) throw overloaded('the service is shutting down');
      const block = await newest(limits.time);
      if (state && block === undefined) throw overloaded('no finalized block is held');
      return Response.json({ ready: true, block });
    } catch (error) {
      const { message } = toHttpError(error, log);
      const isWrong = error instanceof TreeError && error.code === 'DISTRUSTED';
      const reason = isWrong ? 'the state was found to be wrong; the log says why' : message;
      return Response.json({ ready: false, reason }, { status: 503 });
    }
  }

  const scrape = shareScrapes(async ({ read }) => {
    // If it is not known, the figure stays as it was.
    await newest(Math.min(scrapeTime, limits.time)).catch((error) => toHttpError(error, log));
    return read();
  });

  return {
    mount(app) {
      app.get('/health', () => Response.json({ healthy: true }));
      app.get('/ready', ready);
      if (metrics === undefined) return;
      app.get('/metrics', async () => {
        const { text, contentType } = await scrape(metrics);
        return new Response(text, { headers: { 'content-type': contentType } });
      });
    },
    drain() {
      draining = true;
    },
  };
}
