/** `l2proof load` and `l2proof follow`: feed a store from a state file, and from an L2 node. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  configForks,
  createFollower,
  FollowError,
  type FollowerOptions,
  type Fork,
  type ForkTime,
  type LoadOptions,
  loadStateFile,
  parseStateFile,
} from '../follow/index.js';
import type { HashFamily, Hex } from '../index.js';
import { lmdbStore } from '../lmdb/index.js';
import { createTransport } from '../rpc/index.js';
import { openStateTree, type StateTree, TreeError } from '../tree/index.js';
import { CliError, exitCodes } from './exit.js';
import { startFollowMetrics } from './followMetrics.js';
import { maxLineLength, readLines } from './lines.js';
import { startBlockProgress, startProgress } from './progress.js';

const option = { type: 'string' } as const;

/** Longest answer with the traces of one block, in bytes. */
const traceBytes = 512 * 1024 * 1024;

/** Ms for one answer: a node computes the traces of a full block while we wait. */
const traceTime = 120_000;

/** Exit code of what ended the feeding. */
function exitCodeOf({ code }: FollowError): number {
  if (code === 'ROOT_MISMATCH' || code === 'STATE_MISMATCH') return exitCodes.notVerified;
  const isMalformed = ['BAD_FILE', 'BAD_ANSWER', 'BAD_TRACE', 'UNSUPPORTED_BLOCK'].includes(code);
  return isMalformed ? exitCodes.malformed : exitCodes.usage;
}

/** Feeds a store, and closes it whatever happens. @throws CliError for what the user can do something about */
async function withTree<T>(
  { store, hash = 'poseidon2' }: { store?: string; hash?: string },
  feed: (tree: StateTree) => Promise<T>,
): Promise<T> {
  if (store === undefined) throw new TypeError('--store is required');
  if (hash !== 'poseidon2' && hash !== 'mimc') throw new RangeError('--hash expected mimc');
  try {
    const family: HashFamily = hash;
    const tree = await openStateTree({ hash: family, store: lmdbStore({ path: store }) });
    try {
      return await feed(tree);
    } finally {
      await tree.close();
    }
  } catch (cause) {
    if (cause instanceof FollowError) {
      throw new CliError(exitCodeOf(cause), cause.message, { cause });
    }
    if (cause instanceof TreeError) throw new CliError(exitCodes.usage, cause.message, { cause });
    throw cause;
  }
}

/** @throws CliError */
function failToRead(file: string, cause: unknown): never {
  const text = `cannot read ${file}: ${(cause as Error).message}`;
  throw new CliError(exitCodes.usage, text, { cause });
}

/** The lines of a file, or of standard input. @param onBytes is told how many bytes were read @throws CliError */
async function* linesOf(file: string, onBytes: (bytes: number) => void): AsyncGenerator<string> {
  let bytes = 0;
  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of file === '-' ? process.stdin : createReadStream(file)) {
        bytes += chunk.length;
        onBytes(bytes);
        yield chunk;
      }
    } catch (cause) {
      failToRead(file, cause);
    }
  }
  for await (const line of readLines(chunks())) {
    if (line === null) {
      const text = `a line is longer than ${maxLineLength} bytes; spread the allocation over more`;
      throw new CliError(exitCodes.malformed, text);
    }
    yield line;
  }
}

const percent = (share: number): string => `${Math.floor(100 * share)}%`;

/** Loads a file with a bar for its bytes. */
async function loadFile(tree: StateTree, file: string, options: LoadOptions = {}) {
  const size =
    file === '-' ? undefined : (await stat(file).catch((cause) => failToRead(file, cause))).size;
  const progress = await startProgress(size);
  let bytes = 0;
  const lines = linesOf(file, (count) => {
    bytes = count;
  });
  try {
    return await loadStateFile(tree, lines, {
      ...options,
      onProgress: ({ line, genesis }) => {
        const note = genesis === undefined ? '' : `, root of the genesis: ${percent(genesis)}`;
        progress.update(bytes, line, note);
      },
    });
  } finally {
    progress.stop();
  }
}

/** The forks that a genesis.json names. @throws CliError; TypeError if the file is another one */
async function forksOf(file: string): Promise<ForkTime[]> {
  for await (const { config } of parseStateFile(linesOf(file, () => {}))) {
    if (config !== undefined) return configForks(config);
    break;
  }
  throw new TypeError('--fork is required, unless --genesis is a genesis.json with a config');
}

/** What the store holds, in a line. */
async function summaryOf(tree: StateTree): Promise<string> {
  const final = await tree.finalBlock();
  return `block ${await tree.newestBlock()}, final ${final ?? 'none'}, state root ${await tree.stateRoot()}`;
}

