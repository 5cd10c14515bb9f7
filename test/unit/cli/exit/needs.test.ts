/** `l2proof serve` without the packages that it needs: it ends with 3, and names them. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { newFolder } from '../../../support/folder.js';
import { bareEnv, serveStore } from '../../../support/serving.js';

const open = ['--store', serveStore().own.path, '--finality', '12'];
const whole = [...open, '--port', '0'];

function run(args: readonly string[], cwd: string) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['dist/cli/main.js', 'serve', ...args],
    { env: bareEnv, cwd, encoding: 'utf8', timeout: 20_000 },
  );
  return { status, stdout, stderr };
}

const { devDependencies: newest } = JSON.parse(readFileSync('package.json', 'utf8'));

/** A folder with the command, and without some packages. */
function without(needed: readonly string[]): string {
  const bare = newFolder();
  cpSync('dist', join(bare, 'dist'), { recursive: true });
  cpSync('package.json', join(bare, 'package.json'));
  // Empty folders, so that none above is looked into.
  for (const name of needed) mkdirSync(join(bare, 'node_modules', name), { recursive: true });
  symlinkSync(resolve('node_modules/@noble'), join(bare, 'node_modules/@noble'));
  return bare;
}

test('packages that are missing, all that the options need in one line', () => {
  const web = ['hono', '@hono/node-server'];
  const watch = ['pino', 'prom-client'];
  const decoder = ['@hono/zod-openapi', 'zod', 'viem'];
  const evm = ['@ethereumjs/evm', '@ethereumjs/common', '@ethereumjs/util'];
  const bare = without([...web, 'lmdb', 'pg', ...watch, ...decoder, ...evm]);
  const decode = ['--decode', 'a=http://127.0.0.1:1', '--port', '0'];
  const url = ['--store', 'postgres://127.0.0.1/x', '--finality', '1'];
  const cases: [args: string[], needed: string[]][] = [
    [whole, [...web, 'lmdb', ...watch]],
    [url, [...web, 'pg', ...watch]],
    [decode, [...web, ...watch, ...decoder]],
    [
      [...decode, '--decode-store', 'x'],
      [...web, 'lmdb', ...watch, ...decoder],
    ],
    [
      [...open, ...decode, '--data', 'a=x'],
      [...web, 'lmdb', ...watch, ...decoder],
    ],
    [
      [...open, ...decode, '--data', 'a=x', '--fork', 'prague'],
      [...web, 'lmdb', ...watch, ...decoder, ...evm],
    ],
  ];
  for (const [args, needed] of cases) {
    const line = needed.map((name) => `${name}@${newest[name]}`).join(' ');
    expect([args, run(args, bare)]).toEqual([
      args,
      {
        status: 3,
        stdout: '',
        stderr: `serving needs more packages; run: npm install ${line}\n`,
      },
    ]);
  }
});

test('the decoder, too, is told with all packages', () => {
  const bare = without(['viem']);
  const present = ['hono', '@hono', 'pino', 'prom-client', 'zod', 'lmdb'];
  for (const name of present) {
    symlinkSync(resolve('node_modules', name), join(bare, 'node_modules', name));
  }
  const { status, stderr } = run(['--decode', 'a=http://127.0.0.1:1', '--port', '0'], bare);
  expect(status).toBe(3);
  expect(stderr).toMatch(/^serving needs more packages; run: npm install hono@.* viem@\S+\n$/);
});

test('a package that is missing, with the line that installs it', () => {
  const needed = ['lmdb', 'pino', 'prom-client', 'hono', '@hono/node-server'];
  const bare = without(needed);
  for (const name of needed) {
    const result = run(whole, bare);
    expect([name, result.status]).toEqual([name, 3]);
    const [, installed = ''] = /run: npm install (.*)\n/.exec(result.stderr) ?? [];
    expect(installed.split(' ').sort()).toEqual(
      needed.map((each) => `${each}@${newest[each]}`).sort(),
    );
    spawnSync('rmdir', [join(bare, 'node_modules', name)]);
    symlinkSync(resolve('node_modules', name), join(bare, 'node_modules', name));
  }
});
