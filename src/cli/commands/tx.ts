/** `l2proof tx`: a transaction and its receipt, proven. */
import { readArgs } from '../flags/args.js';
import { readTx, txFlags } from '../flags/historyFlags.js';
import { readSources } from '../flags/trust.js';
import { askHistory } from '../history/ask.js';
import { groundText, groundToJson } from '../history/ground.js';
import { transactionText } from '../history/transactionText.js';
import type { Result } from '../print/result.js';

/** Runs the command. @throws CliError, errors of the history */
export async function runTx(args: readonly string[]): Promise<Result> {
  const { values, given, file } = readArgs(args, txFlags, 'TX');
  const hash = readTx(file);
  const { answer, ...ground } = await askHistory(
    readSources(values, given),
    async ({ history }) => ({
      transaction: await history.transaction(hash),
      receipt: await history.receipt(hash),
    }),
  );
  const { transaction, receipt } = answer;
  return {
    text: `verified\n${transactionText(transaction, receipt)}\n${groundText(ground)}`,
    value: { ...groundToJson(ground), transaction, receipt },
  };
}
