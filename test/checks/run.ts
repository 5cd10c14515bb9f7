/**
 * `npm run test:checks`: leaves out every check of the folders in `suites.ts`, one at a time, in a copy of the repo,
 * and runs the tests that meet it. A check whose absence no test notices is reported; in a settled folder, the run fails.
 *
 * `npm run test:checks -- src/rpc` takes the files whose path begins so; `--since <commit>` those that differ from
 * that commit; `--minutes <n>` ends the run then, and says what it left.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { explained } from './explained.js';
import { type Check, findChecks, leavable } from './find.js';
import { settled, suitesOf } from './suites.js';

interface Target extends Check {
  readonly id: number;
  readonly path: string;
}

/** A test file that meets a check. */
interface Suite {
  readonly path: string;
  /** How long all of it takes. */
  readonly ms: number;
  /** Names of the tests in it that meet the check; '' for what is met outside of tests. */
  readonly tests: readonly string[];
}

/** What `setup.ts` notes of a test file. */
interface Note {
  readonly suite: string;
  readonly ms: number;
  readonly checks: readonly (readonly [id: number, tests: readonly string[]])[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: 'string' }, minutes: { type: 'string' } },
});
const end = performance.now() + Number(options.minutes ?? Number.POSITIVE_INFINITY) * 60_000;

const copy = mkdtempSync(join(tmpdir(), 'l2proof-checks-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true, maxRetries: 10 }));
/** What the tests read and never change stays where it is. */
const shared = readdirSync('.').filter((name) => !['src', 'test', '.git'].includes(name));
for (const name of shared) symlinkSync(resolve(name), join(copy, name));
for (const name of ['src', 'test']) cpSync(name, join(copy, name), { recursive: true });

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .sort();
const folderOf = (path: string): string => path.split('/')[1] as string;

/** The files to look at. */
function chosenFiles(): string[] {
  const { since } = options;
  const differing =
    since === undefined
      ? undefined
      : execFileSync('git', ['diff', '--name-only', since, '--', 'src'], { encoding: 'utf8' });
  return Object.keys(suitesOf)
    .flatMap((folder) => filesIn(join('src', folder)))
    .filter((path) => differing?.split('\n').includes(path) ?? true)
    .filter((path) => positionals.length === 0 || positionals.some((p) => path.startsWith(p)));
}

/** All checks of the files, which get the questions of `setup.ts` in the copy. */
function prepare(paths: readonly string[]): Target[] {
  const targets: Target[] = [];
  for (const path of paths) {
    const source = readFileSync(path, 'utf8');
    const checks = findChecks(path, source);
    writeFileSync(join(copy, path), leavable(source, checks, targets.length));
    for (const check of checks) targets.push({ ...check, path, id: targets.length });
  }
  return targets;
}

/** Runs tests in the copy until one fails. @returns whether all pass, within `timeout` ms and before the end */
function testsPass(tests: readonly string[], env: object, timeout: number): boolean {
  const args = ['run', '--config', 'test/checks/vitest.config.ts', '--bail', '1'];
  const limits = ['--testTimeout', '60000', '--hookTimeout', '60000'];
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', ...args, ...limits, ...tests],
    {
      cwd: copy,
      env: { ...process.env, FC_NUM_RUNS: '20', VECTORS_DIRS: 'vectors/forged:vectors', ...env },
      timeout: Math.max(1, Math.ceil(Math.min(timeout, end - performance.now()))),
      killSignal: 'SIGKILL',
    },
  );
  return status === 0;
}

const isOver = (): boolean => performance.now() > end;

/** Runs tests once. @returns check -> the tests that meet it, in the order of `names`; none if the time is over */
function meetings(names: readonly string[]): Map<number, Suite[]> {
  const notes = join(copy, `met-${randomUUID()}`);
  const filters = names.map((name) => (/[/.]/.test(name) ? `test/${name}` : `test/unit/${name}`));
  const suites = new Map<number, Suite[]>();
  if (!testsPass(filters, { MET_FILE: notes }, 1_800_000)) {
    if (isOver()) return suites;
    throw new Error(`before anything is left out, tests fail: ${filters.join(' ')}`);
  }
  const lines = readFileSync(notes, 'utf8').trim().split('\n');
  const rank = ({ suite, ms }: Note) =>
    filters.findIndex((filter) => suite.includes(filter)) + ms / 1e9;
  const order = lines.map((line): Note => JSON.parse(line)).sort((a, b) => rank(a) - rank(b));
  for (const { suite, ms, checks } of order) {
    for (const [id, tests] of checks) {
      const path = relative(copy, suite);
      suites.set(id, [...(suites.get(id) ?? []), { path, ms, tests }]);
    }
  }
  return suites;
}

/** More names than this make too long a pattern. */
const maxTests = 100;

/** The option that runs only the tests of a file that meet a check. */
function only({ tests }: Suite): string[] {
  if (tests.includes('') || tests.length > maxTests) return [];
  const names = tests.map((name) =>
    name.replaceAll(' > ', ' ').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  return ['--testNamePattern', `^(${names.join('|')})$`];
}

/** Whether a test fails, or never ends, without the check. */
function isNoticed(id: number, suites: readonly Suite[]): boolean {
  const fails = (some: readonly Suite[], options: readonly string[]) => {
    const timeout = 60_000 + 5 * some.reduce((sum, suite) => sum + suite.ms, 0);
    const paths = some.map(({ path }) => path);
    return !testsPass([...paths, ...options], { LEFT_OUT: String(id) }, timeout);
  };
  // Mostly the first test file notices. All run together then: starting costs more than most of them.
  const [first] = suites;
  return first !== undefined && (fails([first], only(first)) || fails(suites, []));
}

type Outcome = 'noticed' | 'explained' | 'MISSED' | 'left';

/** Leaves out one check. @param suites the tests that meet it */
function tryWithout({ id, path, text }: Target, suites: readonly Suite[]): Outcome {
  const noticed = !isOver() && isNoticed(id, suites);
  // A run that the end cut short says nothing.
  if (isOver()) return 'left';
  if (noticed) return 'noticed';
  const isExplained = explained.some((each) => each.path === path && each.text === text);
  return isExplained ? 'explained' : 'MISSED';
}

const targets = prepare(chosenFiles());
/** Lists of tests -> what they meet: folders share them. */
const met = new Map<readonly string[], Map<number, Suite[]>>();
const counts: Record<Outcome, number> = { noticed: 0, explained: 0, MISSED: 0, left: 0 };
let isHeld = true;
for (const target of targets) {
  const names = suitesOf[folderOf(target.path)] as readonly string[];
  const suites = met.get(names) ?? meetings(names);
  met.set(names, suites);
  const outcome = tryWithout(target, suites.get(target.id) ?? []);
  counts[outcome]++;
  if (outcome === 'MISSED' && settled.includes(folderOf(target.path))) isHeld = false;
  console.log(`${outcome.padEnd(9)} ${target.path}:${target.line} ${target.text}`);
}
const { noticed, explained: known, MISSED: missed, left } = counts;
console.log(
  `${noticed} noticed, ${known} explained, ${missed} missed, ${left} left for want of time`,
);
process.exitCode = isHeld ? 0 : 1;
