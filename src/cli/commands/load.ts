/** `l2proof load`: feeds a store from a state file. */
import { readArgs } from '../flags/args.js';
import { loadFlags } from '../flags/feedFlags.js';
import { loadFile, summaryOf, withTree } from '../store/feedStore.js';

/** Runs `l2proof load`. @returns what to print @throws CliError */
export async function runLoad(args: readonly string[]): Promise<string> {
  const { values, file } = readArgs(args, loadFlags, 1);
  return withTree(values, async (tree) => {
    const { applied } = await loadFile(tree, file);
    return `loaded ${applied} blocks: ${await summaryOf(tree)}`;
  });
}
