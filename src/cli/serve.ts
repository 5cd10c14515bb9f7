/** `l2proof serve`: answers `l2_getProof` from a store, until a signal ends it. */
import type { Hex } from '../index.js';
import { lmdbStore } from '../lmdb/index.js';
import { installLine } from '../peer.js';
import {
  contractFinality,
  createLog,
  createMetrics,
  createService,
  fixedFinality,
  logLevels,
  type ServerOptions,
  ServiceError,
  type ServiceLimits,
  type ServiceLog,
  type ServiceOptions,
  shareLimits,
  startServer,
  storeFinality,
} from '../service/index.js';
import { openStateTree, type StateTree, TreeError } from '../tree/index.js';
import { asUsage, flag, fromEnvironment, many, option, readArgs, readHash } from './args.js';
import { CliError, exitCodes, UsageError } from './exit.js';
import { listenError, portOf, untilSignal, wholeNumber } from './listen.js';
import { isOneOfSeveral, leave, metricsOfAll, startProcesses, untilStopped } from './processes.js';

/** All that serving needs, as the user is told when any of them is missing: whoever misses one misses most. */
const needs = `serving needs more packages; run: ${installLine([
  'hono',
  '@hono/node-server',
  'lmdb',
  'pino',
  'prom-client',
])}`;

/** More of them than readers that LMDB takes would gain nothing. */
const maxProcesses = 64;

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

/** @throws UsageError */
function processesOf(text: string | undefined): number {
  const processes = wholeNumber('processes', text) ?? 1;
  if (processes >= 1 && processes <= maxProcesses) return processes;
  throw new UsageError(`--processes expected a number from 1 to ${maxProcesses}`);
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
      processes: option,
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
    },
    0,
  );
  const { store, host = '127.0.0.1', log: level = 'info' } = values;
  if (store === undefined) throw new UsageError('--store is required: the folder of the store');
  const logLevel = logLevels.find((name) => name === level);
  if (!logLevel) throw new UsageError(`--log expected one of ${logLevels.join(', ')}`);
  const port = portOf(values.port ?? '8645');
  const limits = readFlags<keyof ServiceLimits>(limitFlags, values);
  const connections = readFlags<keyof ServerOptions & `max${string}`>(serverFlags, values);
  const unseen = (fromEnvironment('L2PROOF_KEYS') ?? '').split(',').filter((key) => key !== '');
  return {
    store,
    hash: readHash(values.hash),
    host,
    port,
    logLevel,
    limits,
    server: { ...connections, drain: 1000 * (wholeNumber('drain', values.drain) ?? 5) },
    processes: processesOf(values.processes),
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

type AnyFinality = ServiceOptions['finality'];

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

/** The service of this process; of several, one with its part of the limits. */
async function openService(request: Request, tree: StateTree, log: ServiceLog) {
  const { keys, aliases, chainId, cors, processes } = request;
  const metrics = await createMetrics();
  const { limits, server } = isOneOfSeveral() ? shareLimits(processes, request) : request;
  const options = {
    tree,
    finality: finalityOf(request, tree, log),
    keys,
    aliases,
    cors,
    limits,
    log,
    metrics: isOneOfSeveral() ? metricsOfAll(metrics) : metrics,
  };
  return {
    service: await createService(chainId === undefined ? options : { ...options, chainId }),
    server,
  };
}

/** Listens until it is told to end. @param onReady told the port */
async function listen(
  request: Request,
  log: ServiceLog,
  onReady: (port: number) => Promise<string>,
): Promise<void> {
  const { store, hash, host, port, keepState } = request;
  const files = lmdbStore({ path: store, readOnly: true });
  const tree = await openStateTree({ hash, store: files, keepState });
  try {
    const { service, server: options } = await openService(request, tree, log).catch((cause) => {
      throw asUsage(names, cause);
    });
    const server = await startServer(service, { ...options, host, port }).catch((cause) => {
      throw listenError(asUsage(names, cause), host, port);
    });
    await onReady(server.port);
    await server.stop();
  } finally {
    await tree.close();
  }
}

async function serve(request: Request): Promise<void> {
  const { host, keys, logLevel, processes } = request;
  const log = await createLog(logLevel);
  /** Says that it listens, and waits for the end. */
  const attend = async (port: number): Promise<string> => {
    const ended = untilSignal();
    // Said at every level but silent: the port may be known from nowhere else.
    const startLog = logLevel === 'silent' ? log : await createLog('info');
    const several = processes > 1 ? { processes } : {};
    startLog.info({ host, port, keys: keys.length, ...several }, 'listening');
    const signal = await ended;
    log.info({ signal }, 'stopping');
    return signal;
  };
  if (isOneOfSeveral()) {
    // Listened for from the beginning: it may be told before it serves.
    const stopped = untilStopped();
    // Nothing else lets it end: it would go on listening for what it is told.
    await listen(request, log, () => stopped).finally(leave);
    return;
  }
  if (processes === 1) await listen(request, log, attend);
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
export async function runServe(args: readonly string[]): Promise<void> {
  const request = parseRequest(args);
  try {
    await serve(request);
  } catch (cause) {
    if (!(cause instanceof ServiceError || cause instanceof TreeError)) throw cause;
    const isPeer = (cause as { code?: unknown }).code === 'MISSING_PEER';
    throw new CliError(exitCodes.usage, isPeer ? needs : (cause as Error).message, { cause });
  }
}
