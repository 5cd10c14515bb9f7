/** `GET /v1/{chain_name}/address/{address}/balances_v2/`: who asks, what it costs, what is answered and logged. */
import type { Context, Hono } from 'hono';
import { type Deadline, startDeadline } from '../../rpc/deadline.js';
import { corsRule } from '../cors.js';
import { keyOf } from '../decoder/request.js';
import type { KeyRing } from '../keys.js';
import { createBucket, type ServiceLimits } from '../limits.js';
import type { ServiceLog } from '../log.js';
import type { ServiceMetrics } from '../metrics.js';
import { codes, Refusal } from '../refusal.js';
import { createWorkshop } from '../workshop.js';
import { createWrongKeyLog } from '../wrongKeys.js';
import { type DataInterface, openDataInterface } from './dataInterface.js';
import { answered, noSuchChain, noSuchRoute, refuse, unauthorized } from './replies.js';
import { readBalancesQuestion } from './request.js';

export interface DataRoutesOptions {
  readonly data: DataInterface;
  readonly keys: KeyRing;
  readonly limits: ServiceLimits;
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
  /** Origins whose pages may ask. */
  readonly origins: readonly string[];
}

export interface DataRoutes {
  mount(app: Hono): Promise<void>;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** One request on its way. */
interface Exchange {
  readonly request: Request;
  readonly chain: string;
  readonly address: string;
  /** Place of the key. */
  lane: number | undefined;
  /** Calls of contracts that were made for it. */
  calls: number | undefined;
}

const credentialHeaders = ['authorization', 'x-requested-with'];

/** @throws TypeError if the data interface is none */
export function createDataRoutes(options: DataRoutesOptions): DataRoutes {
  const { keys, limits, log, metrics, origins } = options;
  const { time, requestsPerSecond } = limits;
  const data = openDataInterface(options.data);
  const buckets = Array.from({ length: keys.size }, () => createBucket(requestsPerSecond));
  const workshop = createWorkshop(limits, keys.size, undefined);
  const wrongKeys = createWrongKeyLog(log);

  /** @throws Refusal */
  function admit(request: Request): number {
    const key = keyOf(request);
    const lane = keys.find(key);
    if (lane === undefined) {
      throw unauthorized(key === '' ? 'An API key is required' : 'The API key is unknown');
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Refusal(codes.invalidRequest, 'Expected GET', { status: 405 });
    }
    const seconds = buckets[lane]?.take(1) ?? 0;
    if (seconds === 0) return lane;
    const text = `More than ${requestsPerSecond} units of cost per second; a request costs 1, and 1 for each call of a contract`;
    const retryAfter = Math.ceil(seconds);
    throw new Refusal(codes.limitExceeded, text, { status: 429, retryAfter });
  }

  async function respond(exchange: Exchange, lane: number, clock: Deadline): Promise<Response> {
    const { request } = exchange;
    const chain = data.chainOf(exchange.chain);
    if (chain === undefined) throw noSuchChain();
    const question = readBalancesQuestion(request.url, exchange.address);
    const remembered = chain.peek(question);
    if (remembered !== undefined) return answered(remembered);
    const onCalls = (count: number) => {
      exchange.calls = (exchange.calls ?? 0) + count;
      buckets[lane]?.owe(count);
    };
    const cost = question.pageSize;
    const answer = await workshop.run({ request, clock, lane, cost }, (pause) =>
      chain.balances(question, { pause, onCalls }),
    );
    return answered(answer);
  }

  function report(exchange: Exchange, status: number, seconds: number): void {
    metrics?.answered(status, 0, seconds);
    const { lane, calls } = exchange;
    const chain = data.chainOf(exchange.chain)?.name;
    const ms = Math.round(seconds * 1e5) / 100;
    const fields = { status, ms, key: lane === undefined ? undefined : lane + 1, chain, calls };
    if (status === 401) wrongKeys.note(fields);
    else if (status >= 500) log?.warn(fields, 'balances');
    else log?.info(fields, 'balances');
  }

  async function answer(request: Request, chain: string, address: string): Promise<Response> {
    const start = performance.now();
    const exchange: Exchange = { request, chain, address, lane: undefined, calls: undefined };
    const clock = startDeadline(time);
    let response: Response;
    try {
      exchange.lane = admit(request);
      response = await respond(exchange, exchange.lane, clock);
    } catch (error) {
      response = refuse(error, log);
    } finally {
      clock.stop();
    }
    report(exchange, response.status, (performance.now() - start) / 1000);
    return response;
  }

  return {
    async mount(app) {
      if (origins.length > 0) app.use('/v1/*', await corsRule(origins, credentialHeaders, ['GET']));
      const balances = ({ req }: Context) =>
        answer(req.raw, req.param('chain') ?? '', req.param('address') ?? '');
      const path = '/v1/:chain/address/:address/balances_v2';
      for (const each of [path, `${path}/`]) app.all(each, balances);
      app.all('/v1/*', () => refuse(noSuchRoute(), log));
    },
    flush: () => wrongKeys.flush(),
  };
}
