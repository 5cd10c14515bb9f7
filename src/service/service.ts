/** The service as a function from Request to Response, for any platform that has both. */
import { ownOptions } from '../foreign/argument.js';
import { isSentToLoopback } from '../loopback.js';
import type { Transport } from '../rpc/index.js';
import type { DataInterface } from './data/dataInterface.js';
import type { Decoder } from './decoder/decoder.js';
import { checkOrigins } from './http/cors.js';
import { toHttpError } from './http/httpError.js';
import { checkFunctions, checkLog, type ServiceLog } from './http/log.js';
import { wrongHost } from './http/loopback.js';
import { loadBlocksPeer, loadDecoderPeer, loadServicePeer } from './http/peers.js';
import { createRpcHandler, type RpcHandler } from './jsonrpc/rpcHandler.js';
import { mountRpcHandler } from './jsonrpc/web.js';
import { createKeyRing } from './limits/keys.js';
import { readLimits, type ServiceLimits } from './limits/limits.js';
import { createQueue, type Queue } from './limits/queue.js';
import type { PageSettings } from './page/settings.js';
import type { AnyFinality, ProvingTree } from './proofs/block.js';
import { createMethods } from './proofs/methods.js';
import { createWatch } from './rest/watchRoutes.js';
import type { ServiceMetrics } from './watch/metrics.js';

/** Options of {@link createService}. */
export interface ServiceOptions {
  /** Where proofs come from; without it, and with a decoder, the service only decodes. */
  tree?: ProvingTree;
  /**
   * Highest L2 block that is finalized on L1, or undefined if none is; asked for every request, so it should keep its
   * answer a while. With a tree it is required.
   */
  finality?: AnyFinality;
  /**
   * A node of the same chain: `l2_getHeaders`, blocks, transactions and receipts are then answered from it, for clients
   * of `l2proof/history`, and `eth_getProof`, for those who have the hash of a block from L1. It needs a tree. Default: none of these are answered.
   */
  node?: Transport;
  /** Decodes transactions; made by `createDecoder`. Closing it is up to the caller. Default: none are decoded. */
  decoder?: Decoder;
  /** Tells what wallets hold; made by `createDataInterface` with the same decoder. Closing it is up to the caller. */
  data?: DataInterface;
  /**
   * Serves the explorer at `/`: a page that verifies in the reader's browser what it shows. These are its settings, which
   * every reader gets from `/page.json`; `{}` for none. It asks for no key. Default: there is no page.
   */
  page?: PageSettings;
  /** API keys, 8 to 256 characters each. Default none: every client that can reach the service may ask. */
  keys?: readonly string[];
  /** Further names of `l2_getProof`, such as `linea_getProof`. */
  aliases?: readonly string[];
  /** What `eth_chainId` is answered, from 1; default: that method is not answered. */
  chainId?: number | bigint;
  /** Origins whose pages may ask; `*` for all. Default none. */
  cors?: readonly string[];
  /** Bounds of requests and of work; see {@link ServiceLimits} for the defaults. */
  limits?: Partial<ServiceLimits>;
  /** Takes a line for each request; default none. */
  log?: ServiceLog;
  /** Counts for `/metrics`; default none, and then there is no such path. */
  metrics?: ServiceMetrics;
}

/** Answers requests. */
export interface Service {
  /**
   * Answers one request.
   *
   * - `POST /v3/<API_KEY>`: JSON-RPC 2.0, a call of `l2_getProof`, `eth_chainId` or, with an L2 node, of what is asked
   *   about blocks; or a batch of them
   * - `POST /api/v1/tx/decode`: the events of a transaction, if a decoder was given
   * - `GET /api/v1/healthcheck` and `GET /openapi.json`: of the decoder
   * - `GET /v1/`: balances, transactions, blocks and logs of chains, if a data interface was given
   * - `GET /`, `/assets/`, `/files.json` and `/page.json`: the explorer, if settings of it were given
   * - `GET /health`: 200 while the process answers
   * - `GET /ready`: 200 if a finalized block is held, else 503
   * - `GET /metrics`: for Prometheus, if metrics were given
   */
  fetch(request: Request): Response | Promise<Response>;
  /** Whether no key is asked for. */
  readonly isOpen: boolean;
  /** The bounds that hold. */
  readonly limits: ServiceLimits;
  /** From now on `/ready` says 503, so that load balancers send no more requests. All are answered as before. */
  drain(): void;
}

const names = [
  ...(['tree', 'finality', 'node', 'decoder', 'data', 'page'] as const),
  ...(['keys', 'aliases', 'chainId', 'cors', 'limits', 'log', 'metrics'] as const),
] as const;

/** The source of proofs, if the service makes any. @throws TypeError */
function stateOf({ tree, finality, decoder }: ServiceOptions) {
  if (tree === undefined && finality === undefined && decoder !== undefined) return undefined;
  if (tree !== undefined && finality !== undefined) return { tree, finality };
  throw new TypeError('the service expected "tree" and "finality", or a "decoder", or all three');
}

