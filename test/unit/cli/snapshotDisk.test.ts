/** Loads, imports and exports, as commands, that a full disk or a signal ends: nothing opens, and the next one ends well. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { genesisLines } from '../../../src/follow/index.js';
import type { Hex } from '../../../src/index.js';
import { lmdbStore } from '../../../src/lmdb/index.js';
import { openStateTree } from '../../../src/tree/index.js';
import { newFolder } from '../../support/folder.js';
import { manyAccounts } from '../../support/manyAccounts.js';
import { withoutProgress } from '../../support/progress.js';
import { patience } from '../../support/runs.js';
import { until } from '../../support/until.js';

const home = newFolder();
const source = join(home, 'source');
const genesis = join(home, 'genesis.ndjson');
const snapshot = join(home, 'state.snapshot');
let stateRoot: Hex;

const command = (...args: string[]) => ['dist/cli/main.js', ...args];
/** Runs a program to its end. */
function runProgram(program: string, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(program, [...args], { encoding: 'utf8' });
  return { status, stdout, stderr: withoutProgress(stderr) };
}
const run = (args: readonly string[]) => runProgram(process.execPath, args);

/**
 * What fills a store: the command, but for the store; and what a reader finds if it ends before it writes any of the
 * state. `load` opens a state tree first, so that one without a block is there. `import` leaves the store empty, and a
 * reader cannot mark it.
 */
const fills: [what: string, args: () => string[], before: 'READ_ONLY' | undefined][] = [
  ['load', () => command('load', genesis), undefined],
  ['import', () => command('snapshot', 'import', snapshot, '--root', stateRoot), 'READ_ONLY'],
];

beforeAll(async () => {
  const changes = manyAccounts(20_000);
  const tree = await openStateTree({ store: lmdbStore({ path: source }) });
  const load = await tree.openLoad();
  await load.add(changes);
  ({ stateRoot } = await load.finish({ number: 0 }));
  await load.close();
  await tree.close();
  writeFileSync(genesis, [...genesisLines({ number: 0, changes, stateRoot })].join('\n'));
  const { status } = run(command('snapshot', 'export', '--store', source, '--out', snapshot));
  expect(status).toBe(0);
}, patience);

/** A store that was not filled: no state, no temporary files; and what fills it again ends well. */
async function expectNone(
  path: string,
  args: readonly string[],
  found: 'READ_ONLY' | 'WRONG_STORE' | undefined,
): Promise<void> {
  const files = existsSync(path) ? readdirSync(path) : [];
  expect(files).not.toContain('temporary');
  if (found !== 'WRONG_STORE') {
    // The command failed before it wrote anything, and takes its new store away.
    expect(files).toEqual([]);
    await expectFilled(path, args);
    return;
  }
  const store = lmdbStore({ path, readOnly: true });
  const newest = await openStateTree({ store }).then(
    (tree) => tree.newestBlock(),
    ({ code }) => code,
  );
  expect(newest).toBe(found);
  await store.close();
  await expectFilled(path, args);
}

