/** Each module of the built package exists once, whichever entry asks for it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const load = (path: string) => import(new URL(`../../dist/${path}`, import.meta.url).href);

/** What `action` throws. */
function thrown(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

test('errors of every entry are those of the root entry', async () => {
  const { ProofError, ShapeError, VerificationError, verifyProof } = await load('index.js');
  const { verifyTransition } = await load('trace/index.js');
  const { verifyCompactProof } = await load('compact/index.js');
  const claim = { stateRoot: `0x${'00'.repeat(31)}01`, address: `0x${'00'.repeat(20)}` };
  const roots = { parentRoot: claim.stateRoot, endRoot: claim.stateRoot };
  for (const error of [
    thrown(() => verifyProof({}, claim)),
    thrown(() => verifyTransition({}, roots)),
    thrown(() => verifyCompactProof(new Uint8Array(1), claim)),
  ]) {
    expect(error).toBeInstanceOf(ShapeError);
    expect(error).toBeInstanceOf(ProofError);
  }
  expect(await load('errors.js')).toMatchObject({ ProofError, ShapeError, VerificationError });
});

test('the pool gives errors of the root entry', async () => {
  const { ProofError } = await load('index.js');
  const { createPool } = await load('pool/index.js');
  const pool = await createPool({ workers: 1 });
  try {
    const claim = { stateRoot: `0x${'00'.repeat(31)}01`, address: `0x${'00'.repeat(20)}` };
    const [outcome] = await pool.verifyProofs([{ result: {}, claim }]);
    expect(outcome.error).toBeInstanceOf(ProofError);
  } finally {
    await pool.close();
  }
});

test('no two files of the package hold the same class or hash', () => {
  const files = readdirSync('dist', { recursive: true, encoding: 'utf8' })
    // The page is for browsers, and holds what it needs.
    .filter((name) => name.endsWith('.js') && !name.startsWith('page/'))
    .map((name) => ({ name, text: readFileSync(join('dist', name), 'utf8') }));
  const holding = (text: RegExp) =>
    files.filter((file) => text.test(file.text)).map(({ name }) => name);
  expect(holding(/class ProofError |ProofError = class /)).toEqual(['base.js']);
  expect(holding(/new WebAssembly\.Instance\(/)).toEqual(['core.js']);
  expect(holding(/"0061736d/)).toEqual(['core.js']);
  expect(holding(/function parsePath\(/)).toEqual(['core.js']);
  expect(holding(/function keccakP\(/)).toEqual(['base.js']);
});

test('the copy of Keccak is that of the package, and bundlers for browsers take the package', async () => {
  const { keccak_256: copy } = await load('base.js');
  for (let length = 0; length <= 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => 7 * i + length);
    expect(copy(bytes)).toEqual(keccak_256(bytes));
  }
  const inputsFor = async (platform: 'browser' | 'node') => {
    const entryPoints = ['dist/mpt/path.js'];
    const { metafile } = await build({
      ...{ entryPoints, platform, bundle: true, format: 'esm', write: false, metafile: true },
      external: ['@ethereumjs/*'],
    });
    return Object.keys(metafile?.inputs ?? {}).filter((path) => path.includes('@noble'));
  };
  expect(await inputsFor('node')).toEqual([]);
  expect(await inputsFor('browser')).toContain('node_modules/@noble/hashes/sha3.js');
});

test('the source map of the bundle leads to the sources', () => {
  const { sources } = JSON.parse(readFileSync('dist/core.js.map', 'utf8'));
  expect(sources).toContain('../src/verify/verifier.ts');
  for (const source of sources.filter((path: string) => !path.startsWith('<'))) {
    expect(readFileSync(join('dist', source)).length).toBeGreaterThan(0);
  }
});
