/** What the pages of the documents must have: links that lead somewhere, tables that are complete, versions that are tested. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { commands, mainUsage, usageOf } from '../../src/cli/help/usage.js';
import { allTests } from '../suites.js';
import {
  blocksOf,
  checkVersions,
  countsOf,
  guides,
  linksOf,
  shellOf,
  targetOf,
} from '../support/pages.js';
import { manifest } from '../support/project.js';

const docs = readdirSync('docs').filter((name) => name.endsWith('.md'));
const examples = readdirSync('examples').map((name) => `examples/${name}/README.md`);
const papers = [...examples, 'SECURITY.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'vectors/README.md'];
const pages = ['README.md', ...docs.map((name) => `docs/${name}`), ...papers];
const textOf = (page: string) => readFileSync(page, 'utf8');

/** The fragments that a page's headings can be linked by. */
const fragmentsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  );

/** Whether a link of a page leads nowhere. */
function isBroken(page: string, link: string): boolean {
  const target = targetOf(page, link);
  const [, fragment] = link.split('#');
  if (!existsSync(target)) return true;
  // A line of a source, as code hosts have it.
  const [, line] = /^L(\d+)$/.exec(fragment ?? '') ?? [];
  if (line !== undefined) return Number(line) > textOf(target).split('\n').length;
  return fragment !== undefined && !fragmentsOf(target).includes(fragment);
}

test('each link of a page leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((link) => isBroken(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(broken).toEqual([]);
});

test('each page of docs is linked from the start page of the guides, and that from the README', () => {
  const linked = linksOf('docs/README.md').map((link) => targetOf('docs/README.md', link));
  expect(docs.map((name) => `docs/${name}`).filter((name) => !linked.includes(name))).toEqual([
    'docs/README.md',
  ]);
  expect(linksOf('README.md')).toContain('docs/README.md');
});

test('the README is read in five minutes', () => {
  expect(textOf('README.md').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(900);
});

test('the install lines of the guides name the versions tested', () => {
  for (const page of guides) checkVersions(page);
});

test('the pictures are SVG that follow the scheme of the reader', () => {
  const pictures = pages.flatMap((page) =>
    [...textOf(page).matchAll(/!\[[^\]]+\]\(([^)]+)\)/g)].map(([, path]) =>
      normalize(join(page, '..', path as string)),
    ),
  );
  expect(pictures.length).toBeGreaterThan(3);
  for (const picture of pictures) {
    expect(textOf(picture)).toMatch(/^<svg [^]*prefers-color-scheme: dark[^]*<\/svg>\n$/);
  }
});

/** Codes of a source file, in the order of its union type. */
const codesOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code as string);

test.each([
  ['docs/verify.md', 'src/errors.ts'],
  ['docs/anchor.md', 'src/anchor/common/errors.ts'],
  ['docs/proofs.md', 'src/tree/store/errors.ts'],
])('the table of %s has each code of %s, once', (page, source) => {
  const rows = [...textOf(page).matchAll(/^\| `([A-Z_0-9]+)` +\|/gm)];
  expect(rows.map(([, code]) => code).sort()).toEqual(codesOf(source).sort());
});

test('the start page of the guides has each entry of the package', () => {
  const { exports } = JSON.parse(textOf('package.json'));
  const entries = Object.keys(exports)
    .filter((entry) => !entry.endsWith('.json'))
    .map((entry) => entry.replace(/^\./, 'l2proof'));
  const rows = [...textOf('docs/README.md').matchAll(/^\| (`l2proof[^|]*) \|/gm)];
  const named = rows.flatMap(([, cell]) => (cell as string).replaceAll(/[`\s]/g, '').split(','));
  expect(named.sort()).toEqual(entries.sort());
});

/** A block of the page on the command line, with the help that the command prints. */
function withHelp(block: string, name: string): string {
  const text = commands.find((command) => command === name);
  if (text === undefined && name !== 'COMMAND') return block;
  return `\`\`\`text\n${text === undefined ? mainUsage() : usageOf(text)}\n\`\`\``;
}

// With -u it writes the page anew.
test('the page on the command line has the help of each command', async () => {
  const page = textOf('docs/cli.md');
  const printed = page.replaceAll(/```text\nl2proof (\w+)[^]*?\n```/g, withHelp);
  await expect(printed).toMatchFileSnapshot('../../docs/cli.md');
  const shown = blocksOf('docs/cli.md').filter(({ language }) => language === 'text');
  const named = shown.map(({ code }) => code.split(' ')[1]);
  expect(named.sort()).toEqual(['COMMAND', ...commands].sort());
  expect(countsOf('docs/cli.md')).toEqual({ sh: 1, text: commands.length + 1 });
});

test('the set-up commands are scripts of the package', () => {
  expect(shellOf('README.md', 'npm ci')).toEqual(['npm ci && npm start', 'npm ci && npm test']);
  expect(Object.keys(manifest.scripts)).toEqual(
    expect.arrayContaining(['start', 'test', 'prestart']),
  );
  // What runs the tests builds first.
  expect(allTests.needsNoBuild).toBeUndefined();
});
