/**
 * `npm run test:checks`: leaves out every check of the codecs, the parsers and the verifiers, one at a time, in a
 * copy of the repo, and runs the tests. A check whose absence no test notices is reported, and the run fails.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { findRemovals, type Removal } from './find.js';

const folders = ['src/foreign', 'src/codec', 'src/proof', 'src/verify', 'src/compact', 'src/trace'];
const suites = [
  'test/unit/foreign.test.ts',
  'test/unit/verify.test.ts',
  'test/unit/verifier.test.ts',
  'test/unit/callers.test.ts',
  'test/unit/compact.test.ts',
  'test/unit/calldata.test.ts',
  'test/unit/trace.test.ts',
  'test/adversarial',
  'test/property',
  'test/vectors.test.ts',
];

const copy = mkdtempSync(join(tmpdir(), 'l2proof-checks-'));
for (const name of ['src', 'test', 'vectors', 'package.json', 'tsconfig.json']) {
  cpSync(name, join(copy, name), { recursive: true });
}
symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));

/** Runs the tests in the copy; suites in turn, so that most mutants fall in the first seconds. */
function testsPass(): boolean {
  const env = { ...process.env, FC_NUM_RUNS: '20', VECTORS_DIRS: 'vectors/forged:vectors' };
  return suites.every((suite) => {
    const args = ['vitest', 'run', '--bail', '1', '--testTimeout', '60000', suite];
    return spawnSync('npx', args, { cwd: copy, env }).status === 0;
  });
}

/** Whether a test fails without the check. */
function isNoticed(path: string, removal: Removal): boolean {
  const original = readFileSync(path, 'utf8');
  writeFileSync(join(copy, path), removal.mutated);
  const passed = testsPass();
  writeFileSync(join(copy, path), original);
  return !passed;
}

const paths = folders.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
const only = process.argv[2];
let noticed = 0;
let missed = 0;
if (!testsPass()) throw new Error('the tests fail before anything is left out');
for (const path of paths.filter((candidate) => !only || candidate.includes(only))) {
  for (const removal of findRemovals(path, readFileSync(path, 'utf8'))) {
    const isKilled = isNoticed(path, removal);
    if (isKilled) noticed++;
    else missed++;
    console.log(`${isKilled ? 'noticed' : 'MISSED '} ${path}:${removal.line} ${removal.text}`);
  }
}
rmSync(copy, { recursive: true });
console.log(`${noticed} passed, ${missed} failed`);
process.exitCode = missed === 0 && noticed > 0 ? 0 : 1;
