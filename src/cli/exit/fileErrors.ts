/** What a file, or the output, that cannot be written is to the process. */
import { CliError, exitCodes } from './exit.js';

/** What may be over at the next try: no room, or a disk that fails. */
const passing: readonly (string | undefined)[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'];

/** Exit code of a write that failed. */
export const writeExitCode = (cause: unknown): number =>
  passing.includes((cause as NodeJS.ErrnoException).code) ? exitCodes.unknown : exitCodes.usage;

/** @param name of the file, as the message shows it */
export function writeError(name: string, cause: unknown): CliError {
  const reason = `cannot write ${name}: ${(cause as Error).message}`;
  return new CliError(writeExitCode(cause), reason, { code: 'FILE', cause });
}
