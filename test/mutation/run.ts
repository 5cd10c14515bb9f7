/**
 * `npm test -- mutation`: changes the code of the verifier in every small way that Stryker knows, one at a time, and
 * sees a test fail for each. One folder after the other, each with its own tests; `npm test -- mutation codec mpt`
 * takes some of them. What survives, and why, is in `docs/testing.md`. Not part of CI: it takes hours.
 */
import { spawnSync } from 'node:child_process';

/** Folder -> the tests that it is run with: those that take seconds, and need no node. */
const testsOf: Record<string, readonly string[]> = {
  codec: [
    'unit/codec/codec',
    'unit/verify/verify',
    'unit/tree/prove/ownProof',
    'unit/verify/hashKey',
    'property/codec',
    'adversarial/shape',
  ],
  proof: [
    'unit/proof/parse',
    'unit/verify/verify',
    'unit/tree/prove/ownProof',
    'unit/foreign/foreign',
    'adversarial/shape',
    'property/codec',
  ],
  verify: [
    'unit/verify/verify',
    'unit/verify/forged',
    'unit/verify/messages',
    'unit/verify/verifier',
    'unit/callers',
    'unit/verify/hashKey',
    'adversarial/shape',
  ],
  mpt: ['unit/mpt/messages', 'unit/mpt/mpt', 'unit/mpt/rlp', 'unit/mpt/root', 'unit/mpt/header'],
  compact: [
    'unit/compact/messages',
    'unit/compact/vectors',
    'unit/compact/encode',
    'unit/compact/reader',
    'unit/compact/writer',
    'unit/compact/climb',
    'unit/compact/abi',
    'unit/compact/calldataChecks',
  ],
};

const asked = process.argv.slice(2);
const folders = asked.length > 0 ? asked : Object.keys(testsOf);
const failed: string[] = [];
for (const folder of folders) {
  const tests = testsOf[folder];
  if (tests === undefined) throw new RangeError(`no tests are named for src/${folder}`);
  const incremental = `node_modules/.cache/stryker/${folder}.json`;
  const { status } = spawnSync(
    process.execPath,
    [
      ...['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', 'test/mutation/stryker.json'],
      ...['--mutate', `src/${folder}/**/*.ts`, '--incrementalFile', incremental],
    ],
    {
      stdio: 'inherit',
      env: {
        ...process.env,
        MUTATION_TESTS: tests.join(' '),
      },
    },
  );
  if (status !== 0) failed.push(folder);
}
if (failed.length > 0) throw new Error(`below the bar, or not run: ${failed.join(', ')}`);
