#!/usr/bin/env node
/** The `l2proof` command. */
import { readFileSync } from 'node:fs';
import { CliError, exitCodes, UsageError } from './exit.js';
import { plain, quote } from './print.js';
import { runStream } from './stream.js';
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
} from './usage.js';
import { runVerify } from './verify.js';

const usages = new Map([
  ['verify', verifyUsage],
  ['compact', compactUsage],
  ['load', loadUsage],
  ['snapshot', snapshotUsage],
  ['migrate', migrateUsage],
  ['follow', followUsage],
  ['serve', serveUsage],
  ['fetch', fetchUsage],
  ['decode', decodeUsage],
  ['index', indexUsage],
  ['balances', balancesUsage],
  ['proxy', proxyUsage],
]);
const usage = [...usages.values(), mainUsage].join('\n\n');

function readVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** How a command is used, or all of them. @throws UsageError if there is no such command */
function usageOf(command: string | undefined): string {
  if (command === undefined) return usage;
  const own = usages.get(command);
  if (own !== undefined) return own;
  const names = [...usages.keys()].join(', ');
  throw new UsageError(`unknown command ${quote(command)}; the commands are ${names}`);
}

/** Whether a command is asked how it is used. `help` alone is no FILE: each command needs more than that. */
function asksHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  const isWord = args.length === 1 && args[0] === 'help';
  return isWord || options.includes('--help') || options.includes('-h');
}

/** Runs a command. @returns the exit code */
async function run([command, ...rest]: readonly string[]): Promise<number> {
  if (command === undefined) throw new UsageError('no command is given; give one of those below');
  if (command === '--version') console.log(readVersion());
  else if (command === '--help' || command === '-h') console.log(usage);
  else if (command === 'help') console.log(usageOf(rest.find((arg) => !arg.startsWith('-'))));
  // An unknown command is one before anything is said about it.
  else if (asksHelp(rest) || !usages.has(command)) console.log(usageOf(command));
  else if (command === 'serve') {
    const { runServe } = await import('./serve.js');
    await runServe(rest);
  } else if (command === 'fetch') {
    const { runFetch } = await import('./fetch.js');
    console.log(await runFetch(rest));
  } else if (command === 'decode') {
    const { runDecode } = await import('./decode.js');
    console.log(await runDecode(rest));
  } else if (command === 'index') {
    const { runIndex } = await import('./indexing.js');
    console.log(await runIndex(rest));
  } else if (command === 'balances') {
    const { runBalances } = await import('./balances.js');
    console.log(await runBalances(rest));
  } else if (command === 'proxy') {
    const { runProxy } = await import('./proxy.js');
    await runProxy(rest);
  } else if (command === 'snapshot') {
    const { runSnapshot } = await import('./snapshot.js');
    const said = await runSnapshot(rest);
    if (said !== '') console.log(said);
  } else if (command === 'load') {
    const { runLoad } = await import('./load.js');
    console.log(await runLoad(rest));
  } else if (command === 'migrate') {
    const { runMigrate } = await import('./migrate.js');
    console.log(await runMigrate(rest));
  } else if (command === 'follow') {
    const { runFollow } = await import('./follow.js');
    console.log(await runFollow(rest));
  } else if (command === 'compact') {
    const { runCompact } = await import('./compact.js');
    console.log(await runCompact(rest));
  } else if (rest.includes('--ndjson')) return runStream(rest);
  else console.log(await runVerify(rest));
  return exitCodes.verified;
}

/** Says what went wrong. @returns the exit code */
function report(error: unknown): number {
  if (error instanceof CliError) {
    // Servers and files may have a say in it.
    console.error(plain(error.message));
    const [command = ''] = process.argv.slice(2);
    if (error instanceof UsageError) console.error(`\n${usages.get(command) ?? usage}`);
    return error.exitCode;
  }
  // Node would end with the code of a proof that was refused.
  console.error('l2proof failed, which says nothing about any proof; report it with what follows');
  console.error(error);
  return exitCodes.unknown;
}

/** A reader that went away ("| head") is an I/O error, not a crash. */
function onWriteError(error: NodeJS.ErrnoException): void {
  process.exitCode = exitCodes.usage;
  if (error.code !== 'EPIPE') console.error(`cannot write the output: ${error.message}`);
}

process.stdout.on('error', onWriteError);
// Without stderr there is nowhere to report to.
process.stderr.on('error', () => {});
process.on('uncaughtException', (error) => process.exit(report(error)));

const code = await run(process.argv.slice(2)).catch(report);
if (code !== exitCodes.verified) process.exitCode = code;