async function expectFilled(path: string, args: readonly string[]): Promise<void> {
  const { status, stderr } = run([...args, '--store', path]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const tree = await openStateTree({ store: lmdbStore({ path }) });
  expect(await tree.stateRoot()).toBe(stateRoot);
  await tree.close();
  expect(readdirSync(path).sort()).toEqual(['data.mdb', 'lock.mdb']);
}

/** Runs a command whose files may not grow beyond a length. */
const limited = (kib: number, args: readonly string[]) =>
  runProgram('bash', ['-c', `ulimit -f ${kib}; exec "$@"`, '-', process.execPath, ...args]);

describe('a disk without room', () => {
  test.each(fills)(
    'for the temporary files, or for the store: %s',
    async (_, argsOf, before) => {
      const kib = statSync(join(source, 'data.mdb')).size / 1024;
      // The second is more than any temporary file, and less than the store: the mark of a load stays in it.
      for (const [limit, found] of [
        [2048, before],
        [Math.floor(0.8 * kib), 'WRONG_STORE'],
      ] as const) {
        const path = newFolder();
        const { status, stdout, stderr } = limited(limit, [...argsOf(), '--store', path]);
        expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
        // LMDB says by itself that a write failed, in front of what the command says.
        expect(stderr).toMatch(/(^|\n)cannot write .*EFBIG.*\n$/);
        await expectNone(path, argsOf(), found);
      }
    },
    patience,
  );

  test('for the file that is exported: no part of it stays', () => {
    const folder = newFolder();
    const args = command('snapshot', 'export', '--store', source, '--out', join(folder, 'out'));
    const { status, stdout, stderr } = limited(1024, args);
    expect({ status, stdout }).toEqual({ status: 4, stdout: '' });
    expect(stderr).toMatch(/^cannot write .*EFBIG.*\n$/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('no file at all, or a folder that is a file: exit code 3, and what is there stays', () => {
    const folder = newFolder();
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(join(folder, 'file'), 'kept');
    for (const [out, words] of [
      [pipe, /^--out .* is no file/],
      [folder, /^--out .* is no file/],
      [join(folder, 'file', 'x'), /^cannot write .*ENOTDIR|^--out .*ENOTDIR/],
      [join(folder, 'none', 'x'), /^cannot write .*ENOENT/],
    ] as const) {
      const { status, stderr } = run(
        command('snapshot', 'export', '--store', source, '--out', out),
      );
      expect({ out, status, stderr }).toEqual({
        out,
        status: 3,
        stderr: expect.stringMatching(words),
      });
    }
    expect(statSync(pipe).isFIFO()).toBe(true);
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('kept');
    expect(readdirSync(folder).sort()).toEqual(['file', 'pipe']);
  });

  const canMount = (() => {
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', home]);
    if (status === 0) spawnSync('umount', ['-l', home]);
    return status === 0;
  })();

  test.skipIf(!canMount).each(fills)(
    'because it is full: %s',
    async (_, argsOf, before) => {
      // Less than the temporary files.
      const disk = newFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', disk]);
      try {
        const path = join(disk, 'state');
        const { status, stderr } = run([...argsOf(), '--store', path]);
        expect(status).toBe(4);
        expect(stderr).toMatch(/^cannot write .*ENOSPC.*\n$/);
        execFileSync('mount', ['-o', 'remount,size=1g', disk]);
        await expectNone(path, argsOf(), before);
      } finally {
        execFileSync('umount', ['-l', disk]);
      }
    },
    patience,
  );
});

/** Starts a command, and ends it by a signal once something holds. */
async function ended(args: readonly string[], signal: NodeJS.Signals, holds: () => boolean) {
  const child: ChildProcess = spawn(process.execPath, [...args]);
  let stderr = '';
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  const end = once(child, 'close');
  await until(() => holds() || child.exitCode !== null, 'the command is under way');
  child.kill(signal);
  const [status, by] = await end;
  return { status, by, stderr: withoutProgress(stderr) };
}

describe('a signal', () => {
  test.each(fills)(
    'ends %s, which can be run again',
    async (what, argsOf) => {
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        const path = newFolder();
        const args = [...argsOf(), '--store', path];
        const { status, by, stderr } = await ended(args, signal, () =>
          existsSync(join(path, 'temporary')),
        );
        // `import` catches SIGTERM and says so; `load` is ended by it.
        const isCaught = what === 'import' && signal === 'SIGTERM';
        expect({ status, by }).toEqual(
          isCaught ? { status: 3, by: null } : { status: null, by: signal },
        );
        expect(stderr).toMatch(isCaught ? /^stopped by a signal/ : /^$/);
        await expectFilled(path, argsOf());
      }
    },
    patience,
  );

  test(
    'ends an export: the file is not there, and the next one is whole',
    async () => {
      const folder = newFolder();
      const out = join(folder, 'out');
      const args = command('snapshot', 'export', '--store', source, '--out', out);
      const hasPart = () => existsSync(`${out}.part`);
      expect(await ended(args, 'SIGTERM', hasPart)).toMatchObject({
        status: 3,
        stderr: expect.stringMatching(/^stopped by a signal/),
      });
      expect(readdirSync(folder)).toEqual([]);
      expect(await ended(args, 'SIGKILL', hasPart)).toMatchObject({ by: 'SIGKILL' });
      expect(existsSync(out)).toBe(false);
      expect(run(args)).toMatchObject({ status: 0, stderr: '' });
      expect(readdirSync(folder)).toEqual(['out']);
      expect(readFileSync(out).equals(readFileSync(snapshot))).toBe(true);
    },
    patience,
  );

  test('ends a check of a file, which leaves no temporary files', async () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'tmp'));
    const env = { ...process.env, TMPDIR: join(folder, 'tmp') };
    const args = command('snapshot', 'verify', '-', '--root', stateRoot);
    const child = spawn(process.execPath, args, { env });
    const end = once(child, 'close');
    // Never the whole file: the command cannot be done before the signal comes.
    child.stdin.on('error', () => {});
    child.stdin.write(readFileSync(snapshot).subarray(0, -1));
    const has = () => readdirSync(join(folder, 'tmp')).some((name) => name.startsWith('l2proof'));
    await until(has, 'the file is read');
    child.kill('SIGTERM');
    const [status] = await end;
    expect(status).toBe(3);
    expect(has()).toBe(false);
  });
});
