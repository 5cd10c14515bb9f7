/** What the anchor and the provider add to a bundle that has the verifier already, and that the verifier brings nothing of it. */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

/** What is loaded at once: code for compact bytes comes with the first of them, code for long lists with the first list. */
async function bundle(...files: string[]) {
  const contents = files.map((file, i) => `export * as part${i} from './src/${file}';`).join('\n');
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    external: ['../compact/answer.js', '../compact/verify.js', './parts.js'],
    write: false,
    metafile: true,
    logLevel: 'error',
  });
  const [file] = outputFiles;
  if (!file) throw new Error('no bundle');
  return { bytes: gzipSync(file.contents).length, inputs: Object.keys(metafile.inputs) };
}

test('the anchor adds at most 12 kB, the verifier of L1 tries 6 of them', async () => {
  const verifier = await bundle('index.ts');
  const added = async (...files: string[]) =>
    (await bundle('index.ts', ...files)).bytes - verifier.bytes;
  expect(await added('anchor/index.ts')).toBeLessThanOrEqual(12_000);
  expect(await added('mpt/account.ts', 'mpt/header.ts')).toBeLessThanOrEqual(6000);
});

test('the provider adds at most 20 kB to a bundle that has the verifier and the anchor', async () => {
  const anchored = await bundle('index.ts', 'anchor/index.ts');
  const { bytes } = await bundle('index.ts', 'anchor/index.ts', 'provider/index.ts');
  expect(bytes - anchored.bytes).toBeLessThanOrEqual(20_000);
});

test('the verifier loads nothing that asks, and nothing of L1', async () => {
  const { inputs } = await bundle('index.ts');
  expect(inputs).toContain('src/verify/verifier.ts');
  expect(
    inputs.filter((file) =>
      /src\/(rpc|mpt|anchor|provider|viem|decode)\/|@ethereumjs|viem/.test(file),
    ),
  ).toEqual([]);
});
