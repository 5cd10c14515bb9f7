/** Lines of a README, as a reader types them: in a folder of its own, with npm asking the registry of this run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { type Command, watchChild } from '../support/commands.js';
import { until } from '../support/until.js';

/** A line that goes on, with all that it has started. */
export interface Running extends Pick<Command, 'said' | 'ended'> {
  /** To all of its processes, as a terminal does. */
  signal(name: NodeJS.Signals): void;
}

const running = new Set<ChildProcess>();

/** @param env besides a reader's own environment, of which nothing of the test's is left */
export function startLine(line: string, cwd: string, env: NodeJS.ProcessEnv): Running {
  const { PATH, HOME, TMPDIR } = process.env;
  const child = spawn('bash', ['-ec', line], {
    ...{ cwd, env: { PATH, HOME, TMPDIR, npm_config_update_notifier: 'false', ...env } },
    ...{ detached: true, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  return { ...watchChild(child, running), signal: (name) => endGroup(child, name) };
}

function endGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-(pid as number), name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Waits until it has printed something. @returns the match @throws with its output if it ends before */
export async function untilSaid(
  { said, ended }: Running,
  pattern: RegExp,
  ms?: number,
): Promise<RegExpExecArray> {
  let code: number | null | undefined;
  void ended.then((own) => {
    code = own;
  });
  await until(() => pattern.test(said.text) || code !== undefined, `it prints ${pattern}`, ms);
  const match = pattern.exec(said.text);
  if (match === null) throw new Error(`it ended with ${code} before ${pattern}: ${said.text}`);
  return match;
}

/** Ends all that were started and have not ended. */
export async function endLines(): Promise<void> {
  const children = [...running];
  for (const child of children) endGroup(child, 'SIGKILL');
  await until(() => children.every((child) => !running.has(child)), 'all lines have ended');
}
