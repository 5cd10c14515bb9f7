/** One request to `/v3`: who asks, what it costs, what is answered, and what is logged about it. */
import { startDeadline } from '../rpc/deadline.js';
import { answerBatch } from './answer.js';
import { readBatch } from './batch.js';
import { readText } from './body.js';
import type { CallId } from './call.js';
import type { KeyRing } from './keys.js';
import { createBucket, type ServiceLimits } from './limits.js';
import type { ServiceLog } from './log.js';
import type { Methods } from './methods.js';
import type { ServiceMetrics } from './metrics.js';
import { createPlaces } from './places.js';
import { createQueue, type Turns } from './queue.js';
import { clientGone, codes, overloaded, Refusal, refusalOf } from './refusal.js';
import { createWrongKeyLog } from './wrongKeys.js';

export interface ExchangeOptions {
  readonly keys: KeyRing;
  readonly methods: Methods;
  readonly limits: ServiceLimits;
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
}

export interface Exchanges {
  /** Answers a request, counts it and logs it. @param key the segment of the path */
  answer(request: Request, key: string): Promise<Response>;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** One request on its way. */
interface Exchange {
  readonly request: Request;
  /** Place of the key. */
  lane: number | undefined;
  id: CallId;
  block: number | undefined;
  /** Storage keys asked for. */
  slots: number | undefined;
  /** Calls of a batch. */
  calls: number | undefined;
}

const json = { 'content-type': 'application/json' };

function refuse({ id }: Exchange, { code, message, status, retryAfter }: Refusal): Response {
  const headers: Record<string, string> = { ...json };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (status === 405) headers.allow = 'POST';
  const body = { jsonrpc: '2.0', id, error: { code, message } };
  return new Response(JSON.stringify(body), { status, headers });
}

export function createExchanges(options: ExchangeOptions): Exchanges {
  const { keys, methods, limits, log, metrics } = options;
  const { time } = limits;
  const buckets = Array.from({ length: keys.size }, () => createBucket(limits.requestsPerSecond));
  const places = createPlaces(limits.concurrent, keys.size, (taken) => metrics?.running(taken));
  const queue = createQueue();
  const wrongKeys = createWrongKeyLog(log);

  function checkRate(seconds: number): void {
    if (seconds === 0) return;
    const text = `more than ${limits.requestsPerSecond} units of cost per second; a call costs 1, and 1 for each storage key`;
    const retryAfter = Math.ceil(seconds);
    throw new Refusal(codes.limitExceeded, text, { status: 429, retryAfter });
  }

  /** Who asks, and whether they may now. @returns the place of the key */
  function admit(request: Request, key: string): number {
    const lane = keys.find(key);
    if (lane === undefined) {
      const text = 'unknown or missing API key; the path is /v3/<API_KEY>';
      throw new Refusal(codes.invalidRequest, text, { status: 401 });
    }
    if (request.method !== 'POST') {
      throw new Refusal(codes.invalidRequest, 'expected POST', { status: 405 });
    }
    checkRate(buckets[lane]?.wait() ?? 0);
    return lane;
  }

  /** Runs work in one of the places for it, or refuses at once if there is none. */
  async function inPlace<T>(lane: number, turns: Turns, work: () => Promise<T>): Promise<T> {
    if (!places.take(lane)) throw overloaded('too many requests at once');
    try {
      return await work();
    } finally {
      places.leave(lane);
      turns.leave();
    }
  }

  async function respond(exchange: Exchange, lane: number): Promise<Response> {
    const { request } = exchange;
    const clock = startDeadline(time);
    const late = () =>
      new Refusal(codes.internalError, `no answer within ${time} ms`, { status: 504 });
    const slow = () =>
      new Refusal(codes.invalidRequest, `the body did not come in ${time} ms`, { status: 408 });
    try {
      const text = await clock.race(readText(request, limits.bodyBytes), slow);
      const batch = readBatch(text, methods, limits);
      const { calls, isSingle } = batch;
      const [first] = calls;
      if (isSingle) exchange.id = first?.id ?? null;
      else exchange.calls = calls.length;
      checkRate(buckets[lane]?.take(batch.cost) ?? 0);
      if (calls.every(({ isNotification }) => isNotification)) {
        return new Response(null, { status: 204 });
      }
      if (isSingle && first?.work instanceof Refusal) throw first.work;
      exchange.slots = batch.cost - calls.length;
      const turns = queue.enter(lane, batch.cost);
      let pieces = 0;
      const pause = async () => {
        await turns.next();
        pieces += 1;
        // Work that nobody waits for any more ends here.
        if (clock.isLate) throw late();
        // The signal is made when it is first asked for, which costs as much as a light request's rest.
        if (pieces > 1 && request.signal.aborted) throw clientGone();
      };
      // A place is held until the work has ended, even if nobody waits for it any more.
      const work = inPlace(lane, turns, () => answerBatch(batch, pause, log));
      const { body, block } = await clock.race(work, late);
      exchange.block = block;
      const headers = block === undefined ? json : { ...json, 'l2-block-number': String(block) };
      return new Response(body, { headers });
    } finally {
      clock.stop();
    }
  }

  function report(exchange: Exchange, status: number, code: number, seconds: number): void {
    metrics?.answered(status, code, seconds);
    const { lane, block, slots, calls } = exchange;
    const ms = Math.round(seconds * 1e5) / 100;
    const key = lane === undefined ? undefined : lane + 1;
    const fields = { status, code, ms, key, block, slots, calls };
    if (status === 401) wrongKeys.note(fields);
    else if (status >= 500) log?.warn(fields, 'request');
    else log?.info(fields, 'request');
  }

  return {
    async answer(request, key) {
      const start = performance.now();
      const exchange: Exchange = {
        request,
        lane: undefined,
        id: null,
        block: undefined,
        slots: undefined,
        calls: undefined,
      };
      let response: Response;
      let code = 0;
      try {
        exchange.lane = admit(request, key);
        response = await respond(exchange, exchange.lane);
      } catch (error) {
        const refusal = refusalOf(error, log);
        code = refusal.code;
        response = refuse(exchange, refusal);
      }
      report(exchange, response.status, code, (performance.now() - start) / 1000);
      return response;
    },
    flush: () => wrongKeys.flush(),
  };
}
