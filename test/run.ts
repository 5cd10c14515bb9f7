/**
 * `npm test`: all tests that need no network. `npm test -- NAME` runs a suite of `suites.ts`, and anything else goes to
 * Vitest: `npm test -- verify.test.ts`. It builds `dist` first if they need it; `--no-build` takes the one that is there.
 */
import { buildCommand, type Command, runCommands } from '../build/commands.js';
import { allTests, suites } from './suites.js';

const asked = process.argv.slice(2).filter((arg) => arg !== '--no-build');
const isBuilt = process.argv.includes('--no-build');
const named = Object.hasOwn(suites, asked[0] ?? '') ? suites[asked[0] as string] : undefined;
const { commands, needsNoBuild, env } = named ?? allTests;
const args = named ? asked.slice(1) : asked;
await runCommands(
  [
    ...(needsNoBuild || isBuilt ? [] : [buildCommand]),
    ...commands.map(([tool, ...own]): Command => [tool, ...own, ...args]),
  ],
  env,
);
