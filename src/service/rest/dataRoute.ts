/**
 * `GET /v1/{chain_name}/address/{address}/balances_v2/`: the key, the cost, the answer and the log line of a request.
 */
import type { Context, Hono } from 'hono';
import type { Deadline } from '../../deadline.js';
import { type DataInterface, openDataInterface } from '../data/dataInterface.js';
import { answered, noSuchChain, noSuchRoute, refuse, unauthorized } from '../data/replies.js';
import { readBalancesQuestion } from '../data/request.js';
import { corsRule } from '../http/cors.js';
import type { ServiceLog } from '../http/log.js';
import { codes, Refusal } from '../http/refusal.js';
import { createWorkshop } from '../jsonrpc/workshop.js';
import type { KeyRing } from '../limits/keys.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { Queue } from '../limits/queue.js';
import { createRates } from '../limits/rates.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import { keyHeaders, keyOf } from './decoderRequest.js';
import { createDesk, type Visit } from './desk.js';

export interface DataRoutesOptions {
  readonly data: DataInterface;
  readonly keys: KeyRing;
  readonly limits: ServiceLimits;
  readonly queue: Queue;
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
interface Exchange extends Visit {
  readonly request: Request;
  readonly chain: string;
  readonly address: string;
  /** Calls of contracts that were made for it. */
  calls: number | undefined;
}

/** What the route takes a key from, and what clients of the interface send beside it. */
const credentialHeaders = [...keyHeaders, 'x-requested-with'];

/** @throws TypeError if `data` is no data interface */
export function createDataRoutes(options: DataRoutesOptions): DataRoutes {
  const { keys, limits, queue, log, metrics, origins } = options;
  const { time, requestsPerSecond } = limits;
  const data = openDataInterface(options.data);
  const rates = createRates({
    lanes: keys.size,
    unitsPerSecond: requestsPerSecond,
    refusal: `More than ${requestsPerSecond} units of cost per second; a request costs 1, and 1 for each call of a contract`,
  });
  const workshop = createWorkshop({ limits, lanes: keys.size, queue });
  const desk = createDesk<Exchange>(
    { time, log, metrics, title: 'balances', refuse },
    ({ chain, calls }) => ({ chain: data.chainOf(chain)?.name, calls }),
  );

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
    rates.charge(lane, 1);
    return lane;
  }

  async function respond(exchange: Exchange, clock: Deadline): Promise<Response> {
    const { request } = exchange;
    const lane = admit(request);
    exchange.lane = lane;
    const chain = data.chainOf(exchange.chain);
    if (chain === undefined) throw noSuchChain();
    const question = readBalancesQuestion(request.url, exchange.address);
    const remembered = chain.peek(question);
    if (remembered !== undefined) return answered(remembered);
    const onCalls = (count: number) => {
      exchange.calls = (exchange.calls ?? 0) + count;
      rates.owe(lane, count);
    };
    const cost = question.pageSize;
    const isGone = () => request.signal.aborted;
    const answer = await workshop.run({ isGone, clock, lane, cost }, (pause) =>
      chain.balances(question, { pause, onCalls }),
    );
    return answered(answer);
  }

  return {
    async mount(app) {
      if (origins.length > 0) app.use('/v1/*', await corsRule(origins, credentialHeaders, ['GET']));
      const balances = ({ req }: Context) =>
        desk.serve(
          {
            request: req.raw,
            chain: req.param('chain') ?? '',
            address: req.param('address') ?? '',
            lane: undefined,
            calls: undefined,
          },
          respond,
        );
      const path = '/v1/:chain/address/:address/balances_v2';
      for (const each of [path, `${path}/`]) app.all(each, balances);
      app.all('/v1/*', () => refuse(noSuchRoute(), log));
    },
    flush: desk.flush,
  };
}
