/** `l2proof block`: a block with the hashes of its transactions, proven. */
import { readArgs } from '../flags/args.js';
import { blockFlags, readBlockArgument } from '../flags/historyFlags.js';
import { readSources } from '../flags/trust.js';
import { askHistory } from '../history/ask.js';
import { blockText } from '../history/blockText.js';
import { groundText, groundToJson } from '../history/ground.js';
import type { Result } from '../print/result.js';

/** Runs the command. @throws CliError, errors of the history */
export async function runBlock(args: readonly string[]): Promise<Result> {
  const { values, given, file } = readArgs(args, blockFlags, 'BLOCK');
  const wanted = readBlockArgument(file);
  const { answer: block, ...ground } = await askHistory(readSources(values, given), ({ history }) =>
    history.block(wanted),
  );
  return {
    text: `verified\n${blockText(block)}\n${groundText(ground)}`,
    value: { ...groundToJson(ground), block },
  };
}
