/** Serves an interface: each request to a route is held to its time, answered in turn, counted and logged. */
import type { Context, Hono } from 'hono';
import { startDeadline } from '../../deadline.js';
import { corsRule } from '../http/cors.js';
import type { ServiceLog } from '../http/log.js';
import { type Client, createScheduler } from '../jsonrpc/scheduler.js';
import type { KeyRing } from '../limits/keys.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { Queue } from '../limits/queue.js';
import { createRates } from '../limits/rates.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import { createReporter } from '../watch/reporter.js';
import { Place, toRouteResponse } from './answer.js';
import { answered, noSuchRoute, toFailureResponse } from './replies.js';
import { admit, createUrlReader, type RequestContext, readPosted } from './request.js';
import type { NamedChain, RestInterface, Route } from './route.js';
import type { Before } from './table.js';

export interface RestOptions {
  readonly keys: KeyRing;
  readonly limits: ServiceLimits;
  readonly queue: Queue;
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
  /** Origins whose pages may ask. */
  readonly origins: readonly string[];
}

export interface ServedInterface {
  /** Adds the routes. @throws ServiceError `MISSING_PEER` */
  mount(app: Hono): Promise<void>;
  /**
   * The answer for a path that is no route; undefined if it is not of the interface. It is no route of its own: if two fit a
   * path, hono waits for each answer, even for one that is there.
   */
  refuse(path: string): Response | undefined;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** A path as routes are mounted, without the slash at its end. */
const patternOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');

/** Holds the work for a request to its time, in ms. */
async function inTime(
  { request, keyIndex, time }: { request: Request; keyIndex: number; time: number },
  work: (client: Client) => Promise<Response>,
): Promise<Response> {
  const clock = startDeadline(time);
  try {
    return await work({ isGone: () => request.signal.aborted, clock, keyIndex });
  } finally {
    clock.stop();
  }
}

export function serveInterface<Chain extends NamedChain>(
  api: RestInterface<Chain>,
  { keys, limits, queue, log, metrics, origins }: RestOptions,
): ServedInterface {
  const { base, routes, chainOf, texts, unit, pages, publicUrl } = api;
  const { requestsPerSecond, time } = limits;
  const rates = createRates({
    keyCount: keys.size,
    unitsPerSecond: requestsPerSecond,
    refusal: texts.rateLimit(requestsPerSecond),
  });
  const scheduler = createScheduler({ limits, keyCount: keys.size, queue });
  const reading = { api, keys, rates, scheduler, limits };
  const readUrl = createUrlReader(reading);
  const { report, flush } = createReporter(log, metrics);

  /** The answer to a question, if it is remembered. */
  function recall(context: RequestContext<Chain>, question: unknown): Response | undefined {
    const { request, route, chain } = context;
    const remembered = route.peek(chain as Chain, question);
    return remembered && toRouteResponse(remembered, request, api);
  }

  async function workOut(
    context: RequestContext<Chain>,
    question: unknown,
    client: Client,
  ): Promise<Response> {
    const { request, route, chain } = context;
    const charge = (units: number) => {
      context.units = (context.units ?? 0) + units;
      rates.owe(client.keyIndex, units);
    };
    const answer = await scheduler.run({ cost: route.cost(question), ...client }, (pause) =>
      route.answerTo(chain as Chain, question, { pause, charge }),
    );
    return toRouteResponse(answer, request, api);
  }

  /** A remembered answer is given at once: a timer and promises would cost as much as it does. */
  function respond(context: RequestContext<Chain>): Response | Promise<Response> {
    const { request, route } = context;
    const asked = { request, keyIndex: admit(context, reading), time };
    context.keyIndex = asked.keyIndex;
    const toQuestion = (read: Before) => route.question(read, new Place(request, publicUrl));
    if (route.body !== undefined) {
      return inTime(asked, async (client) => {
        const question = toQuestion(await readPosted(context, reading, client));
        return recall(context, question) ?? workOut(context, question, client);
      });
    }
    const question = toQuestion(readUrl(context));
    const work = (client: Client) => workOut(context, question, client);
    return recall(context, question) ?? inTime(asked, work);
  }

  function serveRequest(context: RequestContext<Chain>): Response | Promise<Response> {
    const start = performance.now();
    const toFailed = (error: unknown) => toFailureResponse(error, texts, log);
    function end(response: Response): Response {
      const seconds = (performance.now() - start) / 1000;
      const { route, keyIndex, chain, units } = context;
      const ending = { status: response.status, code: undefined, seconds, keyIndex };
      report(route.title, ending, { chain: chain?.name, [unit]: units });
      return response;
    }
    let response: Response | Promise<Response>;
    try {
      response = respond(context);
    } catch (error) {
      response = toFailed(error);
    }
    return response instanceof Promise ? response.catch(toFailed).then(end) : end(response);
  }

  function answerOf(route: Route<Chain>) {
    return ({ req }: Context) => {
      const param = (name: string) => req.param(name);
      const chain = chainOf(param('chain_name') ?? '');
      const request = req.raw;
      return serveRequest({ request, route, param, chain, keyIndex: undefined, units: undefined });
    };
  }

  return {
    async mount(app) {
      const all = `${base}/*`;
      if (origins.length > 0) app.use(all, await corsRule(origins, pages.headers, pages.methods));
      for (const { path, answer } of api.open) app.get(path, () => answered(answer.json()));
      for (const route of routes) {
        const path = patternOf(route.path);
        for (const each of [path, `${path}/`]) app.all(each, answerOf(route));
      }
    },
    refuse: (path) =>
      `${path}/`.startsWith(`${base}/`)
        ? toFailureResponse(noSuchRoute(texts), texts, log)
        : undefined,
    flush,
  };
}
