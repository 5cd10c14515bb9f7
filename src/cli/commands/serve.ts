/** `l2proof serve`: answers `l2_getProof` from a store, decodes transactions and tells balances, until a signal ends it. */
import type { Hex } from '../../index.js';
import type { Peer } from '../../peer.js';
import {
  contractFinality,
  createLog,
  createMetrics,
  createService,
  type DataInterface,
  type Decoder,
  fixedFinality,
  type OwnState,
  type ServiceLog,
  type ServiceOptions,
  shareLimits,
  startServer,
  storeFinality,
} from '../../service/index.js';
import { openStateTree, type StateTree } from '../../tree/index.js';
import { UsageError } from '../exit/exit.js';
import {
  anchorPeers,
  callPeers,
  decoderPeers,
  namingNeeds,
  watchPeers,
  webPeers,
} from '../exit/needs.js';
import { asUsage } from '../flags/args.js';
import { openDecoder } from '../flags/serve/decoderFlags.js';
import { pageFailure, pageSettings } from '../flags/serve/pageSettings.js';
import { parseRequest, type ServeRequest, serveNames } from '../flags/serve/serveRequest.js';
import { listenError, untilSignal } from '../listen/listen.js';
import {
  isOneOfSeveral,
  leave,
  metricsOfAll,
  startProcesses,
  untilStopped,
} from '../listen/processes.js';
import { openData } from '../store/openData.js';
import { closeSoon, openStore, storePeer } from '../store/openStore.js';

/** All packages that serving needs. */
const peersOf = ({ store, node, decoding, data, fork }: ServeRequest): readonly Peer[] => [
  ...webPeers,
  ...(store === undefined ? [] : [storePeer(store)]),
  ...(decoding?.store === undefined ? [] : (['lmdb'] as const)),
  ...data.map(({ store }) => storePeer(store)),
  ...watchPeers,
  ...(node === undefined ? [] : anchorPeers),
  ...(decoding === undefined ? [] : decoderPeers),
  ...(fork === undefined ? [] : callPeers),
];

type AnyFinality = NonNullable<ServiceOptions['finality']>;

function finalityOf(
  { height, l1, rollup }: ServeRequest,
  tree: StateTree,
  log: ServiceLog,
): AnyFinality {
  if ((height === undefined) === (rollup === undefined)) {
    throw new UsageError('either --finality or --rollup is required, and not both');
  }
  if (height === 'store') return storeFinality(tree);
  if (height !== undefined) return fixedFinality(height);
  if (l1 === undefined)
    throw new UsageError('--rollup needs --l1 or L2PROOF_L1, the URL of an L1 node');
  const onError = (err: unknown) => log.warn({ err }, 'the L1 endpoint failed');
  try {
    return contractFinality({ url: l1, contract: rollup as Hex, onError });
  } catch (cause) {
    throw asUsage(serveNames, cause);
  }
}

/** The state that proofs are made from; undefined if none are. */
async function openState(request: ServeRequest, log: ServiceLog) {
  const { store, hash, chainId, aliases } = request;
  if (store === undefined) {
    const { height, rollup } = request;
    if (height !== undefined || rollup !== undefined || chainId !== undefined || aliases.length) {
      throw new UsageError('--finality, --rollup, --chain-id and --alias need --store');
    }
    return undefined;
  }
  const opened = await openStore(store, true);
  try {
    const tree = await openStateTree({ hash, store: opened });
    // A state that is marked as wrong is refused here, and not request by request.
    await tree.newestBlock();
    return { tree, finality: finalityOf(request, tree, log) };
  } catch (error) {
    await closeSoon(opened, true);
    throw error;
  }
}

type State = NonNullable<Awaited<ReturnType<typeof openState>>>;

/** The state that amounts are worked out on, if the user says by which rules. */
const ownStateOf = ({ fork }: ServeRequest, { tree, finality }: State): OwnState | undefined =>
  fork && { tree, finality, fork };

/** Serves until it is told to end. @param attend told the port */
async function listen(
  request: ServeRequest,
  log: ServiceLog,
  {
    parts,
    attend,
  }: {
    parts: Partial<State> & Pick<ServiceOptions, 'node' | 'decoder' | 'data' | 'page'>;
    attend: (port: number) => Promise<unknown>;
  },
): Promise<void> {
  const { host, port, keys, aliases, chainId, cors, processes } = request;
  const own = await createMetrics();
  const isPart = isOneOfSeveral();
  const metrics = isPart ? metricsOfAll(own) : own;
  const { limits, server: bounds } = isPart ? share(processes, request) : request;
  const options = { ...parts, keys, aliases, cors, limits, log, metrics };
  const service = await createService(
    chainId === undefined ? options : { ...options, chainId },
  ).catch((cause) => {
    throw asUsage(serveNames, pageFailure(request, cause));
  });
  const server = await startServer(service, { ...bounds, host, port }).catch((cause) => {
    throw listenError(asUsage(serveNames, cause), host, port);
  });
  await attend(server.port);
  await server.stop();
}

/** The limits of one of several processes. @throws UsageError */
function share(processes: number, { limits, server }: ServeRequest) {
  try {
    return shareLimits(processes, { limits, server });
  } catch (cause) {
    throw asUsage(serveNames, cause);
  }
}

/** Serves in this process. @param attend told the port; serving ends when it resolves */
async function serveHere(
  request: ServeRequest,
  log: ServiceLog,
  attend: (port: number) => Promise<unknown>,
): Promise<void> {
  const { decoding } = request;
  const page = await pageSettings(request);
  const state = await openState(request, log);
  let decoder: Decoder | undefined;
  let data: DataInterface | undefined;
  try {
    decoder = decoding && (await openDecoder(decoding, log));
    if (decoder && request.data.length > 0) {
      const own = state && ownStateOf(request, state);
      const { links, nftMetadata } = request;
      data = await openData(request.data, { ...links, nftMetadata, decoder, log, state: own });
    }
    const { node } = request;
    const parts = {
      ...state,
      ...(node && { node }),
      ...(decoder && { decoder }),
      ...(data && { data }),
      ...(page !== undefined && { page }),
    };
    await listen(request, log, { parts, attend });
  } finally {
    await data?.close();
    await decoder?.close();
    if (state) await closeSoon(state.tree, false);
  }
}

async function serve(request: ServeRequest): Promise<void> {
  const { host, keys, logLevel, processes } = request;
  const log = await createLog(logLevel);
  if (isOneOfSeveral()) {
    // Listened for from the beginning: it may be told before it serves.
    const stopped = untilStopped();
    // Nothing else lets it end: it would go on listening for what it is told.
    await serveHere(request, log, () => stopped).finally(leave);
    return;
  }
  /** Says that it listens, and waits for a signal. */
  const attend = async (port: number): Promise<void> => {
    const ended = untilSignal();
    // Said at every level but silent: the port may be known from nowhere else.
    const startLog = logLevel === 'silent' ? log : await createLog('info');
    const several = processes > 1 ? { processes } : {};
    startLog.info({ host, port, keys: keys.length, ...several }, 'listening');
    log.info({ signal: await ended }, 'stopping');
  };
  if (processes === 1) await serveHere(request, log, attend);
  else {
    const all = await startProcesses(processes, log);
    if (all === undefined) return;
    await attend(all.port);
    await all.stop();
  }
  log.info({}, 'stopped');
}

/**
 * Runs the command.
 *
 * @throws CliError
 */
export async function runServe(args: readonly string[]): Promise<undefined> {
  const request = parseRequest(args);
  try {
    await serve(request);
  } catch (cause) {
    throw namingNeeds('serving', peersOf(request), cause);
  }
}
