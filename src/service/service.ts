/** The service as a function from Request to Response, for any platform that has both. */
import { readText } from './body.js';
import { type CallId, idOf, parseBody, readCall } from './call.js';
import type { Finality } from './finality.js';
import { createKeyRing } from './keys.js';
import { createBucket, nextTurn, readLimits, type ServiceLimits, startClock } from './limits.js';
import type { ServiceMetrics } from './metrics.js';
import { loadPeer } from './peers.js';
import { newestFinalized, type ProvingTree, prove, readParams } from './proof.js';
import { codes, overloaded, Refusal } from './refusal.js';

/** Where structured lines go; a logger of pino is one. No key, address or body is ever among the fields. */
export interface ServiceLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ServiceOptions {
  tree: ProvingTree;
  /** Highest L2 block that is finalized on L1; asked for every request, so it should keep its answer a while. */
  finality: Finality;
  /** API keys, 8 to 256 characters each; default none: whoever can reach the service may ask. */
  keys?: readonly string[];
  /** Further names of the method, such as `linea_getProof`. */
  aliases?: readonly string[];
  /** Origins whose pages may ask; `*` for all. Default none. */
  cors?: readonly string[];
  limits?: Partial<ServiceLimits>;
  log?: ServiceLog;
  metrics?: ServiceMetrics;
}

/** Answers requests. */
export interface Service {
  /**
   * Answers one request.
   *
   * - `POST /v3/<API_KEY>`: JSON-RPC 2.0, one call of `l2_getProof`
   * - `GET /health`: 200 while the process answers
   * - `GET /ready`: 200 where a finalized block is held, else 503
   * - `GET /metrics`: for Prometheus, where metrics were given
   */
  fetch(request: Request): Response | Promise<Response>;
  /** Whether no key is asked for. */
  readonly isOpen: boolean;
  readonly limits: ServiceLimits;
  /** From now on says that it is not ready, and sheds what comes in. What is under way goes on. */
  drain(): void;
}

/** One request on its way. */
interface Exchange {
  readonly request: Request;
  key: number | undefined;
  id: CallId;
  block: number | undefined;
  /** Storage keys asked for. */
  slots: number | undefined;
}

const json = { 'content-type': 'application/json' };

/** What the caller sees of an error. What lies behind it is the operator's to know, and is logged. */
function refusalOf(error: unknown, log: ServiceLog | undefined): Refusal {
  const isRefusal = error instanceof Refusal;
  const refusal = isRefusal ? error : new Refusal(codes.internalError, 'internal error');
  const err = isRefusal ? error.cause : error;
  if (err !== undefined) log?.error({ err }, refusal.message);
  return refusal;
}

