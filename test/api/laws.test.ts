/** The page for auditors: law, code, line, forgery, test. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { codesOf } from '../../build/laws/codes.js';
import { lawsPage } from '../../build/laws/page.js';

// The page is not made if a law has no line that refuses, no forgery without a reason, or no test.
test('docs/laws.md is what the sources, the vectors and the tests make', () => {
  const written = readFileSync('docs/laws.md', 'utf8');
  expect(written, 'docs/laws.md is old: run "npm run laws"').toBe(lawsPage());
}, 60_000);

test('the page has each code of the verifier, and the lines that it links are those of the code', () => {
  const rows = [
    ...readFileSync('docs/laws.md', 'utf8').matchAll(/^\| `([A-Z_]+)` .*#L(\d+)\).*$/gm),
  ];
  const codes = codesOf('src/errors.ts', 'VerificationCode').map(({ name }) => name);
  expect(codes.length).toBeGreaterThan(20);
  expect([...new Set(rows.map(([, code]) => code))]).toEqual(codes);
  for (const [row, code] of rows) {
    const [, file, line] = /\]\(\.\.\/(src\/\S+)#L(\d+)\)/.exec(row) as RegExpExecArray;
    const lines = readFileSync(file as string, 'utf8')
      .split('\n')
      .slice(Number(line) - 1);
    expect([file, lines[0]]).toEqual([file, expect.stringMatching(/\b(throw|return)\b/)]);
    // What throws by a function of its own names the code there.
    const isOwn = lines.slice(0, 3).join().includes(`'${code}'`);
    if (!isOwn) expect(lines[0]).toMatch(/throw (fault|refuseStorage)\(/);
  }
});
