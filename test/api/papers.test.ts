/** The papers of the vectors: each file is named, with its kind, its cases, its source and its bytes. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blocksOf } from '../support/pages.js';
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

test('vectors/README.md has the papers of each file', () => {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort();
  const papers = names.map((name) => {
    const bytes = readFileSync(join(folder, name));
    const json = JSON.parse(bytes.toString('utf8'));
    const cases = json.cases ?? json.ops ?? json.blocks ?? [json];
    const sum = createHash('sha256').update(bytes).digest('hex');
    return [`\`${name}\``, json.kind, String(cases.length), json.source, `\`${sum}\``];
  });
  expect(papers.length).toBeGreaterThan(40);
  expect(rowsOf(readFileSync(join(folder, 'README.md'), 'utf8'))).toEqual(papers);
});

/** Made by a command, and ignored by git. */
const made = ['docs/api'];

test.each(['CONTRIBUTING.md', 'SECURITY.md'])(
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

test('the vector file shown has the members that the runner asks for', () => {
  const [block] = blocksOf('vectors/README.md').filter(({ language }) => language === 'json');
  const file = JSON.parse(block?.code ?? '');
  const members = ['kind', 'source', 'hash', 'stateRoot', 'expect', 'result'];
  expect(() => checkMembers(file, members, [], 'README')).not.toThrow();
});
