/** How the process ends. */
import { nearestName } from '../../errors.js';

/** Exit codes of the process. */
export const exitCodes = {
  verified: 0,
  notVerified: 1,
  malformed: 2,
  /** A wrong command line or store, or trouble with a file, a port or a package. */
  usage: 3,
  /** Could not find out: nothing was refused, but a server did not answer, a store has no room, or another writer. */
  unknown: 4,
} as const;

/** An error whose message is all that the user needs, and the exit code it ends with. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** A command line that is wrong: the one kind of error that is followed by where to read how the command is used. */
export class UsageError extends CliError {
  /** A line on what was probably meant. */
  readonly hint: string | undefined;

  constructor(message: string, { hint, ...options }: ErrorOptions & { hint?: string } = {}) {
    super(exitCodes.usage, message, options);
    this.hint = hint;
  }
}

/** @param text what is wrong @param name that is not known @param names that are */
export function unknownName(text: string, name: string, names: readonly string[]): UsageError {
  const near = nearestName(name, names);
  return new UsageError(text, near === undefined ? {} : { hint: `did you mean ${near}?` });
}
