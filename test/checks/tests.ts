/** Runs tests in the copy of the repo, in a process that stays for the next ones (`runner.ts`). */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Question {
  /** The test file. */
  readonly path: string;
  /** The tests to run in it, all if there are none here. */
  readonly testIds: readonly string[];
  /** The check that is left out, or -1. */
  readonly leftOut: number;
  /** The file that `setup.ts` writes its notes to; none if ''. */
  readonly notes: string;
  /** Milliseconds that one test may take. */
  readonly testTimeout: number;
}

export interface Answer {
  /** What failed first, or undefined. */
  readonly failure: string | undefined;
}

export interface Tests {
  /** @returns what failed first; undefined if nothing did, 'endless' if nothing did within `timeout` ms */
  failureOf(question: Question, timeout: number): Promise<string | undefined>;
  close(): void;
}

const endless = 'endless';

/** @param copy the folder to run in */
export function testsIn(copy: string): Tests {
  let child: ChildProcess | undefined;

  async function start(): Promise<ChildProcess> {
    const started = fork(join(copy, 'test/checks/runner.ts'), {
      cwd: copy,
      // A group of its own: its workers end with it.
      detached: true,
      env: {
        ...process.env,
        FC_NUM_RUNS: '20',
        VECTORS_DIRS: 'vectors/forged:vectors',
        // Where tests put what they share; `leftovers.ts` names it in other runs.
        SHARED_FOLDER: mkdtempSync(join(copy, 'shared-')),
      },
    });
    await first((signal) => [answerOf(started, signal)]);
    return started;
  }

  function close(): void {
    if (child?.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    child = undefined;
  }

  return {
    close,
    async failureOf(question, timeout) {
      child ??= await start();
      child.send(question);
      const failure = await first<string | undefined>((signal) => [
        answerOf(child as ChildProcess, signal),
        sleep(timeout, endless, { signal }),
      ]);
      if (failure === endless) close();
      return failure;
    },
  };
}

/** The first of some events; nobody listens to the others then. */
async function first<T>(events: (signal: AbortSignal) => Promise<T>[]): Promise<T> {
  const over = new AbortController();
  try {
    return await Promise.race(events(over.signal));
  } finally {
    over.abort();
  }
}

/** @returns what failed first in the tests that run; rejects if their process ends */
function answerOf(child: ChildProcess, signal: AbortSignal): Promise<string | undefined> {
  const ended = once(child, 'exit', { signal }).then(([code]): never => {
    throw new Error(`the process that runs the tests ended with ${code}`);
  });
  const answered = once(child, 'message', { signal });
  return Promise.race([answered.then(([answer]: Answer[]) => answer?.failure), ended]);
}
