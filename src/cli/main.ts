#!/usr/bin/env node
/** The `l2proof` command. */
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { setWords } from '../errors.js';
import { visible, visibleLines } from '../visible.js';
import { CliError, exitCodes, refusalJson, UsageError, unknownName } from './exit/exit.js';
import { commandWords, failureOf } from './exit/failures.js';
import { writeExitCode } from './exit/fileErrors.js';
import { readOutput } from './flags/output.js';
import type { Command } from './help/usage.js';
import { colored, setColor } from './print/color.js';
import { quote } from './print/print.js';
import { printResult, type Result } from './print/result.js';
import { clearLine } from './print/statusLine.js';

const commandLine = process.argv.slice(2);
const [name = ''] = commandLine;
const { json: isJson, color } = readOutput(commandLine);
setColor(color);

/** What a command ends with: what it has found, or the exit code if it has printed by itself. */
type Ending = Result | number | undefined;

type Run = (args: readonly string[]) => Promise<Ending>;

// Each loads its own modules: they take longer than Node takes to start.
const runs: Readonly<Record<Command, Run>> = {
  verify: async (args) =>
    args.includes('--ndjson')
      ? (await import('./commands/verifyLines.js')).runStream(args)
      : (await import('./commands/verify.js')).runVerify(args),
  explain: async (args) => (await import('./explain/explain.js')).runExplain(args),
  compact: async (args) => (await import('./commands/compact.js')).runCompact(args),
  load: async (args) => (await import('./commands/load.js')).runLoad(args),
  snapshot: async (args) => (await import('./commands/snapshot.js')).runSnapshot(args),
  status: async (args) => (await import('./commands/status.js')).runStatus(args),
  migrate: async (args) => (await import('./commands/migrate.js')).runMigrate(args),
  follow: async (args) => (await import('./commands/follow.js')).runFollow(args),
  serve: async (args) => (await import('./commands/serve.js')).runServe(args),
  fetch: async (args) => (await import('./commands/fetch.js')).runFetch(args),
  calldata: async (args) => (await import('./bridge/calldata.js')).runCalldata(args),
  message: async (args) => (await import('./bridge/message.js')).runMessage(args),
  tx: async (args) => (await import('./commands/tx.js')).runTx(args),
  block: async (args) => (await import('./commands/block.js')).runBlock(args),
  logs: async (args) => (await import('./commands/logs.js')).runLogs(args),
  decode: async (args) => (await import('./commands/data/decode.js')).runDecode(args),
  index: async (args) => (await import('./commands/indexing.js')).runIndex(args),
  balances: async (args) => (await import('./commands/data/balances.js')).runBalances(args),
  transactions: async (args) =>
    (await import('./commands/data/transactions.js')).runTransactions(args),
  transfers: async (args) => (await import('./commands/data/transfers.js')).runTransfers(args),
  holders: async (args) => (await import('./commands/data/holders.js')).runHolders(args),
  activity: async (args) => (await import('./commands/data/activity.js')).runActivity(args),
  portfolio: async (args) => (await import('./commands/data/portfolio.js')).runPortfolio(args),
  allowances: async (args) => (await import('./commands/data/allowances.js')).runAllowances(args),
  nfts: async (args) => (await import('./commands/data/nfts.js')).runNfts(args),
  proxy: async (args) => (await import('./commands/proxy.js')).runProxy(args),
  devnet: async (args) => (await import('./commands/devnet.js')).runDevnet(args),
  completion: async (args) => (await import('./commands/completion.js')).runCompletion(args),
};

const isCommand = (name: string): name is Command => Object.hasOwn(runs, name);

function versionResult(): Result {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  return { text: version, value: { version } };
}

/** The texts of the help take longer to load than a short command takes to run. */
const loadUsage = () => import('./help/usage.js');

/** Words in the place of a command that are answered here. */
const asking = { help: ['help', '--help', '-h'], version: ['version', '--version', '-V'] };

/** How a command is used, or all of them. @throws UsageError if there is no such command */
async function help(name: string | undefined): Promise<Result> {
  const { commands, mainUsage, usageOf } = await loadUsage();
  if (name === undefined || Object.hasOwn(asking, name)) {
    const texts = Object.fromEntries(commands.map((one) => [one, usageOf(one)]));
    return { text: mainUsage(), value: { help: mainUsage(), commands: texts } };
  }
  if (isCommand(name))
    return { text: usageOf(name), value: { command: name, help: usageOf(name) } };
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

async function run([name, ...rest]: readonly string[]): Promise<Ending> {
  if (name === undefined) {
    console.log((await loadUsage()).mainUsage());
    return exitCodes.usage;
  }
  if (asking.version.includes(name)) return versionResult();
  if (asking.help.includes(name)) return help(rest.find((arg) => !arg.startsWith('-')));
  // An unknown command is one before anything is said about it.
  return !isCommand(name) || asksHelp(rest) ? help(name) : runs[name](rest);
}

/** Runs the command line, and prints. @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  const result = await run(args);
  if (typeof result === 'number') return result;
  if (result !== undefined) printResult(result, isJson);
  return exitCodes.verified;
}

/** An error that no table knows. Node would end with the code of a proof that was refused. */
function unexpected(cause: unknown): CliError {
  const text = 'l2proof failed, which says nothing about any proof; report it with what follows';
  return new CliError(exitCodes.unknown, text, { code: 'FAILED', cause });
}

/** Says what went wrong, to people and, if they asked for JSON, to programs. @returns the exit code */
function report(error: unknown): number {
  clearLine();
  const known = error instanceof CliError ? error : failureOf(error, name);
  const failure = known ?? unexpected(error);
  // Servers and files may have a say in it.
  console.error(colored(visible(failure.message), process.stderr));
  if (known === undefined) console.error(visibleLines(inspect(error)));
  if (failure instanceof UsageError) {
    if (failure.hint !== undefined) console.error(failure.hint);
    console.error(`see l2proof help${isCommand(name) ? ` ${name}` : ''}`);
  }
  // A signal may end a command that has done what it was asked for.
  if (isJson && failure.exitCode !== exitCodes.verified) console.log(refusalJson(failure));
  return failure.exitCode;
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
const code = await main(commandLine).catch(report);
if (code !== exitCodes.verified) process.exitCode = code;
// What did not close, such as a connection to a server that is stuck, must not keep a lease or the process alive.
process.stdout.write('', () => setTimeout(() => process.exit(), lastTime).unref());
