/** Commands one after the other, for the runners of tests and benches. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A tool of this package, by its name, and its arguments. */
export type Command = readonly [tool: string, ...args: readonly string[]];

/** Makes `dist` of `src`. */
export const buildCommand: Command = ['npm', 'run', 'build', '--silent'];

/**
 * Runs them until one fails; this process then ends as that one did.
 *
 * @param env what they have in their environment beside what this process has
 */
export async function runCommands(
  commands: readonly Command[],
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  for (const [tool, ...args] of commands) {
    const child = spawn(tool, args, { stdio: 'inherit', env: { ...process.env, ...env } });
    // The terminal tells both of an interrupt: what it runs cleans up, and this process waits for that.
    const waitOn = () => {};
    const passOn = () => child.kill('SIGTERM');
    process.on('SIGINT', waitOn).on('SIGTERM', passOn);
    const [code] = await once(child, 'exit');
    process.off('SIGINT', waitOn).off('SIGTERM', passOn);
    if (code !== 0) {
      process.exitCode = code ?? 1;
      return;
    }
  }
}
