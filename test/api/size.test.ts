/** What the anchor and the provider add to a bundle that has the verifier already, and that the verifier brings nothing of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { linksOfIndex, pageFolder, pageNames } from '../support/page.js';

/** What is loaded with the first question that needs it. */
const lazy = [
  ...['compact/answer', 'compact/verify', 'evm/index'],
  ...['history/client/view', 'history/client/work'],
];

/** What is loaded at once: code for compact bytes comes with the first of them, for long lists and for calls likewise. */
async function bundle(...files: string[]) {
  const contents = files.map((file, i) => `export * as part${i} from './src/${file}';`).join('\n');
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: [
      './parts.js',
      '../verify/sender.js',
      ...lazy.flatMap((name) => [`../${name}.js`, `../../${name}.js`]),
    ],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (!file) throw new Error('no bundle');
  return { bytes: gzipSync(file.contents).length, inputs: Object.keys(metafile.inputs) };
}

test('the anchor adds at most 17.2 kB, the verifier of L1 tries 6 of them', async () => {
  const verifier = await bundle('index.ts');
  const added = async (...files: string[]) =>
    (await bundle('index.ts', ...files)).bytes - verifier.bytes;
  expect(await added('anchor/index.ts')).toBeLessThanOrEqual(17_200);
  expect(await added('mpt/account.ts', 'mpt/header.ts')).toBeLessThanOrEqual(6000);
});

test('the light client adds at most 36.1 kB, 26 of them for keys, to a bundle that asks L1', async () => {
  const asking = ['index.ts', 'rpc/index.ts', 'anchor/index.ts'];
  const anchored = await bundle(...asking);
  const { bytes } = await bundle(...asking, 'beacon/index.ts');
  expect(bytes - anchored.bytes).toBeLessThanOrEqual(36_100);
});

test('the provider adds at most 20 kB to a bundle that has the verifier and the anchor', async () => {
  const anchored = await bundle('index.ts', 'anchor/index.ts');
  const { bytes } = await bundle('index.ts', 'anchor/index.ts', 'provider/index.ts');
  expect(bytes - anchored.bytes).toBeLessThanOrEqual(20_000);
});

test('the history adds at most 12 kB to a bundle that has the provider, beside the curve of signatures', async () => {
  const provider = ['index.ts', 'anchor/index.ts', 'provider/index.ts'];
  const { bytes } = await bundle(...provider);
  const added = await bundle(
    ...provider,
    'history/client/history.ts',
    'history/verify/receipts.ts',
  );
  expect(added.bytes - bytes).toBeLessThanOrEqual(12_000);
  // The client loads it with the first sender.
  expect(added.inputs.filter((file) => file.includes('secp256k1'))).toEqual([]);
});

test('the verifier loads nothing that asks, and nothing of L1', async () => {
  const { inputs } = await bundle('index.ts');
  expect(inputs).toContain('src/verify/verifier.ts');
  expect(
    inputs.filter((file) =>
      /src\/(rpc|mpt|anchor|history|provider|viem|decode)\/|@ethereumjs|viem/.test(file),
    ),
  ).toEqual([]);
});

test('the EVM is loaded with the first call, and not before', async () => {
  const { metafile } = await build({
    entryPoints: ['src/data/index.ts', 'src/provider/index.ts', 'src/viem/index.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    outdir: 'never-written',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  /** All that a file of the bundle is made of, with what it imports. */
  const loadedBy = (output: string, isAlsoLater: boolean, seen = new Set<string>()): string[] => {
    if (seen.has(output)) return [];
    seen.add(output);
    const { inputs, imports } = metafile.outputs[output] as (typeof metafile.outputs)[string];
    const next = imports.filter(({ kind }) => isAlsoLater || kind !== 'dynamic-import');
    return [
      ...Object.keys(inputs),
      ...next.flatMap(({ path }) => loadedBy(path, isAlsoLater, seen)),
    ];
  };
  const isEvm = (file: string) => /@ethereumjs\/(evm|common|util|statemanager)/.test(file);
  const isEngine = (file: string) => file.endsWith('src/evm/session.ts');
  for (const name of ['data', 'provider', 'viem']) {
    const entry = `never-written/${name}/index.js`;
    expect(loadedBy(entry, false).filter((file) => isEvm(file) || isEngine(file))).toEqual([]);
    // It is there once it is needed.
    expect(loadedBy(entry, true).some(isEvm)).toBe(true);
    expect(loadedBy(entry, true).some(isEngine)).toBe(true);
  }
});

/** What a script of the page names: modules that it imports at once or later, and workers that it starts. */
async function namedBy(script: string) {
  const { metafile } = await build({
    entryPoints: [join(pageFolder, script)],
    bundle: true,
    external: ['*'],
    format: 'esm',
    outdir: 'never-written',
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  const text = readFileSync(join(pageFolder, script), 'utf8');
  const inAssets = (name: string) => join('assets', name.replace(/^.*\//, ''));
  return {
    imports: imports
      .filter(({ kind }) => kind === 'import-statement')
      .map(({ path }) => inAssets(path)),
    later: imports.filter(({ kind }) => kind === 'dynamic-import').length,
    workers: [...text.matchAll(/\bnew Worker\(.{0,80}?([\w.-]+\.js)/g)].map(([, name]) =>
      inAssets(name as string),
    ),
    workersBegun: text.split('new Worker(').length - 1,
  };
}

test('the first view of the explorer is at most 120 kB, its worker included', async () => {
  const names = pageNames();
  const seen = new Map<string, number>();
  const index = readFileSync(join(pageFolder, 'index.html'), 'utf8');
  const left = ['index.html', ...linksOfIndex(index).map((link) => join(link))];
  let workers = 0;
  let later = 0;
  for (let name = left.pop(); name !== undefined; name = left.pop()) {
    if (seen.has(name)) continue;
    expect(names).toContain(name);
    seen.set(name, gzipSync(readFileSync(join(pageFolder, name)), { level: 9 }).length);
    if (!name.endsWith('.js')) continue;
    const named = await namedBy(name);
    expect([name, named.workers.length]).toEqual([name, named.workersBegun]);
    left.push(...named.imports, ...named.workers);
    workers += named.workers.length;
    later += named.later;
  }
  expect(workers).toBe(1);
  // The EVM and the light client are among what is loaded when it is needed.
  expect(later).toBeGreaterThan(3);
  const total = [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
  console.log(`the first view of the explorer: ${total} bytes in ${seen.size} files`);
  expect(total).toBeLessThanOrEqual(120_000);
});
