/** Any object with `request` as a JSON-RPC endpoint on loopback, for wallets and tools that take a URL. */
import { ownOptions } from '../foreign/argument.js';
import { isSentToLoopback } from '../loopback.js';
import { checkOrigins, corsRule } from './http/cors.js';
import { codes, HttpError, toErrorObject, toHttpError } from './http/httpError.js';
import { checkLog, type ServiceLog } from './http/log.js';
import { wrongHost } from './http/loopback.js';
import { loadServicePeer } from './http/peers.js';
import type { Method, MethodTable } from './jsonrpc/method.js';
import { createRpcHandler } from './jsonrpc/rpcHandler.js';
import { toHttpRequest, toResponse } from './jsonrpc/web.js';
import { createKeyRing } from './limits/keys.js';
import { readLimits, type ServiceLimits } from './limits/limits.js';
import { createQueue } from './limits/queue.js';
import type { Service } from './service.js';

/** What answers the requests, as EIP-1193 has it. */
export interface ProxiedProvider {
  /** An error with a whole number as `code` is shown to the caller. */
  request(request: {
    method: string;
    params?: unknown;
    /** Aborted when no answer is given any more, for its time is over. */
    signal?: AbortSignal;
  }): Promise<unknown>;
}

/** Options of {@link createProxy}. */
export interface ProxyOptions {
  /** Answers the requests. */
  provider: ProxiedProvider;
  /** Origins whose pages may ask; `*` for all. Default none. */
  cors?: readonly string[];
  /** Here bodies may have 4 MiB, and an answer takes up to five minutes. */
  limits?: Partial<ServiceLimits>;
  /** Takes a line for each request; default none. */
  log?: ServiceLog;
}

const proxyDefaults: Partial<ServiceLimits> = { bodyBytes: 4 * 1024 * 1024, time: 300_000 };

/** @throws HttpError with the provider's own code and data */
async function ask(
  provider: ProxiedProvider,
  request: { method: string; params: unknown; signal: AbortSignal },
): Promise<unknown> {
  try {
    return await provider.request(request);
  } catch (cause) {
    const { code, message, data } = Object(cause) as Record<string, unknown>;
    if (!Number.isSafeInteger(code) || typeof message !== 'string') throw cause;
    throw new HttpError(code as number, message, { data });
  }
}

/** All methods there are: the provider says which it answers. */
const methodsOf = (provider: ProxiedProvider): MethodTable => ({
  get: (name): Method => ({
    name,
    read: (params) => params,
    cost: () => 1,
    run: async (params, { signal }) => {
      const request = { method: name, params, signal: signal() };
      return { result: (await ask(provider, request)) ?? null };
    },
  }),
});

/** Why a request is refused before it is read. */
function findFault(request: Request): HttpError | undefined {
  if (!isSentToLoopback(request.headers.get('host') ?? undefined)) return wrongHost();
  // Browsers let any page send the other types without asking first.
  const [type = ''] = (request.headers.get('content-type') ?? '').split(';');
  if (request.method === 'POST' && type.trim().toLowerCase() !== 'application/json') {
    const text = 'expected content-type: application/json';
    return new HttpError(codes.invalidRequest, text, { status: 415 });
  }
  return undefined;
}

/**
 * Makes a service for {@link startServer}: `POST /` takes JSON-RPC 2.0, single calls and batches, whose calls are carried
 * out together. It asks for no key, so it is served on loopback only.
 *
 * @throws ServiceError `MISSING_PEER`
 * @throws TypeError or RangeError for wrong options
 */
export async function createProxy(options: ProxyOptions): Promise<Service> {
  const given = ownOptions(options, ['provider', 'cors', 'limits', 'log'], 'options', ['limits']);
  const { provider, cors: origins = [], limits: bounds = {}, log } = given;
  checkLog(log);
  if (typeof provider?.request !== 'function') {
    throw new TypeError('"provider" expected an object with a function "request"');
  }
  const limits = readLimits(bounds, proxyDefaults);
  checkOrigins(origins);
  const { Hono } = await loadServicePeer('hono', import('hono'));
  const rpcHandler = createRpcHandler({
    keys: createKeyRing([]),
    methods: methodsOf(provider),
    order: 'together',
    limits,
    queue: createQueue(),
    log,
    metrics: undefined,
  });
  const refuse = (refusal: HttpError) => {
    const body = { jsonrpc: '2.0', id: null, error: toErrorObject(refusal) };
    return Response.json(body, { status: refusal.status });
  };
  const app = new Hono();
  app.use(async ({ req }, next) => {
    const refusal = findFault(req.raw);
    if (refusal) return refuse(refusal);
    return next();
  });
  if (origins.length > 0) app.use(await corsRule(origins));
  app.all('/', async ({ req }) => toResponse(await rpcHandler.answer(toHttpRequest(req.raw), '')));
  app.notFound(() => Response.json({ error: 'not found' }, { status: 404 }));
  app.onError((error) => refuse(toHttpError(error, log)));
  return {
    fetch: (request) => app.fetch(request),
    isOpen: true,
    limits,
    drain: () => rpcHandler.flush(),
  };
}
