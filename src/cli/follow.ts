/** `l2proof load` and `l2proof follow`: feed a store from a state file, and from an L2 node. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  createFollower,
  FollowError,
  type FollowerOptions,
  type Fork,
  type ForkTime,
  loadStateFile,
} from '../follow/index.js';
import type { HashFamily, Hex } from '../index.js';
import { lmdbStore } from '../lmdb/index.js';
import { createTransport } from '../rpc/index.js';
import { openStateTree, type StateTree, TreeError } from '../tree/index.js';
import { CliError, exitCodes } from './exit.js';
import { maxLineLength, readLines } from './lines.js';
import { startBlockProgress, startProgress } from './progress.js';

const option = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Longest answer with the traces of one block, in bytes. */
const traceBytes = 512 * 1024 * 1024;

/** Ms for one answer: a node computes the traces of a full block while we wait. */
const traceTime = 120_000;

/** Exit code of what ended the feeding. */
function exitCodeOf({ code }: FollowError): number {
  if (code === 'ROOT_MISMATCH') return exitCodes.notVerified;
  const isMalformed = ['BAD_FILE', 'BAD_ANSWER', 'BAD_TRACE', 'UNSUPPORTED_BLOCK'].includes(code);
  return isMalformed ? exitCodes.malformed : exitCodes.usage;
}

/** Feeds a store, and closes it whatever happens. @throws CliError for what the user can do something about */
async function withTree<T>(
  options: { store?: string; hash?: string; 'keep-state'?: boolean },
  feed: (tree: StateTree) => Promise<T>,
): Promise<T> {
  const { store, hash = 'poseidon2', 'keep-state': keepState = false } = options;
  if (store === undefined) throw new TypeError('--store is required');
  if (hash !== 'poseidon2' && hash !== 'mimc') throw new RangeError('--hash expected mimc');
  try {
    const family: HashFamily = hash;
    const tree = await openStateTree({
      hash: family,
      store: lmdbStore({ path: store }),
      keepState,
    });
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

/** Loads a file with a bar for its bytes. */
async function loadFile(tree: StateTree, file: string) {
  const fail = (cause: unknown): never => {
    const text = `cannot read ${file}: ${(cause as Error).message}`;
    throw new CliError(exitCodes.usage, text, { cause });
  };
  const isInput = file === '-';
  const size = isInput ? undefined : (await stat(file).catch(fail)).size;
  const stream = isInput ? process.stdin : createReadStream(file);
  const progress = await startProgress(size);
  let bytes = 0;
  async function* lines(): AsyncGenerator<string> {
    async function* chunks(): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of stream) {
          bytes += chunk.length;
          yield chunk;
        }
      } catch (cause) {
        fail(cause);
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

/** Runs `l2proof load`. @returns what to print @throws CliError; TypeError or RangeError for wrong arguments */
export async function runLoad(args: readonly string[]): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { store: option, hash: option, 'keep-state': flag },
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
      once: flag,
      'keep-state': flag,
    },
  });
  const { l2 = process.env.L2PROOF_L2, l1 = process.env.L2PROOF_L1, rollup } = values;
  if (l2 === undefined) throw new TypeError('--l2 or L2PROOF_L2 is required');
  if (values.fork === undefined) throw new TypeError('--fork is required');
  // An endpoint alone is no mistake: the environment may have it for another command.
  if (values.l1 !== undefined && rollup === undefined) throw new TypeError('--l1 needs --rollup');
  if (rollup !== undefined && l1 === undefined) {
    throw new TypeError('--rollup needs --l1 or L2PROOF_L1');
  }
  const options: Omit<FollowerOptions, 'tree'> = {
    l2: createTransport({ url: l2, maxBytes: traceBytes, timeout: traceTime }),
    fork: parseForks(values.fork),
    ...(rollup !== undefined && l1 !== undefined
      ? { l1: { transport: createTransport({ url: l1 }), rollup: rollup as Hex } }
      : {}),
  };
  return { values, options };
}

/** Runs `l2proof follow`. @returns what to print @throws CliError; TypeError or RangeError for wrong arguments */
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
      await createFollower({ ...options, tree, onProgress }).run({ once, signal });
    } catch (error) {
      if (error !== signal.reason) throw error;
    } finally {
      progress.stop();
    }
    return summaryOf(tree);
  });
}
