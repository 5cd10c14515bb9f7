/** How the process ends. */
import { nearestName } from '../../errors.js';
import { visible } from '../../visible.js';

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

/**
 * Codes of the command's own errors; those of the library stand beside its classes:
 *
 * - `USAGE` the command line is wrong
 * - `FILE` a file, or the output, cannot be read or written, or does not hold what it should
 * - `PORT` the host or port cannot be listened on
 * - `MISSING_PEER` an optional package is not installed
 * - `MALFORMED` an answer, a proof or a line does not have its format
 * - `NOT_VERIFIED` a file is of another state or chain than it should be
 * - `NOT_FOUND` the server does not have what was asked for
 * - `INCOMPLETE` the list that was printed is cut
 * - `STOPPED` a signal ended the command before its work was done
 * - `FAILED` the command itself failed
 */
type OwnCode =
  | ('USAGE' | 'FILE' | 'PORT' | 'MISSING_PEER' | 'MALFORMED' | 'NOT_VERIFIED')
  | ('NOT_FOUND' | 'INCOMPLETE' | 'STOPPED' | 'FAILED');

/** An error as a program reads it. */
interface Cause {
  readonly code: string;
  readonly reason: string;
  readonly path?: string | undefined;
}

/** An error whose message is all that the user needs, and the exit code it ends with. */
export class CliError extends Error {
  readonly exitCode: number;
  /** Of the command or the library. */
  readonly code: string;
  /** The message without advice, code and path. */
  readonly reason: string;
  /** Member of an answer or a file that is wrong; undefined if there is none. */
  readonly path: string | undefined;

  /** @param parts.code the command's own code, or else @param parts.about what the library says */
  constructor(
    exitCode: number,
    message: string,
    parts: ErrorOptions & ({ readonly code: OwnCode } | { readonly about: Cause }),
  ) {
    super(message, 'cause' in parts ? { cause: parts.cause } : {});
    const { code, reason, path } =
      'about' in parts ? parts.about : { ...parts, reason: message, path: undefined };
    this.exitCode = exitCode;
    this.code = code;
    this.reason = reason;
    this.path = path;
  }
}

/** A command line that is wrong: the one kind of error that is followed by where to read how the command is used. */
export class UsageError extends CliError {
  /** A line on what was probably meant. */
  readonly hint: string | undefined;

  constructor(message: string, { hint, ...options }: ErrorOptions & { hint?: string } = {}) {
    super(exitCodes.usage, message, { ...options, code: 'USAGE' });
    this.hint = hint;
  }
}

/** A refusal as a program reads it: one object on one line. */
export function refusalJson({ code, path, reason }: CliError): string {
  return visible(JSON.stringify({ ok: false, code, path: path ?? null, reason }));
}

/** @param text what is wrong @param name that is not known @param names that are */
export function unknownName(text: string, name: string, names: readonly string[]): UsageError {
  const near = nearestName(name, names);
  return new UsageError(text, near === undefined ? {} : { hint: `did you mean ${near}?` });
}
