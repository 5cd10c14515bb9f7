/** One request to `/v3`: its key, its cost, its answer and its log line. */
import { startDeadline } from '../../deadline.js';
import { accepts, compactType, jsonType } from '../../rpc/mediaType.js';
import { readersOf } from '../http/cors.js';
import type { HttpReply, HttpRequest } from '../http/http.js';
import { codes, HttpError, toHttpError } from '../http/httpError.js';
import type { ServiceLog } from '../http/log.js';
import type { KeyRing } from '../limits/keys.js';
import type { ServiceLimits } from '../limits/limits.js';
import { freeFlows, type Queue } from '../limits/queue.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import { createReporter } from '../watch/reporter.js';
import { createAdmission } from './admission.js';
import { answerBatch, type BatchOrder, type BatchReply, refusalOf } from './answer.js';
import { type CallBatch, readBatch } from './batch.js';
import type { CallId } from './call.js';
import type { MethodTable, Pause } from './method.js';
import { createScheduler, guessedCost, readingCost } from './scheduler.js';

interface RpcHandlerOptions {
  readonly keys: KeyRing;
  readonly methods: MethodTable;
  /** Default in turn. */
  readonly order?: BatchOrder;
  readonly limits: ServiceLimits;
  /** The turns of the work. */
  readonly queue: Queue;
  /** Whose pages may read the answers; default none. */
  readonly origins?: readonly string[];
  readonly log: ServiceLog | undefined;
  readonly metrics: ServiceMetrics | undefined;
}

export interface RpcHandler {
  /** Answers a request, counts it and logs it. @param key the segment of the path */
  answer(request: HttpRequest, key: string): Promise<HttpReply>;
  /** Logs what was only counted so far. */
  flush(): void;
}

/** One request on its way. */
interface RequestContext {
  readonly request: HttpRequest;
  /** Place of the key. */
  keyIndex: number | undefined;
  id: CallId;
  block: number | undefined;
  /** Storage keys asked for. */
  slots: number | undefined;
  /** Calls of a batch. */
  calls: number | undefined;
}

function refuse({ id }: RequestContext, refusal: HttpError): HttpReply {
  const { status, retryAfter } = refusal;
  const headers: Record<string, string> = { 'content-type': jsonType };
  if (retryAfter !== undefined) headers['retry-after'] = String(retryAfter);
  if (status === 405) headers.allow = 'POST';
  return { status, headers, body: refusalOf(id, refusal) };
}

function answered({ type, body, block }: BatchReply): HttpReply {
  const headers =
    block === undefined
      ? { 'content-type': type }
      : { 'content-type': type, 'l2-block-number': String(block) };
  return { status: 200, headers, body };
}

/**
 * Notes what a request turned out to ask.
 *
 * @returns undefined if nobody waits for an answer
 * @throws HttpError if the only call is refused
 */
function asked(context: RequestContext, batch: CallBatch): CallBatch | undefined {
  const { calls, slots, isSingle } = batch;
  const [first] = calls;
  if (isSingle) context.id = first?.id ?? null;
  else context.calls = calls.length;
  if (calls.every(({ isNotification }) => isNotification)) return undefined;
  if (isSingle && first?.work instanceof HttpError) throw first.work;
  context.slots = slots;
  return batch;
}

/** The cost of a proof with a slot or two, which is made and checked in one piece of some 0.2 ms. */
const shortCost = 3;

export function createRpcHandler(options: RpcHandlerOptions): RpcHandler {
  const { keys, methods, order = 'in turn', limits, queue, origins = [], log, metrics } = options;
  const { time } = limits;
  const admission = createAdmission(keys, limits.requestsPerSecond);
  const scheduler = createScheduler({ limits, keyCount: keys.size, queue, shortCost, metrics });
  const readers = origins.length > 0 ? readersOf(origins) : undefined;
  const reporter = createReporter(log, metrics);
  const slow = () =>
    new HttpError(codes.invalidRequest, `the body did not come in ${time} ms`, { status: 408 });

  async function respond(context: RequestContext, keyIndex: number): Promise<HttpReply> {
    const { request } = context;
    const clock = startDeadline(time);
    try {
      const text = await clock.race(request.text(limits.bodyBytes), slow);
      const { isGone } = request;
      // A body is paid for before it is read, for it may turn out to be nothing that is answered.
      const paid = readingCost(text);
      admission.charge(keyIndex, paid);
      const read = () => {
        const batch = readBatch(text, methods, limits);
        admission.owe(keyIndex, Math.max(batch.cost - paid, 0));
        return asked(context, batch);
      };
      // To read a long body takes as long as several answers do. It stays a text until the request has its turn: with the
      // calls of all that wait in memory, each collection of garbage would move all of them.
      const early = paid === 1 ? read() : null;
      const cost = early?.cost ?? guessedCost(text);
      const takesCompact = accepts(request.header('accept'), compactType);
      const work = async (pause: Pause) => {
        if (early === null) await pause();
        const batch = early ?? read();
        const calls = { pause, signal: () => clock.signal, takesCompact };
        return batch && answerBatch(batch, calls, { order, log });
      };
      // Written out: to spread an object takes a tenth of a light answer's time.
      const asking = { isGone, clock, keyIndex, cost };
      const answer = early !== undefined && (await scheduler.run(asking, work));
      if (!answer) return { status: 204, headers: {}, body: undefined };
      context.block = answer.block;
      return answered(answer);
    } finally {
      clock.stop();
    }
  }

  return {
    async answer(request, key) {
      const start = performance.now();
      const context: RequestContext = {
        request,
        keyIndex: undefined,
        id: null,
        block: undefined,
        slots: undefined,
        calls: undefined,
      };
      let reply: HttpReply;
      let code = 0;
      try {
        context.keyIndex = admission.admit(request, key);
        reply = await respond(context, context.keyIndex);
      } catch (error) {
        const refusal = toHttpError(error, log);
        code = refusal.code;
        // No work is left, but it must not be had as fast as it is asked for. That of a request that asked for something
        // is paid for: a call that reverts is refused, too.
        const own = context.keyIndex ?? freeFlows.refusals;
        const isUnpaid = context.slots === undefined;
        reply = await queue.pace(own, isUnpaid, () => refuse(context, refusal));
      }
      const seconds = (performance.now() - start) / 1000;
      const { keyIndex, block, slots, calls } = context;
      const ending = { status: reply.status, code, seconds, keyIndex };
      reporter.report('request', ending, { block, slots, calls });
      if (readers === undefined) return reply;
      return { ...reply, headers: { ...reply.headers, ...readers(request.header('origin')) } };
    },
    flush: reporter.flush,
  };
}
