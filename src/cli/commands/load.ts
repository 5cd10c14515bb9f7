/** `l2proof load`: feeds a store from a state file. */
import { readArgs } from '../flags/args.js';
import { loadFlags } from '../flags/feedFlags.js';
import { countText, type Result } from '../print/result.js';
import { loadFile, summaryOf, withTree } from '../store/feedStore.js';

/** Runs `l2proof load`. @returns what the store then holds @throws CliError */
export async function runLoad(args: readonly string[]): Promise<Result> {
  const { values, file } = readArgs(args, loadFlags, 1);
  return withTree(values, async (tree) => {
    const { applied } = await loadFile(tree, file);
    const { text, value } = await summaryOf(tree);
    return { text: `loaded ${countText(applied, 'block')}: ${text}`, value: { applied, ...value } };
  });
}
