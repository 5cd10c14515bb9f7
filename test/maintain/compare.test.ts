/** What a pull request shows of size and time. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { sizeTable } from '../../build/sizeTable.js';
import { patience } from '../support/runs.js';

const entry = (name: string, size: number, sizeLimit = 32_000) => ({
  ...{ name, size, sizeLimit },
  passed: size <= sizeLimit,
});

test('the table of sizes has the largest change first, and names what is new, gone or too large', () => {
  const base = [entry('a', 1000), entry('b', 20_000), entry('old', 500)];
  const head = [entry('a', 1000), entry('b', 19_000), entry('c', 33_000)];
  expect(sizeTable(base, head).split('\n')).toEqual([
    '| entry, minified and compressed | base | head | change | limit |',
    '| --- | --- | --- | --- | --- |',
    '| `c` |  | 33.0 kB | new | 32.0 kB **over** |',
    '| `b` | 20.0 kB | 19.0 kB | -1000 B (-5.0 %) | 32.0 kB |',
    '| `old` | 0.5 kB |  | gone |  |',
    '| `a` | 1.0 kB | 1.0 kB |  | 32.0 kB |',
  ]);
  expect(sizeTable([entry('a', 1000)], [entry('a', 1010)])).toContain('+10 B (+1.0 %)');
});

const run = (script: string, ...args: string[]) =>
  spawnSync(resolve('node_modules/.bin/tsx'), [script, ...args], { encoding: 'utf8' });

test(
  'the time of a build beside itself: five ratios near one',
  () => {
    const { status, stdout, stderr } = run('bench/against.ts', '.', '--rounds', '3');
    expect([status, stderr]).toEqual([0, '']);
    const rows = stdout.trim().split('\n').slice(2);
    const ratios = rows.map((row) => Number(/\| ([\d.]+) \([\d.]+ to [\d.]+\) \|$/.exec(row)?.[1]));
    expect(ratios).toHaveLength(5);
    // A module is loaded once, so that both sides are the same code. How busy the machine is decides no test.
    for (const ratio of ratios) expect(ratio).toBeGreaterThan(0.2);
    for (const ratio of ratios) expect(ratio).toBeLessThan(5);
  },
  patience,
);

test('without a commit or a build to compare with it says what it wants', () => {
  const without = run('build/compare.ts');
  expect([without.status, without.stderr]).toEqual([
    3,
    'npm run compare -- COMMIT, such as main\n',
  ]);
  const empty = run('bench/against.ts', 'test');
  expect(empty.status).toBe(3);
  expect(empty.stderr).toContain('a folder with a build of another commit');
});
