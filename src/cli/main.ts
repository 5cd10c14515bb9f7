#!/usr/bin/env node
/** The `l2proof` command. */
import { CliError, exitCodes } from './exit.js';
import { runStream } from './stream.js';
import { followUsage, loadUsage, serveUsage, verifyUsage } from './usage.js';
import { runVerify } from './verify.js';

const usages = new Map([
  ['verify', verifyUsage],
  ['load', loadUsage],
  ['follow', followUsage],
  ['serve', serveUsage],
]);
const usage = [...usages.values()].join('\n\n');

/** How the command that was named is used, or all of them. */
const usageOf = (command = ''): string => usages.get(command) ?? usage;

/** Runs a command. @returns the exit code */
async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === '--help' || command === '-h') console.log(usage);
  else if (rest.includes('--help')) console.log(usageOf(command));
  else if (command === 'serve') {
    const { runServe } = await import('./serve.js');
    await runServe(rest);
  } else if (command === 'load' || command === 'follow') {
    const { runFollow, runLoad } = await import('./follow.js');
    console.log(await (command === 'load' ? runLoad : runFollow)(rest));
  } else if (command !== 'verify') {
    throw new CliError(exitCodes.usage, `unknown command ${command ?? '(none)'}`);
  } else if (rest.includes('--ndjson')) return runStream(rest);
  else console.log(runVerify(rest));
  return exitCodes.verified;
}

// A reader that went away ("| head") is an I/O error, not a crash.
process.stdout.on('error', () => {
  process.exitCode = exitCodes.usage;
});

try {
  const code = await run(process.argv.slice(2));
  if (code !== exitCodes.verified) process.exitCode = code;
} catch (error) {
  if (error instanceof CliError) {
    console.error(error.message);
    if (error.exitCode === exitCodes.usage) console.error(`\n${usageOf(process.argv[2])}`);
    process.exitCode = error.exitCode;
  } else if (error instanceof TypeError || error instanceof RangeError) {
    console.error(`${error.message}\n\n${usageOf(process.argv[2])}`);
    process.exitCode = exitCodes.usage;
  } else throw error;
}
