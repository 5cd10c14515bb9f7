/** Commands that go on until they are ended. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { until } from './until.js';

export interface Command {
  readonly child: ChildProcess;
  /** Output so far, of both streams. */
  readonly said: { readonly text: string };
  /** The exit code; null if a signal ended it. */
  readonly ended: Promise<number | null>;
}

/** What a child says, and how it ends. @param running has it until then */
export function watchChild(
  child: ChildProcess,
  running: Set<ChildProcess>,
): Pick<Command, 'said' | 'ended'> {
  running.add(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      said.text += chunk;
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve(code);
    });
  });
  return { said, ended };
}

const running = new Set<ChildProcess>();

/** Starts a program of Node. */
export function startCommand(args: readonly string[], options: SpawnOptions = {}): Command {
  const env = { ...process.env, ...options.env };
  const child = spawn(process.execPath, [...args], { ...options, env });
  return { child, ...watchChild(child, running) };
}

/** URL of a service that a command has started, once it listens. */
export async function urlOf({ said }: Command): Promise<string> {
  await until(() => /"port":\d+/.test(said.text), 'the service listens');
  return `http://127.0.0.1:${/"port":(\d+)/.exec(said.text)?.[1]}`;
}

/** Ends all that were started and have not ended. */
export function endCommands(): void {
  for (const child of running) child.kill('SIGKILL');
}
