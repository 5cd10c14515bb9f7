/** What a file, or the output, that cannot be written is to the process. */
import { constants } from 'node:os';
import { diskCodes } from '../disk/errors.js';
import { CliError, exitCodes } from './exit.js';

/** Exit code of a write that failed: one for want of room, or on a disk that fails, may be done at the next try. */
export function writeExitCode(cause: unknown): number {
  // Node negates the system's numbers.
  const number = Math.abs((cause as NodeJS.ErrnoException).errno ?? 0);
  const isPassing = diskCodes.get(number) === 'STORE_FULL' || number === constants.errno.EIO;
  return isPassing ? exitCodes.unknown : exitCodes.usage;
}

/** @param name of the file, as the message shows it */
export function writeError(name: string, cause: unknown): CliError {
  const reason = `cannot write ${name}: ${(cause as Error).message}`;
  return new CliError(writeExitCode(cause), reason, { cause });
}
