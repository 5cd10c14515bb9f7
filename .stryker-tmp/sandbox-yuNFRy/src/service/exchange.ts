/** One request to `/v3`: who asks, what it costs, what is answered, and what is logged about it. */
// @ts-nocheck

import { startDeadline } from '../rpc/deadline.js';
import { accepts, compactType } from '../rpc/mediaType.js';
import { createAdmission } from './admission.js';
import { answerBatch, type BatchOrder } from './answer.js';
import { readBatch } from './batch.js';
import { readText } from './body.js';
import type { CallId } from './call.js';
import type { KeyRing } from './keys.js';
import type { ServiceLimits } from './limits.js';
import type { ServiceLog } from './log.js';
import type { MethodTable } from './methods.js';
import type { ServiceMetrics } from './metrics.js';
import { codes, errorOf, Refusal, refusalOf } from './refusal.js';
import { createReporter } from './reporter.js';
import { createWorkshop } from './workshop.js';

export interface ExchangeOptions {
  readonly keys: KeyRing;
  readonly methods: MethodTable;
  /** Default in turn. */
  readonly order?: BatchOrder;
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

function refuse({ id }: Exchange, refusal: Refusal): Response {
  const { status, retryAfter } = refusal;
  const headers: Record<string, string> = { ...json };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (status === 405) headers.allow = 'POST';
  const body = { jsonrpc: '2.0', id, error: errorOf(refusal) };
  return new Response(JSON.stringify(body), { status, headers });
}

function answered(body: string | Uint8Array, block: number | undefined): Response {
  const type = typeof body === 'string' ? json : { 'content-type': compactType };
  const headers = block === undefined ? type : { ...type, 'l2-block-number': String(block) };
  return new Response(body as BodyInit, { headers });
}

export function createExchanges(options: ExchangeOptions): Exchanges {
  const { keys, methods, order = 'in turn', limits, log, metrics } = options;
  const { time } = limits;
  const admission = createAdmission(keys, limits.requestsPerSecond);
  const workshop = createWorkshop(limits, keys.size, metrics);
  const reporter = createReporter(log, metrics, 'request');
  const slow = () =>
    new Refusal(codes.invalidRequest, `the body did not come in ${time} ms`, { status: 408 });

  async function respond(exchange: Exchange, lane: number): Promise<Response> {
    const { request } = exchange;
    const clock = startDeadline(time);
    try {
      const text = await clock.race(readText(request, limits.bodyBytes), slow);
      const batch = readBatch(text, methods, limits);
      const { calls, cost, isSingle } = batch;
      const [first] = calls;
      if (isSingle) exchange.id = first?.id ?? null;
      else exchange.calls = calls.length;
      admission.charge(lane, cost);
      if (calls.every(({ isNotification }) => isNotification)) {
        return new Response(null, { status: 204 });
      }
      if (isSingle && first?.work instanceof Refusal) throw first.work;
      exchange.slots = cost - calls.length;
      const { body, block } = await workshop.run({ request, clock, lane, cost }, (pause) =>
        answerBatch(batch, { pause, takesCompact: accepts(request, compactType) }, { order, log }),
      );
      exchange.block = block;
      return answered(body, block);
    } finally {
      clock.stop();
    }
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
        exchange.lane = admission.admit(request, key);
        response = await respond(exchange, exchange.lane);
      } catch (error) {
        const refusal = refusalOf(error, log);
        code = refusal.code;
        response = refuse(exchange, refusal);
      }
      const seconds = (performance.now() - start) / 1000;
      const { lane, block, slots, calls } = exchange;
      reporter.report({ status: response.status, code, seconds, lane }, { block, slots, calls });
      return response;
    },
    flush: reporter.flush,
  };
}
