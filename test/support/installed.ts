/** What the tests of the installed package share: one of them packs it in a run, and one installs it. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { transformSync } from 'esbuild';
import { type Packed, pack, packServer } from '../../build/pack.js';
import { newFolder } from './folder.js';
import { beginProject, installOffline, longestRun, manifest, quiet } from './project.js';
import { startRegistry } from './registry.js';
import { patience } from './runs.js';
import { until } from './until.js';

/**
 * Makes a folder that all test files of a run share: the first that asks makes it, the others wait for it.
 *
 * @param make fills the folder; what it returns is kept as JSON
 */
async function sharedFolder<T>(
  name: string,
  make: (folder: string) => T | Promise<T>,
): Promise<{ folder: string; made: T }> {
  const folder = join(process.env.SHARED_FOLDER as string, name);
  const file = `${folder}.json`;
  const isFirst = mkdirSync(folder, { recursive: true }) !== undefined;
  if (isFirst) writeFileSync(file, JSON.stringify(await make(folder)));
  else await until(() => existsSync(file), `another test file has made ${name}`, patience);
  return { folder, made: JSON.parse(readFileSync(file, 'utf8')) };
}

/** The tarball, and the path of each file in it. */
export async function packed(): Promise<Packed> {
  return (await sharedFolder('packed', (folder) => pack('.', folder))).made;
}

/** A new project that has the package from its tarball, beside all optional packages. */
export async function newProject(): Promise<string> {
  const { tarball } = await packed();
  const packages = [...Object.keys(manifest.peerDependencies), '@types/node', 'ethers'];
  const { folder } = await sharedFolder('installed', (into) => {
    installOffline(into, tarball, packages);
    return null;
  });
  const project = newFolder();
  beginProject(project, {});
  symlinkSync(join(folder, 'node_modules'), join(project, 'node_modules'));
  return project;
}

/** Installs globally, from a registry on loopback. @param prefix the folder in place of the system's */
export async function installGlobally(prefix: string, tarball: string): Promise<void> {
  const registry = await startRegistry();
  const cache = newFolder();
  try {
    const from = ['--registry', registry.url, '--cache', cache];
    const args = ['install', ...quiet, '--global', '--prefix', prefix, ...from, tarball];
    await promisify(execFile)('npm', args, { timeout: longestRun });
  } finally {
    await registry.close();
  }
}

/** The tarball of `l2proof-server`, and the path of each file in it. */
export async function packedServer(): Promise<Packed> {
  const { tarball } = await packed();
  return (await sharedFolder('packedServer', (folder) => packServer(tarball, folder))).made;
}

/** The command of `l2proof-server`, installed globally as the guides for operators say. */
export async function serverCommand(): Promise<string> {
  const { tarball } = await packedServer();
  const { folder } = await sharedFolder('server', async (prefix) => {
    await installGlobally(prefix, tarball);
    return null;
  });
  return join(folder, 'bin/l2proof');
}

/** Writes a program of a guide as JavaScript; that all of them compile under --strict, `readme.test.ts` checks. */
export function writeProgram(project: string, name: string, code: string): void {
  const { code: script } = transformSync(code, { loader: 'ts', format: 'esm', target: 'es2022' });
  writeFileSync(join(project, `${name}.js`), script);
}
