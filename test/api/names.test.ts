/** The tests of a file of `src` are found from its path. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';
import { suitesOf } from '../checks/suites.js';
import { importsOf, sources } from '../support/imports.js';

const unit = 'test/unit';

const tests = ['test/unit', 'test/postgres', 'test/adversarial'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name)),
);

/** Folders whose files run in processes and threads of their own, or in a browser, where no import of a test leads to. */
const apart = ['cli', 'pool', 'page'];

/** Entries of Node, which look for what they need: `package.test.ts` imports them beside nothing. */
const isEntry = (file: string): boolean =>
  /^\w+\/node\.ts$/.test(file) && existsSync(entryOf(file));
const entryOf = (file: string): string => join('src', dirname(file), 'index.ts');

/** Relative imports of a test or of what supports it. */
function importsOfTest(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/from '(\.[^']+)'|import\('(\.[^']+)'\)/g)]
    .map(([, from, called]) => normalize(join(dirname(path), (from ?? called) as string)))
    .map((target) => target.replace(/\.js$/, '.ts'))
    .filter((target) => existsSync(target));
}

const known = new Map<string, readonly string[]>();

/** What a file loads. */
function targetsOf(path: string): readonly string[] {
  const targets =
    known.get(path) ??
    (path.startsWith('src/')
      ? importsOf(path.slice('src/'.length))
          .filter(({ isLocal }) => isLocal)
          .map(({ target }) => join('src', target))
      : importsOfTest(path));
  known.set(path, targets);
  return targets;
}

/** All files that a test loads. */
function reachOf(path: string, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const target of targetsOf(path)) reachOf(target, seen);
  return seen;
}

const reaches = new Map(tests.map((path) => [path, reachOf(path)]));

/** Folders of tests beside `test/unit` -> what they test. */
const elsewhere: Record<string, string> = {
  'test/postgres': 'postgres',
  'test/adversarial': 'foreign',
};

/** The folder of `src` that a test is of; the top of `src` is `.`. */
const folderOf = (path: string): string =>
  elsewhere[dirname(path)] ?? (relative(unit, dirname(path)) || '.');

/** Whether the tests in a folder are those of a file: they stand in its folder, or in one above it. */
const holds = (folder: string, file: string): boolean =>
  folder === dirname(file) || dirname(file).startsWith(`${folder}/`);

test('each file of src has a test that loads it, in the folder of its name or in one above', () => {
  const untested = sources.filter((file) => {
    const own = tests.filter((path) => holds(folderOf(path), file));
    const [top = ''] = file.split('/');
    if (apart.includes(top) || isEntry(file)) return own.length === 0;
    return !own.some((path) => reaches.get(path)?.has(join('src', file)));
  });
  expect(untested).toEqual([]);
});

test('a test with the name of a file stands where that file does, and each folder of tests is one of src', () => {
  const strayed = tests.filter((path) => {
    const folder = folderOf(path);
    if (!existsSync(join('src', folder))) return true;
    if (!path.startsWith(unit)) return false;
    const name = `${basename(path, '.test.ts')}.ts`;
    const same = sources.filter((file) => basename(file) === name && holds(folder, file));
    return same.length > 0 && !same.some((file) => dirname(file) === folder);
  });
  expect(strayed).toEqual([]);
});

test('the lists of tests that notice a missing check name files that are there, each once', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', name));
  for (const [folder, names] of Object.entries(suitesOf)) {
    expect([folder, names.filter((name) => !files.some((file) => file.includes(name)))]).toEqual([
      folder,
      [],
    ]);
    expect(names).toEqual([...new Set(names)]);
  }
});
