/** Shared by the routes of the decoder and the data interface: each request is held to its time, and reported. */
import { type Deadline, startDeadline } from '../../deadline.js';
import type { ServiceLog } from '../http/log.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import { createReporter } from '../watch/reporter.js';

/** One request on its way. */
export interface Visit {
  /** Place of the key, once it is known. */
  lane: number | undefined;
}

export interface DeskOptions {
  /** Ms in which a request must be answered. */
  readonly time: number;
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
  /** The text of a line in the log. */
  readonly title: string;
  /** The answer to a request that failed. */
  refuse(error: unknown, log: ServiceLog | undefined): Response;
}

export interface Desk<V extends Visit> {
  /** Answers a request, counts it and logs it. */
  serve(visit: V, respond: (visit: V, clock: Deadline) => Promise<Response>): Promise<Response>;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** @param detailsOf what a line in the log says of a request besides how it ended */
export function createDesk<V extends Visit>(
  { time, log, metrics, title, refuse }: DeskOptions,
  detailsOf: (visit: V) => object,
): Desk<V> {
  const { report, flush } = createReporter(log, metrics, title);
  return {
    async serve(visit, respond) {
      const start = performance.now();
      const clock = startDeadline(time);
      let response: Response;
      try {
        response = await respond(visit, clock);
      } catch (error) {
        response = refuse(error, log);
      } finally {
        clock.stop();
      }
      const seconds = (performance.now() - start) / 1000;
      const { lane } = visit;
      report({ status: response.status, code: undefined, seconds, lane }, detailsOf(visit));
      return response;
    },
    flush,
  };
}
