/** Commands whose store cannot be, or is given up: how they end, and what they leave. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/cli/exit/failures.js';
import { TreeError } from '../../../../src/tree/index.js';
import { newFolder } from '../../../support/folder.js';
import { patience } from '../../../support/runs.js';
import { until } from '../../../support/until.js';

const main = resolve('dist/cli/main.js');

function start(...args: string[]) {
  return startIn('.', ...args);
}

function startIn(cwd: string, ...args: string[]) {
  const child = spawn(process.execPath, [main, ...args], { cwd });
  let text = '';
  child.stderr.on('data', (chunk) => {
    text += chunk;
  });
  const end = once(child, 'close').then(([code]) => ({ code, text }));
  return { child, end };
}

const follow = (store: string, genesis: string) =>
  start(
    ...['follow', '--store', store, '--l2', 'http://127.0.0.1:1', '--fork', 'shanghai'],
    ...['--genesis', genesis],
  );

test(
  'a place where no store can be ends a command with 3, which names the place',
  async () => {
    const folder = newFolder();
    const file = join(folder, 'file');
    writeFileSync(file, '');
    for (const store of [
      '/proc',
      '/sys/nope',
      '/proc/nope',
      '/proc/nope/deeper',
      join(file, 'store'),
      join(folder, 'new', 'a'.repeat(300)),
    ]) {
      for (const run of [follow(store, file), start('load', '--store', store, file)]) {
        const { code, text } = await run.end;
        expect([store, code]).toEqual([store, 3]);
        expect(text).toMatch(/^cannot open the store at /);
        expect(text).not.toMatch(/report it/);
      }
    }
    expect(existsSync(join(folder, 'new'))).toBe(false);
  },
  2 * patience,
);

test(
  'a folder that a command has made is gone if it fails before it wrote; others stay',
  async () => {
    const folder = newFolder();
    const bad = join(folder, 'bad.jsonl');
    writeFileSync(bad, 'no state\n');
    expect((await start('load', '--store', join(folder, 'a', 'b'), bad).end).code).toBe(2);
    expect(existsSync(join(folder, 'a'))).toBe(false);
    mkdirSync(join(folder, 'own'));
    expect((await start('load', '--store', join(folder, 'own', 'b'), bad).end).code).toBe(2);
    expect(existsSync(join(folder, 'own', 'b'))).toBe(false);
    expect(existsSync(join(folder, 'own'))).toBe(true);
  },
  patience,
);

test(
  'SIGTERM while the genesis is read ends it with 0',
  async () => {
    const store = join(newFolder(), 'store');
    const { child, end } = follow(store, '-');
    child.stdin.on('error', () => {});
    child.stdin.write('{"genesis":');
    await until(() => existsSync(join(store, 'data.mdb')), 'the store is open');
    child.kill('SIGTERM');
    const { code, text } = await end;
    expect(code).toBe(0);
    expect(text).not.toMatch(/report it/);
  },
  patience,
);

test.each([
  ['STORE_FAILED', undefined, 4],
  ['STORE_FAILED', 'ECONNREFUSED', 4],
  ['STORE_FAILED', 'EIO', 4],
  ['STORE_FAILED', '57P01', 4],
  ['STORE_FULL', 'ENOSPC', 4],
  ['STORE_FULL', '53100', 4],
  ['OTHER_WRITER', undefined, 4],
  ['STORE_FAILED', 'ENOENT', 3],
  ['STORE_FAILED', 'ENOTDIR', 3],
  ['STORE_FAILED', '28P01', 3],
  ['STORE_FAILED', '3D000', 3],
  ['STORE_FAILED', 'NO_TLS', 3],
  ['STORE_FAILED', 'POOLER', 3],
  ['STORE_FAILED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 3],
  ['STORE_FAILED', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 3],
  ['STORE_FAILED', 'ERR_OSSL_PEM_NO_START_LINE', 3],
  // As LMDB has them: ENOENT, EIO.
  ['STORE_FAILED', 2, 3],
  ['STORE_FAILED', 5, 4],
  ['READ_ONLY', 'EACCES', 3],
  ['WRONG_STORE', undefined, 3],
  ['DAMAGED', 'XX001', 3],
  ['MISSING_PEER', undefined, 3],
] as const)('%s because of %s ends the process with its code', (code, name, expected) => {
  const cause =
    name === undefined ? undefined : Object.assign(new Error(String(name)), { code: name });
  expect(failureOf(new TreeError(code, 'text', { cause }), 'load')?.exitCode).toBe(expected);
});

test(
  'a URL that is none of PostgreSQL makes no store of that name, and is not shown',
  async () => {
    const folder = newFolder();
    const rest = 'me:s3cret-pass@127.0.0.1/base';
    const node = ['--l2', 'http://127.0.0.1:1'];
    const decoded = ['serve', '--decode', 'x=http://127.0.0.1:1', '--port', '0'];
    for (const scheme of ['POSTGRES://', 'postgresq://', ' postgres://', 'https:/', 'mysql://']) {
      const url = `${scheme}${rest}`;
      for (const args of [
        ['load', '--store', url, resolve('package.json')],
        ['follow', '--store', url, '--fork', 'prague', ...node],
        ['serve', '--store', url, '--finality', '1'],
        ['index', '--store', url, ...node],
        [...decoded, '--data', `x=${url}`],
        [...decoded, '--decode-store', url],
        [...decoded, '--prices', url],
      ].slice(0, scheme === 'mysql://' ? undefined : 1)) {
        const { code, text } = await startIn(folder, ...args).end;
        expect([args[0], code]).toEqual([args[0], 3]);
        expect(text).toMatch(
          /^--[a-z-]+(, unless it begins with [a-z]+:\/\/,)? expected the name of/,
        );
        expect(text).not.toContain('s3cret');
      }
    }
    expect(readdirSync(folder)).toEqual([]);
  },
  4 * patience,
);
