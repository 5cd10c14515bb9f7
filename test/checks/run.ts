/**
 * `npm test -- checks`: leaves out every check of the folders in `suites.ts`, one at a time, in a copy of the repo,
 * and runs the tests that meet it. The run fails if no test notices the absence of a check, unless `explained.ts` says why.
 *
 * `npm test -- checks src/rpc` takes the files whose path begins so; `--since <commit>` those that differ from
 * that commit; `--minutes <n>` ends the run then, and says what it left.
 */

import { execFileSync } from 'node:child_process';
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
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { explained } from './explained.js';
import { type Check, findChecks, leavable } from './find.js';
import { suitesOf } from './suites.js';
import { testsIn } from './tests.js';

interface Target extends Check {
  readonly id: number;
  readonly path: string;
}

/** What `setup.ts` notes of a test file. */
interface Note {
  /** How long all of it takes. */
  readonly ms: number;
  /** The tests that meet each check; '' for what is met outside of tests. */
  readonly checks: readonly (readonly [id: number, testIds: readonly string[]])[];
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { since: { type: 'string' }, minutes: { type: 'string' } },
});
const end = performance.now() + Number(options.minutes ?? Number.POSITIVE_INFINITY) * 60_000;

const copy = mkdtempSync(join(tmpdir(), 'l2proof-checks-'));
const tests = testsIn(copy);
process.on('exit', () => {
  // What it runs would write into the folder anew.
  tests.close();
  rmSync(copy, { recursive: true, force: true, maxRetries: 10 });
});
// By itself, a signal ends the process without that.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
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

const isOver = (): boolean => performance.now() > end;

/** Time that is left, or `ms` if that is less. */
const atMost = (ms: number): number =>
  Math.max(1, Math.ceil(Math.min(ms, end - performance.now())));

/** The test files that a line of `suites.ts` names, in its order. */
function testFiles(names: readonly string[]): string[] {
  const all = filesIn('test').filter((path) => path.endsWith('.test.ts'));
  const named = names.map((name) =>
    all.filter((path) => path.startsWith(`test/unit/${name}`) || path.startsWith(`test/${name}`)),
  );
  if (named.some(({ length }) => length === 0)) throw new Error(`no such tests: ${names}`);
  return [...new Set(named.flat())];
}

/** Runs a test file as it is. @returns what it meets; undefined if it fails, or if the time is over */
async function noteOf(path: string): Promise<Note | undefined> {
  const notes = join(copy, `met-${randomUUID()}`);
  const question = { path, testIds: [], leftOut: -1, notes, testTimeout: 300_000 };
  const failure = await tests.failureOf(question, atMost(3_600_000));
  if (isOver()) return undefined;
  if (failure !== undefined) {
    // It notices nothing then: what only it would notice is reported as missed.
    console.log(`${path} fails before anything is left out: ${failure}`);
    return undefined;
  }
  return JSON.parse(readFileSync(notes, 'utf8'));
}

/** Leaves out, one at a time, the checks of `open` that a test file meets, and takes from `open` what it notices. */
async function tryFile(path: string, open: Map<number, Target>): Promise<void> {
  const note = await noteOf(path);
  if (note === undefined) return;
  const testTimeout = 20_000 + 5 * note.ms;
  for (const [leftOut, met] of note.checks) {
    const target = open.get(leftOut);
    if (target === undefined) continue;
    const testIds = met.includes('') ? [] : met;
    const question = { path, testIds, leftOut, notes: '', testTimeout };
    const failure = await tests.failureOf(question, atMost(3 * testTimeout));
    // A run that the end cut short says nothing.
    if (isOver()) return;
    if (failure === undefined) continue;
    open.delete(leftOut);
    report('noticed', target, `${path}: ${failure}`);
  }
}

type Outcome = 'noticed' | 'explained' | 'MISSED' | 'left';
const counts: Record<Outcome, number> = { noticed: 0, explained: 0, MISSED: 0, left: 0 };

/** @param by who noticed it */
function report(outcome: Outcome, { path, line, text }: Target, by?: string): void {
  counts[outcome]++;
  console.log(`${outcome.padEnd(9)} ${path}:${line} ${text}`);
  if (by !== undefined) console.log(`          by ${by.slice(0, 200)}`);
}

const isExplained = (target: Target): boolean =>
  explained.some(({ path, text }) => path === target.path && text === target.text);

/** Tries all checks of folders that have the same tests. */
async function tryAll(names: readonly string[], targets: readonly Target[]): Promise<void> {
  const open = new Map(targets.map((target) => [target.id, target]));
  // A check that is explained is tried along with others, but no test file is run for it alone.
  const isDone = () => isOver() || [...open.values()].every(isExplained);
  for (const path of testFiles(names)) if (!isDone()) await tryFile(path, open);
  for (const target of open.values()) {
    const outcome = isExplained(target) ? 'explained' : isOver() ? 'left' : 'MISSED';
    report(outcome, target);
    if (outcome === 'MISSED') process.exitCode = 1;
  }
}

const targets = prepare(chosenFiles());
/** Lists of tests -> the checks that they are for: folders share them. */
const lists = new Map<readonly string[], Target[]>();
for (const target of targets) {
  const names = suitesOf[folderOf(target.path)] as readonly string[];
  lists.set(names, [...(lists.get(names) ?? []), target]);
}
for (const [names, some] of lists) await tryAll(names, some);
tests.close();
const { noticed, explained: known, MISSED: missed, left } = counts;
console.log(
  `${noticed} noticed, ${known} explained, ${missed} missed, ${left} left for lack of time`,
);
