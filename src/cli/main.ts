#!/usr/bin/env node
/** The `l2proof` command. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { setWords } from '../errors.js';
import { visible, visibleLines } from '../visible.js';
import { CliError, exitCodes, UsageError, unknownName } from './exit/exit.js';
import { commandWords, failureOf } from './exit/failures.js';
import { writeExitCode } from './exit/fileErrors.js';
import { type Command, commands, isCommand, mainUsage, usageOf } from './help/usage.js';
import { quote } from './print/print.js';

/** Runs a command. @returns what to print, if anything, or the exit code of a command that has printed by itself */
type Run = (args: readonly string[]) => Promise<string | number | undefined>;

// Each loads its own modules: they take longer than Node takes to start.
const runs: Readonly<Record<Command, Run>> = {
  verify: async (args) =>
    args.includes('--ndjson')
      ? (await import('./commands/verifyLines.js')).runStream(args)
      : (await import('./commands/verify.js')).runVerify(args),
  compact: async (args) => (await import('./commands/compact.js')).runCompact(args),
  load: async (args) => (await import('./commands/load.js')).runLoad(args),
  snapshot: async (args) => (await import('./commands/snapshot.js')).runSnapshot(args),
  migrate: async (args) => (await import('./commands/migrate.js')).runMigrate(args),
  follow: async (args) => (await import('./commands/follow.js')).runFollow(args),
  serve: async (args) => (await import('./commands/serve.js')).runServe(args),
  fetch: async (args) => (await import('./commands/fetch.js')).runFetch(args),
  decode: async (args) => (await import('./commands/decode.js')).runDecode(args),
  index: async (args) => (await import('./commands/indexing.js')).runIndex(args),
  balances: async (args) => (await import('./commands/balances.js')).runBalances(args),
  proxy: async (args) => (await import('./commands/proxy.js')).runProxy(args),
  devnet: async (args) => (await import('./commands/devnet.js')).runDevnet(args),
  completion: async (args) => (await import('./commands/completion.js')).runCompletion(args),
};
function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** Words in the place of a command that are answered here. */
const asking = { help: ['help', '--help', '-h'], version: ['version', '--version', '-V'] };

/** How a command is used, or all of them. @throws UsageError if there is no such command */
function help(name: string | undefined): string {
  if (name === undefined || Object.hasOwn(asking, name)) return mainUsage();
  if (isCommand(name)) return usageOf(name);
  const names = [...commands, ...Object.keys(asking)];
  throw unknownName(`unknown command ${quote(name)}`, name, names);
}

/** Whether a command is asked how it is used. `help` alone is no FILE: each command needs more than that. */
function asksHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const isWord = args.length === 1 && args[0] === 'help';
  return isWord || options.includes('--help') || options.includes('-h');
}

/** Runs the command line. @returns what to print, if anything, or the exit code */
async function run([name, ...rest]: readonly string[]): Promise<string | number | undefined> {
  if (name === undefined) {
    console.log(mainUsage());
    return exitCodes.usage;
  }
  if (asking.version.includes(name)) return readVersion();
  if (asking.help.includes(name)) return help(rest.find((arg) => !arg.startsWith('-')));
  // An unknown command is one before anything is said about it.
  return !isCommand(name) || asksHelp(rest) ? help(name) : runs[name](rest);
}

/** Runs the command line, and prints. @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const result = await run(args);
  if (typeof result === 'number') return result;
  // Whatever a command has found, a server or a file may have had a say in it.
  if (result) console.log(visibleLines(result));
  return exitCodes.verified;
}

/** Says what went wrong. @returns the exit code */
function report(error: unknown): number {
  const [name = ''] = process.argv.slice(2);
  const failure = error instanceof CliError ? error : failureOf(error, name);
  if (failure !== undefined) {
    // Servers and files may have a say in it.
    console.error(visible(failure.message));
    if (failure instanceof UsageError) {
      if (failure.hint !== undefined) console.error(failure.hint);
      console.error(`see l2proof help${isCommand(name) ? ` ${name}` : ''}`);
    }
    return failure.exitCode;
  }
  // Node would end with the code of a proof that was refused.
  console.error('l2proof failed, which says nothing about any proof; report it with what follows');
  console.error(visibleLines(inspect(error)));
  return exitCodes.unknown;
}

/** A reader that went away ("| head") is an I/O error, not a crash. */
function onWriteError(error: NodeJS.ErrnoException): void {
  // What a command has found counts for more.
  process.exitCode ??= writeExitCode(error);
  if (error.code !== 'EPIPE') console.error(visible(`cannot write the output: ${error.message}`));
}

process.stdout.on('error', onWriteError);
// Without stderr there is nowhere to report to.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => process.exit(report(error)));

/** Ms for which what is left of a command may keep the process. */
const lastTime = 500;

setWords(commandWords);
const code = await main(process.argv.slice(2)).catch(report);
if (code !== exitCodes.verified) process.exitCode = code;
// What did not close, such as a connection to a server that is stuck, must not keep a lease or the process alive.
process.stdout.write('', () => setTimeout(() => process.exit(), lastTime).unref());
