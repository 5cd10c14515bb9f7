/** `l2proof follow`: feeds a store from an L2 node. */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  configForks,
  createFollower,
  type Follower,
  type FollowerOptions,
  type FollowProgress,
  type Fork,
  type ForkTime,
  forks,
  parseStateFile,
} from '../../follow/index.js';
import { type StateTree, TreeError } from '../../tree/index.js';
import { exitCodes, UsageError } from '../exit/exit.js';
import { failureOf } from '../exit/failures.js';
import { asUsage, readArgs, unknownChoice } from '../flags/args.js';
import { readRoot } from '../flags/claimValues.js';
import { openTransport } from '../flags/endpoints.js';
import { followFlags } from '../flags/feedFlags.js';
import type { Values } from '../flags/flag.js';
import { openInput } from '../input/input.js';
import { type FollowMetrics, startFollowMetrics } from '../listen/followMetrics.js';
import { type Ending, onSignal } from '../listen/listen.js';
import { printWarning, showBlocks, startProgress } from '../print/progress.js';
import { blockLines, type Result } from '../print/result.js';
import { printError } from '../print/statusLine.js';
import { checkThere, linesOf, loadFile, summaryOf, withTree } from '../store/feedStore.js';

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
  throw unknownChoice('--fork', name, forks);
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

/** Where the roots of L1 come from, if they are asked for. @throws UsageError */
function readL1(
  { l1, rollup }: Values<typeof followFlags>,
  given: ReadonlySet<string>,
): Pick<FollowerOptions, 'l1'> {
  // An endpoint alone is no mistake: the environment may have it for another command.
  if (given.has('l1') && rollup === undefined)
    throw new UsageError('--l1 needs --rollup, the address of the rollup contract');
  if (rollup === undefined) return {};
  if (l1 === undefined) {
    throw new UsageError('--rollup needs --l1 or L2PROOF_L1, the URL of an L1 node');
  }
  return { l1: { transport: openTransport('--l1', { url: l1 }), rollup } };
}

/** @throws UsageError */
async function readGenesisRoot({ genesis, 'genesis-root': root }: Values<typeof followFlags>) {
  if (root === undefined) return undefined;
  return readRoot(root, { name: '--genesis-root', ...(genesis && { file: genesis }) });
}

async function parseFollow(args: readonly string[]) {
  const { values, given } = readArgs(args, followFlags, 0);
  const { l2, genesis } = values;
  if (values.fork === undefined && (genesis ?? '-') === '-') throw new UsageError(forkNeeds);
  const { metrics, mints, once } = values;
  const genesisRoot = await readGenesisRoot(values);
  const traceTimeout = 1000 * values['trace-timeout'];
  /** What loading and following have in common. */
  const node = {
    l2: openTransport('--l2', { url: l2, timeout: traceTimeout }),
    ...(genesisRoot !== undefined ? { genesisRoot } : {}),
    onWarning: printWarning,
  };
  const fork = values.fork === undefined ? undefined : parseForks(values.fork);
  const rules = { ...readL1(values, given), traceTimeout, mints };
  return { values, genesis, metrics, once, node, rules, fork };
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
    if (signal.aborted) throw error;
    if (metrics && !once && !follower.canServe) {
      metrics.distrust();
      printWarning(`${(error as Error).message}; the metrics say so for ${lastWords / 1000} s`);
      await sleep(lastWords, undefined, { signal }).catch(() => {});
    }
    throw error;
  }
}

type Request = Awaited<ReturnType<typeof parseFollow>>;

/** What stays while the store is opened again. */
interface Watch {
  readonly ending: Ending;
  readonly metrics: FollowMetrics | undefined;
  /** Told of a store that can be read and holds a block. */
  readonly onStore: (newest: number) => void;
  /** Told of each pass. */
  readonly onProgress: (progress: FollowProgress) => void;
}

/** Follows with one opening of the store. @returns what it then holds @throws CliError */
async function followOnce(request: Request, watch: Watch): Promise<Result> {
  const { values, genesis, once, node, rules, fork: named } = request;
  const own = watch.ending.signal;
  return withTree(values, async (tree: StateTree, lost) => {
    const loss = new AbortController();
    void lost?.then((error) => loss.abort(error));
    const signal = AbortSignal.any([own, loss.signal]);
    try {
      const fork = named ?? (await forksOf(genesis as string));
      if (genesis !== undefined && (await tree.newestBlock()) === undefined) {
        await loadFile(tree, genesis, { ...node, signal });
      }
      const newest = await tree.newestBlock();
      if (newest !== undefined) watch.onStore(newest);
      const { onProgress } = watch;
      const follower = openFollower({ ...node, ...rules, fork, tree, onProgress });
      await run(follower, watch.metrics, { once, signal });
    } catch (error) {
      if (error !== own.reason) throw error;
      if ((await tree.newestBlock()) === undefined) {
        return { text: 'stopped before a block was there', value: { block: null } };
      }
    }
    return summaryOf(tree);
  });
}

/** Ms between two tries to open a store that has failed. */
const pauseAfter = (round: number): number => Math.min(1000 * 2 ** (round - 1), 15_000);

/** Whether another opening of the store may help, with its lease under a new number. Not if another writer has it. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof TreeError) || error.code === 'OTHER_WRITER') return false;
  return failureOf(error, 'follow')?.exitCode === exitCodes.unknown;
}

/** A run that a signal ended while the store did not answer. @param newest block that was applied; undefined if none was read */
const stoppedAt = (newest: number | undefined): Result => ({
  text:
    newest === undefined
      ? 'stopped before the store was read'
      : `stopped; the newest block was ${newest}`,
  value: { block: newest ?? null },
  isLast: true,
});

/** Runs `l2proof follow`. @returns what the store then holds @throws CliError */
export async function runFollow(args: readonly string[]): Promise<Result> {
  const request = await parseFollow(args);
  const { metrics: port, genesis, once } = request;
  const { store } = request.values;
  // To write, a store that is not there would be made, which then has nothing to follow from.
  if (genesis === undefined) await checkThere(store);
  const ending = onSignal({ reason: new Error('stopped by a signal'), code: exitCodes.verified });
  const metrics = port === undefined ? undefined : await startFollowMetrics(port);
  if (metrics) printError(`metrics on http://127.0.0.1:${metrics.port}/metrics`);
  const progress = startProgress({ isRun: true });
  const onBlock = showBlocks(progress, 'following');
  const print = blockLines(request.values.json);
  let round = 0;
  /** Newest block that was applied; undefined before the store was read. */
  let newest: number | undefined;
  const onStore = (block: number) => {
    newest ??= block;
  };
  const onProgress = (now: FollowProgress) => {
    if (now.block !== newest) round = 0;
    newest = now.block;
    onBlock(now.block, now.head);
    print(now);
    metrics?.update(now);
  };
  try {
    for (;;) {
      try {
        const found = await followOnce(request, { ending, metrics, onStore, onProgress });
        return { ...found, isLast: true };
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (ending.signal.aborted) return stoppedAt(newest);
        // Before the store was read, the command line may be wrong.
        if (once || newest === undefined) throw error;
        const pause = pauseAfter(++round);
        printWarning(`${(error as Error).message}; opening the store again in ${pause / 1000} s`);
        const isOver = await sleep(pause, false, { signal: ending.signal }).catch(() => true);
        if (isOver) return stoppedAt(newest);
      }
    }
  } finally {
    progress.stop();
    await metrics?.close();
    ending.stop();
  }
}
