/** `l2proof load`: feeds a store from a state file. */
import { idleFlag, option, readArgs } from '../flags/args.js';
import { loadFile, summaryOf, withTree } from '../store/feed.js';

/** Runs `l2proof load`. @returns what to print @throws CliError */
export async function runLoad(args: readonly string[]): Promise<string> {
  const { values, file } = readArgs(
    args,
    { store: option, hash: option, 'keep-state': idleFlag },
    1,
  );
  return withTree(values, async (tree) => {
    const { applied } = await loadFile(tree, file);
    return `loaded ${applied} blocks: ${await summaryOf(tree)}`;
  });
}
