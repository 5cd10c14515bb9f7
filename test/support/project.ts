/** The packed package in a project of its own, as a user has it. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const manifest = JSON.parse(readFileSync('package.json', 'utf8'));

/** Options of npm by which it installs, and says only what fails. */
export const quiet = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/** Begins a project. @param dependencies by name: a version, or a folder */
export function beginProject(folder: string, dependencies: Record<string, string>): void {
  // Overrides hold for what the dependencies need, too.
  const json = { private: true, type: 'module', dependencies, overrides: dependencies };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(json));
}

/** Ms after which npm is taken for stuck: an installation takes seconds, on a busy machine a minute. */
export const longestRun = 300_000;

/** Runs npm in a project. @throws if it fails, with npm's output */
export function npm(folder: string, ...args: string[]): string {
  const start = () =>
    spawnSync('npm', args, { cwd: folder, encoding: 'utf8', timeout: longestRun });
  let run = start();
  // npm has been seen to wait without a connection, for ever; begun anew it took seconds.
  if (run.signal !== null) run = start();
  if (run.status !== 0) throw new Error(`npm ${args[0]} failed: ${run.stderr}`);
  return run.stdout;
}

export const install = (folder: string, ...args: string[]): string =>
  npm(folder, 'install', ...quiet, ...args);

/**
 * Installs the tarball without network: what it needs comes from this checkout.
 *
 * @param packages besides the dependencies
 */
export function installOffline(folder: string, tarball: string, packages: readonly string[]): void {
  const names = [...Object.keys(manifest.dependencies), ...packages];
  const local = names.map((name) => [name, `file:${resolve('node_modules', name)}`]);
  beginProject(folder, Object.fromEntries(local));
  install(folder, '--offline', tarball);
}

/**
 * Compiles the TypeScript files of a project, with nothing but what it says.
 *
 * @returns what the compiler complains of; '' for nothing
 */
export function compile(folder: string, files: readonly string[], options: object = {}): string {
  const compilerOptions = {
    strict: true,
    skipLibCheck: false,
    target: 'es2022',
    lib: ['ES2022'],
    module: 'nodenext',
    types: ['node'],
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = resolve('node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout;
}
