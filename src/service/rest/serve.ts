/** Serves an interface: each request to a route is held to its time, answered in turn, counted and logged. */
import type { Context, Hono } from 'hono';
import { type Deadline, startDeadline } from '../../deadline.js';
import { corsRule } from '../http/cors.js';
import type { ServiceLog } from '../http/log.js';
import { createScheduler } from '../jsonrpc/scheduler.js';
import type { KeyRing } from '../limits/keys.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { Queue } from '../limits/queue.js';
import { createRates } from '../limits/rates.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import { createReporter } from '../watch/reporter.js';
import { toPlace, toRouteResponse } from './answer.js';
import { answered, noSuchRoute, toFailureResponse } from './replies.js';
import { admit, type RequestContext, readQuestion } from './request.js';
import type { NamedChain, RestInterface, Route } from './route.js';

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
  /** Adds the routes, and an answer for every other path of the interface. @throws ServiceError `MISSING_PEER` */
  mount(app: Hono): Promise<void>;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** A path as routes are mounted, without the slash at its end. */
const patternOf = (path: string) => path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');

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
  const { report, flush } = createReporter(log, metrics);

  async function respond(context: RequestContext<Chain>, clock: Deadline): Promise<Response> {
    const { request, route } = context;
    const keyIndex = admit(context, reading);
    context.keyIndex = keyIndex;
    const client = { isGone: () => request.signal.aborted, clock, keyIndex };
    const read = await readQuestion(context, reading, client);
    const question = route.question(read, toPlace(request, publicUrl));
    const chain = context.chain as Chain;
    const remembered = route.peek(chain, question);
    if (remembered !== undefined) return toRouteResponse(remembered, request, api);
    const charge = (units: number) => {
      context.units = (context.units ?? 0) + units;
      rates.owe(keyIndex, units);
    };
    const answer = await scheduler.run({ ...client, cost: route.cost(question) }, (pause) =>
      route.answerTo(chain, question, { pause, charge }),
    );
    return toRouteResponse(answer, request, api);
  }

  async function serveRequest(context: RequestContext<Chain>): Promise<Response> {
    const start = performance.now();
    const clock = startDeadline(time);
    let response: Response;
    try {
      response = await respond(context, clock);
    } catch (error) {
      response = toFailureResponse(error, texts, log);
    } finally {
      clock.stop();
    }
    const seconds = (performance.now() - start) / 1000;
    const { route, keyIndex, chain, units } = context;
    const ending = { status: response.status, code: undefined, seconds, keyIndex };
    report(route.title, ending, { chain: chain?.name, [unit]: units });
    return response;
  }

  function answerOf(route: Route<Chain>) {
    return ({ req }: Context) => {
      const param = (name: string) => req.param(name);
      const chain = chainOf(param('chain_name') ?? '');
      return serveRequest({
        ...{ request: req.raw, route, param, chain },
        ...{ keyIndex: undefined, units: undefined },
      });
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
      app.all(all, () => toFailureResponse(noSuchRoute(texts), texts, log));
    },
    flush,
  };
}
