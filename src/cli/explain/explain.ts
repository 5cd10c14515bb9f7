/** `l2proof explain`: what a saved answer says, and each law with both its sides. */
import { ShapeError, VerificationError } from '../../errors.js';
import { explainProof, type Verdict } from '../../explain/index.js';
import type { CliError } from '../exit/exit.js';
import { exitCodes } from '../exit/exit.js';
import { failureOf } from '../exit/failures.js';
import { readArgs } from '../flags/args.js';
import { judgeClaim, readClaim } from '../flags/claim.js';
import { explainFlags } from '../flags/verifyFlags.js';
import { answerOf } from '../input/answer.js';
import { readAnswer } from '../input/input.js';
import { printResult } from '../print/result.js';
import { explanationText } from './explanationText.js';

/** How `verify` would end. */
function failureFor(verdict: Verdict & { readonly verified: false }): CliError {
  const { code, path, reason } = verdict;
  const error =
    code === null ? new ShapeError(path, reason) : new VerificationError(code, path, reason);
  return failureOf(error, 'explain') as CliError;
}

/** Columns of a terminal that does not say how many it has. */
const usualWidth = 80;

/**
 * Runs the command, and prints what the answer says, also if it proves nothing.
 *
 * @returns the exit code that `verify` ends with
 * @throws CliError
 */
export async function runExplain(args: readonly string[]): Promise<number> {
  const { values, file } = readArgs(args, explainFlags, 1);
  const claim = await readClaim(values, file);
  const { name, bytes } = await readAnswer(file);
  const answer = answerOf(bytes, name);
  const explanation = judgeClaim(() => explainProof(answer, claim));
  const { verdict } = explanation;
  const failure = verdict.verified ? undefined : failureFor(verdict);
  const { isTTY, columns } = process.stdout;
  // A pseudo-terminal may say that it has 0 columns.
  const width = isTTY ? columns || usualWidth : Number.POSITIVE_INFINITY;
  const text = explanationText(explanation, failure?.message ?? 'verified', width);
  printResult({ text, value: explanation }, values.json);
  return failure?.exitCode ?? exitCodes.verified;
}
