/** The papers of the vectors: each file is named, with its kind, its cases, its source and its bytes. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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
