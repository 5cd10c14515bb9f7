/** Shared by the commands that listen on a port. */
import { wholeNumber } from './args.js';
import { CliError, exitCodes, UsageError } from './exit.js';

/** @throws UsageError */
export function portOf(text: string): number {
  const port = wholeNumber('port', text) as number;
  if (port > 65_535) throw new UsageError('--port expected a number up to 65535');
  return port;
}

/** Resolves with the first signal to end. A second one ends the process at once. */
export function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, resolve);
  });
}

/** Why there is no server: what the system says about the host and the port, in few words. */
export function listenError(cause: unknown, host: string, port: number): unknown {
  const { syscall, code, message } = cause as NodeJS.ErrnoException;
  if (syscall === undefined) return cause;
  const advice = code === 'EADDRINUSE' ? 'give another --port' : 'give another --host or --port';
  const text = `cannot listen on ${host} port ${port}; ${advice}: ${message}`;
  return new CliError(exitCodes.usage, text, { cause });
}
