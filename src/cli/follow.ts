/** `l2proof follow`: feeds a store from an L2 node. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  configForks,
  createFollower,
  type Follower,
  type FollowerOptions,
  type Fork,
  type ForkTime,
  forks,
  parseStateFile,
} from '../follow/index.js';
import type { Hex } from '../index.js';
import type { StateTree } from '../tree/index.js';
import { visible } from '../visible.js';
import { asUsage, flag, fromEnvironment, idleFlag, option, readArgs } from './args.js';
import { openTransport } from './endpoints.js';
import { UsageError } from './exit.js';
import { linesOf, loadFile, summaryOf, withTree } from './feed.js';
import { type FollowMetrics, startFollowMetrics } from './followMetrics.js';
import { openInput } from './input.js';
import { quote } from './print.js';
import { startBlockProgress } from './progress.js';

/** Longest answer with the traces of one block, in bytes. */
const traceBytes = 512 * 1024 * 1024;

/** Ms in which a node must have traced a block. */
const traceTime = 120_000;

/** Ms for which the metrics of a distrusted state stay up, so that they are read at least once. */
const lastWords = 90_000;

const forkNeeds = `--fork is required, one of ${forks.join(', ')}, unless --genesis is the file of a genesis.json with a config`;

/** The forks that a genesis.json names. @throws CliError */
async function forksOf(file: string): Promise<ForkTime[]> {
  const { chunks } = await openInput(file);
  for await (const { config } of parseStateFile(linesOf(chunks))) {
    if (config !== undefined) return configForks(config);
    break;
  }
  throw new UsageError(forkNeeds);
}

/** @throws UsageError */
function forkOf(name: string): Fork {
  const fork = forks.find((known) => known === name);
  if (fork !== undefined) return fork;
  throw new UsageError(`--fork expected one of ${forks.join(', ')}, got ${quote(name)}`);
}

/** Forks as they are written: one name, or names with times. Their order is the follower's to check. */
function parseForks(text: string): Fork | ForkTime[] {
  if (!text.includes('@')) return forkOf(text);
  return text.split(',').map((entry) => {
    const [, fork = '', time] = /^(\w+)@(\d{1,15})$/.exec(entry) ?? [];
    if (time === undefined) throw new UsageError('--fork expected FORK@TIME,FORK@TIME');
    return { fork: forkOf(fork), time: Number(time) };
  });
}

/** Names of the follower's options -> options of the command. */
const names = { fork: '--fork' };

function openFollower(options: FollowerOptions): Follower {
  try {
    return createFollower(options);
  } catch (cause) {
    throw asUsage(names, cause);
  }
}

/** A line on stderr, in which a server may have a say: the run goes on. */
const warn = (text: string) => console.error(visible(text));

/** Where the roots of L1 come from, if they are asked for. @throws UsageError */
function readL1(values: { l1?: string; rollup?: string }): Pick<FollowerOptions, 'l1'> {
  const { rollup } = values;
  const { l1 = fromEnvironment('L2PROOF_L1') } = values;
  // An endpoint alone is no mistake: the environment may have it for another command.
  if (values.l1 !== undefined && rollup === undefined)
    throw new UsageError('--l1 needs --rollup, the address of the rollup contract');
  if (rollup === undefined) return {};
  if (l1 === undefined) {
    throw new UsageError('--rollup needs --l1 or L2PROOF_L1, the URL of an L1 node');
  }
  // Before the store is opened and the genesis compared: a mistyped address costs no work.
  if (!/^0x[0-9a-f]{40}$/i.test(rollup)) {
    throw new UsageError('--rollup expected 0x and 40 hex digits');
  }
  return { l1: { transport: openTransport('--l1', { url: l1 }), rollup: rollup as Hex } };
}

function parseFollow(args: readonly string[]) {
  const { values } = readArgs(
    args,
    {
      store: option,
      hash: option,
      genesis: option,
      'genesis-root': option,
      l2: option,
      fork: option,
      l1: option,
      rollup: option,
      metrics: option,
      'keep-state': idleFlag,
      once: flag,
    },
    0,
  );
  const { l2 = fromEnvironment('L2PROOF_L2'), 'genesis-root': genesisRoot, metrics } = values;
  if (l2 === undefined) {
    throw new UsageError('--l2 or L2PROOF_L2 is required: the URL of an L2 node');
  }
  if (values.fork === undefined && (values.genesis ?? '-') === '-') throw new UsageError(forkNeeds);
  if (genesisRoot !== undefined && !/^0x[0-9a-f]{64}$/i.test(genesisRoot)) {
    throw new UsageError('--genesis-root expected 0x and 64 hex digits');
  }
  if (metrics !== undefined && !(/^\d{1,5}$/.test(metrics) && Number(metrics) <= 65_535)) {
    throw new UsageError('--metrics expected a port, a number up to 65535');
  }
  /** What loading and following have in common. */
  const node = {
    l2: openTransport('--l2', { url: l2, maxBytes: traceBytes, timeout: traceTime }),
    ...(genesisRoot !== undefined ? { genesisRoot: genesisRoot as Hex } : {}),
    onWarning: warn,
  };
  const fork = values.fork === undefined ? undefined : parseForks(values.fork);
  return { values, node, finality: readL1(values), fork };
}

/** Runs a follower, and reports a wrong state in the metrics too. */
async function run(
  follower: Follower,
  metrics: FollowMetrics | undefined,
  { once, signal }: { once: boolean; signal: AbortSignal },
): Promise<void> {
  try {
    await follower.run({ once, signal });
  } catch (error) {
    if (error === signal.reason) return;
    if (metrics && !once && !follower.canServe) {
      metrics.distrust();
      warn(`${(error as Error).message}; the metrics say so for ${lastWords / 1000} s`);
      await sleep(lastWords, undefined, { signal }).catch(() => {});
    }
    throw error;
  }
}

/** Runs `l2proof follow`. @returns what to print @throws CliError */
export async function runFollow(args: readonly string[]): Promise<string> {
  const { values, node, finality, fork: named } = parseFollow(args);
  const { genesis, once = false } = values;
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => controller.abort(new Error(name)));
  }
  const { signal } = controller;
  return withTree(values, async (tree: StateTree) => {
    const fork = named ?? (await forksOf(genesis as string));
    if (genesis !== undefined && (await tree.newestBlock()) === undefined) {
      await loadFile(tree, genesis, { ...node, signal });
    }
    const metrics =
      values.metrics === undefined ? undefined : await startFollowMetrics(Number(values.metrics));
    if (metrics) warn(`metrics on http://127.0.0.1:${metrics.port}/metrics`);
    const progress = await startBlockProgress();
    const follower = openFollower({
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
      await run(follower, metrics, { once, signal });
    } finally {
      progress.stop();
      await metrics?.close();
    }
    return summaryOf(tree);
  });
}
