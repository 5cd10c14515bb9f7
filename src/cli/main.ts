#!/usr/bin/env node
/** The `l2proof` command. */
import { CliError, exitCodes, runVerify, usage } from './verify.js';

function run(args: readonly string[]): string {
  const [command, ...rest] = args;
  if (command === '--help' || command === '-h' || rest.includes('--help')) return usage;
  if (command === 'verify') return runVerify(rest);
  throw new CliError(exitCodes.usage, `unknown command ${command ?? '(none)'}`);
}

// A reader that went away ("| head") is an I/O error, not a crash.
process.stdout.on('error', () => {
  process.exitCode = exitCodes.usage;
});

try {
  console.log(run(process.argv.slice(2)));
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
