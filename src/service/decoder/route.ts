/** `POST /api/v1/tx/decode`: who asks, what it costs, what is answered, and what is logged about it. */
import { type Deadline, startDeadline } from '../../rpc/deadline.js';
import { readText } from '../body.js';
import type { KeyRing } from '../keys.js';
import { createBucket, type ServiceLimits } from '../limits.js';
import type { ServiceLog } from '../log.js';
import type { ServiceMetrics } from '../metrics.js';
import { codes, Refusal } from '../refusal.js';
import { createWorkshop } from '../workshop.js';
import { createWrongKeyLog } from '../wrongKeys.js';
import type { ChainDecoder } from './chainDecoder.js';
import type { OpenDecoder } from './decoder.js';
import { answered, noSuchRoute, noSuchTransaction, refuse, unauthorized } from './replies.js';
import { keyOf, readBody, readQuery } from './request.js';

export interface DecodeRouteOptions {
  readonly decoder: OpenDecoder;
  readonly keys: KeyRing;
  readonly limits: ServiceLimits;
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
}

export interface DecodeRoute {
  /** Answers a request, counts it and logs it. */
  answer(request: Request): Promise<Response>;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** One request on its way. */
interface Exchange {
  readonly request: Request;
  /** Place of the key. */
  lane: number | undefined;
  chain: string | undefined;
  /** Logs that were decoded for it. */
  logs: number | undefined;
}

export function createDecodeRoute(options: DecodeRouteOptions): DecodeRoute {
  const { decoder, keys, limits, log, metrics } = options;
  const { time, requestsPerSecond } = limits;
  const buckets = Array.from({ length: keys.size }, () => createBucket(requestsPerSecond));
  const workshop = createWorkshop(limits, keys.size, undefined);
  const wrongKeys = createWrongKeyLog(log);
  const slow = () =>
    new Refusal(codes.invalidRequest, `the body did not come in ${time} ms`, { status: 408 });
  const isChain = (name: string) => decoder.chainOf(name) !== undefined;

  /** @throws Refusal */
  function admit(request: Request): number {
    // Others of the path are no route, whoever asks.
    if (request.method !== 'POST') throw noSuchRoute();
    const key = keyOf(request);
    const lane = keys.find(key);
    if (lane !== undefined) return lane;
    throw unauthorized(key === '' ? 'x-goldrush-api-key is required' : 'the API key is unknown');
  }

  /** Takes the cost of a request from what a key may ask for. That of the logs is owed. @throws Refusal */
  function charge(lane: number): void {
    const seconds = buckets[lane]?.take(1) ?? 0;
    if (seconds === 0) return;
    const text = `more than ${requestsPerSecond} units of cost per second; a request costs 1, and 1 for each log`;
    const retryAfter = Math.ceil(seconds);
    throw new Refusal(codes.limitExceeded, text, { status: 429, retryAfter });
  }

  async function respond(exchange: Exchange, lane: number, clock: Deadline): Promise<Response> {
    const { request } = exchange;
    const query = readQuery(request.url);
    const text = await clock.race(readText(request, limits.bodyBytes), slow);
    const { chainName, txHash } = readBody(text, isChain);
    exchange.chain = chainName;
    charge(lane);
    const chain = decoder.chainOf(chainName) as ChainDecoder;
    const question = { ...query, txHash };
    const remembered = chain.peek(question);
    if (remembered !== undefined) return answered(remembered);
    const onLogs = (count: number) => {
      exchange.logs = count;
      buckets[lane]?.owe(count);
    };
    const answer = await workshop.run({ request, clock, lane, cost: 1 }, (pause) =>
      chain.decode(question, { pause, onLogs }),
    );
    if (answer === undefined) throw noSuchTransaction();
    return answered(answer);
  }

  function report(exchange: Exchange, status: number, seconds: number): void {
    metrics?.answered(status, 0, seconds);
    const { lane, chain, logs } = exchange;
    const ms = Math.round(seconds * 1e5) / 100;
    const fields = { status, ms, key: lane === undefined ? undefined : lane + 1, chain, logs };
    if (status === 401) wrongKeys.note(fields);
    else if (status >= 500) log?.warn(fields, 'decode');
    else log?.info(fields, 'decode');
  }

  return {
    async answer(request) {
      const start = performance.now();
      const exchange: Exchange = { request, lane: undefined, chain: undefined, logs: undefined };
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
    },
    flush: () => wrongKeys.flush(),
  };
}
