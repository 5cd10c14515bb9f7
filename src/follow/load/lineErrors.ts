/** Errors of the lines of a state file. */
import { FollowError } from '../node/errors.js';

export const badLine = (line: number, text: string, options: ErrorOptions = {}) =>
  new FollowError('BAD_FILE', `line ${line}: ${text}`, { ...options, line });

export const rootMismatch = (line: number, what: string, cause?: unknown): FollowError =>
  new FollowError('ROOT_MISMATCH', `line ${line}: ${what}`, { line, cause });
