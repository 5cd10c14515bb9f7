/** The papers of the vectors, each file with its kind, its cases, its source and its bytes; and the figures of SECURITY.md. */

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { benches } from '../../bench/benches.js';
import { suites } from '../suites.js';
import { blocksOf } from '../support/pages.js';
import type { Wire } from '../support/runs.js';
import { checkMembers } from '../vectors/members.js';

const folder = 'vectors';

/** The cells of a table's rows whose first cell is a file. */
const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => /^\| `[^`]*\.json` /.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );

/** The vector files of a folder and of those below it. */
const vectorsOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();

/** What a vector file has a case for: an answer, an edit, an operation, a block or a run of traces. */
const casesOf = (json: Wire): Wire[] => json.cases ?? json.ops ?? json.blocks ?? [json];

test('vectors/README.md has the papers of each file', () => {
  const papers = vectorsOf(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    const json = JSON.parse(bytes.toString('utf8'));
    const cases = casesOf(json);
    const sum = createHash('sha256').update(bytes).digest('hex');
    return [`\`${name}\``, json.kind, String(cases.length), json.source, `\`${sum}\``];
  });
  expect(papers.length).toBeGreaterThan(40);
  expect(rowsOf(readFileSync(join(folder, 'README.md'), 'utf8'))).toEqual(papers);
});

/** The figure of SECURITY.md whose row begins so. */
function figureOf(start: string): string {
  const rows = readFileSync('SECURITY.md', 'utf8').split('\n');
  const found = rows.filter((line) => line.startsWith(`| ${start}`));
  expect([start, found.length]).toEqual([start, 1]);
  return (found[0] as string).slice(1, -1).split('|').at(-1)?.trim() as string;
}

/** A number as pages write it. */
const shown = (number: number) => number.toLocaleString('en');

/** The cells of the rows of docs/testing.md below a heading. */
const tableOf = (heading: string): string[][] => {
  const [, section = ''] = readFileSync('docs/testing.md', 'utf8').split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  const rows = [...own.matchAll(/^\| `.*\|$/gm)];
  return rows.map(([row]) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );
};

test('the figures of SECURITY.md on vectors are those of the files', () => {
  const files = vectorsOf(folder).map((name) => ({
    name,
    json: JSON.parse(readFileSync(join(folder, name), 'utf8')),
  }));
  const cases = files.flatMap(({ name, json }) =>
    casesOf(json).map((each) => ({ name, json, isRefused: (each.expect ?? each).valid === false })),
  );
  const refused = cases.filter(({ isRefused }) => isRefused);
  expect(figureOf('vector cases in this repository')).toBe(
    `${shown(cases.length)} in ${files.length} files; ${refused.length} are forgeries or edits that must be refused`,
  );
  const forged = refused.filter(({ name }) => /^forged\/mutations-/.test(name));
  expect(figureOf('edits that break exactly one law')).toBe(String(forged.length));
  const chain = cases.filter(({ json }) => json.kind === 'chain');
  expect(figureOf('blocks whose state roots')).toBe(String(chain.length));
});

test('the figures of SECURITY.md on tests are those of docs/testing.md', () => {
  const [, tests, files] = /([\d,]+) tests in (\d+) files/.exec(
    readFileSync('docs/testing.md', 'utf8'),
  ) as RegExpExecArray;
  expect(figureOf('tests (`npm test`)')).toBe(
    `${tests} in ${files} files, when they were last counted`,
  );
  // They were not counted too long ago.
  const there = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .filter((name) => !name.startsWith('postgres'));
  expect(Math.abs(there.length / Number(files) - 1)).toBeLessThan(0.1);

  const mutations = tableOf('Mutations').map(([, ...cells]) => cells.slice(0, 2).map(Number));
  const sum = (i: number) => shown(mutations.reduce((total, row) => total + Number(row[i]), 0));
  const folders = tableOf('Mutations').map(([name]) => name as string);
  const list = `${folders.slice(0, -1).join(', ')} and ${folders.at(-1)}`;
  expect(folders.length).toBe(5);
  expect(figureOf(`small changes of ${list}`)).toMatch(new RegExp(`^${sum(1)} of ${sum(0)}: \\[`));
});

test('the figures of SECURITY.md on the runs and the version are those of their sources', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const runs = suites.deep?.env?.FC_NUM_RUNS;
  const text = readFileSync('SECURITY.md', 'utf8');
  expect(text).toContain(`\`npm test -- deep\`: ${shown(Number(runs))} runs each`);
  expect(text).toContain(`\nFor version ${version}. `);
});

/** The public system's own files, with those made by our oracle; they are not part of this repository. */
const others = '../shared/vectors';

test.skipIf(!existsSync(others))(
  'the figure of SECURITY.md on the public data is that of its files',
  () => {
    const files = vectorsOf(others)
      .map((name) => JSON.parse(readFileSync(join(others, name), 'utf8')))
      .filter(({ source }) => !source.startsWith('synthetic'));
    // Six figures in each file of empty sub-trees.
    const cases = files.map((json) => (json.kind === 'empty-subtrees' ? 6 : casesOf(json).length));
    const sum = cases.reduce((total, count) => total + count, 0);
    expect(figureOf('cases of the public system')).toBe(
      `${sum} in ${files.length} files, all as expected`,
    );
  },
);

/** Made by a command, and ignored by git. */
const made = ['docs/api'];

test.each(['CONTRIBUTING.md', 'SECURITY.md', 'docs/threats.md'])(
  'each file and command that %s names exists',
  (page) => {
    const text = readFileSync(page, 'utf8');
    const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span as string);
    const paths = spans.filter((span) =>
      /^(src|test|docs|bench|vectors|\.ci)\/[\w./-]+$/.test(span),
    );
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !made.includes(path) && !existsSync(path))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    // The folder of the on-chain verifier has commands of its own.
    const peers = JSON.parse(readFileSync('bench/peers/package.json', 'utf8')).scripts;
    const commands = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name as string);
    expect(commands.filter((name) => !(name in scripts || name in peers))).toEqual([]);
  },
);