/** @throws TypeError or RangeError */
function checkOptions(options: ServiceOptions) {
  const given = ownOptions(options, names, 'options', ['keys', 'limits']);
  const { aliases = [], chainId, cors: origins = [], node, log, metrics } = given;
  const { decoder, data, page } = given;
  const state = stateOf(given);
  if (data !== undefined && decoder === undefined) {
    throw new TypeError('"data" expected the "decoder" that it was made with beside it');
  }
  if (node !== undefined) {
    checkFunctions(node, ['call'], 'node');
    if (state === undefined) throw new TypeError('"node" expected a "tree" beside it');
  }
  for (const [name, list] of Object.entries({ aliases, cors: origins, keys: given.keys ?? [] })) {
    if (!Array.isArray(list)) throw new TypeError(`"${name}" expected an array`);
  }
  checkOrigins(origins);
  if (state) {
    checkFunctions(state, ['finality'], 'options');
    checkFunctions(state.tree, ['newestBlock', 'getProof'], 'tree');
  }
  checkLog(log);
  if (metrics) checkFunctions(metrics, ['answered', 'running', 'newestBlock', 'read'], 'metrics');
  const keys = createKeyRing(given.keys ?? []);
  const limits = readLimits(given.limits);
  return {
    ...{ state, node, decoder, data, page, keys, limits },
    ...{ aliases, chainId, origins, log, metrics },
  };
}

/** What a server of this process uses besides `fetch`. */
interface ServiceParts {
  /** They answer calls to `/v3`, for a server that has no Request to give. Undefined if nothing makes proofs. */
  readonly rpcHandler: RpcHandler | undefined;
  readonly queue: Queue;
}

/** By `fetch`: if a caller replaces that function, its own one gets all requests. */
const partsBehind = new WeakMap<Service['fetch'], ServiceParts>();

/** The parts of a service that {@link createService} made; undefined for another one. */
export const partsOf = ({ fetch }: Service): ServiceParts | undefined => partsBehind.get(fetch);

/**
 * Makes a service.
 *
 * @throws ServiceError `MISSING_PEER`
 * @throws TypeError or RangeError for wrong options
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  const { Hono } = await loadServicePeer('hono', import('hono'));
  const given = checkOptions(options);
  const { state, keys, limits, aliases, chainId, origins, log, metrics } = given;
  const blocks = given.node ? await openBlocks(given.node) : [];
  // One for all routes: however many there are, a light request waits for one piece of each other client.
  const queue = createQueue();
  const rpcHandler =
    state &&
    createRpcHandler({
      keys,
      methods: createMethods({ ...state, aliases, chainId, limits, blocks }),
      limits,
      queue,
      origins,
      log,
      metrics,
    });
  const routes = given.decoder && (await openRoutes(given.decoder));
  const page = given.page === undefined ? undefined : await openExplorer(given.page);
  const watch = createWatch({ state, limits, log, metrics });

  async function openBlocks(node: Transport) {
    const loading = import('./blocks/index.js');
    return (await loadBlocksPeer('@ethereumjs/rlp', loading)).createBlockMethods(node, limits);
  }

  async function openRoutes(decoder: Decoder) {
    const loading = import('./routes/index.js');
    const { serveRoutes } = await loadDecoderPeer('@hono/zod-openapi', loading);
    return serveRoutes(decoder, given.data, { keys, limits, queue, log, metrics, origins });
  }

  async function openExplorer(settings: PageSettings) {
    const { openPage } = await import('./page/page.js');
    return openPage(settings);
  }

  const app = new Hono();
  if (rpcHandler) await mountRpcHandler(app, rpcHandler, origins);
  await routes?.mount(app);
  watch.mount(app);
  // The explorer gets what nothing else answers: no file of it can take the place of a route.
  app.notFound(
    ({ req }) =>
      routes?.refuse(req.path) ??
      page?.answer(req.path, req.raw) ??
      Response.json({ error: 'not found' }, { status: 404 }),
  );
  app.onError((error) => {
    const { message } = toHttpError(error, log);
    return Response.json({ error: message }, { status: 500 });
  });

  // Before the routes, not as one of them: beside another handler, hono waits for each answer.
  const isRefused = ({ headers }: Request) =>
    keys.isOpen && !isSentToLoopback(headers.get('host') ?? undefined);
  const fetch = (request: Request) =>
    isRefused(request)
      ? Response.json({ error: wrongHost().message }, { status: 403 })
      : app.fetch(request);
  partsBehind.set(fetch, { rpcHandler, queue });
  return {
    fetch,
    isOpen: keys.isOpen,
    limits,
    drain() {
      watch.drain();
      rpcHandler?.flush();
      routes?.flush();
    },
  };
}
