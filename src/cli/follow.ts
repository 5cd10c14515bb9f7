/** `l2proof load` and `l2proof follow`: feed a store from a state file, and from an L2 node. */
import {
  createFollower,
  FollowError,
  type Follower,
  type FollowerOptions,
  type Fork,
  type ForkTime,
  forks,
  loadStateFile,
} from '../follow/index.js';
import type { Hex } from '../index.js';
import { lmdbStore } from '../lmdb/index.js';
import { createTransport, type Transport, type TransportOptions } from '../rpc/index.js';
import { openStateTree, type StateTree, TreeError } from '../tree/index.js';
import { asUsage, flag, fromEnvironment, option, readArgs, readHash } from './args.js';
import { CliError, exitCodes, UsageError } from './exit.js';
import { openInput } from './input.js';
import { maxLineLength, readLines } from './lines.js';
import { quote } from './print.js';
import { startBlockProgress, startProgress } from './progress.js';

/** Longest answer with the traces of one block, in bytes. */
const traceBytes = 512 * 1024 * 1024;

/** Ms for one answer: a node computes the traces of a full block while we wait. */
const traceTime = 120_000;

/** Exit code of what ended the feeding. */
function exitCodeOf({ code }: FollowError): number {
  if (code === 'ROOT_MISMATCH') return exitCodes.notVerified;
  if (code === 'NODE_FAILED') return exitCodes.unknown;
  const isMalformed = ['BAD_FILE', 'BAD_ANSWER', 'BAD_TRACE', 'UNSUPPORTED_BLOCK'].includes(code);
  return isMalformed ? exitCodes.malformed : exitCodes.usage;
}

/** Feeds a store, and closes it whatever happens. @throws CliError for what the user can do something about */
async function withTree<T>(
  { store, hash }: { store?: string; hash?: string },
  feed: (tree: StateTree) => Promise<T>,
): Promise<T> {
  if (store === undefined) throw new UsageError('--store is required: the folder of the store');
  const family = readHash(hash);
  try {
    const tree = await openStateTree({ hash: family, store: lmdbStore({ path: store }) });
    try {
      return await feed(tree);
    } finally {
      await tree.close();
    }
  } catch (cause) {
    if (cause instanceof FollowError) {
      const isNode = cause.code === 'NODE_FAILED';
      const text = isNode ? `${cause.message}; check its URL, and run it again` : cause.message;
      throw new CliError(exitCodeOf(cause), text, { cause });
    }
    if (cause instanceof TreeError) throw new CliError(exitCodes.usage, cause.message, { cause });
    throw cause;
  }
}

/** Loads a file with a bar for its bytes. */
async function loadFile(tree: StateTree, file: string) {
  const { chunks, size } = await openInput(file);
  const progress = await startProgress(size);
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  async function* lines(): AsyncGenerator<string> {
    for await (const line of readLines(counted())) {
      if (line === null) {
        const text = `a line is longer than ${maxLineLength} bytes; spread the allocation over more`;
        throw new CliError(exitCodes.malformed, text);
      }
      yield line;
    }
  }
  try {
    return await loadStateFile(tree, lines(), {
      onProgress: ({ line }) => progress.update(bytes, line),
    });
  } finally {
    progress.stop();
  }
}

/** What the store holds, in a line. */
async function summaryOf(tree: StateTree): Promise<string> {
  const final = await tree.finalBlock();
  return `block ${await tree.newestBlock()}, final ${final ?? 'none'}, state root ${await tree.stateRoot()}`;
}

/** Runs `l2proof load`. @returns what to print @throws CliError */
export async function runLoad(args: readonly string[]): Promise<string> {
  const { values, file } = readArgs(args, { store: option, hash: option }, 1);
  return withTree(values, async (tree) => {
    const { applied } = await loadFile(tree, file);
    return `loaded ${applied} blocks: ${await summaryOf(tree)}`;
  });
}

function parseFork(name: string): Fork {
  const fork = forks.find((each) => each === name);
  if (fork) return fork;
  throw new UsageError(`--fork expected one of ${forks.join(', ')}, got ${quote(name)}`);
}

/** Forks as they are written: one name, or names with times. That the times grow is the follower's to check. */
function parseForks(text: string): Fork | ForkTime[] {
  if (!text.includes('@')) return parseFork(text);
  return text.split(',').map((entry) => {
    const [, name, time] = /^(\w+)@(\d{1,15})$/.exec(entry) ?? [];
    if (name === undefined || time === undefined) {
      throw new UsageError(`--fork expected FORK@TIME,FORK@TIME, got ${quote(entry)}`);
    }
    return { fork: parseFork(name), time: Number(time) };
  });
}

/** @param name of the option that holds the URL, for the message, which does not repeat it */
function openTransport(name: string, options: TransportOptions): Transport {
  try {
    return createTransport(options);
  } catch (cause) {
    throw asUsage({ url: name }, cause);
  }
}

/** What the follower calls its options -> what the user does. */
const names = { fork: '--fork', 'l1.rollup': '--rollup' };

function openFollower(options: FollowerOptions): Follower {
  try {
    return createFollower(options);
  } catch (cause) {
    throw asUsage(names, cause);
  }
}

function parseFollow(args: readonly string[]) {
  const { values } = readArgs(
    args,
    {
      store: option,
      hash: option,
      genesis: option,
      l2: option,
      fork: option,
      l1: option,
      rollup: option,
      once: flag,
    },
    0,
  );
  const { rollup } = values;
  const { l2 = fromEnvironment('L2PROOF_L2'), l1 = fromEnvironment('L2PROOF_L1') } = values;
  if (l2 === undefined)
    throw new UsageError('--l2 or L2PROOF_L2 is required: the URL of an L2 node');
  if (values.fork === undefined)
    throw new UsageError(`--fork is required, one of ${forks.join(', ')}`);
  // An endpoint alone is no mistake: the environment may have it for another command.
  if (values.l1 !== undefined && rollup === undefined)
    throw new UsageError('--l1 needs --rollup, the address of the rollup contract');
  if (rollup !== undefined && l1 === undefined) {
    throw new UsageError('--rollup needs --l1 or L2PROOF_L1, the URL of an L1 node');
  }
  const options: Omit<FollowerOptions, 'tree'> = {
    l2: openTransport('--l2', { url: l2, maxBytes: traceBytes, timeout: traceTime }),
    fork: parseForks(values.fork),
    ...(rollup !== undefined && l1 !== undefined
      ? { l1: { transport: openTransport('--l1', { url: l1 }), rollup: rollup as Hex } }
      : {}),
  };
  return { values, options };
}

/** Runs `l2proof follow`. @returns what to print @throws CliError */
export async function runFollow(args: readonly string[]): Promise<string> {
  const { values, options } = parseFollow(args);
  const { genesis, once = false } = values;
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => controller.abort(new Error(name)));
  }
  const { signal } = controller;
  return withTree(values, async (tree) => {
    if (genesis !== undefined && (await tree.newestBlock()) === undefined) {
      await loadFile(tree, genesis);
    }
    const progress = await startBlockProgress();
    const onProgress: FollowerOptions['onProgress'] = ({ block, head }) =>
      progress.update(block, head);
    try {
      await openFollower({ ...options, tree, onProgress }).run({ once, signal });
    } catch (error) {
      if (error !== signal.reason) throw error;
    } finally {
      progress.stop();
    }
    return summaryOf(tree);
  });
}
