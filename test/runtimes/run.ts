/**
 * `npm test -- runtimes`: the packed tarball on Node, Bun, Deno and workerd, and in bundles of esbuild. The verifier works
 * on all of them; the pool works, or says what to do. Asks the npm registry.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BuildOptions, build } from 'esbuild';
import { pack } from '../../build/pack.js';
import { slotKey } from '../../src/index.js';
import { peers } from '../../src/peer.js';
import { createAccumulator } from '../../src/tree/index.js';
import { beginProject, npm } from '../support/project.js';

const runtimes = { bun: '1.4.5', deno: '2.9.6', miniflare: '4.20260730.0' };
/** Ms after which a runtime hangs. */
const patience = 120_000;

const { result } = JSON.parse(readFileSync('docs/example/answer.json', 'utf8'));
const claim = {
  stateRoot: '0x1005eff740cc76b23d47c07859db53e74c7c046d768f6edb5c2805d8490b4b0a',
  address: '0x6c6553b4934a681a4efe765efb6db43e753aa036',
  storageKeys: [slotKey(4), slotKey(5)],
};
const { root } = createAccumulator({ hash: 'mimc' });

const home = mkdtempSync(join(tmpdir(), 'l2proof-runtimes-'));
const path = (name: string) => join(home, name);

/** Bundles a file of the project. */
async function bundle(from: string, to: string, options: BuildOptions = {}): Promise<void> {
  const common = { bundle: true, format: 'esm', logLevel: 'error' } as const;
  await build({ entryPoints: [path(from)], outfile: path(to), ...common, ...options });
}

/** Runs a command, and holds what it prints against what is so everywhere. */
async function check(title: string, [program, ...args]: string[], pooled: unknown): Promise<void> {
  const options = { cwd: home, timeout: patience };
  const { stdout } = await promisify(execFile)(program as string, args, options);
  const answer = JSON.parse(stdout);
  assert.equal(answer.nonce, '1', title);
  assert.equal(answer.root, root, title);
  if (pooled instanceof RegExp) {
    assert.equal(answer.pooled.name, 'PoolError', title);
    assert.equal(answer.pooled.code, 'NO_WORKERS', title);
    assert.match(answer.pooled.message, pooled, title);
    console.log(`${title}: verifies; ${answer.pooled.message}`);
  } else {
    assert.deepEqual(answer.pooled, pooled, title);
    console.log(`${title}: verifies, and so does the pool`);
  }
}

try {
  const { tarball } = pack('.', home);
  beginProject(home, { ...runtimes, piscina: peers.piscina.newest });
  // With the install scripts, unlike elsewhere: they bring the runtimes.
  npm(home, 'install', '--no-audit', '--no-fund', '--loglevel=error', tarball);
  cpSync('test/runtimes', home, { recursive: true });
  const data = `export const claim = ${JSON.stringify(claim)}, result = ${JSON.stringify(result)};`;
  writeFileSync(path('data.js'), data);
  await bundle('app.js', 'node/app.js', { platform: 'node' });
  await bundle('app.js', 'external/app.js', { platform: 'node', packages: 'external' });
  await bundle('app.js', 'alone/app.js');
  await bundle('app.js', 'both/app.js');
  await bundle('node_modules/l2proof/dist/pool/worker.js', 'both/worker.js');
  await bundle('served.js', 'workerd/app.js');

  const node = process.execPath;
  const bin = (name: string) => path(`node_modules/.bin/${name}`);
  const works = [true, false, false];
  await check('Node', [node, 'app.js'], works);
  await check('Node, a bundle without l2proof', [node, 'external/app.js'], works);
  await check('Node, a bundle', [node, 'node/app.js'], /leave l2proof external/);
  await check('Bun', [bin('bun'), 'run', 'app.js'], works);
  await check('Bun, a bundle with its worker', [bin('bun'), 'run', 'both/app.js'], works);
  await check('Bun, a bundle without', [bin('bun'), 'run', 'alone/app.js'], /bundle node_modules/);
  await check('Deno', [bin('deno'), 'run', '--allow-all', 'app.js'], works);
  await check('workerd', [node, 'workerd.js', 'workerd/app.js'], /no worker threads/);
  const compatible = [node, 'workerd.js', 'workerd/app.js', 'nodejs_compat'];
  await check('workerd with nodejs_compat', compatible, /no worker threads/);
} finally {
  rmSync(home, { recursive: true });
}
