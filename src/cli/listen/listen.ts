/** Shared by the commands that listen on a port. */
import { CliError, exitCodes } from '../exit/exit.js';

/** Resolves with the first signal to end. A second one ends the process at once. */
export function untilSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, resolve);
  });
}

/** Ms after a signal in which work that hears it must have ended, whatever a server or a disk does. */
const signalTime = 8000;

/** Aborted by a signal to end. */
export interface Ending {
  readonly signal: AbortSignal;
  /** Listens no longer. */
  stop(): void;
}

/**
 * Listens for a signal to end. Work that does not end in time ends with the process; so it does at a second signal.
 *
 * @param options.reason what the signal is aborted with
 * @param options.code exit code of the process then
 */
export function onSignal({ reason, code }: { reason: Error; code: number }): Ending {
  const controller = new AbortController();
  const abort = () => {
    controller.abort(reason);
    const end = () => {
      const text = 'stopped, without an answer to what was under way';
      // Nobody waits for this timer: the process reports it as it does any error, and ends.
      throw new CliError(code, text, { code: 'STOPPED' });
    };
    setTimeout(end, signalTime).unref();
  };
  const all = ['SIGTERM', 'SIGINT'] as const;
  for (const name of all) process.once(name, abort);
  return {
    signal: controller.signal,
    stop() {
      for (const name of all) process.off(name, abort);
    },
  };
}

/** Why there is no server: what the system says about the host and the port, in few words. */
export function listenError(cause: unknown, host: string, port: number): unknown {
  const { syscall, code, message } = cause as NodeJS.ErrnoException;
  if (syscall === undefined) return cause;
  const advice = code === 'EADDRINUSE' ? 'give another --port' : 'give another --host or --port';
  const text = `cannot listen on ${host} port ${port}; ${advice}: ${message}`;
  return new CliError(exitCodes.usage, text, { code: 'PORT', cause });
}
