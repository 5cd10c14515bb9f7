/** Where the results of many lines go, a line each. */
import { once } from 'node:events';
import { visible } from '../../visible.js';
import { exitCodes } from '../exit/exit.js';
import { colored } from '../print/color.js';

export interface Output {
  /** Number of the last line whose result is there already, from an earlier run; 0 for none. */
  readonly after: number;
  /** Exit code of the results that are there already. */
  readonly code: number;
  /** Why standard output takes no more; undefined while it does. */
  readonly failure?: unknown;
  /**
   * @param lines each with its newline
   * @returns false if standard output takes no more
   * @throws CliError if a file cannot be written
   */
  write(lines: string): Promise<boolean>;
  /** To be called behind the last result. @throws CliError if the results cannot be put in place */
  finish(): Promise<void>;
  /** To be called in the end, whatever happened. */
  close(): void;
}

/** Standard output. */
export function openStdout(): Output {
  let failure: unknown;
  process.stdout.once('error', (error) => {
    failure = error;
  });
  /** Waits until it takes more, or is gone. */
  const drained = async () => {
    const done = new AbortController();
    const event = (name: string) => once(process.stdout, name, { signal: done.signal });
    await Promise.race([event('drain'), event('close')]).catch(() => {});
    // Without it, each wait would leave a listener for the event that did not come.
    done.abort();
  };
  return {
    after: 0,
    code: exitCodes.verified,
    get failure() {
      return failure;
    },
    async write(lines) {
      if (failure !== undefined) return false;
      // Each has a verdict of its own.
      const shown = lines.split('\n').map((line) => colored(visible(line), process.stdout));
      if (!process.stdout.write(shown.join('\n'))) await drained();
      return true;
    },
    finish: async () => {},
    close: () => {},
  };
}
