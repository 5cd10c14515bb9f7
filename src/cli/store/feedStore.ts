/** What `l2proof load` and `l2proof follow` share: a store that is fed, and the file it begins with. */
import { type LoadOptions, loadStateFile } from '../../follow/index.js';
import { openStateTree, type StateTree } from '../../tree/index.js';
import { CliError, exitCodes } from '../exit/exit.js';
import type { loadFlags } from '../flags/feedFlags.js';
import type { Values } from '../flags/flag.js';
import { openInput } from '../input/input.js';
import { maxLineLength, readLines } from '../input/lines.js';
import { startProgress } from '../print/progress.js';
import { countText, type Result } from '../print/result.js';
import { withStore } from './openStore.js';

/**
 * Feeds a store, and closes it whatever happens.
 *
 * @param feed told of the loss of the store to another writer, too, if that can be known
 * @throws UsageError, TreeError, and any error of `feed`
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
const phases = {
  root: 'computing the root of its header',
  compare: "asking the node for the chain's genesis",
  build: 'building the trees',
  write: 'writing the state',
};

/** Loads a file, and shows how far it is. */
export async function loadFile(tree: StateTree, file: string, options: LoadOptions = {}) {
  const { chunks, stat } = await openInput(file);
  const progress = startProgress();
  const size = Number(stat?.size ?? 0);
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
        if (genesis) {
          progress.update({ phase: phases[genesis.stage], share: genesis.share });
          return;
        }
        const share = size > 0 ? bytes / size : undefined;
        progress.update({ phase: 'reading', share, figures: countText(line, 'line'), done: line });
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
