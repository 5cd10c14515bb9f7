/** `l2proof verify`: a saved answer against a trusted root. */
import { verifyAnswer } from '../../compact/index.js';
import { stateToJson } from '../../index.js';
import { readArgs } from '../flags/args.js';
import { judgeClaim, readClaim } from '../flags/claim.js';
import { linesFlags, verifyFlags } from '../flags/verifyFlags.js';
import { answerOf } from '../input/answer.js';
import { readAnswer } from '../input/input.js';
import { stateTable } from '../print/print.js';
import type { Result } from '../print/result.js';

/**
 * Runs the command.
 *
 * @returns what was proven
 * @throws CliError
 */
export async function runVerify(args: readonly string[]): Promise<Result> {
  const { values, file } = readArgs(args, verifyFlags, 1, [linesFlags, 'it goes with --ndjson']);
  const claim = await readClaim(values, file);
  const { name, bytes } = await readAnswer(file);
  const answer = answerOf(bytes, name);
  const state = judgeClaim(() => verifyAnswer(answer, claim));
  return { text: `verified\n${stateTable(state)}`, value: stateToJson(state) };
}
