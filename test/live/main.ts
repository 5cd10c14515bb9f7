/**
 * `npm run check:live`: ten checks that need the internet, and no part of any suite. It was never run against the public
 * endpoints: only on a devnet (`test/maintain/live.test.ts`), and without a network, where it ends with 4. The first run
 * may well find that an endpoint of `endpoints.ts` is gone, or that one limits how much is asked.
 *
 * Prints a line for each check, one after the other. Ends with 0 if all passed, 1 if one failed, 4 if none failed but
 * some could not be asked, 3 if a variable is wrong.
 */
import { UsageError } from '../../src/cli/exit/exit.js';
import { visible } from '../../src/visible.js';
import { checks } from './checks.js';
import { type Endpoints, openEndpoints } from './endpoints.js';
import { exitCodeOf, judge, type Outcome } from './outcome.js';

/** Ms for one check, which may ask servers in turn. */
const patience = 90_000;

function readVariables(): Endpoints {
  try {
    return openEndpoints(process.env);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(visible(error.message));
    process.exit(error.exitCode);
  }
}

const endpoints = readVariables();
const width = Math.max(...checks.map(({ name }) => name.length));
const outcomes: Outcome[] = [];
for (const { name, run } of checks) {
  const start = performance.now();
  const found = await run(endpoints, AbortSignal.timeout(patience)).then(
    (text) => ({ outcome: 'ok' as const, text }),
    judge,
  );
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const { outcome, text } = found;
  const line = `${outcome.padEnd(11)}  ${name.padEnd(width)}  ${seconds.padStart(5)} s  ${text}`;
  // A server's words could be a command to the runner of a workflow, or end the block of a summary.
  console.log(visible(line));
  outcomes.push(outcome);
}
const count = (wanted: Outcome) => outcomes.filter((outcome) => outcome === wanted).length;
console.log(
  `${count('ok')} of ${outcomes.length} passed, ${count('failed')} failed, ${count('unreachable')} could not be asked`,
);
process.exitCode = exitCodeOf(outcomes);
