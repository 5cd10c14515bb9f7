/** `POST /api/v1/tx/decode`: the key, the cost, the answer and the log line of a request. */
import type { Deadline } from '../../deadline.js';
import type { ChainDecoder } from '../decoder/chainDecoder.js';
import type { OpenDecoder } from '../decoder/decoder.js';
import { readText } from '../http/body.js';
import type { ServiceLog } from '../http/log.js';
import { codes, Refusal } from '../http/refusal.js';
import { createWorkshop, readInTurn, readingCost } from '../jsonrpc/workshop.js';
import type { KeyRing } from '../limits/keys.js';
import type { ServiceLimits } from '../limits/limits.js';
import type { Queue } from '../limits/queue.js';
import { createRates } from '../limits/rates.js';
import type { ServiceMetrics } from '../watch/metrics.js';
import {
  answered,
  noSuchRoute,
  noSuchTransaction,
  refuse,
  unauthorized,
} from './decoderReplies.js';
import { keyOf, readBody, readQuery } from './decoderRequest.js';
import { createDesk, type Visit } from './desk.js';

export interface DecodeRouteOptions {
  readonly decoder: OpenDecoder;
  readonly keys: KeyRing;
  readonly limits: ServiceLimits;
  readonly queue: Queue;
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
interface Exchange extends Visit {
  readonly request: Request;
  chain: string | undefined;
  /** Logs that were decoded for it. */
  logs: number | undefined;
}

export function createDecodeRoute(options: DecodeRouteOptions): DecodeRoute {
  const { decoder, keys, limits, queue, log, metrics } = options;
  const { time, requestsPerSecond } = limits;
  const rates = createRates({
    lanes: keys.size,
    unitsPerSecond: requestsPerSecond,
    refusal: `more than ${requestsPerSecond} units of cost per second; a request costs 1, and 1 for each log`,
  });
  const workshop = createWorkshop({ limits, lanes: keys.size, queue });
  const desk = createDesk<Exchange>(
    { time, log, metrics, title: 'decode', refuse },
    ({ chain, logs }) => ({ chain, logs }),
  );
  const slow = () =>
    new Refusal(codes.invalidRequest, `the body did not come in ${time} ms`, { status: 408 });
  const isChain = (name: string) => decoder.chainOf(name) !== undefined;

  /** @throws Refusal */
  function admit(request: Request): number {
    // Other methods of the path are no route, with any key.
    if (request.method !== 'POST') throw noSuchRoute();
    const key = keyOf(request);
    const lane = keys.find(key);
    if (lane !== undefined) return lane;
    throw unauthorized(key === '' ? 'x-goldrush-api-key is required' : 'the API key is unknown');
  }

  async function respond(exchange: Exchange, clock: Deadline): Promise<Response> {
    const { request } = exchange;
    const lane = admit(request);
    exchange.lane = lane;
    const query = readQuery(request.url);
    const text = await clock.race(readText(request, limits.bodyBytes), slow);
    const asker = { isGone: () => request.signal.aborted, clock, lane };
    // A body is paid for before it is read. The cost of the logs is charged afterwards.
    rates.charge(lane, readingCost(text));
    const { chainName, txHash } = await readInTurn(workshop, asker, text, () =>
      readBody(text, isChain),
    );
    exchange.chain = chainName;
    const chain = decoder.chainOf(chainName) as ChainDecoder;
    const question = { ...query, txHash };
    const remembered = chain.peek(question);
    if (remembered !== undefined) return answered(remembered);
    const onLogs = (count: number) => {
      exchange.logs = count;
      rates.owe(lane, count);
    };
    const answer = await workshop.run({ ...asker, cost: 1 }, (pause) =>
      chain.decode(question, { pause, onLogs }),
    );
    if (answer === undefined) throw noSuchTransaction();
    return answered(answer);
  }

  return {
    answer: (request) =>
      desk.serve({ request, lane: undefined, chain: undefined, logs: undefined }, respond),
    flush: desk.flush,
  };
}
