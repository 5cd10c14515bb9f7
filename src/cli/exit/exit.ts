/** How the process ends. */

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

/** A command line that is wrong: the one kind of error that is followed by how the command is used. */
export class UsageError extends CliError {
  constructor(message: string, options?: ErrorOptions) {
    super(exitCodes.usage, message, options);
  }
}
