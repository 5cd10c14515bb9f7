/** How far a command is, as the built command shows it: on a real terminal, in a pipe, and if nobody takes it. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { genesisLines } from '../../../../src/follow/index.js';
import { newFolder } from '../../../support/folder.js';
import { manyAccounts } from '../../../support/manyAccounts.js';
import { withoutProgress } from '../../../support/progress.js';

const main = resolve('dist/cli/main.js');
const folder = newFolder();
const file = join(folder, 'genesis.jsonl');
const snapshot = join(folder, 'state.snapshot');
let count = 0;
const fresh = () => join(folder, `store${++count}`);
const load = (store = fresh()) => ['load', '--store', store, file];

beforeAll(() => {
  const changes = manyAccounts(2000);
  writeFileSync(file, [...genesisLines({ number: 0, changes })].join('\n'));
});

/** Runs a line of a shell. */
function shell(line: string, env: Record<string, string> = {}) {
  const options = { encoding: 'utf8', input: '', env: { ...process.env, ...env } } as const;
  return spawnSync('bash', ['-c', line], options);
}

const words = (args: readonly string[]) => [process.execPath, main, ...args].join(' ');

/** Runs a command on a terminal of so many columns. @returns what stood on its last line, one behind the other, and the rest */
function onTerminal(args: readonly string[], columns: number, env: Record<string, string> = {}) {
  const options = { encoding: 'utf8', input: '', env: { ...process.env, ...env } } as const;
  const line = `stty cols ${columns}; ${words(args)}`;
  const { status, stdout } = spawnSync('script', ['-qec', line, '/dev/null'], options);
  const shown = [...stdout.matchAll(/\r([^\r\n]*?)\u001b\[K/g)].map(([, text]) => text as string);
  return { status, stdout, shown, left: stdout.replaceAll(/\r[^\r\n]*?\u001b\[K/g, '') };
}

/** Phases in their order, each once. */
const phasesIn = (shown: readonly string[]) => {
  const names = shown.map((text) => text.split('  ')[0] as string);
  return names.filter((name, i) => name !== '' && name !== names[i - 1]);
};

describe('on a terminal', () => {
  test('a load and a snapshot name what they do, one phase after the other, and leave nothing', () => {
    const store = fresh();
    const loaded = onTerminal(load(store), 100);
    expect(loaded).toMatchObject({
      status: 0,
      left: expect.stringMatching(/^loaded 1 blocks?: [^\r\n]+\r\n$/),
    });
    expect(phasesIn(loaded.shown)).toEqual([
      ...['reading', 'computing the root of its header', 'building the trees', 'writing the state'],
    ]);
    const exported = onTerminal(['snapshot', 'export', '--store', store, '--out', snapshot], 100);
    expect(exported.status).toBe(0);
    expect(phasesIn(exported.shown)).toEqual(['counting', 'writing the file']);
    const root = /state root (0x\w+)/.exec(loaded.left)?.[1] as string;
    const args = ['--store', fresh(), '--root', root, snapshot];
    const imported = onTerminal(['snapshot', 'import', ...args], 100);
    expect(imported.status).toBe(0);
    expect(phasesIn(imported.shown)).toEqual([
      ...['reading', 'checking the order of keys', 'writing the state'],
    ]);
    for (const { shown, left } of [loaded, exported, imported]) {
      // The last thing shown is nothing; and no phase is at its end while it lasts.
      expect(shown.at(-1)).toBe('');
      expect(shown.join()).not.toContain('100%');
      expect(left).not.toContain('\u001b');
    }
  });

  test('no line is longer than the terminal is wide', () => {
    for (const columns of [1, 30]) {
      const { status, shown } = onTerminal(load(), columns);
      expect([columns, status]).toEqual([columns, 0]);
      expect(Math.max(...shown.map((text) => text.length))).toBe(columns - 1);
    }
  });

  test('a terminal without a width, and one that cannot go back in a line', () => {
    const unknown = onTerminal(load(), 0);
    expect(unknown).toMatchObject({ status: 0, left: expect.stringMatching(/^loaded 1 /) });
    expect(unknown.shown.join()).toContain('computing the root of its header');
    const dumb = onTerminal(load(), 80, { TERM: 'dumb' });
    expect(dumb).toMatchObject({ status: 0, shown: [], left: expect.stringMatching(/^loaded 1 /) });
  });

  test('a failure stands on a line of its own', () => {
    const broken = join(folder, 'broken.jsonl');
    writeFileSync(broken, '{"genesis":{"number":0,"alloc":{}}}\n{"block":{"number":7}}\n');
    const { status, left } = onTerminal(['load', '--store', fresh(), broken], 80);
    expect(status).toBe(2);
    expect(left).toMatch(/^line 2: [^\r\n]+\r\n$/);
  });
});

/** A clock that goes a hundred times as fast, so that ten seconds go by in a tenth of one. */
const fastClock =
  'data:text/javascript,const now=performance.now.bind(performance);performance.now=()=>100*now()';

describe('anywhere else', () => {
  test('nothing is said for ten seconds, and then a line each ten, if something moved', () => {
    expect(shell(words(load()))).toMatchObject({ status: 0, stderr: '' });
    const { status, stderr } = shell(words(load()), { NODE_OPTIONS: `--import "${fastClock}"` });
    expect(status).toBe(0);
    const lines = stderr.split('\n').slice(0, -1);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) {
      expect(line).toMatch(
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (reading, \d+%, \d+ lines?(, [\d.]+\/s)?|[a-z ]+, \d+%)$/,
      );
    }
    expect(withoutProgress(stderr)).toBe('');
    const said = lines.map((line) => line.replace(/^\S+ /, ''));
    expect(new Set(said).size).toBe(said.length);
  });

  test.each(['2>/dev/full', '2>&-', '2> >(exec 0<&-; true)'])('nobody reads stderr: %s', (away) => {
    const line = `${words(load())} ${away}`;
    const { status, stdout } = shell(line, { NODE_OPTIONS: `--import "${fastClock}"` });
    expect({ status, stdout }).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^loaded 1 blocks?: block 0, final 0, state root 0x\w+\n$/),
    });
  });
});
