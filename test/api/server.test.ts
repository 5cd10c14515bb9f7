/** The package for operators: the command with all packages that it may need, as npm installs it globally. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { newFolder } from '../support/folder.js';
import { installGlobally, packed, packedServer, serverCommand } from '../support/installed.js';
import { manifest } from '../support/project.js';
import { patience } from '../support/runs.js';

const server = JSON.parse(readFileSync('server/package.json', 'utf8'));

let command: string;
beforeAll(async () => {
  command = await serverCommand();
}, patience);

const run = (path: string, ...args: string[]) =>
  spawnSync(path, args, { encoding: 'utf8', cwd: newFolder(), timeout: 120_000 });

test('it names the library, and each package that it may need in the version tested', () => {
  const { version, license, engines, dependencies, peerDependencies, devDependencies } = manifest;
  expect(server).toMatchObject({ version, license, engines, bundleDependencies: ['l2proof'] });
  const tested = Object.keys(peerDependencies).map((name) => [name, devDependencies[name]]);
  expect(server.dependencies).toEqual({
    ...dependencies,
    ...Object.fromEntries(tested),
    l2proof: version,
  });
});

test('its tarball holds the library whole, and of its own the command alone', async () => {
  const library = (await packed()).names.map((path) => `node_modules/l2proof/${path}`);
  expect([...(await packedServer()).names].sort()).toEqual(
    ['LICENSE', 'README.md', 'l2proof.js', 'package.json', ...library].sort(),
  );
});

test('the command runs, and finds its packages', () => {
  expect(run(command, 'version')).toMatchObject({ status: 0, stdout: `${manifest.version}\n` });
  const home = dirname(realpathSync(command));
  for (const name of Object.keys(server.dependencies)) {
    expect([name, existsSync(join(home, 'node_modules', name, 'package.json'))]).toEqual([
      name,
      true,
    ]);
  }
  const anvil = run(join(home, 'node_modules/.bin/anvil'), '--version');
  expect([anvil.status, anvil.stdout]).toEqual([0, expect.stringContaining('anvil')]);
});

test('npm refuses the library beside it, and leaves it as it is', async () => {
  const prefix = dirname(dirname(command));
  const { tarball } = await packed();
  await expect(installGlobally(prefix, tarball)).rejects.toThrow('EEXIST');
  expect(run(command, 'version')).toMatchObject({ status: 0 });
  expect(dirname(realpathSync(command))).toBe(join(prefix, 'lib/node_modules/l2proof-server'));
});
