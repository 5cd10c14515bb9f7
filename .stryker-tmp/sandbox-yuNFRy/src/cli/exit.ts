/** How the process ends. */
// @ts-nocheck


/** What the process ends with. */
export const exitCodes = {
  verified: 0,
  notVerified: 1,
  malformed: 2,
  /** Of the command line, and of files, ports and packages. */
  usage: 3,
  /** Nothing was refused: nobody answered. */
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
