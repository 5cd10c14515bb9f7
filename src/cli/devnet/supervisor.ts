/** The processes of a devnet: none outlives it, and the devnet ends if one of them does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { CliError, exitCodes } from '../exit/exit.js';

/** A process that goes on until the devnet ends. */
export interface Running {
  /** Resolves with the match once its output has one. Does not reject: await it beside {@link Supervisor.failure}. */
  said(pattern: RegExp): Promise<RegExpExecArray>;
}

/** Starts processes, and ends them. */
export interface Supervisor {
  /** Rejects with a CliError once a process ends that should go on, with its last words. */
  readonly failure: Promise<never>;
  /** Starts a program of Node that goes on. @param name for messages */
  start(name: string, args: readonly string[]): Running;
  /** Starts the command, which goes on. */
  startCommand(args: readonly string[]): Running;
  /** Runs the command to its end. @returns what it printed @throws CliError unless it ended well */
  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<string>;
  /** Ends all processes, and removes the folder. */
  stop(): Promise<void>;
}

/** Most characters of output that are kept of a process: enough for its last words. */
const keptOutput = 4000;

/** The environment without what is meant for other runs of the command, such as endpoints and keys. */
const bareEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('L2PROOF_')));

const howEnded = (code: number | null, signal: string | null): string =>
  signal === null ? `exit code ${code}` : signal;

const failed = (text: string) => new CliError(exitCodes.unknown, text, { code: 'FAILED' });

/** What a supervisor works with. */
interface Workplace {
  /** File that runs the command. */
  readonly main: string;
  /** File that runs the keeper. */
  readonly keeperFile: string;
  /** What the processes write to; it is removed in the end. */
  readonly folder: string;
}

/** Begins with no process but the keeper. */
export function createSupervisor({ main, keeperFile, folder }: Workplace): Supervisor {
  let isStopping = false;
  let fail: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever starts processes awaits it; later on nobody may.
  failure.catch(() => {});

  // Of its own group, like all others: an interrupt at the terminal reaches the devnet alone, which ends them in order.
  const keeper = spawn(process.execPath, [keeperFile, folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.stdin.on('error', () => {});
  const keeperEnded = once(keeper, 'exit');
  void keeperEnded.then(() => {
    if (!isStopping) fail(failed('the keeper of the devnet ended'));
  });

  const running = new Set<ChildProcess>();
  function open(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...bareEnv(), ...env },
    });
    keeper.stdin.write(`+${child.pid}\n`);
    running.add(child);
    child.once('exit', () => {
      running.delete(child);
      keeper.stdin.write(`-${child.pid}\n`);
    });
    return child;
  }

  function start(name: string, args: readonly string[]): Running {
    const child = open(args, {});
    let output = '';
    const listeners = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        output = (output + chunk).slice(-keptOutput);
        for (const listener of listeners) listener();
      });
    }
    child.once('close', (code, signal) => {
      const last = `${howEnded(code, signal)}), and the devnet with it: ${output.trim()}`;
      if (!isStopping) fail(failed(`${name} ended (${last}`));
    });
    return {
      said: (pattern) =>
        new Promise((resolve) => {
          const look = () => {
            const match = pattern.exec(output);
            if (match === null) return;
            listeners.delete(look);
            resolve(match);
          };
          listeners.add(look);
          look();
        }),
    };
  }

  return {
    failure,
    start,
    startCommand: (args) => start(`l2proof ${args[0]}`, [main, ...args]),
    async run(args, env = {}) {
      const child = open([main, ...args], env);
      const [printed, said] = [child.stdout, child.stderr].map(async (stream) => {
        let text = '';
        for await (const chunk of stream?.setEncoding('utf8') ?? []) text += chunk;
        return text;
      });
      const [code, signal] = await once(child, 'close');
      if (code === exitCodes.verified) return (await printed) as string;
      const why = (await said)?.trim();
      throw failed(`l2proof ${args[0]} failed (${howEnded(code, signal)}): ${why}`);
    },
    async stop() {
      isStopping = true;
      keeper.stdin.end();
      await keeperEnded;
      // Nothing is left to do, unless someone has ended the keeper.
      for (const { pid } of running) process.kill(-(pid as number), 'SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
