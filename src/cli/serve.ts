/** `l2proof serve`: answers `l2_getProof` from a store, decodes transactions and tells balances, until a signal ends it. */
import type { Hex } from '../index.js';
import { lmdbStore } from '../lmdb/index.js';
import { installLine } from '../peer.js';
import {
  contractFinality,
  createLog,
  createMetrics,
  createService,
  type DataInterface,
  type Decoder,
  fixedFinality,
  logLevels,
  type ServerOptions,
  ServiceError,
  type ServiceLimits,
  type ServiceLog,
  type ServiceOptions,
  startServer,
  storeFinality,
} from '../service/index.js';
import { openStateTree, type StateTree, TreeError } from '../tree/index.js';
import { asUsage, flag, fromEnvironment, many, option, readArgs, readHash } from './args.js';
import { openData, readDataChains } from './dataChains.js';
import { decodingOptions, openDecoder, readDecoding } from './decoding.js';
import { CliError, exitCodes, UsageError } from './exit.js';
import { listenError, portOf, untilSignal, wholeNumber } from './listen.js';

/** All that serving needs, as the user is told when any of them is missing: whoever misses one misses most. */
const needs = `serving needs more packages; run: ${installLine([
  'hono',
  '@hono/node-server',
  'lmdb',
  'pino',
  'prom-client',
])}`;

const limitFlags = [
  ['max-body', 'bodyBytes'],
  ['max-slots', 'storageKeys'],
  ['max-reads', 'reads'],
  ['max-batch', 'batchCalls'],
  ['max-rate', 'requestsPerSecond'],
  ['max-concurrent', 'concurrent'],
  ['timeout', 'time'],
] as const;

const serverFlags = [
  ['max-connections', 'maxConnections'],
  ['max-connections-per-address', 'maxConnectionsPerAddress'],
] as const;

/** @throws UsageError */
function chainIdOf(text: string): bigint {
  if (!/^([1-9]\d{0,76}|0x[1-9a-fA-F][\da-fA-F]{0,62})$/.test(text)) {
    throw new UsageError('--chain-id expected a number from 1');
  }
  return BigInt(text);
}

/** Whole numbers by the names that the service has for them. @throws RangeError */
function readFlags<Name extends string>(
  flags: readonly (readonly [string, Name])[],
  values: Readonly<Record<string, unknown>>,
): { [name in Name]?: number } {
  const numbers: { [name in Name]?: number } = {};
  for (const [flag, name] of flags) {
    const number = wholeNumber(flag, values[flag] as string | undefined);
    if (number !== undefined) numbers[name] = number;
  }
  return numbers;
}

function parseRequest(args: readonly string[]) {
  const { values } = readArgs(
    args,
    {
      store: option,
      hash: option,
      finality: option,
      l1: option,
      rollup: option,
      host: option,
      port: option,
      key: many,
      alias: many,
      cors: many,
      'chain-id': option,
      drain: option,
      log: option,
      'max-body': option,
      'max-slots': option,
      'max-reads': option,
      'max-batch': option,
      'max-rate': option,
      'max-concurrent': option,
      'max-connections': option,
      'max-connections-per-address': option,
      timeout: option,
      'keep-state': flag,
      ...decodingOptions,
      data: many,
    },
    0,
  );
  const { store, host = '127.0.0.1', log: level = 'info' } = values;
  const decoding = readDecoding(values);
  if (store === undefined && decoding === undefined) {
    throw new UsageError('--store is required: the folder of the store; or --decode NAME=URL');
  }
  const decoded = decoding?.chains.map(({ name }) => name) ?? [];
  const logLevel = logLevels.find((name) => name === level);
  if (!logLevel) throw new UsageError(`--log expected one of ${logLevels.join(', ')}`);
  const port = portOf(values.port ?? '8645');
  const limits = readFlags<keyof ServiceLimits>(limitFlags, values);
  const connections = readFlags<keyof ServerOptions & `max${string}`>(serverFlags, values);
  const unseen = (fromEnvironment('L2PROOF_KEYS') ?? '').split(',').filter((key) => key !== '');
  return {
    store,
    decoding,
    data: readDataChains(values.data ?? [], decoded),
    hash: readHash(values.hash),
    host,
    port,
    logLevel,
    limits,
    server: { ...connections, drain: 1000 * (wholeNumber('drain', values.drain) ?? 5) },
    chainId: values['chain-id'] === undefined ? undefined : chainIdOf(values['chain-id']),
    height: values.finality === 'store' ? 'store' : wholeNumber('finality', values.finality),
    l1: values.l1 ?? fromEnvironment('L2PROOF_L1'),
    rollup: values.rollup,
    keys: [...(values.key ?? []), ...unseen],
    aliases: values.alias ?? [],
    cors: values.cors ?? [],
    keepState: values['keep-state'] ?? false,
  } as const;
}

