/** The processes of a devnet: none outlives it, and the devnet ends if one of them does. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
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
  /** Starts a process that goes on. @param name for messages @param args of Node */
  start(name: string, args: readonly string[], env?: NodeJS.ProcessEnv): Running;
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

/**
 * @param main file of the command
 * @param folder what the processes write to; it is removed in the end
 */
export function createSupervisor(main: string, folder: string): Supervisor {
  let isStopping = false;
  let fail: (error: Error) => void = () => {};
  const failure = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever starts processes awaits it; later on nobody may.
  failure.catch(() => {});

  // Of its own group, like all others: an interrupt at the terminal reaches the devnet alone, which ends them in order.
  const keeper = spawn(process.execPath, [join(dirname(main), 'keeper.js'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  keeper.stdin.on('error', () => {});
  const keeperEnded = once(keeper, 'exit');
  void keeperEnded.then(() => {
    if (!isStopping)
      fail(new CliError(exitCodes.unknown, 'the keeper of the devnet ended', { code: 'FAILED' }));
  });

  function open(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const child = spawn(process.execPath, args, {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...bareEnv(), ...env },
    });
    keeper.stdin.write(`+${child.pid}\n`);
    child.once('exit', () => keeper.stdin.write(`-${child.pid}\n`));
    return child;
  }

  return {
    failure,
    start(name, args, env = {}) {
      const child = open(args, env);
      let output = '';
      const listeners = new Set<() => void>();
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (chunk: string) => {
          output = (output + chunk).slice(-keptOutput);
          for (const listener of listeners) listener();
        });
      }
      child.once('close', (code, signal) => {
        const text = `${name} ended (${howEnded(code, signal)}), and the devnet with it: ${output.trim()}`;
        if (!isStopping) fail(new CliError(exitCodes.unknown, text, { code: 'FAILED' }));
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
    },
    async run(args, env = {}) {
      const child = open([main, ...args], env);
      const [printed, said] = [child.stdout, child.stderr].map(async (stream) => {
        let text = '';
        for await (const chunk of stream?.setEncoding('utf8') ?? []) text += chunk;
        return text;
      });
      const [code, signal] = await once(child, 'close');
      if (code === exitCodes.verified) return (await printed) as string;
      const text = `l2proof ${args[0]} failed (${howEnded(code, signal)}): ${(await said)?.trim()}`;
      throw new CliError(exitCodes.unknown, text, { code: 'FAILED' });
    },
    async stop() {
      isStopping = true;
      keeper.stdin.end();
      await keeperEnded;
    },
  };
}
