#!/usr/bin/env node
/** The `l2proof` command. */
import { CliError, exitCodes } from './exit.js';
import { runStream } from './stream.js';
import { runVerify, usage } from './verify.js';

/** Runs a command. @returns the exit code */
async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (command === '--help' || command === '-h' || rest.includes('--help')) console.log(usage);
  else if (command !== 'verify') {
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
    if (error.exitCode === exitCodes.usage) console.error(`\n${usage}`);
    process.exitCode = error.exitCode;
  } else if (error instanceof TypeError || error instanceof RangeError) {
    console.error(`${error.message}\n\n${usage}`);
    process.exitCode = exitCodes.usage;
  } else throw error;
}
