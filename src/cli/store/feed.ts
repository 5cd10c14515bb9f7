/** What `l2proof load` and `l2proof follow` share: a store that is fed, and the file it begins with. */
import { FollowError, type LoadOptions, loadStateFile } from '../../follow/index.js';
import { openStateTree, type StateTree, TreeError } from '../../tree/index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import { storeExitCode } from '../exit/storeErrors.js';
import type { loadFlags } from '../flags/feedFlags.js';
import type { Values } from '../flags/flag.js';
import { openInput } from '../input/input.js';
import { maxLineLength, readLines } from '../input/lines.js';
import { startProgress } from '../print/progress.js';
import { withStore } from './openStore.js';

/** Exit code of what ended the feeding. */
function exitCodeOf({ code }: FollowError): number {
  if (code === 'ROOT_MISMATCH' || code === 'STATE_MISMATCH') return exitCodes.notVerified;
  if (code === 'NODE_FAILED') return exitCodes.unknown;
  const isMalformed = ['BAD_FILE', 'BAD_ANSWER', 'BAD_TRACE', 'UNSUPPORTED_BLOCK'].includes(code);
  return isMalformed ? exitCodes.malformed : exitCodes.usage;
}

/** What the user can do about it, behind the message. */
function adviceOn({ code, line, message }: FollowError): string {
  if (code === 'NODE_FAILED') return '; check its URL, and run it again';
  const anew = "begin a new store with the chain's genesis";
  if (message.startsWith('the genesis is not')) return `; ${anew}`;
  if (code === 'STATE_MISMATCH') return `; ask another node, or ${anew}`;
  // A line of a state file is the file's, and not the store's.
  if (code !== 'ROOT_MISMATCH' || line !== undefined) return '';
  return `; check --l1 and --rollup; if they are right, ${anew}`;
}

/** What ended the feeding, as the user is told. */
function feedError(cause: unknown): unknown {
  if (cause instanceof FollowError) {
    return new CliError(exitCodeOf(cause), cause.message + adviceOn(cause), { cause });
  }
  if (!(cause instanceof TreeError)) return cause;
  return new CliError(storeExitCode(cause), cause.message, { cause });
}

/**
 * Feeds a store, and closes it whatever happens.
 *
 * @param feed told of the loss of the store to another writer, too, if that can be known
 * @throws CliError for what the user can do something about
 */
export async function withTree<T>(
  { store: name, hash }: Omit<Values<typeof loadFlags>, 'keep-state'>,
  feed: (tree: StateTree, lost: Promise<Error> | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await withStore(name, {}, async (store) =>
      feed(await openStateTree({ hash, store }), store.lost),
    );
  } catch (cause) {
    throw feedError(cause);
  }
}

/** Refuses a store that is not there, or holds none. @throws CliError */
export async function checkThere(store: string): Promise<void> {
  try {
    await withStore(store, { readOnly: true }, async () => {});
  } catch (cause) {
    const error = feedError(cause);
    if (!(error instanceof CliError && /\bno store\b/.test(error.message))) throw error;
    const text = `${error.message}; load a state file first, or pass --genesis`;
    throw new CliError(error.exitCode, text, { cause });
  }
}

/** The lines of an input. @throws CliError */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const { text: line } of readLines(chunks)) {
    if (line === null) {
      const text = `a line is longer than ${maxLineLength} bytes; spread the allocation over more`;
      throw new CliError(exitCodes.malformed, text);
    }
    yield line;
  }
}

/** What is done with a genesis once it was read. */
const stages = { root: 'root in its header', build: 'state', write: 'written' };

const percent = (share: number): string => `${Math.floor(100 * share)}%`;

/** Loads a file with a bar for its bytes. */
export async function loadFile(tree: StateTree, file: string, options: LoadOptions = {}) {
  const { chunks, stat } = await openInput(file);
  const progress = await startProgress(stat && Number(stat.size));
  let bytes = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      yield chunk;
    }
  }
  try {
    return await loadStateFile(tree, linesOf(counted()), {
      ...options,
      onProgress: ({ line, genesis }) => {
        const note = genesis ? `, genesis: ${stages[genesis.stage]} ${percent(genesis.share)}` : '';
        progress.update(bytes, line, note);
      },
    });
  } finally {
    progress.stop();
  }
}

/** The state of the store, in a line. */
export async function summaryOf(tree: StateTree): Promise<string> {
  const final = await tree.finalBlock();
  return `block ${await tree.newestBlock()}, final ${final ?? 'none'}, state root ${await tree.stateRoot()}`;
}
