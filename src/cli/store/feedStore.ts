/** What `l2proof load` and `l2proof follow` share: a store that is fed, and the file it begins with. */
import { type LoadOptions, loadStateFile } from '../../follow/index.js';
import { openStateTree, type StateTree } from '../../tree/index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import type { loadFlags } from '../flags/feedFlags.js';
import type { Values } from '../flags/flag.js';
import { openInput } from '../input/input.js';
import { maxLineLength, readLines } from '../input/lines.js';
import { startProgress } from '../print/progress.js';
import type { Result } from '../print/result.js';
import { withStore } from './openStore.js';

/**
 * Feeds a store, and closes it whatever happens.
 *
 * @param feed told of the loss of the store to another writer, too, if that can be known
 * @throws UsageError, TreeError, and what `feed` throws
 */
export async function withTree<T>(
  { store: name, hash }: Omit<Values<typeof loadFlags>, 'keep-state'>,
  feed: (tree: StateTree, lost: Promise<Error> | undefined) => Promise<T>,
): Promise<T> {
  return withStore(name, {}, async (store) =>
    feed(await openStateTree({ hash, store }), store.lost),
  );
}

/** Refuses a store that is not there, or holds none. @throws TreeError */
export async function checkThere(store: string): Promise<void> {
  await withStore(store, { readOnly: true }, async () => {});
}

/** The lines of an input. @throws CliError */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  for await (const { text: line } of readLines(chunks)) {
    if (line === null) {
      const text = `a line is longer than ${maxLineLength} bytes; spread the allocation over more`;
      throw new CliError(exitCodes.malformed, text, { code: 'MALFORMED' });
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
export async function summaryOf(tree: StateTree) {
  const block = await tree.newestBlock();
  const final = (await tree.finalBlock()) ?? null;
  const stateRoot = await tree.stateRoot();
  return {
    text: `block ${block}, final ${final ?? 'none'}, state root ${stateRoot}`,
    value: { block, final, stateRoot },
  } satisfies Result;
}