/**
 * Makes a service.
 *
 * @throws ServiceError `MISSING_PEER`
 * @throws TypeError or RangeError for wrong options
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { tree, finality, aliases = [], cors: origins = [], log, metrics } = options;
  const keys = createKeyRing(options.keys ?? []);
  const limits = readLimits(options.limits);
  const methods = new Set(['l2_getProof', ...aliases]);
  const buckets = Array.from({ length: keys.size }, () => createBucket(limits.requestsPerSecond));
  const { Hono } = await loadPeer('hono', import('hono'));
  let running = 0;
  let draining = false;

  /** Who asks, and whether they may now. @returns the place of the key */
  function admit(request: Request, key: string): number {
    const place = keys.find(key);
    if (place === undefined) {
      const text = 'unknown or missing API key; the path is /v3/<API_KEY>';
      throw new Refusal(codes.invalidRequest, text, { status: 401 });
    }
    if (request.method !== 'POST') {
      throw new Refusal(codes.invalidRequest, 'expected POST', { status: 405 });
    }
    if (draining) throw overloaded('the service is shutting down');
    const wait = buckets[place]?.take() ?? 0;
    if (wait > 0) {
      const text = `more than ${limits.requestsPerSecond} requests per second`;
      const retryAfter = Math.ceil(wait);
      throw new Refusal(codes.limitExceeded, text, { status: 429, retryAfter });
    }
    return place;
  }

  /** Runs a proof in one of the places for it, or refuses at once where there is none. */
  async function inPlace<T>(work: () => Promise<T>): Promise<T> {
    if (running >= limits.concurrent) throw overloaded('too many requests at once');
    running += 1;
    metrics?.running(running);
    try {
      // Making a proof may keep the thread. Whoever came in meanwhile takes a place, or is shed, before it begins.
      await nextTurn();
      return await work();
    } finally {
      running -= 1;
      metrics?.running(running);
    }
  }

  async function answer(exchange: Exchange): Promise<Response> {
    const { request } = exchange;
    const clock = startClock(limits.time);
    const { time } = limits;
    const late = () =>
      new Refusal(codes.internalError, `no answer within ${time} ms`, { status: 504 });
    try {
      const text = await clock.race(
        readText(request, limits.bodyBytes),
        () =>
          new Refusal(codes.invalidRequest, `the body did not come in ${time} ms`, { status: 408 }),
      );
      const body = parseBody(text);
      exchange.id = idOf(body);
      const { method, params, isNotification } = readCall(body);
      if (isNotification) return new Response(null, { status: 204 });
      if (!methods.has(method)) {
        throw new Refusal(codes.methodNotFound, 'the method is not answered here');
      }
      const call = readParams(params, limits.storageKeys);
      exchange.slots = call.storageKeys.length;
      // A place is held until the work is done, even where nobody waits for it any more.
      const work = inPlace(async () => {
        if (clock.isLate) throw late();
        const pause = async () => {
          await nextTurn();
          if (clock.isLate) throw late();
        };
        return prove(tree, finality, call, { maxReads: limits.reads, pause });
      });
      const { block, result } = await clock.race(work, late);
      exchange.block = block;
      return new Response(JSON.stringify({ jsonrpc: '2.0', id: exchange.id, result }), {
        headers: { ...json, 'l2-block-number': String(block) },
      });
    } finally {
      clock.stop();
    }
  }

  function refuse({ id }: Exchange, { code, message, status, retryAfter }: Refusal): Response {
    const headers: Record<string, string> = { ...json };
    if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
    if (status === 405) headers.allow = 'POST';
    const body = { jsonrpc: '2.0', id, error: { code, message } };
    return new Response(JSON.stringify(body), { status, headers });
  }

  /** Answers, counts and logs. */
  async function exchangeOf(request: Request, key: string): Promise<Response> {
    const start = performance.now();
    const exchange: Exchange = {
      request,
      key: undefined,
      id: null,
      block: undefined,
      slots: undefined,
    };
    let response: Response;
    let code = 0;
    try {
      exchange.key = admit(request, key);
      response = await answer(exchange);
    } catch (error) {
      const refusal = refusalOf(error, log);
      code = refusal.code;
      response = refuse(exchange, refusal);
    }
    const seconds = (performance.now() - start) / 1000;
    metrics?.answered(response.status, code, seconds);
    const { block, slots } = exchange;
    const ms = Math.round(seconds * 1e5) / 100;
    const fields = { status: response.status, code, ms, key: exchange.key, block, slots };
    if (response.status >= 500) log?.warn(fields, 'request');
    else log?.info(fields, 'request');
    return response;
  }

  async function ready(): Promise<Response> {
    const clock = startClock(limits.time);
    try {
      if (draining) throw overloaded('the service is shutting down');
      const block = await clock.race(newestFinalized(tree, finality), () => overloaded('late'));
      if (block === undefined) throw overloaded('no finalized block is held');
      metrics?.newestBlock(block);
      return Response.json({ ready: true, block });
    } catch (error) {
      const { message } = refusalOf(error, log);
      return Response.json({ ready: false, reason: message }, { status: 503 });
    } finally {
      clock.stop();
    }
  }

  const app = new Hono();
  if (origins.length > 0) {
    const { cors } = await loadPeer('hono', import('hono/cors'));
    const rule = cors({
      origin: origins.includes('*') ? '*' : [...origins],
      allowMethods: ['POST'],
      allowHeaders: ['content-type'],
      exposeHeaders: ['l2-block-number', 'retry-after'],
      maxAge: 86_400,
    });
    app.use('/v3/*', rule);
  }
  app.all('/v3/:key', (context) => exchangeOf(context.req.raw, context.req.param('key')));
  for (const path of ['/v3', '/v3/']) app.all(path, ({ req }) => exchangeOf(req.raw, ''));
  app.get('/health', () => Response.json({ healthy: true }));
  app.get('/ready', ready);
  if (metrics) {
    app.get('/metrics', async () => {
      const { text, contentType } = await metrics.read();
      return new Response(text, { headers: { 'content-type': contentType } });
    });
  }
  app.notFound(() => Response.json({ error: 'not found' }, { status: 404 }));
  app.onError((error) => {
    const { message } = refusalOf(error, log);
    return Response.json({ error: message }, { status: 500 });
  });

  return {
    fetch: (request) => app.fetch(request),
    isOpen: keys.isOpen,
    limits,
    drain() {
      draining = true;
    },
  };
}