type Request = ReturnType<typeof parseRequest>;

/** What the service calls its options -> what the user does. */
const names = {
  url: '--l1',
  contract: '--rollup',
  chainId: '--chain-id',
  ...Object.fromEntries(limitFlags.map(([flag, name]) => [`limits.${name}`, `--${flag}`])),
  ...Object.fromEntries(serverFlags.map(([flag, name]) => [name, `--${flag}`])),
};

type AnyFinality = NonNullable<ServiceOptions['finality']>;

function finalityOf(
  { height, l1, rollup }: Request,
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
    throw asUsage(names, cause);
  }
}

/** The state that proofs are made from; undefined if none are. */
async function openState(request: Request, log: ServiceLog) {
  const { store, hash, keepState, chainId, aliases } = request;
  if (store === undefined) {
    const { height, rollup } = request;
    if (height !== undefined || rollup !== undefined || chainId !== undefined || aliases.length) {
      throw new UsageError('--finality, --rollup, --chain-id and --alias need --store');
    }
    return undefined;
  }
  const tree = await openStateTree({
    hash,
    store: lmdbStore({ path: store, readOnly: true }),
    keepState,
  });
  try {
    return { tree, finality: finalityOf(request, tree, log) };
  } catch (error) {
    await tree.close();
    throw error;
  }
}

type State = NonNullable<Awaited<ReturnType<typeof openState>>>;

/** Serves until a signal ends it. */
async function listen(
  request: Request,
  log: ServiceLog,
  parts: Partial<State> & Pick<ServiceOptions, 'decoder' | 'data'>,
): Promise<void> {
  const { host, port, keys, aliases, chainId, cors, limits, logLevel } = request;
  const metrics = await createMetrics();
  const options = { ...parts, keys, aliases, cors, limits, log, metrics };
  const service = await createService(
    chainId === undefined ? options : { ...options, chainId },
  ).catch((cause) => {
    throw asUsage(names, cause);
  });
  const server = await startServer(service, { ...request.server, host, port }).catch((cause) => {
    throw listenError(asUsage(names, cause), host, port);
  });
  const ended = untilSignal();
  // Said at every level but silent: the port may be known from nowhere else.
  const startLog = logLevel === 'silent' ? log : await createLog('info');
  startLog.info({ host, port: server.port, keys: keys.length }, 'listening');
  log.info({ signal: await ended }, 'stopping');
  await server.stop();
}

async function serve(request: Request): Promise<void> {
  const { decoding } = request;
  const log = await createLog(request.logLevel);
  const state = await openState(request, log);
  let decoder: Decoder | undefined;
  let data: DataInterface | undefined;
  try {
    decoder = decoding && (await openDecoder(decoding, log));
    if (decoder && request.data.length > 0) data = await openData(request.data, decoder, log);
    await listen(request, log, { ...state, ...(decoder && { decoder }), ...(data && { data }) });
  } finally {
    await data?.close();
    await decoder?.close();
    await state?.tree.close();
  }
  log.info({}, 'stopped');
}

/**
 * Runs the command.
 *
 * @throws CliError
 */
export async function runServe(args: readonly string[]): Promise<void> {
  const request = parseRequest(args);
  try {
    await serve(request);
  } catch (cause) {
    if (!(cause instanceof ServiceError || cause instanceof TreeError)) throw cause;
    const isPeer = (cause as { code?: unknown }).code === 'MISSING_PEER';
    // The decoder needs packages of its own, and names them.
    const isOfDecoder = isPeer && request.decoding && cause.message.startsWith('the decoder');
    const text = isPeer && !isOfDecoder ? needs : (cause as Error).message;
    throw new CliError(exitCodes.usage, text, { cause });
  }
}
