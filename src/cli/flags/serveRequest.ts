/** What `l2proof serve` is asked for. */
import { logLevels, type ServerOptions, type ServiceLimits } from '../../service/index.js';
import { UsageError } from '../exit/exit.js';
import {
  fromEnvironment,
  idleFlag,
  many,
  type Names,
  option,
  portOf,
  readArgs,
  readHash,
  wholeNumber,
} from './args.js';
import { readFork } from './callFork.js';
import { readDataChains } from './dataChains.js';
import { decodingOptions, readDecoding } from './decoding.js';

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

/** The fork of the state that amounts are worked out on. @throws UsageError */
function readServeFork({
  fork: name,
  data = [],
  store,
}: {
  fork?: string;
  data?: string[];
  store?: string;
}) {
  const fork = readFork(name);
  if (fork === undefined) return undefined;
  if (store !== undefined && data.length === 1) return fork;
  throw new UsageError('--fork needs --store, and one --data, of the same chain');
}

/** @throws UsageError */
export function parseRequest(args: readonly string[]) {
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
      'keep-state': idleFlag,
      ...decodingOptions,
      data: many,
      fork: option,
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
  const processes = processesOf(values.processes);
  if (processes > 1 && decoding?.store !== undefined) {
    throw new UsageError('--decode-store has one writer; leave it out, or serve from one process');
  }
  const port = portOf(values.port ?? '8645');
  const limits = readFlags<keyof ServiceLimits>(limitFlags, values);
  const connections = readFlags<keyof ServerOptions & `max${string}`>(serverFlags, values);
  const unseen = (fromEnvironment('L2PROOF_KEYS') ?? '').split(',').filter((key) => key !== '');
  return {
    store,
    decoding,
    data: readDataChains(values.data ?? [], decoded),
    fork: readServeFork(values),
    hash: readHash(values.hash),
    host,
    port,
    logLevel,
    limits,
    server: { ...connections, drain: 1000 * (wholeNumber('drain', values.drain) ?? 5) },
    processes,
    chainId: values['chain-id'] === undefined ? undefined : chainIdOf(values['chain-id']),
    height: values.finality === 'store' ? 'store' : wholeNumber('finality', values.finality),
    l1: values.l1 ?? fromEnvironment('L2PROOF_L1'),
    rollup: values.rollup,
    keys: [...(values.key ?? []), ...unseen],
    aliases: values.alias ?? [],
    cors: values.cors ?? [],
  } as const;
}

export type ServeRequest = ReturnType<typeof parseRequest>;

/** Names of the service's options -> options of the command. */
export const names: Names = {
  url: '--l1',
  contract: '--rollup',
  chainId: '--chain-id',
  ...Object.fromEntries(limitFlags.map(([flag, name]) => [`limits.${name}`, `--${flag}`])),
  ...Object.fromEntries(serverFlags.map(([flag, name]) => [name, `--${flag}`])),
};
