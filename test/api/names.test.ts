/** The tests of a file of `src` are found by its name, or else by that of its folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf, sources } from '../support/imports.js';

const tests = ['unit', 'property', 'adversarial', 'api', 'postgres'].flatMap((kind) =>
  readdirSync(`test/${kind}`)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${kind}/${name}`),
);

/** Folder of `src` -> the beginnings of the names of its tests, if they are not the folder's name. */
const namesOf: Record<string, readonly string[]> = {
  '.': ['foreign', 'verify', 'peer'],
  foreign: ['foreign', 'verify'],
  proof: ['held', 'verify'],
  lmdb: ['lmdb'],
  'tree/bulk': ['sorter', 'spool', 'forest', 'stateLoad', 'bulk'],
  'tree/snapshot': ['snapshot'],
  data: ['balances', 'dataClient', 'tokenCalls'],
  disk: ['scratch'],
  'service/data': ['balances'],
  'service/decoder': ['decoder', 'operatorFiles'],
  hash: ['hash', 'kernel', 'memo', 'engines'],
  'hash/kernel': ['kernel'],
  mpt: ['mpt', 'rlp', 'trieRoot', 'l1Header'],
};

/** Entries of Node, which look for what they need: `package.test.ts` imports them beside nothing. */
const entries = ['anchor', 'data', 'decode', 'provider', 'viem'].map((name) => `${name}/node.ts`);

/** Files that only run in a process or a thread of their own: what runs them there. */
const apart: Record<string, readonly string[]> = {
  cli: ['cli', 'commandLines', 'stream'],
  pool: ['pool'],
};

/** The tests that are named so, or begin so. */
const named = (name: string): string[] =>
  tests.filter((path) => new RegExp(`/${name}([A-Z]\\w*)?\\.test\\.ts$`).test(path));

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

/** The tests of a folder's files: named so, or in a folder of its name. */
function testsOf(folder: string): string[] {
  const [top = ''] = folder.split('/');
  const inFolder = tests.filter((path) => path.startsWith(`test/${top}/`));
  if (inFolder.length > 0) return inFolder;
  const all = Object.entries(namesOf).filter(([name]) => name.split('/')[0] === top);
  return [top, ...(apart[top] ?? []), ...all.flatMap(([, names]) => names)].flatMap(named);
}

test('each file of src has a test that loads it, by its own name or by that of its folder', () => {
  const untested = sources.filter((file) => {
    const folder = dirname(file);
    const [top = ''] = folder.split('/');
    const some = [...named(basename(file).replace(/\.c?ts$/, '')), ...testsOf(folder)];
    if (entries.includes(file) || top in apart) return some.length === 0;
    return !some.some((path) => reaches.get(path)?.has(join('src', file)));
  });
  expect(untested).toEqual([]);
});
