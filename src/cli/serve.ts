/** `l2proof serve`: answers `l2_getProof` from a store, until a signal ends it. */
import { parseArgs } from 'node:util';
import type { HashFamily, Hex } from '../index.js';
import { lmdbStore } from '../lmdb/index.js';
import { installLine } from '../peer.js';
import {
  contractFinality,
  createLog,
  createMetrics,
  createService,
  type Finality,
  fixedFinality,
  logLevels,
  ServiceError,
  type ServiceLimits,
  type ServiceLog,
  startServer,
} from '../service/index.js';
import { openStateTree, TreeError } from '../tree/index.js';
import { CliError, exitCodes } from './exit.js';

/** All that serving needs, as the user is told when any of them is missing: whoever misses one misses most. */
const needs = `serving needs more packages; run: ${installLine([
  'hono',
  '@hono/node-server',
  'lmdb',
  'pino',
  'prom-client',
])}`;

const option = { type: 'string' } as const;
const many = { type: 'string', multiple: true } as const;

const limitFlags = [
  ['max-body', 'bodyBytes'],
  ['max-slots', 'storageKeys'],
  ['max-rate', 'requestsPerSecond'],
  ['max-concurrent', 'concurrent'],
  ['timeout', 'time'],
] as const;

/** A whole number among the options. @throws RangeError */
function wholeNumber(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw new RangeError(`--${name} expected a whole number`);
  return Number(text);
}

function parseRequest(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
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
      log: option,
      'max-body': option,
      'max-slots': option,
      'max-rate': option,
      'max-concurrent': option,
      timeout: option,
    },
  });
  const { store, hash = 'poseidon2', host = '127.0.0.1', log: level = 'info' } = values;
  if (store === undefined) throw new TypeError('--store is required');
  if (hash !== 'poseidon2' && hash !== 'mimc') throw new RangeError('--hash expected mimc');
  const logLevel = logLevels.find((name) => name === level);
  if (!logLevel) throw new RangeError(`--log expected one of ${logLevels.join(', ')}`);
  const port = wholeNumber('port', values.port ?? '8645') as number;
  if (port > 65_535) throw new RangeError('--port expected a number up to 65535');
  const limits: { -readonly [name in keyof ServiceLimits]?: number } = {};
  for (const [flag, name] of limitFlags) {
    const limit = wholeNumber(flag, values[flag]);
    if (limit !== undefined) limits[name] = limit;
  }
  const fromEnvironment = (process.env.L2PROOF_KEYS ?? '').split(',').filter((key) => key !== '');
  return {
    store,
    hash: hash as HashFamily,
    host,
    port,
    logLevel,
    limits,
    height: wholeNumber('finality', values.finality),
    l1: values.l1 ?? process.env.L2PROOF_L1,
    rollup: values.rollup,
    keys: [...(values.key ?? []), ...fromEnvironment],
    aliases: values.alias ?? [],
    cors: values.cors ?? [],
  } as const;
}

type Request = ReturnType<typeof parseRequest>;

function finalityOf({ height, l1, rollup }: Request, log: ServiceLog): Finality {
  if ((height === undefined) === (rollup === undefined)) {
    throw new TypeError('either --finality or --rollup is required');
  }
  if (height !== undefined) return fixedFinality(height);
  if (l1 === undefined) throw new TypeError('--rollup needs --l1 or L2PROOF_L1');
  const onError = (err: unknown) => log.warn({ err }, 'the L1 endpoint failed');
  return contractFinality({ url: l1, contract: rollup as Hex, onError });
}

/** Resolves with the first signal to end. A second one ends the process at once. */
function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, resolve);
  });
}

async function serve(request: Request): Promise<void> {
  const { store, hash, host, port, keys, aliases, cors, limits, logLevel } = request;
  const log = await createLog(logLevel);
  const finality = finalityOf(request, log);
  const metrics = await createMetrics();
  const tree = await openStateTree({
    hash,
    store: lmdbStore({ path: store, readOnly: true }),
  });
  try {
    const options = { tree, finality, keys, aliases, cors, limits, log, metrics };
    const service = await createService(options);
    const server = await startServer(service, { host, port });
    const ended = untilSignal();
    log.info({ host, port: server.port, keys: keys.length }, 'listening');
    log.info({ signal: await ended }, 'stopping');
    await server.stop();
  } finally {
    await tree.close();
  }
  log.info({}, 'stopped');
}

/**
 * Runs the command.
 *
 * @throws CliError; TypeError or RangeError for wrong arguments
 */
export async function runServe(args: readonly string[]): Promise<void> {
  const request = parseRequest(args);
  try {
    await serve(request);
  } catch (cause) {
    const isExpected =
      cause instanceof ServiceError ||
      cause instanceof TreeError ||
      (cause as { syscall?: unknown }).syscall === 'listen';
    if (!isExpected) throw cause;
    const isPeer = (cause as { code?: unknown }).code === 'MISSING_PEER';
    throw new CliError(exitCodes.usage, isPeer ? needs : (cause as Error).message, { cause });
  }
}
