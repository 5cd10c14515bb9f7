#!/usr/bin/env node
/** The `l2proof` command. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { setWords } from '../errors.js';
import { visible, visibleLines } from '../visible.js';
import { CliError, exitCodes, UsageError } from './exit/exit.js';
import { commandWords, failureOf } from './exit/failures.js';
import { writeExitCode } from './exit/fileErrors.js';
import {
  balancesUsage,
  compactUsage,
  decodeUsage,
  fetchUsage,
  followUsage,
  indexUsage,
  loadUsage,
  mainUsage,
  migrateUsage,
  proxyUsage,
  serveUsage,
  snapshotUsage,
  verifyUsage,
} from './help/usage.js';
import { quote } from './print/print.js';

/** Runs a command. @returns what to print, if anything, or the exit code of a command that has printed by itself */
type Run = (args: readonly string[]) => Promise<string | number | undefined>;

// Each loads its own modules: they take longer than Node takes to start.
const table: readonly (readonly [name: string, usage: string, run: Run])[] = [
  [
    'verify',
    verifyUsage,
    async (args) =>
      args.includes('--ndjson')
        ? (await import('./commands/stream.js')).runStream(args)
        : (await import('./commands/verify.js')).runVerify(args),
  ],
  [
    'compact',
    compactUsage,
    async (args) => (await import('./commands/compact.js')).runCompact(args),
  ],
  ['load', loadUsage, async (args) => (await import('./commands/load.js')).runLoad(args)],
  [
    'snapshot',
    snapshotUsage,
    async (args) => (await import('./commands/snapshot.js')).runSnapshot(args),
  ],
  [
    'migrate',
    migrateUsage,
    async (args) => (await import('./commands/migrate.js')).runMigrate(args),
  ],
  ['follow', followUsage, async (args) => (await import('./commands/follow.js')).runFollow(args)],
  ['serve', serveUsage, async (args) => (await import('./commands/serve.js')).runServe(args)],
  ['fetch', fetchUsage, async (args) => (await import('./commands/fetch.js')).runFetch(args)],
  ['decode', decodeUsage, async (args) => (await import('./commands/decode.js')).runDecode(args)],
  ['index', indexUsage, async (args) => (await import('./commands/indexing.js')).runIndex(args)],
  [
    'balances',
    balancesUsage,
    async (args) => (await import('./commands/balances.js')).runBalances(args),
  ],
  ['proxy', proxyUsage, async (args) => (await import('./commands/proxy.js')).runProxy(args)],
];
const usage = [...table.map(([, own]) => own), mainUsage].join('\n\n');
const commands = new Map(table.map(([name, own, run]) => [name, { usage: own, run }]));

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** How a command is used, or all of them. @throws UsageError if there is no such command */
function usageOf(command: string | undefined): string {
  if (command === undefined) return usage;
  const own = commands.get(command);
  if (own !== undefined) return own.usage;
  const names = [...commands.keys()].join(', ');
  throw new UsageError(`unknown command ${quote(command)}; the commands are ${names}`);
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
  if (name === undefined) throw new UsageError('no command is given; give one of those below');
  if (name === '--version') return readVersion();
  if (name === '--help' || name === '-h') return usage;
  if (name === 'help') return usageOf(rest.find((arg) => !arg.startsWith('-')));
  const command = commands.get(name);
  // An unknown command is one before anything is said about it.
  if (command === undefined || asksHelp(rest)) return usageOf(name);
  return command.run(rest);
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
  const [command = ''] = process.argv.slice(2);
  const failure = error instanceof CliError ? error : failureOf(error, command);
  if (failure !== undefined) {
    // Servers and files may have a say in it.
    console.error(visible(failure.message));
    if (failure instanceof UsageError) console.error(`\n${commands.get(command)?.usage ?? usage}`);
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
