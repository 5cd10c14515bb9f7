/** The source of an answer: proofs, the provider itself, or the server. */
import type { Network } from '../anchor/index.js';
import { HistoryError, type HistoryErrorCode } from '../history/verify/errors.js';
import type { Transport } from '../rpc/index.js';
import type { createEvents } from './events.js';
import type { ParsedRequest, ProvenMethods } from './methods/methods.js';
import { ownAnswers } from './methods/ownAnswers.js';
import type { Passing } from './methods/passthrough.js';
import type { createAnswerer, Explained } from './methods/prove.js';
import { readSending, sendTransaction } from './methods/send.js';
import { notPassed, ProviderError } from './params/errors.js';
import { readParams, type readRpcRequest } from './params/params.js';
import type { Lifetime } from './state/lifetime.js';

type Request = ReturnType<typeof readRpcRequest>;

interface PlannerOptions {
  readonly l2: Transport;
  readonly network: Network;
  readonly methods: ProvenMethods;
  readonly passing: (method: string, params: unknown) => Passing;
  readonly absence: 'server' | undefined;
  readonly prove: ReturnType<typeof createAnswerer>;
  readonly lifetime: Lifetime;
  readonly emit: ReturnType<typeof createEvents>['emit'];
}

interface Sending {
  readonly send: (signal: AbortSignal) => Promise<unknown>;
  /** The assumptions of the answer. */
  readonly assumed: string;
  readonly signal: AbortSignal | undefined;
}

/** Code of the HistoryError that kept a request from being answered, if it was one. */
const causeOf = (error: unknown): HistoryErrorCode | undefined =>
  error instanceof ProviderError && error.cause instanceof HistoryError
    ? error.cause.code
    : undefined;

/** Whether a request is about what is later than all that is proven, or is nowhere in it. */
const isBeyond = (error: unknown): boolean =>
  ['TOO_NEW', 'NOT_PROVEN'].includes(causeOf(error) ?? '');

/** @returns reads all of a request, and gives what answers it; throws ProviderError for what is not answered */
export function createPlanner({
  l2,
  network,
  methods,
  passing,
  absence,
  prove,
  lifetime,
  emit,
}: PlannerOptions): (request: Request) => () => Promise<Explained> {
  async function pass(
    method: string,
    params: unknown,
    { send, assumed, signal }: Sending,
  ): Promise<Explained> {
    emit('unproven', { method, params });
    try {
      return {
        result: await lifetime.run(send, signal),
        proven: false,
        anchor: undefined,
        assumed: [assumed],
      };
    } catch (error) {
      throw notPassed(method, error);
    }
  }

  /** Answers what the server says not to have. @throws the error, if that may not be believed */
  function answerAbsence(
    { method, params }: Omit<Request, 'signal'>,
    absent: readonly HistoryErrorCode[],
    error: unknown,
  ): Explained {
    const code = causeOf(error);
    if (absence === undefined || code === undefined || !absent.includes(code)) throw error;
    const assumed = ['absence'];
    emit('unproven', { method, params, assumed });
    return { result: null, proven: false, anchor: undefined, assumed };
  }

  return function plan({ method, params, signal }: Request): () => Promise<Explained> {
    const passed = () => {
      const send = (signal: AbortSignal) =>
        l2.call(method, (params ?? []) as readonly unknown[], { signal });
      return pass(method, params, { send, assumed: 'result', signal });
    };
    const howPassed = passing(method, params);
    if (howPassed === 'all') return passed;
    if (method === 'eth_sendRawTransaction') {
      const sending = readSending(params);
      const send = (signal: AbortSignal) => sendTransaction(l2, sending, signal);
      return () => pass(method, params, { send, assumed: 'broadcast', signal });
    }
    const own = ownAnswers.get(method);
    if (own) {
      readParams(method, params, 0);
      const result = own(network);
      return async () => ({ result, proven: true, anchor: undefined, assumed: [] });
    }
    const read = methods.get(method);
    if (read === undefined) {
      const text = `${method} is not available: it is not proven, and "passthrough" does not name it`;
      throw new ProviderError(4200, text);
    }
    const wanted: ParsedRequest = read(params);
    return async () => {
      try {
        return await prove(method, wanted, signal);
      } catch (error) {
        if (howPassed === 'beyond' && isBeyond(error)) return passed();
        return answerAbsence({ method, params }, wanted.absent, error);
      }
    };
  };
}
