/** An EIP-1193 provider that answers what was proven, and refuses the rest. */
import type { AnchoredRoot } from '../anchor/index.js';
import { untilAborted } from '../deadline.js';
import { createStateClient } from '../proven/index.js';
import { createEvents, type Listener, type UnprovenRequest } from './events.js';
import { createAnswerer, type Explained } from './methods/prove.js';
import { checkProviderOptions, type ProviderOptions } from './options.js';
import { notVerified, ProviderError } from './params/errors.js';
import { reading, readRpcRequest } from './params/params.js';
import { createPlanner } from './plan.js';
import { createAnchors } from './state/anchors.js';
import { createCodes } from './state/codes.js';
import { createCurrents } from './state/current.js';
import { createHints } from './state/hints.js';
import { createHistories } from './state/histories.js';
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
  /** `unproven` tells of each request whose answer a server is believed about; `disconnect`, of the end. */
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

const closed = () => new ProviderError(4900, 'the provider was closed');

/**
 * Opens a provider. Nobody is asked before the first request.
 *
 * @throws TypeError or RangeError for a wrong option
 *
 * @example
 * ```ts
 * import { networks } from 'l2proof/anchor';
 * import { createProvider } from 'l2proof/provider';
 * import { createTransport } from 'l2proof/rpc';
 *
 * const provider = createProvider({
 *   l2: createTransport({ url: 'https://l2.example' }),
 *   l1: createTransport({ url: 'https://l1.example' }),
 *   network: networks.mainnet,
 * });
 * const params = ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', 'latest'];
 * console.log(await provider.request({ method: 'eth_getBalance', params })); // 0x21e19e0c9bab2400023
 * provider.close();
 * ```
 */
export function createProvider(options: ProviderOptions): Provider {
  const parts = checkProviderOptions(options);
  const { l2, network, source, refresh } = parts;
  const lifetime = createLifetime();
  const anchors = createAnchors({ network, l2, source, refresh, lifetime });
  const currents = createCurrents(anchors, parts.current);
  const server = { transport: l2, method: network.method };
  const client = createStateClient({ ...server, form: 'auto' });
  const json = createStateClient(server);
  const viewOf = createViews({ client, json, lifetime, maxEntries });
  const codes = createCodes(l2, lifetime);
  const means = { codes, hints: createHints(l2, lifetime), lifetime };
  const { maxBlocks, maxRange } = parts;
  const askHistory = createHistories({ l2, viewOf, anchors, lifetime, maxBlocks, maxRange });
  const prove = createAnswerer({ currents, viewOf, askHistory, means });
  const { emit, on, removeListener } = createEvents();

  const plan = createPlanner({ ...parts, prove, lifetime, emit });

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
    const read = reading(() => readRpcRequest(request));
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
        currents.latest().then(
          ({ state }) => state,
          (error) => {
            throw notVerified('the anchor', error, undefined);
          },
        ),
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
