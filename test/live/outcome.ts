/** How a check ends. */
import { exitCodes } from '../../src/cli/exit/exit.js';
import { failureOf } from '../../src/cli/exit/failures.js';

/** Something is not as it should be. */
export class CheckFailure extends Error {}

/** Nothing was refused: nobody answered who could. */
export class Unreachable extends Error {}

export type Outcome = 'ok' | 'failed' | 'unreachable';

/** What an error of a check means: the library's, as the exit codes of the command have it; one around it, by its cause. */
export function judge(error: unknown): { readonly outcome: Outcome; readonly text: string } {
  const { name, message, cause } = error as Error;
  const isLate = name === 'TimeoutError' || name === 'AbortError';
  if (error instanceof Unreachable || isLate) return { outcome: 'unreachable', text: message };
  const known = failureOf(error, 'fetch');
  if (known !== undefined) {
    const { exitCode, message: text } = known;
    return { outcome: exitCode === exitCodes.unknown ? 'unreachable' : 'failed', text };
  }
  const { outcome } = cause instanceof Error ? judge(cause) : { outcome: 'failed' as const };
  return { outcome, text: error instanceof CheckFailure ? message : `${name}: ${message}` };
}

/** 0 all passed, 1 one failed, 4 none failed but some could not be asked. */
export function exitCodeOf(outcomes: readonly Outcome[]): number {
  if (outcomes.includes('failed')) return exitCodes.notVerified;
  return outcomes.includes('unreachable') ? exitCodes.unknown : exitCodes.verified;
}
