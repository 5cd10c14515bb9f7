/** An EIP-1193 provider that answers what was proven, and refuses the rest. */
import type { AnchoredRoot } from '../anchor/index.js';
import { untilAborted } from '../deadline.js';
import { createProofClient } from '../rpc/index.js';
import { createEvents, type Listener, type UnprovenRequest } from './events.js';
import { ownAnswers } from './methods/ownAnswers.js';
import { createAnswerer, type Explained } from './methods/prove.js';
import { readSending, sendTransaction } from './methods/send.js';
import { checkProviderOptions, type ProviderOptions } from './options.js';
import { notPassed, notVerified, ProviderError } from './params/errors.js';
import { reading, readParams, readRequest } from './params/params.js';
import { createAnchors } from './state/anchors.js';
import { createCodes } from './state/codes.js';
import { createHints } from './state/hints.js';
import { createLifetime } from './state/lifetime.js';
import { createViews } from './state/view.js';

/** A request as EIP-1193 has it. */
export interface ProviderRequest {
  /** The JSON-RPC method. */
  readonly method: string;
  /** An array, or nothing. */
  readonly params?: unknown;
  /** Ends the request, and the run of a call with it; the request then fails with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** An EIP-1193 provider. */
export interface Provider {
  /** Answers a request from proofs, or refuses it. @throws ProviderError; the reason of the request's signal */
  request(request: ProviderRequest): Promise<unknown>;
  /** The same, with what the answer rests on. @throws ProviderError */
  explain(request: ProviderRequest): Promise<Explained>;
  /** The anchored block, a new one if it is time for that. @throws ProviderError */
  anchor(): Promise<AnchoredRoot>;
  /** `unproven` tells of each request that is passed on; `disconnect`, of the end. */
  on(event: 'unproven', listener: (request: UnprovenRequest) => void): void;
  /** Listeners of other events are never called: EIP-1193 wants them to be taken. */
  on(event: string, listener: Listener): void;
  /** Takes a listener away. */
  removeListener(event: string, listener: Listener): void;
  /** Ends all requests, those under way with code 4900. */
  close(): void;
}

/** Accounts and slots that are kept under each root. */
const maxEntries = 65_536;

interface Passing {
  readonly send: (signal: AbortSignal) => Promise<unknown>;
  /** What has to be believed of the answer. */
  readonly assumed: string;
  readonly signal: AbortSignal | undefined;
}

const closed = () => new ProviderError(4900, 'the provider was closed');

/**
 * Opens a provider. Nobody is asked before the first request.
 *
 * @throws TypeError or RangeError for a wrong option
 */
export function createProvider(options: ProviderOptions): Provider {
  const { l2, network, source, methods, isPassed, refresh } = checkProviderOptions(options);
  const lifetime = createLifetime();
  const anchors = createAnchors({ network, source, refresh, lifetime });
  const server = { transport: l2, method: network.method };
  const client = createProofClient({ ...server, form: 'auto' });
  const json = createProofClient(server);
  const viewOf = createViews({ client, json, lifetime, maxEntries });
  const codes = createCodes(l2, lifetime);
  const means = { codes, hints: createHints(l2, lifetime), lifetime };
  const prove = createAnswerer({ anchors, viewOf, means });
  const { emit, on, removeListener } = createEvents();

  async function pass(
    method: string,
    params: unknown,
    { send, assumed, signal }: Passing,
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

  /** What answers a request. All of the request is read here. @throws ProviderError if it asks for something else */
  function plan({
    method,
    params,
    signal,
  }: ReturnType<typeof readRequest>): () => Promise<Explained> {
    if (isPassed(method, params)) {
      const send = (signal: AbortSignal) =>
        l2.call(method, (params ?? []) as readonly unknown[], { signal });
      return () => pass(method, params, { send, assumed: 'result', signal });
    }
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
    const wanted = read(params);
    return () => prove(method, wanted, signal);
  }

  /** Work that ends with the provider. */
  async function untilClosed<T>(work: () => Promise<T>): Promise<T> {
    if (lifetime.isOver) throw closed();
    try {
      return await work();
    } catch (error) {
      throw lifetime.isOver ? closed() : error;
    }
  }

  async function explain(request: ProviderRequest): Promise<Explained> {
    const read = reading(() => readRequest(request));
    const answer = reading(() => plan(read));
    const { signal } = read;
    signal?.throwIfAborted();
    // What others wait for, too, goes on if this caller gives up.
    return untilAborted(untilClosed(answer), signal);
  }

  return {
    explain,
    request: async (request) => (await explain(request)).result,
    anchor: () =>
      untilClosed(() =>
        anchors.latest().catch((error) => {
          throw notVerified('the anchor', error, undefined);
        }),
      ),
    on,
    removeListener,
    close() {
      if (lifetime.isOver) return;
      lifetime.end(closed());
      emit('disconnect', closed());
    },
  };
}