/** Runs `l2proof load`. @returns what to print @throws CliError; TypeError or RangeError for wrong arguments */
export async function runLoad(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { store: option, hash: option },
  });
  if (positionals.length > 1) throw new TypeError('expected one FILE');
  return withTree(values, async (tree) => {
    const { applied } = await loadFile(tree, positionals[0] ?? '-');
    return `loaded ${applied} blocks: ${await summaryOf(tree)}`;
  });
}

/** Forks as they are written: one name, or names with times. Names are the follower's to check. */
function parseForks(text: string): Fork | ForkTime[] {
  if (!text.includes('@')) return text as Fork;
  return text.split(',').map((entry) => {
    const [, fork, time] = /^(\w+)@(\d{1,15})$/.exec(entry) ?? [];
    if (time === undefined) throw new RangeError('--fork expected FORK@TIME,FORK@TIME');
    return { fork: fork as Fork, time: Number(time) };
  });
}

/** A line on stderr: the run goes on. */
const warn = (text: string) => console.error(text);

function parseFollow(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      store: option,
      hash: option,
      genesis: option,
      l2: option,
      fork: option,
      l1: option,
      rollup: option,
      'genesis-root': option,
      metrics: option,
      once: { type: 'boolean' },
    },
  });
  const { l2 = process.env.L2PROOF_L2, l1 = process.env.L2PROOF_L1, rollup } = values;
  if (l2 === undefined) throw new TypeError('--l2 or L2PROOF_L2 is required');
  if (values.fork === undefined && (values.genesis ?? '-') === '-') {
    throw new TypeError('--fork is required, unless --genesis is the file of a genesis.json');
  }
  // An endpoint alone is no mistake: the environment may have it for another command.
  if (values.l1 !== undefined && rollup === undefined) throw new TypeError('--l1 needs --rollup');
  if (rollup !== undefined && l1 === undefined) {
    throw new TypeError('--rollup needs --l1 or L2PROOF_L1');
  }
  const { 'genesis-root': genesisRoot, metrics } = values;
  if (genesisRoot !== undefined && !/^0x[0-9a-f]{64}$/i.test(genesisRoot)) {
    throw new RangeError('--genesis-root expected 0x and 64 hex digits');
  }
  if (metrics !== undefined && !(/^\d{1,5}$/.test(metrics) && Number(metrics) <= 65_535)) {
    throw new RangeError('--metrics expected a port');
  }
  /** What loading and following have in common. */
  const node = {
    l2: createTransport({ url: l2, maxBytes: traceBytes, timeout: traceTime }),
    ...(genesisRoot !== undefined ? { genesisRoot: genesisRoot as Hex } : {}),
    onWarning: warn,
  };
  const finality: Pick<FollowerOptions, 'l1'> = {
    ...(rollup !== undefined && l1 !== undefined
      ? { l1: { transport: createTransport({ url: l1 }), rollup: rollup as Hex } }
      : {}),
  };
  const fork = values.fork === undefined ? undefined : parseForks(values.fork);
  return { values, node, finality, fork };
}

/** Ms for which the metrics of a distrusted state stay up, so that they are read at least once. */
const lastWords = 90_000;

/** Runs `l2proof follow`. @returns what to print @throws CliError; TypeError or RangeError for wrong arguments */
export async function runFollow(args: readonly string[]): Promise<string> {
  const { values, node, finality, fork: named } = parseFollow(args);
  const { genesis, once = false } = values;
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => controller.abort(new Error(name)));
  }
  const { signal } = controller;
  return withTree(values, async (tree) => {
    const fork = named ?? (await forksOf(genesis as string));
    if (genesis !== undefined && (await tree.newestBlock()) === undefined) {
      await loadFile(tree, genesis, { ...node, signal });
    }
    const metrics =
      values.metrics === undefined ? undefined : await startFollowMetrics(Number(values.metrics));
    if (metrics) warn(`metrics on http://127.0.0.1:${metrics.port}/metrics`);
    const progress = await startBlockProgress();
    const follower = createFollower({
      ...node,
      ...finality,
      fork,
      tree,
      onProgress(now) {
        progress.update(now.block, now.head);
        metrics?.update(now);
      },
    });
    try {
      await follower.run({ once, signal });
    } catch (error) {
      if (error !== signal.reason) {
        if (metrics && !once && !follower.canServe) {
          metrics.distrust();
          warn(`${(error as Error).message}; the metrics say so for ${lastWords / 1000} s`);
          await sleep(lastWords, undefined, { signal }).catch(() => {});
        }
        throw error;
      }
    } finally {
      progress.stop();
      await metrics?.close();
    }
    return summaryOf(tree);
  });
}
