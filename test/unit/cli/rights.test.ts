/** Folders and files that the command's user has no right to: each command says so, and ends with 3. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { newFolder } from '../../support/folder.js';
import { patience } from '../../support/runs.js';

const main = resolve('dist/cli/main.js');
const isRoot = process.geteuid?.() === 0;
/** Root may do anything, so its commands run as another user. */
const other = isRoot ? { uid: 65_534, gid: 65_534 } : {};
const run = (...args: string[]) =>
  spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', ...other });
/** A checkout in a folder of root's own is closed to it. */
const canRun = run('--version').status === 0;

const home = newFolder();
const at = (...names: string[]) => join(home, ...names);
const root = `0x${'11'.repeat(32)}`;
const node = ['--l2', 'http://127.0.0.1:1', '--fork', 'prague', '--once'];
const tx = `0x${'22'.repeat(32)}`;

describe('a user without the rights', () => {
  beforeAll(() => {
    for (const folder of [home, dirname(home)]) chmodSync(folder, 0o755);
    writeFileSync(
      at('genesis.jsonl'),
      `${JSON.stringify({ genesis: { number: 0, alloc: {} } })}\n`,
    );
    const load = ['load', at('genesis.jsonl'), '--store', at('open')];
    expect(spawnSync(process.execPath, [main, ...load]).status).toBe(0);
    cpSync(at('open'), at('shut', 'inner'), { recursive: true });
    cpSync(at('open'), at('locked'), { recursive: true });
    for (const file of readdirSync(at('locked'))) chmodSync(at('locked', file), 0);
    for (const name of ['kept', 'own']) mkdirSync(at(name));
    chmodSync(at('own'), 0o777);
    for (const name of ['shut/genesis.jsonl', 'shut/abi.json', 'secret'])
      writeFileSync(at(name), '[]');
    chmodSync(at('secret'), 0);
    chmodSync(at('kept'), 0o555);
    chmodSync(at('shut'), 0);
    return () => chmodSync(at('shut'), 0o755);
  });

  const commands: [name: string, args: (store: string) => string[]][] = [
    ['serve', (store) => ['serve', '--store', store, '--finality', 'store', '--port', '0']],
    ['follow', (store) => ['follow', '--store', store, ...node]],
    ['load', (store) => ['load', at('genesis.jsonl'), '--store', store]],
    ['migrate', (store) => ['migrate', '--store', store]],
    ['export', (store) => ['snapshot', 'export', '--store', store, '--out', '-']],
  ];

  test.skipIf(!canRun).each(commands)(
    'a store that may not be opened: %s',
    (_, args) => {
      for (const store of ['shut', 'shut/inner', 'locked']) {
        const { status, stdout, stderr } = run(...args(at(store)));
        const told = expect.stringMatching(
          /^cannot open the store at .*: this user lacks the rights to its folder or files; EACCES.*\(READ_ONLY\)\n$/,
        );
        expect({ store, status, stdout, stderr }).toEqual({
          store,
          status: 3,
          stdout: '',
          stderr: told,
        });
      }
    },
    patience,
  );

  test.skipIf(!canRun)(
    'a store that may not be made, and files that may not be read or written',
    () => {
      const genesis = ['--genesis', at('genesis.jsonl')];
      const rows: [args: string[], told: RegExp][] = [
        [
          ['load', at('genesis.jsonl'), '--store', at('kept', 'new')],
          /lacks the rights.*READ_ONLY/,
        ],
        [
          ['follow', '--store', at('kept', 'new'), ...node, ...genesis],
          /lacks the rights.*READ_ONLY/,
        ],
        [['load', at('secret'), '--store', at('own', 'none')], /^cannot read .*EACCES/],
        [
          ['load', at('shut', 'genesis.jsonl'), '--store', at('own', 'none')],
          /^cannot read .*EACCES/,
        ],
        [
          ['snapshot', 'import', at('secret'), '--store', at('own', 'none'), '--root', root],
          /EACCES/,
        ],
        [['snapshot', 'verify', at('secret'), '--root', root], /^cannot read .*EACCES/],
        [['verify', at('secret'), '--root', root, '--address', `0x${'33'.repeat(20)}`], /EACCES/],
        [['decode', tx, '--l2', 'http://127.0.0.1:1', '--abis', at('shut')], /--abis .*EACCES/],
      ];
      for (const [args, told] of rows) {
        const { status, stderr } = run(...args);
        expect({ args, status, stderr }).toEqual({
          args,
          status: 3,
          stderr: expect.stringMatching(told),
        });
      }
      expect(readdirSync(at('kept'))).toEqual([]);
      expect(readdirSync(at('own'))).toEqual([]);
    },
    patience,
  );
});
