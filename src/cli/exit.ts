/** How the process ends. */

/** What the process ends with. */
export const exitCodes = { verified: 0, notVerified: 1, malformed: 2, usage: 3 } as const;

/** An error whose message is all that the user needs, and the exit code it ends with. */
export class CliError extends Error {
  readonly exitCode: number;

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