test('each suite and each bench that a page or a source names exists', () => {
  const pages = [...readdirSync('.'), ...readdirSync('vectors').map((name) => `vectors/${name}`)];
  const inFolders = ['src', 'test', 'bench', 'build', 'docs'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  );
  const files = [...pages, ...inFolders, '.ci/run'].filter((name) =>
    /\.(md|ts|mjs)$|run$/.test(name),
  );
  const named = (pattern: RegExp) =>
    files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, name]) => name as string),
    );
  const asked = named(/npm test -- (\w+)\b(?!\.)/g).filter((name) => name !== 'NAME');
  expect(new Set(asked)).toEqual(new Set(Object.keys(suites)));
  const timed = named(/npm run bench -- (\w+)/g).filter((name) => name !== 'NAME');
  expect(timed.filter((name) => !(name in benches))).toEqual([]);
  expect(Object.keys(benches).filter((name) => !existsSync(`bench/${name}.ts`))).toEqual([]);
});

test('the vector file shown has the members that the runner asks for', () => {
  const [block] = blocksOf('vectors/README.md').filter(({ language }) => language === 'json');
  const file = JSON.parse(block?.code ?? '');
  const members = ['kind', 'source', 'hash', 'stateRoot', 'expect', 'result'];
  expect(() => checkMembers(file, members, [], 'README')).not.toThrow();
});

test('each threat says what happens and, unless it is not defended, which test shows it', () => {
  const lines = readFileSync('docs/threats.md', 'utf8').split('\n');
  const rows = lines
    .filter((line) => /^\| (?!who |---)/.test(line) && !/^\| -/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
  expect(rows.length).toBeGreaterThan(40);
  for (const [who, lie, outcome, shownBy] of rows) {
    expect([who, lie, outcome]).not.toContain('');
    const isOpen = /\*\*believed\*\*|not defended/.test(outcome as string);
    if (!isOpen) expect([lie, shownBy]).toEqual([lie, expect.stringMatching(/^`test\//)]);
  }
  expect(lines.join(' ').split(/\s+/).length).toBeLessThanOrEqual(1500);
});
